"""What the client remembers between runs: for each server the player's token and name, and the table last joined there.

One small file for each profile and server, in the user's state folder or where `BIRITCH_STATE` says. The token is a
secret: nobody else may read the files, and a file is replaced whole or not at all.
"""

import hashlib
import json
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Remembered:
    """A player at one server. `table` and its `invitation` are those of the table last joined and not left."""

    token: str | None = None
    name: str | None = None
    table: str | None = None
    invitation: str | None = None


NOTHING = Remembered()

OWN_SERVER = "ws://own/"
"""What stands for a server of one's own, which is at another port each time."""


@dataclass(frozen=True, slots=True)
class KnownServer:
    """A server where a profile has been: its name there, the table it has not left, when it was there last.

    `last_used` is in seconds since 1970.
    """

    url: str
    name: str | None
    table: str | None
    last_used: float


def state_folder() -> Path:
    """Return the folder of all profiles."""
    given = os.environ.get("BIRITCH_STATE")
    if given:
        return Path(given)
    import platformdirs  # here, since most starts need nothing of it but its time

    return Path(platformdirs.user_state_dir("biritch", appauthor=False))


class Memory:
    """The file of one profile at one server. `warning` is a sentence if there was one that could not be used.

    The time of the file is that of its last use.
    """

    def __init__(self, folder: Path, url: str, profile: str = "default") -> None:
        readable = re.sub(r"[^A-Za-z0-9.-]+", "_", url.partition("://")[2]).strip("_")[:60]
        digest = hashlib.sha256(url.encode()).hexdigest()[:8]
        self.url = url
        self.path = folder / profile / f"{readable}-{digest}.json"
        self.warning: str | None = None
        self._url_kept: str | None = None
        self.now = NOTHING
        try:
            self._url_kept, self.now = _read(self.path)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError) as error:
            self.warning = f"{self.path} cannot be used ({error}); you come as a new player."

    def keep(self, remembered: Remembered) -> None:
        """Take note of a use, and write what has changed; a folder that cannot be written to gives a warning alone."""
        changed = remembered != self.now or self._url_kept != self.url
        self.now, self._url_kept = remembered, self.url
        try:
            if changed:
                _write(self.path, json.dumps({"url": self.url, **asdict(remembered)}))
            else:
                os.utime(self.path)
        except OSError as error:
            self.warning = f"{self.path} cannot be written ({error.strerror}); the next start will not know you."


def known_servers(folder: Path, profile: str = "default") -> list[KnownServer]:
    """Return the servers where a profile has been, the last one first. A file that cannot be used is left out."""
    found = []
    for path in (folder / profile).glob("*.json"):
        with suppress(OSError, ValueError, TypeError):
            url, kept = _read(path)
            if url is not None:
                found.append(KnownServer(url, kept.name, kept.table, path.stat().st_mtime))
    return sorted(found, key=lambda server: (-server.last_used, server.url))


def last_server(profile: str = "default") -> str | None:
    """Return the URL of the server that a profile of this user was at last."""
    known = known_servers(state_folder(), profile)
    return known[0].url if known else None


def _read(path: Path) -> tuple[str | None, Remembered]:
    """Return the URL of a file, which the oldest ones lack, and what it remembers."""
    fields = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(fields, dict):
        raise ValueError("it holds no table")
    url = fields.pop("url", None)
    remembered = Remembered(**fields)
    if not all(value is None or isinstance(value, str) for value in (url, *asdict(remembered).values())):
        raise ValueError("a value is no text")
    return url, remembered


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")  # made with mode 0600
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
