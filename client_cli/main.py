"""The command `biritch`. Each subcommand is loaded when it is used, so that the others cost nothing."""

import errno
import importlib
import os
import sys

import click
from click.shell_completion import CompletionItem

PROGRAM = "biritch"

_COMMANDS = {
    "play": ("client_cli.play", "Play against bots, with a server of your own."),
    "create": ("client_cli.commands", "Make a table at a server and go there."),
    "join": ("client_cli.commands", "Go to a table at a server."),
    "tables": ("client_cli.commands", "List the public tables of a server."),
    "seat": ("client_cli.commands", "Print a code that moves your seat to another device."),
    "rules": ("client_cli.rules_page", "Print the rules of a game as it is played here."),
    "score": ("client_cli.score", "Score a deal played with real cards."),
    "records": ("client_cli.records", "Print the finished deals of a table at a server."),
    "browse": ("client_cli.browse", "Step through deal records on the whole screen."),
    "replay": ("client_cli.replay", "Play deal records again and check their scores."),
    "config": ("client_cli.config", "Print which settings are in force, and where they are."),
    "doctor": ("client_cli.doctor", "Look at this installation, this terminal and a server."),
    "completion": ("client_cli.completion", "Print what a shell needs to complete commands."),
}


EXIT_STATUSES = {
    "0": "all right",
    "1": "something was refused; in a script, any of its lines",
    "2": "wrong use: of the command line, or a setting that cannot be",
    "3": "no connection, or none any more",
    "128+N": "ended by signal N: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP",
}


class LazyGroup(click.Group):
    """A group whose commands are modules that are imported by name."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(_COMMANDS[name][0]), name)
        return command

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command's name without loading it, or an option."""
        found = [
            CompletionItem(name, help=words) for name, (_, words) in _COMMANDS.items() if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, context, incomplete)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in _COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExit status:\n" + "\n".join(f"  {status:<6} {words}" for status, words in EXIT_STATUSES.items()),
)
@click.version_option(package_name="biritch", prog_name="biritch")
@click.pass_context
def cli(context: click.Context) -> None:
    """Play the classic auction card games with people far apart, or with bots.

    Without a command, a terminal shows the servers used before, and where to go from there.
    """
    if context.invoked_subcommand is None:
        from client_cli.start import settings, visit

        visit(settings(), None)


def main() -> None:
    """Run the command."""
    try:
        cli(prog_name=PROGRAM)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        # Python would try to write what is left once more when it ends, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo(f"It cannot be written: {error.strerror}.", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
