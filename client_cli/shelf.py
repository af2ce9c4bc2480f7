"""Deals to be looked through, one after the other: those of files, which are found as they are asked for, or a few."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from client_cli.record_lines import Line, Record, Unreadable, complaint, lines_of, open_file, parse_line, shortened
from rules.errors import BadRecord
from rules.record import filled
from rules.replay import Replayed, play_again


@dataclass(frozen=True, slots=True)
class Browsed:
    """A deal: where it stands, what it is called, and it played again, or else what is wrong with it."""

    where: str
    id: str
    names: Mapping[str, str]
    replayed: Replayed | None = None
    wrong: str = ""


class Shelf(Protocol):
    """Deals in a row. Those that are known so far can be taken by their place; `complete` if there are no more."""

    @property
    def complete(self) -> bool: ...

    def __len__(self) -> int:
        """Return how many are known so far."""
        ...

    def __getitem__(self, place: int) -> Browsed: ...

    def reach(self, count: int) -> None:
        """Look for more until so many are known, or there are no more."""


class FewDeals:
    """A few deals that have been told."""

    complete = True

    def __init__(self, deals: Sequence[Browsed]) -> None:
        self._deals = deals

    def __len__(self) -> int:
        return len(self._deals)

    def __getitem__(self, place: int) -> Browsed:
        return self._deals[place]

    def reach(self, count: int) -> None:
        pass


@dataclass(frozen=True, slots=True)
class _Place:
    """A line that holds something: the place of its file, its number, and its first byte; or why there is none."""

    file: int
    number: int
    offset: int
    wrong: str = ""


CACHED = 256
"""So many deals are kept in mind: a few screens full of them."""


class FileDeals:
    """The deals of files, one to a line. A file has a name, and a path where that is another.

    Only where the lines begin is remembered, of those that have been read so far: `lines_read`.
    """

    def __init__(self, files: Sequence[str], paths: Mapping[str, str] | None = None) -> None:
        self._files, self._paths = files, paths or {}
        self._found: list[_Place] = []
        self._next = _Place(0, 0, 0)
        self.lines_read = 0
        self._kept = lru_cache(CACHED)(self._load)

    @property
    def complete(self) -> bool:
        return self._next.file == len(self._files)

    def readable(self) -> bool:
        """Say whether any of the files can be read; no more of them is than that needs."""
        while not self.complete and all(place.wrong for place in self._found):
            self.reach(len(self._found) + 1)
        return not self._found or not all(place.wrong for place in self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, place: int) -> Browsed:
        return self._kept(self._found[place])

    def reach(self, count: int) -> None:
        while len(self._found) < count and not self.complete:
            file = self._next.file
            try:
                if self._read_on(count):
                    return
            except Unreadable as error:
                self._found.append(_Place(file, 0, 0, f"{self._files[file]}: {error}"))
            self._next = _Place(file + 1, 0, 0)

    def _path(self, file: int) -> str:
        return self._paths.get(self._files[file], self._files[file])

    def _read_on(self, count: int) -> bool:
        """Read lines until so many deals are known; return whether there are so many before the end of the file."""
        file, number, offset = self._next.file, self._next.number, self._next.offset
        with open_file(self._path(file), offset) as opened:
            for line in lines_of(opened, number):
                self.lines_read += 1
                if line.content.strip():
                    self._found.append(_Place(file, line.number, offset))
                offset += line.size
                self._next = _Place(file, line.number, offset)
                if len(self._found) >= count:
                    return True
        return False

    def _load(self, place: _Place) -> Browsed:
        name = self._files[place.file]
        if place.wrong:
            return Browsed(name, "", {}, wrong=place.wrong)
        where, record = f"{name}:{place.number}", {}
        try:
            record = parse_line(self._line(place))
            replayed = play_again(record)
            filled(record, replayed)
        except BadRecord as error:
            return Browsed(where, _id(record), {}, wrong=shortened(f"{where}: {complaint(record, error)}"))
        except Unreadable as error:
            return Browsed(where, "", {}, wrong=f"{name}: {error}")
        return Browsed(where, _id(record), names_in(record), replayed)

    def _line(self, place: _Place) -> Line:
        with open_file(self._path(place.file), place.offset) as opened:
            return next(lines_of(opened, place.number - 1), Line(place.number, b"", 0))


def _id(record: Record) -> str:
    return str(record.get("id", ""))


def names_in(record: Mapping[str, object]) -> dict[str, str]:
    """Return who sat where, as far as a record says so: in `names`, or as a server does, in its `table`."""
    match record:
        case {"names": dict(names)}:
            pairs = list(names.items())
        case {"table": {"sat": list(sat)}}:
            pairs = [(one.get("seat"), one.get("name")) for one in sat if isinstance(one, dict)]
        case _:
            pairs = []
    return {seat: name for seat, name in pairs if isinstance(seat, str) and isinstance(name, str)}
