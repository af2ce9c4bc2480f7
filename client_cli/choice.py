"""Asking a person which game to play."""

from collections.abc import Awaitable, Callable

from client_cli.console import Console
from client_cli.house_rules import DEFAULT, Chosen, every_game


async def ask_game(next_line: Callable[[], Awaitable[str | None]], console: Console) -> Chosen | None:
    """Let a person choose among the games, by number or name; None if no line comes any more."""
    games = every_game()
    usual = next(chosen for chosen in games if chosen.game == DEFAULT)
    console.say(
        "Which game?",
        *(f"  {number}  {chosen.title}" for number, chosen in enumerate(games, 1)),
        f"Type its number; Enter alone is for {usual.title}.",
    )
    while (line := await next_line()) is not None:
        text = line.strip().lower()
        if not text:
            return usual
        for number, chosen in enumerate(games, 1):
            if text in (str(number), chosen.game, chosen.title.lower()):
                return chosen
        console.say(f"There is no game {line.strip()!r}; type a number from 1 to {len(games)}.")
    return None
