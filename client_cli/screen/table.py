"""The screen of a table: who sits there, what is being played, and all that a person may do about it.

The own turn is an `Offer` of what the view lists as legal; a `Pick` is what the person has chosen of it so far. Both
end with the turn, and when the connection breaks or the server's store goes back: no key is ever sent for another
moment than the one for which it was pressed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, get_args

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.worker import Worker

from client_cli.blocks import show, who_lines
from client_cli.draw import card_text, names_of, unit_of
from client_cli.news import Dropped, News, Returned
from client_cli.screen.below import below, link_of
from client_cli.screen.clock import Clock
from client_cli.screen.desk import NOT_SENT, Desk
from client_cli.screen.felt import Felt
from client_cli.screen.keyline import KeyLine
from client_cli.screen.look import Look
from client_cli.screen.marks import marks_of
from client_cli.screen.offer import Choice, Offer, offer_of
from client_cli.screen.pane import Pane
from client_cli.screen.pick import Pick
from client_cli.screen.prompt import prompt
from client_cli.screen.room import LEAST_HEIGHT, LEAST_WIDTH, TALL, WIDE, Room
from client_cli.screen.seating import agreement, leaving, seating
from client_cli.screen.side import Side
from client_cli.screen.sight import Sight
from client_cli.screen.wishes import LeaveServer
from protocol import messages as m
from protocol.translate import Acting

if TYPE_CHECKING:
    from client_cli.screen.chat import Chat

MOMENT_S = 0.9
"""So long a card that is played by itself can be seen before."""
_CARD_KEYS = frozenset("shdcakqjt0123456789")
_LOST = "The connection is lost; trying again ..."


class TableScreen(Screen[None]):
    """Shows the table where one is. `now` is a clock in seconds, `sleep` lets some of them pass."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "along(-1)", "Choice before", show=False, id="left"),
        Binding("right", "along(1)", "Next choice", show=False, id="right"),
        Binding("up", "across(-1)", "Row above", show=False, id="up"),
        Binding("down", "across(1)", "Row below", show=False, id="down"),
        Binding("enter", "choose", "Do what is chosen", show=False, id="choose"),
        Binding("space", "mark", "Choose a card to lay away", show=False, id="mark"),
        Binding("escape", "undo", "Take back what is half done", show=False, id="undo"),
        Binding("backspace", "untype", "Take back what was typed", show=False, id="untype"),
        Binding("r,R", "agree", "Ready", key_display="R", id="ready"),
        Binding("l,L", "show('last')", "Last trick", key_display="L", id="last-trick"),
        Binding("d,D", "deal", "Deal", key_display="D", id="deal"),
        Binding("s,S", "sheet", "Score", key_display="S", id="sheet"),
        Binding("c,C", "chat", "Chat", key_display="C", id="chat"),
        Binding("slash", "chat", "Chat", show=False, id="chat-slash"),
        Binding("w,W", "seats", "Seats", key_display="W", id="seats"),
        Binding("o,O", "show('options')", "Options", key_display="O", id="options"),
        Binding("y,Y", "copy_link", "Copy link", key_display="Y", id="copy-link"),
        Binding("q,Q", "leave", "Leave", key_display="Q", id="leave"),
        Binding("pageup", "page(1)", "Earlier talk", show=False, id="earlier"),
        Binding("pagedown", "page(-1)", "Later talk", show=False, id="later"),
    ]
    AUTO_FOCUS = ""  # letters are for the table until somebody chats
    ALLOW_SELECT = False  # a click is for a card
    HELP = (
        "On your turn letters and digits choose: a card by suit and rank in either order (hk, kh, h10), a bid by level "
        "and denomination (2h, 3n), and otherwise what is underlined. With Shift the keys above are always heard. With "
        "the mouse, click on a card or a call. What is not shown, or is dim and stands lower, may not be chosen now."
    )
    # Lists, as their base has them.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (LEAST_WIDTH, "-usual"), (WIDE, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (LEAST_HEIGHT, "-high"), (TALL, "-tall")]  # noqa: RUF012
    DEFAULT_CSS = """
    TableScreen {
        & > #title { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; text-overflow: clip; }
        & > #title.-lost { background: $error; color: $background; text-style: bold; }
        & > #across { height: 1fr; }
        & > #below { height: 4; background: $felt; text-wrap: nowrap; text-overflow: clip; }
        &.-tall > #below { height: 6; }
        &.-wide #side { width: 40; }
        & > #prompt { height: 1; background: $felt; text-wrap: nowrap; text-overflow: clip; }
        & > #small { display: none; height: 1fr; content-align: center middle; }
        &.-narrow > *, &.-low > * { display: none; }
        &.-narrow > #small, &.-low > #small { display: block; }
    }
    """

    def __init__(
        self,
        desk: Desk,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__()
        self._desk, self._now, self._sleep = desk, now, sleep
        self._clock, self._pick = Clock(now), Pick()
        self._sent: Choice | None = None
        self._lost = self._stale = False
        self._names: dict[str, str] = {}
        self._rung: tuple[int, int] | None = None
        self._alone: Worker[None] | None = None
        self._title, self._below, self._prompt = Pane("title"), Pane("below"), Pane("prompt")
        self._felt, self._side = Felt(), Side(desk.signs)

    def compose(self) -> ComposeResult:
        yield self._title
        with Horizontal(id="across"):
            yield self._felt
            yield self._side
        yield self._below
        yield self._prompt
        yield KeyLine()
        yield Pane("small")

    def on_mount(self) -> None:
        self.set_interval(1.0, self._draw)
        self._follow()

    def on_resize(self) -> None:
        self._draw()

    # --- what happens

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        self._clock.hear(message)
        match message:
            case m.Said(name=name, seat=seat, text=text):
                self._side.talk.say(name, seat, text)
            case m.Entry() if self._desk.view is not None:
                self._side.talk.happen(message, self._desk.view, self._names)
            case m.SeatCode():
                self._show_seat_code(message)
            case m.TableView():
                self._stale = False
            case m.Rewound():
                self._stale = True  # until the view that follows
                self._rung = None
                self._side.talk.add(Content("The server's store went back; the table is shown as it is now."))
            case Dropped() | Returned():
                self._lost = isinstance(message, Dropped)
        self._follow()
        if isinstance(message, m.Entry) and any(isinstance(event, m.DealScored) for event in message.events):
            self._show_deal(Sight(self._now))

    def _follow(self) -> None:
        """Take the table as it is now: show it, and offer what may be done, as long as what is known of it is true."""
        view = self._desk.view
        if view is None:
            return
        self._names |= names_of(view)
        self._clock.turn(view.turn)
        offer = None
        if not self._lost and not self._stale:
            offer = offer_of(view, self._desk.signs) if view.stage == "playing" else seating(view)
        if offer != self._pick.base:
            self._stop_alone()
            self._pick.begin(offer)
            self._begin_turn(view, offer)
        self._draw()
        self.refresh_bindings()

    def _begin_turn(self, view: m.TableView, offer: Offer | None) -> None:
        turn = view.turn
        if turn is None or turn.legal is None or offer is None:
            return
        if self._rung != (turn.deal, turn.index):
            self._rung = (turn.deal, turn.index)
            if self._desk.config.bell:
                self.app.bell()
        choices = [choice for _, choice in offer.items()]
        if self._desk.config.autoplay and len(choices) == 1 and choices[0].card is not None and not offer.lay_away:
            self._alone = self.run_worker(self._play_alone(choices[0]))

    async def _play_alone(self, choice: Choice) -> None:
        """Play the only card by itself, when it could be seen for a moment."""
        await self._sleep(MOMENT_S)
        self._alone = None
        self._send(choice)

    def _stop_alone(self) -> None:
        if self._alone is not None:
            self._alone.cancel()
            self._alone = None

    # --- drawing

    def _draw(self) -> None:
        """Show all as it is now."""
        look = self._look()
        if look is not None:
            self._draw_title(look.view)
            self._side.show(look)
            self._draw_choice()

    def _draw_choice(self) -> None:
        """Show what is being chosen, which is all that a key changes."""
        look = self._look()
        if look is not None:
            self._felt.show(look)
            self._below.show(below(look, link_of(self._desk)))
            self._prompt.show(self._asked(look.view))

    def _look(self) -> Look | None:
        view, room = self._desk.view, Room(*self.app.size)
        if view is None:
            return None
        if not room.enough:
            self.query_one("#small", Pane).show(
                Content(
                    f"Make the terminal at least {LEAST_WIDTH} by {LEAST_HEIGHT}; it is {room.width} by {room.height}."
                )
            )
            return None
        sent = None if self._sent is None else self._sent.card
        return Look(view, self._pick, sent, self._clock, room, self._desk.signs)

    def _draw_title(self, view: m.TableView) -> None:
        signs = self._desk.signs
        dot = f" {marks_of(signs).dot} "
        self._title.set_class(self._lost, "-lost")
        if self._lost:
            self._title.show(Content(f"{marks_of(signs).bad} {_LOST}"))
            return
        self._title.show(Content.assemble((view.title, "bold"), dot, dot.join([*_moment(view), f"table {view.table}"])))

    def _asked(self, view: m.TableView) -> Content:
        if self._lost:
            return Content(" Nothing can be sent now.")
        if self._sent is not None:
            return Content(f" {self._sent.words} ...")
        if self._alone is not None and self._pick.offer is not None:
            only = next(choice for _, choice in self._pick.offer.items())
            return Content.styled(f" {only.label} is the only card; it is played by itself. ", "bold reverse")
        return prompt(view, self._pick, self._desk.signs)

    # --- choosing

    @property
    def _may_choose(self) -> bool:
        return not self._lost and self._desk.online and self._sent is None and Room(*self.app.size).enough

    def on_key(self, event: events.Key) -> None:
        """Take a letter or digit of a card or a call; what is none is a key of the table."""
        sign = event.character
        if self.focused is not None or sign is None or not self._may_choose or not (sign.islower() or sign.isdigit()):
            return
        offer = self._pick.offer
        if offer is None:
            return
        if self._pick.type(sign):
            event.stop()
            meant = self._pick.meant
            if meant is not None:
                self._choose(meant)
            self._draw_choice()
        elif offer.of_cards and sign in _CARD_KEYS:
            event.stop()  # it was meant for a card, if for one that may not be played
            self._pick.refuse(sign)
            self._draw_choice()

    def on_click(self, event: events.Click) -> None:
        at = event.style.meta.get("at")
        if at is None or not self._may_choose or self._pick.offer is None:
            return
        row, place = at
        choice = self._pick.offer.rows[row].choices[place]
        if choice is None:
            return
        if self._pick.offer.lay_away:
            self._pick.at = (row, place)
            self.action_mark()
        elif choice == self._pick.armed:
            self._send(choice)
        else:
            self._pick.at = (row, place)
            self._choose(choice)
        self._draw_choice()

    def action_along(self, step: int) -> None:
        if self._may_choose:
            self._pick.along(step)
            self._draw_choice()

    def action_across(self, step: int) -> None:
        if self._may_choose:
            self._pick.across(step)
            self._draw_choice()

    def action_choose(self) -> None:
        """Do what the cursor is on, or what waits for a second Enter."""
        view, pick = self._desk.view, self._pick
        if view is None or not self._may_choose:
            return
        agree = agreement(view)
        if pick.armed is not None:
            self._send(pick.armed)
        elif pick.offer is not None and pick.offer.lay_away:
            self._lay_away(view, pick.offer)
        elif pick.choice is not None:
            self._choose(pick.choice)
        elif agree is not None:
            self._send(agree)
        self._draw_choice()

    def action_mark(self) -> None:
        choice = self._pick.choice
        if self._may_choose and choice is not None and choice.card is not None and self._pick.offer is not None:
            if self._pick.offer.lay_away:
                self._pick.lay(choice.card)
            self._draw_choice()

    def action_undo(self) -> None:
        self.query("#chat").remove()  # where a click has taken the focus from it
        self._pick.step_back()
        self._draw_choice()

    def action_untype(self) -> None:
        self._pick.untype()
        self._draw_choice()

    def _choose(self, choice: Choice) -> None:
        """Take a choice: go on to its further ones, or do it, at once or after a second Enter."""
        offer = self._pick.offer
        if choice.further:
            self._pick.open(choice)
        elif offer is not None and offer.lay_away and choice.card is not None and choice.command is None:
            self._pick.lay(choice.card)
            self._pick.typed = ""
        elif self._desk.config.confirm and isinstance(choice.command, get_args(Acting)):
            self._pick.armed = choice
        elif (question := self._doubt(choice)) is not None:
            self._ask_first(choice, question)
        else:
            self._send(choice)

    def _lay_away(self, view: m.TableView, offer: Offer) -> None:
        laid, turn = list(self._pick.laid), view.turn
        if len(laid) == offer.lay_away and turn is not None:
            words = f"lay away {' '.join(card_text(card, self._desk.signs) for card in laid)}"
            self._choose(Choice("", words, command=m.DiscardCards(0, turn.deal, turn.index, laid)))

    def _send(self, choice: Choice) -> None:
        """Send a choice, now or never; meanwhile nothing else can be chosen."""
        if choice.command is None or not self._may_choose:
            return
        self._stop_alone()
        self._pick.clear()
        self._sent = choice
        self._draw_choice()
        self.run_worker(self._ask(choice, choice.command))

    def _ask_first(self, choice: Choice, question: str) -> None:
        from client_cli.screen.question import Question

        def answered(yes: bool | None) -> None:
            if yes:
                self._send(choice)

        self.app.push_screen(Question(question), answered)

    async def _ask(self, choice: Choice, command: m.Command) -> None:
        await self._desk.ask(command)
        if self._sent is choice:
            self._sent = None
            self._draw_choice()

    # --- the keys of the table

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action has a meaning now; one that has none is not shown."""
        view = self._desk.view
        if view is None:
            return action == "leave"
        match action, parameters:
            case "agree", _:
                return agreement(view) is not None
            case "show", ("last",):
                return view.stage == "playing"
            case "sheet", _:
                return view.rubber > 0
            case "deal", _:
                return view.deal is not None and view.stage in ("scored", "over")
            case "copy_link", _:
                return view.stage == "gathering" and bool(link_of(self._desk))
        return True

    def action_agree(self) -> None:
        view = self._desk.view
        if view is not None and (agree := agreement(view)) is not None:
            self._send(agree)

    def action_show(self, what: str) -> None:
        """Show the last trick or the options, until a key is pressed."""
        from client_cli.screen.page import PageDialog

        if self._desk.view is not None:
            titles = {"last": "Last trick", "options": "Game"}
            self.app.push_screen(
                PageDialog(titles[what], show(what, self._desk.view, self._desk.signs), self._desk.signs)
            )

    def action_deal(self) -> None:
        """Show the whole of the deal that is over."""
        self._show_deal()

    def _show_deal(self, sight: Sight | None = None) -> None:
        from client_cli.screen.deal_over import DealDialog

        self.app.push_screen(DealDialog(self._desk, sight))

    def action_sheet(self) -> None:
        """Show the whole scoresheet."""
        from client_cli.screen.sheet import SheetScreen

        self.app.push_screen(SheetScreen(self._desk))

    def action_seats(self) -> None:
        """Show who sits where, and what may be done about it."""
        view = self._desk.view
        if view is not None:
            self._offer(seating(view), who_lines(view, self._desk.signs))

    def action_leave(self) -> None:
        """Ask how to go."""
        view = self._desk.view
        if view is None:
            self.post_message(LeaveServer())
        else:
            self._offer(leaving(view), [])

    def _show_seat_code(self, made: m.SeatCode) -> None:
        from client_cli.screen.page import PageDialog
        from client_cli.seat import handed_on

        visit = self._desk.visit
        if visit is not None:
            lines = handed_on(visit.memory.url, made, visit.link.name)
            self.app.push_screen(PageDialog("Another device", lines, self._desk.signs, Sight(self._now)))

    def _offer(self, offer: Offer, words: Sequence[str]) -> None:
        from client_cli.screen.offer_dialog import OfferDialog

        def chosen(choice: Choice | None) -> None:
            if choice is None:
                return
            if choice.command is None:
                self.post_message(LeaveServer())
            elif not self._desk.online:
                self._desk.say(NOT_SENT)
            elif self._doubt(choice) is not None:
                self._send(choice)  # it has been asked about
            else:
                self._choose(choice)

        self.app.push_screen(OfferDialog(offer, words, self._desk.signs, self._doubt), chosen)

    def _doubt(self, choice: Choice) -> str | None:
        """Return what is to be asked before something that cannot be undone."""
        view = self._desk.view
        gives_up = isinstance(choice.command, m.LeaveTable) and view is not None and view.seat is not None
        return f"{choice.words.capitalize()}?" if gives_up or isinstance(choice.command, m.EndTable) else None

    def action_copy_link(self) -> None:
        self.app.copy_to_clipboard(link_of(self._desk))
        self._desk.say("The link is copied, if this terminal allows it.")

    def action_page(self, pages: int) -> None:
        self._side.talk.turn_pages(pages)

    # --- chat

    def action_chat(self) -> None:
        from client_cli.screen.chat import Chat

        for chat in self.query(Chat):
            chat.focus()
            return
        self.mount(Chat(self._desk), after=self._prompt)

    def on_chat_said(self, said: "Chat.Said") -> None:
        self.run_worker(self._desk.ask(m.Say(0, said.text)))


def _moment(view: m.TableView) -> list[str]:
    """Say how far the rubber has come."""
    deal = view.deal
    if deal is None:
        return []
    words = f"{unit_of(view).title()} {view.rubber}, deal {deal.number}"
    playing = view.stage == "playing" and deal.contract is not None
    return [f"{words}, trick {sum(deal.tricks_won.values()) + 1}" if playing else words]
