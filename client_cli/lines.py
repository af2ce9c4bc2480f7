"""A visit line by line: what is typed or piped in, what happens printed below."""

from client_cli.console import Console
from client_cli.place import NoPlace, Opening, while_it_is_there
from client_cli.session import Session
from client_cli.source import Source


async def run_lines(opening: Opening, *, bell: bool = True, letters: bool = False, reads: bool = True) -> int:
    """Visit a server with standard input, if it is to be read, and output; return the exit status."""
    console = Console(bell=bell, letters=letters)
    source = Source(console) if reads else None
    try:
        async with opening() as place:
            lines = source or _NoLines()
            session = Session(place.connect, console, place.memory, name=place.name, scripted=lines.scripted)
            return await while_it_is_there(place, session.run(place.begin, lines))
    except NoPlace as error:
        console.complain(str(error))
        return error.status
    finally:
        if source is not None:
            source.close()


class _NoLines:
    scripted = True

    async def next(self) -> str | None:
        return None
