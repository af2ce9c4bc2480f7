"""Options that several commands have refuse what no server would take."""

import pytest
from click.testing import CliRunner

from client_cli.main import cli


@pytest.mark.parametrize("command", [("play",), ("create", "vint"), ("join", "ws://localhost:1/")])
@pytest.mark.parametrize("name", ["a\udcff", "a\nb", "\x1b[1m"])
def test_a_name_that_cannot_be_printed_is_refused(command: tuple[str, ...], name: str) -> None:
    done = CliRunner().invoke(cli, [*command, "--plain", "--name", name])
    assert done.exit_code == 2
    assert "a name is of characters that can be printed" in done.output
