"""What the client remembers between runs: for each server the player's token and name, and the table last joined there.

One small file for each profile and server, in the user's state folder or where `BIRITCH_STATE` says. The token is a
secret: nobody else may read the files, and a file is replaced whole or not at all.
"""

import hashlib
import json
import os
import re
import tempfile
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


def state_folder() -> Path:
    """Return the folder of all profiles."""
    given = os.environ.get("BIRITCH_STATE")
    if given:
        return Path(given)
    import platformdirs  # here, since most starts need nothing of it but its time

    return Path(platformdirs.user_state_dir("biritch", appauthor=False))


class Memory:
    """The file of one profile at one server. `warning` is a sentence if there was one that could not be used."""

    def __init__(self, folder: Path, url: str, profile: str = "default") -> None:
        readable = re.sub(r"[^A-Za-z0-9.-]+", "_", url.partition("://")[2]).strip("_")[:60]
        digest = hashlib.sha256(url.encode()).hexdigest()[:8]
        self.path = folder / profile / f"{readable}-{digest}.json"
        self.warning: str | None = None
        self.now = self._read()

    def _read(self) -> Remembered:
        try:
            fields = json.loads(self.path.read_text(encoding="utf-8"))
            remembered = Remembered(**fields)
        except FileNotFoundError:
            return NOTHING
        except (OSError, ValueError, TypeError) as error:
            self.warning = f"{self.path} cannot be used ({error}); you come as a new player."
            return NOTHING
        if not all(value is None or isinstance(value, str) for value in asdict(remembered).values()):
            self.warning = f"{self.path} cannot be used (a value is no text); you come as a new player."
            return NOTHING
        return remembered

    def keep(self, remembered: Remembered) -> None:
        """Write the file, if anything has changed; a folder that cannot be written to gives a warning alone."""
        if remembered == self.now:
            return
        self.now = remembered
        try:
            _write(self.path, json.dumps(asdict(remembered)))
        except OSError as error:
            self.warning = f"{self.path} cannot be written ({error.strerror}); the next start will not know you."


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
