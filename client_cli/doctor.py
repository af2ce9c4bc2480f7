"""`biritch doctor`: looks at all that has to be right for playing, and says what to do about what is not."""

import codecs
import importlib.metadata
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client_cli.choices import CA, PROFILE
from client_cli.finding import Finding

if TYPE_CHECKING:
    from client_cli.address import Address

COLUMNS, LINES = 80, 24


@click.command()
@click.argument("url", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print what was found for a program to read.")
@PROFILE
@CA
def doctor(url: str | None, as_json: bool, profile: str, ca: Path | None) -> None:
    """Look at this installation, this terminal and a server, and say what is wrong.

    Without URL it is the server that is set, else the one used last. A server of your own is started and stopped again.
    Each line is ok, a note, or wrong, with what to do about it. The exit status is 0 if nothing is wrong, 3 if the
    server cannot be reached, else 1.
    """
    from client_cli.ending import run_to_end

    sys.exit(run_to_end(_examine(_address(url, profile), ca, as_json)))


async def _examine(address: "Address | None", authority: Path | None, as_json: bool) -> int:
    found = []
    async for finding in _findings(address, authority):
        found.append(finding)
        if not as_json:
            click.echo(line(finding))
    if as_json:
        click.echo(json.dumps({"status": status(found), "found": [asdict(finding) for finding in found]}, indent=2))
    return status(found)


async def _findings(address: "Address | None", authority: Path | None) -> AsyncIterator[Finding]:
    """Yield what is found, what takes long last."""
    yield python()
    yield packages(_required())
    for finding in terminal(os.environ, sys.stdout.encoding, sys.stdout.isatty()):
        yield finding
    yield settings()
    yield state_folder()
    yield await own_server()
    for finding in await _server(address, authority):
        yield finding


def line(finding: Finding) -> str:
    """Write what was found on one line."""
    return f"{finding.verdict:<5}  {finding.subject:<10}  {finding.words} {finding.advice}".rstrip()


def status(found: Iterable[Finding]) -> int:
    """Return the exit status that fits."""
    wrong = {finding.subject for finding in found if finding.verdict == "wrong"}
    return 3 if "server" in wrong else 1 if wrong else 0


# --- the installation


def python() -> Finding:
    """Say which Python runs; an older one than the program needs would not have come so far."""
    return Finding("python", "ok", f"Python {platform.python_version()} on {platform.platform(terse=True)}.")


def packages(names: Iterable[str]) -> Finding:
    """Say which versions of packages are installed."""
    versions = {name: _version(name) for name in names}
    missing = [name for name, version in versions.items() if version is None]
    if missing:
        return Finding("packages", "wrong", f"Not installed: {', '.join(missing)}.", "Install biritch anew.")
    return Finding("packages", "ok", ", ".join(f"{name} {version}" for name, version in versions.items()) + ".")


def _required() -> list[str]:
    """Return the packages that a client needs, this one first."""
    lines = importlib.metadata.requires("biritch") or []
    return ["biritch", *(re.split(r"[^\w.-]", text)[0] for text in lines if "extra ==" not in text)]


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


async def own_server() -> Finding:
    """Start a server and stop it again."""
    from client_cli.program import MISSING, NoServer
    from client_cli.program import own_server as started

    with tempfile.TemporaryDirectory(prefix="biritch-", ignore_cleanup_errors=True) as folder:
        try:
            async with started(Path(folder)):
                return Finding("own server", "ok", "A server of your own starts, with a store of its own.")
        except NoServer as error:
            lacking = str(error) == MISSING
            return Finding("own server", "note" if lacking else "wrong", str(error))


# --- the terminal


def terminal(environment: Mapping[str, str], encoding: str, is_terminal: bool) -> list[Finding]:
    """Say what the terminal can show."""
    return [_size(is_terminal), _colours(environment), _letters(encoding)]


def _size(is_terminal: bool) -> Finding:
    if not is_terminal:
        return Finding("terminal", "note", "The output goes to no terminal.", "Play in one.")
    columns, lines = shutil.get_terminal_size()
    words = f"{columns} columns, {lines} lines."
    if columns < COLUMNS or lines < LINES:
        return Finding("terminal", "note", words, f"Make it at least {COLUMNS} by {LINES}, or play with --plain.")
    return Finding("terminal", "ok", words)


def _colours(environment: Mapping[str, str]) -> Finding:
    kind = environment.get("TERM", "")
    if kind in ("", "dumb"):
        words = f"TERM is {kind or 'not set'}: no colours, and no full screen."
        return Finding("colours", "note", words, "Set TERM to what your terminal is, such as xterm-256color.")
    if environment.get("NO_COLOR"):
        return Finding("colours", "note", "NO_COLOR turns them off.", "Unset it to have them.")
    many = environment.get("COLORTERM") in ("truecolor", "24bit")
    return Finding("colours", "ok", f"{'All' if many else '256' if '256' in kind else 'Few'} colours (TERM is {kind}).")


def _letters(encoding: str) -> Finding:
    if codecs.lookup(encoding).name == "utf-8":
        return Finding("letters", "ok", "UTF-8: suits are shown as signs.")
    advice = "Set LC_ALL to a locale with UTF-8, such as C.UTF-8."
    return Finding("letters", "note", f"{encoding}: suits are written as letters.", advice)


# --- files


def settings() -> Finding:
    """Read the file of settings."""
    from client_cli.config import BadConfig, config_path, load_config

    try:
        load_config()
    except BadConfig as error:
        return Finding("settings", "wrong", str(error), "`biritch config --example` prints what can be set.")
    path = config_path()
    return Finding("settings", "ok", f"{path} is read." if path.exists() else f"There is no {path}; none is needed.")


def state_folder() -> Finding:
    """See whether the folder where the client keeps who it is can be written to."""
    from client_cli.state import state_folder as where

    folder = where()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        advice = "Servers will not know you again; let BIRITCH_STATE name a folder of yours."
        return Finding("state", "wrong", f"{folder} cannot be used: {error.strerror}.", advice)
    return Finding("state", "ok", f"{folder} can be written to.")


# --- a server


def _address(url: str | None, profile: str) -> "Address | None":
    """Return which server to look at, None if there is none to be found out."""
    from client_cli.commands import read_address
    from client_cli.config import BadConfig, load_config
    from client_cli.state import last_server

    try:
        text = url or load_config().server or last_server(profile)
    except BadConfig:  # which is told in its place
        text = last_server(profile)
    return None if text is None else read_address(text)


async def _server(address: "Address | None", authority: Path | None) -> list[Finding]:
    from client_cli.server_check import look_at_server

    if address is None:
        return [Finding("server", "note", "None is known yet.", "`biritch doctor URL` looks at one.")]
    return await look_at_server(address, authority)
