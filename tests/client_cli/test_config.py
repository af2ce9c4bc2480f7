"""The file of settings, the environment before it, and what is said of a value that cannot be."""

import io
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from client_cli.config import KEYS, BadConfig, Config, config, config_path, example, load_config
from client_cli.console import Console
from client_cli.draw import hand_line


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file that is read, not there yet."""
    monkeypatch.setenv("BIRITCH_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path / "config.toml"


ALL = """
name = "Ann"
server = "cards.example.org"
theme = "colour-blind"
ascii = true
bell = false
plain = true
confirm = true
autoplay = true
[keys]
hint = "h"
"claim" = "ctrl+c"
"""


def test_without_a_file_there_are_defaults(file: Path) -> None:
    assert load_config() == Config()


def test_every_key_is_read(file: Path) -> None:
    file.write_text(ALL)
    read = load_config()
    assert structs.astuple(read) == (
        *("Ann", "cards.example.org", "colour-blind", True, False, True, True, True),
        {"hint": "h", "claim": "ctrl+c"},
    )
    assert all(getattr(read, key) != getattr(Config(), key) for key in KEYS), "each by its own name"


def test_the_environment_comes_before_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(ALL)
    for name, value in (("SERVER", "wss://other/"), ("BELL", "1"), ("ASCII", "false"), ("NAME", ""), ("KEYS", "x")):
        monkeypatch.setenv(f"BIRITCH_{name}", value)
    monkeypatch.setenv("NO_COLOR", "1")
    read = load_config()
    assert (read.server, read.bell, read.ascii, read.name, read.theme) == ("wss://other/", True, False, "Ann", "mono")
    assert read.keys == {"hint": "h", "claim": "ctrl+c"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bell = 1", "bell cannot be 1; give true or false."),
        ('bell = "true"', 'bell cannot be "true"; give true or false.'),
        ('theme = "red"', 'theme cannot be "red"; give one of "auto", "dark", "light", "colour-blind", "mono".'),
        ("name = 5", "name cannot be 5; give a text of 1 to 24 characters."),
        (f'name = "{"x" * 25}"', "give a text of 1 to 24 characters."),
        ('server = "ftp://h"', 'server cannot be "ftp://h"; give an address: host, host:port, or'),
        ('server = ""', "give an address"),
        ("[keys]\nhint = 5", 'keys cannot be {"hint": 5}; give a table of texts.'),
        ("keys = 1979-05-27", "keys cannot be"),
        ("colour = true", "there is no key 'colour'; the keys are name, server,"),
    ],
)
def test_what_cannot_be_is_said_with_file_and_key_and_what_can(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    with pytest.raises(BadConfig) as bad:
        load_config()
    sentence = str(bad.value)
    assert sentence.startswith(f"{file}: ") and words in sentence and sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize("data", [b"bell = ", b"bell = true\nbell = true", b'name = "\xff"', b"\x00"])
def test_what_is_no_toml(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(BadConfig, match="is no TOML"):
        load_config()


def test_a_file_that_cannot_be_read(file: Path) -> None:
    file.mkdir()
    with pytest.raises(BadConfig, match="cannot be read: Is a directory"):
        load_config()


@pytest.mark.parametrize(("name", "value"), [("BELL", "perhaps"), ("THEME", "red"), ("SERVER", "a b")])
def test_the_environment_is_checked_too(file: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"BIRITCH_{name}", value)
    with pytest.raises(BadConfig, match=f"^BIRITCH_{name} cannot be "):
        load_config()


def test_it_is_in_the_usual_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BIRITCH_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    path = config_path()
    assert (path.name, path.parent.name) == ("config.toml", "biritch") and tmp_path in path.parents


def test_every_key_has_its_words() -> None:
    assert tuple(KEYS) == Config.__struct_fields__


def test_the_example_is_all_comment_and_right_without_the_signs(file: Path) -> None:
    text = example()
    assert tomllib.loads(text) == {}
    set_lines = [line[2:] for line in text.splitlines() if " = " in line or line == "# [keys]"]
    file.write_text("\n".join(set_lines))
    assert all(getattr(load_config(), key) not in (None, {}) for key in KEYS)
    assert set(tomllib.loads(file.read_text())) == set(KEYS)


class Screen(io.StringIO):
    """A terminal that can show everything."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("letters", [True, False])
def test_letters_that_are_set_are_written_where_signs_could_be(monkeypatch: pytest.MonkeyPatch, letters: bool) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    console = Console(screen, letters=letters)
    console.say(f"Your hand: {hand_line('AK2.T98.QJ3.7654', console.signs)}")
    assert ("\x1b" in screen.getvalue()) is not letters and screen.getvalue().isascii() is letters


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(config, arguments)
    return done.exit_code, done.output


def test_the_command_says_what_is_in_force_and_why(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run()[1].startswith(f"# {file} (there is no such file)\n# name is not set\n")
    file.write_text(ALL)
    monkeypatch.setenv("BIRITCH_NAME", "Bob")
    status, output = run()
    assert status == 0 and output.startswith(f"# {file}\n")
    lines = [line.split() for line in output.splitlines()]
    assert ["name", "=", '"Bob"', "#", "BIRITCH_NAME"] in lines and ["ascii", "=", "true", "#", "file"] in lines
    monkeypatch.delenv("BIRITCH_NAME")
    before = load_config()
    file.write_text(output)
    assert load_config() == structs.replace(before, name="Bob"), "what is printed is a file of settings itself"


def test_the_command_complains_of_a_wrong_file_and_prints_the_example_all_the_same(file: Path) -> None:
    file.write_text("bell = 5")
    status, output = run()
    assert status == 2 and f"{file}: bell cannot be 5" in output
    assert run("--example") == (0, example())
