"""The dialog that asks which game to play against bots."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList

from client_cli.house_rules import DEFAULT, Chosen, every_game
from client_cli.screen.desk import Desk
from client_cli.screen.dialog import BACK, HELP, Dialog
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import marks_of
from client_cli.screen.rows import Row, Rows
from client_cli.screen.sight import Sight
from protocol import messages as m
from rules.registry import GAMES


class Games(Rows):
    """The games, with a sentence on each."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Play", id="play")]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Choose nothing before the dialog hears keys; to look along the games is free."""
        return action != "select" or self.screen.check_action(action, parameters)


class GameDialog(Dialog[Chosen | None]):
    """Asks for a game, as it is usually played or with other options."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(number), f"play('{game.name}')", game.title, show=False)
            for number, game in enumerate(GAMES.values(), 1)
        ),
        Binding("o,O", "options", "More options", id="options"),
        BACK,
        HELP,
    ]
    HELP = "Enter plays the game that is marked, and so does its number. `biritch rules GAME` prints the rules of one."

    def __init__(self, desk: Desk, sight: Sight | None = None) -> None:
        super().__init__(sight)
        self._desk = desk
        self._games = Games(marks_of(desk.signs).turn)

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = "Play against bots: which game?"
            yield self._games
        yield KeyLine()

    def on_mount(self) -> None:
        self._games.show([_row(number, chosen) for number, chosen in enumerate(every_game(), 1)], DEFAULT)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_play(list(GAMES)[event.option_index])

    def action_play(self, game: str) -> None:
        self.dismiss(Chosen(game))

    def action_options(self) -> None:
        """Go on to the form, which comes back with a game or to this list."""
        from client_cli.screen.create import CreateDialog
        from client_cli.screen.draft import Draft

        draft = Draft(Chosen(self._games.chosen or DEFAULT), alone=True)
        self.app.push_screen(CreateDialog(self._desk, draft), self._take)

    def _take(self, command: m.CreateTable | None) -> None:
        if command is not None:
            self.dismiss(Chosen(command.game, command.options, command.players))


def _row(number: int, chosen: Chosen) -> Row:
    summary = GAMES[chosen.game].summary
    return Row(chosen.game, (Content.styled(f"{number}  {chosen.title}", "bold"), Content(f"   {summary}")))
