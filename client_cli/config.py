"""The user's own settings: a small TOML file, and the environment, which comes before it.

The file is `config.toml` in the user's configuration folder, or where `BIRITCH_CONFIG` says. Options of the command
line come before both; whoever reads them sees to that.
"""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import msgspec
from msgspec import Meta, Struct

from client_cli.address import BadAddress, parse_address

Theme = Literal["auto", "dark", "light", "colour-blind", "mono"]
Text = Annotated[str, Meta(min_length=1, max_length=200)]


class Config(Struct, frozen=True):
    """What is in force, apart from the command line. None where nothing has been set."""

    name: Annotated[str, Meta(min_length=1, max_length=24)] | None = None
    server: Text | None = None
    theme: Theme = "auto"
    ascii: bool = False
    bell: bool = True
    plain: bool = False
    confirm: bool = False
    autoplay: bool = False
    keys: Mapping[Text, Text] = {}


@dataclass(frozen=True, slots=True)
class Key:
    """What is said of a key of the file: what it is for, which values it may have, one of them in TOML."""

    about: str
    allowed: str
    example: str


_SWITCH = "true or false"

KEYS: Mapping[str, Key] = {
    "name": Key("What others see.", "a text of 1 to 24 characters", '"Ann"'),
    "server": Key(
        "The server to go to if the command line names none.",
        "an address: host, host:port, or a URL that begins with ws:// or wss://",
        '"wss://cards.example.org"',
    ),
    "theme": Key("Colours; mono is none.", 'one of "auto", "dark", "light", "colour-blind", "mono"', '"dark"'),
    "ascii": Key("Write suits as letters, not as signs.", _SWITCH, "true"),
    "bell": Key("Ring the terminal's bell when it is your turn.", _SWITCH, "false"),
    "plain": Key("Play line by line, not on the full screen.", _SWITCH, "true"),
    "confirm": Key("On the full screen, ask before a call or a card is sent.", _SWITCH, "true"),
    "autoplay": Key("On the full screen, play a card by itself where it is the only legal one.", _SWITCH, "true"),
    "keys": Key("Keys of the full screen, each an action and its key.", "a table of texts", 'hint = "h"'),
}

PREFIX = "BIRITCH_"
"""With this before its name in capitals, each key but the table `keys` is a variable of the environment."""


class BadConfig(Exception):
    """A setting that cannot be; the sentence says where it stands and what is allowed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that is in force, and where it comes from: `default`, `file`, or a variable of the environment."""

    key: str
    value: Any
    source: str


def config_path() -> Path:
    """Return where the file is, or would be."""
    given = os.environ.get("BIRITCH_CONFIG")
    if given:
        return Path(given)
    import platformdirs  # here, since it takes time that is not always needed

    return platformdirs.user_config_path("biritch", appauthor=False) / "config.toml"


def load_config() -> Config:
    """Return what is in force. Raises BadConfig."""
    return Config(**{setting.key: setting.value for setting in settings()})


def settings() -> list[Setting]:
    """Return every key with its value and source. Raises BadConfig."""
    defaults = Config()
    found = {key: Setting(key, getattr(defaults, key), "default") for key in KEYS}
    found |= {setting.key: setting for setting in _of_file(config_path())}
    found |= {setting.key: setting for setting in _of_environment()}
    return list(found.values())


def _of_file(path: Path) -> Iterator[Setting]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadConfig(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise BadConfig(f"{path} is no TOML: {error}.") from None
    for key, value in table.items():
        if key not in KEYS:
            raise BadConfig(f"{path}: there is no key {key!r}; the keys are {', '.join(KEYS)}.")
        yield Setting(key, _checked(key, value, f"{path}: {key}"), "file")


def _of_environment() -> Iterator[Setting]:
    for key in KEYS:
        variable = PREFIX + key.upper()
        text = os.environ.get(variable)
        if text and key != "keys":
            yield Setting(key, _checked(key, text, variable, strict=False), variable)
    if os.environ.get("NO_COLOR"):
        yield Setting("theme", "mono", "NO_COLOR")


def _checked(key: str, value: object, where: str, *, strict: bool = True) -> object:
    """Return a value as its key has it; what the environment says is text, and not strict."""
    (kind,) = (field.type for field in msgspec.structs.fields(Config) if field.name == key)
    try:
        checked: object = msgspec.convert(value, kind, strict=strict)
        if key == "server":
            parse_address(str(checked))
    except (msgspec.ValidationError, BadAddress):
        raise BadConfig(f"{where} cannot be {json.dumps(value, default=str)}; give {KEYS[key].allowed}.") from None
    return checked


def example() -> str:
    """Return a file that says what can be set, with every setting commented out."""
    lines = ["# Settings of biritch. Take out the # before a line to set it."]
    for key, said in KEYS.items():
        lines += ["", f"# {said.about}", f"# Give {said.allowed}."]
        lines += ["# [keys]", f"# {said.example}"] if key == "keys" else [f"# {key} = {said.example}"]
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--example", "as_example", is_flag=True, help="Print a file that says what can be set.")
def config(as_example: bool) -> None:
    """Print where the settings are and which are in force.

    What is printed is a file of settings itself. Options of the command line come first, then the environment
    (BIRITCH_NAME, BIRITCH_SERVER and so on for every key; NO_COLOR), then the file, then the defaults.
    """
    if as_example:
        click.echo(example(), nl=False)
        return
    try:
        found = settings()
    except BadConfig as error:
        raise click.UsageError(str(error)) from None
    path = config_path()
    click.echo(f"# {path}{'' if path.exists() else ' (there is no such file)'}")
    for setting in found:
        click.echo(_line(setting))


def _line(setting: Setting) -> str:
    key, value = setting.key, setting.value
    if value is None or value == {}:
        return f"# {key} is not set"
    if isinstance(value, Mapping):
        return "\n".join(["[keys]", *(f"{_toml(name)} = {_toml(each)}" for name, each in value.items())])
    return f"{f'{key} = {_toml(value)}':<32}  # {setting.source}"


def _toml(value: object) -> str:
    """Write a text or a switch as TOML has it, which is as JSON has it."""
    return json.dumps(value, ensure_ascii=False)
