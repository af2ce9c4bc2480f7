"""`biritch completion`: what a shell needs to complete the commands."""

import click

from client_cli.main import PROGRAM, cli

SHELLS = ("bash", "zsh", "fish")

_HOW = """\b
  bash   eval "$(biritch completion bash)"             in ~/.bashrc
  zsh    eval "$(biritch completion zsh)"              in ~/.zshrc, after compinit
  fish   biritch completion fish | source              in ~/.config/fish/config.fish"""


@click.command(epilog=_HOW)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what SHELL has to run so that it completes commands, options and games."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "click knows these shells"
    click.echo(kind(cli, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source())
