"""The command `biritch`. Each subcommand is loaded when it is used, so that the others cost nothing."""

import importlib

import click

_COMMANDS = {
    "play": ("client_cli.play", "Play against bots, with a server of your own."),
    "create": ("client_cli.commands", "Make a table at a server and go there."),
    "join": ("client_cli.commands", "Go to a table at a server."),
    "tables": ("client_cli.commands", "List the public tables of a server."),
    "rules": ("client_cli.rules_page", "Print the rules of a game as it is played here."),
    "score": ("client_cli.score", "Score a deal played with real cards."),
    "replay": ("client_cli.replay", "Play deal records again and check their scores."),
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

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in _COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="biritch", prog_name="biritch")
def cli() -> None:
    """Play the classic auction card games with people far apart, or with bots.

    Exit status: 0 all right, 1 something was refused (in a script: any of its lines), 2 wrong use, 3 no connection.
    """


def main() -> None:
    """Run the command."""
    cli()


if __name__ == "__main__":
    main()
