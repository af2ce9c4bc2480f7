"""What is shown under the table: one's own hand or, while there is none, the link for friends, or what was won."""

from textual.content import Content

from client_cli.address import link_to
from client_cli.blocks import deal_score_lines
from client_cli.screen.cards import hued
from client_cli.screen.desk import Desk
from client_cli.screen.hand import fan, held_in
from client_cli.screen.look import Look
from client_cli.screen.marks import cut
from client_cli.screen.ring import places_of
from client_cli.signs import Signs
from client_cli.state import OWN_SERVER

HEIGHT, HEIGHT_TALL = 4, 6


def below(look: Look, link: str) -> Content:
    """Return what stands under the table now."""
    view, width = look.view, look.room.width
    if view.stage == "gathering":
        return _invitation(link, width, look.signs)
    deal = view.deal
    if deal is None:
        return Content("")
    if view.stage != "playing":
        lines = [] if deal.score is None else deal_score_lines(view, deal.score, look.signs)
        shown = [f" Deal {deal.number} is over.", *(cut(line, width, look.signs) for line in lines)]
        return Content("\n").join(hued(line, look.signs) for line in shown)
    seat = next(seat for seat, place in places_of(view).items() if place == "s")
    if seat not in deal.hands:
        return Content(" You watch; W shows the seats.")
    height = HEIGHT_TALL if look.room.tall else HEIGHT
    return fan(held_in(view, seat, look.pick, look.sent), width, height, look.signs)


def _invitation(link: str, width: int, signs: Signs) -> Content:
    if not link:
        return Content(" This server is your own; bots play with you.")
    return Content("\n").join(
        [
            Content(" Friends come with this link; Y copies it:"),
            Content.styled(f" {cut(link, width - 1, signs)}", "bold"),
            Content(f" or they type: biritch join {cut(link, width - 28, signs)}"),
        ]
    )


def link_of(desk: Desk) -> str:
    """Return the link to the table, which one hands to friends; there is none to a server of one's own."""
    visit, view = desk.visit, desk.view
    if visit is None or view is None or visit.memory.url == OWN_SERVER:
        return ""
    return link_to(visit.memory.url, view.table, visit.link.invitation)
