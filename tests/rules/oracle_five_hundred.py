"""A second, slow reading of the laws of Five Hundred, for comparison with the real one.

Written from the rules' text and its pseudo-code alone, on the texts of a deal record, with nothing of `rules`:
everything is worked out anew from the whole record at every question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

Record = Mapping[str, Any]
Options = dict[str, Any]

# Section 9, column by column: `hoyle3`, then what the others have differently.
HOYLE3: Options = {
    "pack": 33,
    "deal": "hoyle",
    "first_dealer": "random",
    "auction": "continuing",
    "lone_bidder_may_raise": False,
    "all_pass": "no_trump_play",
    "misere": "off",
    "misere_rank": "below_8S",
    "misere_needs_seven": True,
    "open_misere": "off",
    "open_misere_rank": "between_10D_10H",
    "open_misere_expose": "after_first_trick",
    "misere_force_joker": True,
    "misere_stop_on_loss": True,
    "misere_defenders_score": False,
    "nt_joker": "hoyle",
    "nt_joker_follow": "void_only",
    "joker_prenomination": "off",
    "slam_250": "on",
    "target": 500,
    "win_requires_contract": False,
    "back_door": "none",
    "defender_cap_490": "off",
    "inkle": "off",
}
AUS: Options = {
    "deal": "3w1-4w1-3w1",
    "all_pass": "redeal",
    "misere": "on",
    "open_misere": "on",
    "nt_joker": "modern",
    "joker_prenomination": "on",
    "win_requires_contract": True,
    "back_door": -500,
}
COLUMNS: dict[str, Options] = {
    "hoyle3": {},
    "hoyle2": {"back_door": -500},
    "aus4": {"pack": 43, **AUS},
    "us_official4": {
        "pack": 43,
        "deal": "3-w3-4-3",
        "auction": "single_round",
        "all_pass": "redeal",
        "nt_joker": "free",
        "back_door": -500,
    },
    "five": {
        "pack": 53,
        "deal": "3w1-4w1-3w1",
        "all_pass": "redeal",
        "nt_joker": "modern",
        "joker_prenomination": "on",
    },
    "aus6": {"pack": 63, **AUS},
}
DEFAULT_PRESET = {2: "hoyle2", 3: "hoyle3", 4: "aus4", 5: "five", 6: "aus6"}

SEATS = {2: "12", 3: "123", 4: "NESW", 5: "12345", 6: "123456"}
SIDES = {
    2: ("1", "2"),
    3: ("1", "2", "3"),
    4: ("NS", "EW"),
    5: ("1", "2", "3", "4", "5"),
    6: ("135", "246"),
}

LADDER = "6S 6C 6D 6H 6N 7S 7C 7D 7H 7N M 8S 8C 8D 8H 8N 9S 9C 9D 9H 9N 10S 10C 10D OM 10H 10N"

COLOUR_PARTNER = {"S": "C", "C": "S", "D": "H", "H": "D"}
HIGH_TO_LOW = "AKQJRWET98765432"
JOKERS = ("JK", "JL")


def options(record: Record) -> Options:
    given = record["options"]
    column = COLUMNS[given.get("preset", DEFAULT_PRESET[record["players"]])]
    chosen = HOYLE3 | column | dict(given)
    if chosen["pack"] == 46:
        chosen["joker_prenomination"] = "off"  # "pre-nomination is off"
    return chosen


def seats(record: Record) -> str:
    return SEATS[record["players"]]


def after(record: Record, seat: str, steps: int = 1) -> str:
    names = seats(record)
    return names[(names.index(seat) + steps) % len(names)]


def side(record: Record, seat: str) -> str:
    return next(name for name in SIDES[record["players"]] if seat in name)


def hand_cards(text: str) -> list[str]:
    suits, *jokers = text.split("+")
    return [suit + rank for suit, ranks in zip("SHDC", suits.split("."), strict=True) for rank in ranks] + jokers


# --- section 4


def ladder(opts: Options) -> list[str]:
    rungs = LADDER.split()
    if opts["misere_rank"] == "between_8S_8C":
        rungs.remove("M")
        rungs.insert(rungs.index("8C"), "M")
    if opts["open_misere_rank"] == "top":
        rungs.remove("OM")
        rungs.append("OM")
    if opts["misere"] == "off":
        rungs.remove("M")
    if opts["open_misere"] == "off":
        rungs.remove("OM")
    return rungs


@dataclass
class Auction:
    """`turn` is None when it is over."""

    turn: str | None
    standing: str | None = None
    bidder: str | None = None
    passed: set[str] = field(default_factory=set)


def auction(record: Record, calls: list[str]) -> Auction:
    opts = options(record)
    now = Auction(after(record, record["dealer"]))
    extra = False
    for number, call in enumerate(calls, 1):
        seat = now.turn
        assert seat is not None, "nobody calls after the end"
        if call == "P":
            now.passed.add(seat)
        else:
            now.standing, now.bidder = call, seat
        lone = now.standing is not None and now.passed | {now.bidder} == set(seats(record))
        if now.standing == ladder(opts)[-1]:
            now.turn = None
        elif opts["auction"] == "single_round":
            now.turn = after(record, seat) if number < len(seats(record)) else None
        elif lone and opts["lone_bidder_may_raise"] and not extra:
            now.turn, extra = now.bidder, True
        elif lone or now.passed == set(seats(record)):
            now.turn = None
        else:
            now.turn = after(record, seat)
            while now.turn in now.passed:
                now.turn = after(record, now.turn)
    return now


def legal_calls(record: Record, calls: list[str]) -> set[str]:
    opts = options(record)
    rungs = ladder(opts)
    standing = auction(record, calls).standing
    legal = {"P"}
    for call in rungs[0 if standing is None else rungs.index(standing) + 1 :]:
        if call == "M" and opts["misere_needs_seven"] and not any(bid[0] == "7" for bid in calls):
            continue
        if call[0] == "6" and opts["inkle"] == "on" and len(calls) > 1:
            continue
        legal.add(call)
    return legal


def redealt_by(record: Record) -> str | None:
    """Return who deals next where the deal is not played, None if it is."""
    opts = options(record)
    bids = [call for call in record["calls"] if call != "P"]
    if opts["inkle"] == "on" and all(bid[0] == "6" for bid in bids):
        return str(record["dealer"])
    if not bids and opts["all_pass"] == "redeal":
        return after(record, record["dealer"])
    return None


# --- sections 3 and 6


def effective_suit(card: str, strain: str, joker_suit: str | None) -> str | None:
    if card in JOKERS:
        return strain if strain != "N" else joker_suit
    if strain != "N" and card == COLOUR_PARTNER[strain] + "J":
        return strain
    return card[0]


def high_to_low(suit: str, strain: str) -> list[str]:
    """Return the cards of an effective suit; a joker of a named suit stands on top of it."""
    plain = [suit + rank for rank in HIGH_TO_LOW]
    if strain == "N":
        return [*JOKERS, *plain]
    if suit == strain:
        right, left = strain + "J", COLOUR_PARTNER[strain] + "J"
        return [*JOKERS, right, left, *(card for card in plain if card != right)]
    return [card for card in plain if card != COLOUR_PARTNER[strain] + "J" or suit != COLOUR_PARTNER[strain]]


@dataclass
class Playing:
    """A deal from the first lead on."""

    record: Record
    opts: Options
    strain: str
    kind: str
    joker_suit: str | None
    bidder: str | None
    hands: dict[str, list[str]]
    live: list[str]
    turn: str
    renounced: dict[str, set[str]] = field(default_factory=dict)
    led_suits: set[str] = field(default_factory=set)
    trick: list[tuple[str, str, str | None]] = field(default_factory=list)
    before_trick: dict[str, set[str]] = field(default_factory=dict)
    winners: list[str] = field(default_factory=list)

    def suit(self, card: str) -> str | None:
        return effective_suit(card, self.strain, self.joker_suit)

    @property
    def loose(self) -> bool:
        return self.strain == "N" and self.joker_suit is None

    @property
    def led(self) -> str | None:
        _, card, name = self.trick[0]
        return name or self.suit(card)

    @property
    def over(self) -> bool:
        if len(self.winners) == 10:
            return True
        return self.kind == "misere" and self.opts["misere_stop_on_loss"] and self.bidder in self.winners

    def legal(self) -> set[str]:
        hand = self.hands[self.turn]
        if not self.trick:
            return {text for card in hand for text in self.leads(card, hand)}
        if self.led is None:
            return set(hand)
        jokers = {card for card in hand if card in JOKERS}
        same = {card for card in hand if self.suit(card) == self.led}
        if same:
            return same | jokers if self.opts["nt_joker_follow"] == "anytime" and self.loose else same
        if self.kind == "misere" and self.opts["misere_force_joker"] and self.loose and jokers:
            return jokers
        return set(hand)

    def leads(self, card: str, hand: list[str]) -> set[str]:
        if card not in JOKERS or not self.loose:
            return {card}
        if self.opts["nt_joker"] == "hoyle":
            return {f"{card}:{suit}" for suit in "SCDH" if suit not in self.renounced.get(self.turn, set())}
        if self.opts["nt_joker"] == "free":
            return {f"{card}:{suit}" for suit in "SCDH"}
        if all(held in JOKERS for held in hand):
            return {card}
        return {f"{card}:{suit}" for suit in "SCDH" if suit not in self.led_suits}

    def play(self, text: str) -> None:
        assert text in self.legal(), (text, self.legal())
        card, _, name = text.partition(":")
        could = any(self.suit(held) == self.led for held in self.hands[self.turn]) if self.trick else False
        self.hands[self.turn].remove(card)
        if not self.trick:
            self.before_trick = {seat: set(suits) for seat, suits in self.renounced.items()}
        self.trick.append((self.turn, card, name or None))
        if len(self.trick) > 1 and self.led is not None and self.suit(card) != self.led and not could:
            self.renounced.setdefault(self.turn, set()).add(self.led)
        if len(self.trick) < len(self.live):
            self.turn = self.live[(self.live.index(self.turn) + 1) % len(self.live)]
            return
        if self.led is not None:
            self.led_suits.add(self.led)
        self.turn = self.winner()
        self.winners.append(self.turn)
        self.trick = []

    def winner(self) -> str:
        by = {card: seat for seat, card, _ in self.trick}
        if self.strain != "N":
            trumps = [card for card in high_to_low(self.strain, self.strain) if card in by]
            if trumps:
                return by[trumps[0]]
            assert self.led is not None, "every card has a suit"
            return next(by[card] for card in high_to_low(self.led, self.strain) if card in by)
        if self.loose:
            for joker in JOKERS:
                if joker in by and self.counts(joker, by[joker]):
                    return by[joker]
        assert self.led is not None, "a joker that was led has won"
        order = high_to_low(self.led, "N") if self.joker_suit == self.led else [self.led + rank for rank in HIGH_TO_LOW]
        return next(by[card] for card in order if card in by)

    def counts(self, joker: str, seat: str) -> bool:
        if self.trick[0][1] == joker or self.opts["nt_joker"] != "hoyle":
            return True
        return self.led not in self.before_trick.get(seat, set())


# --- the phases


def begun(record: Record) -> Playing:
    """Return the play before the first lead, of a record that has come so far."""
    opts = options(record)
    ended = auction(record, record["calls"])
    hands = {seat: hand_cards(record["hands"][seat]) for seat in seats(record)}
    if ended.standing is None or ended.bidder is None:
        eldest = after(record, record["dealer"])
        return Playing(record, opts, "N", "allpass", None, None, hands, list(seats(record)), eldest)
    bidder = ended.bidder
    hands[bidder] = [card for card in hands[bidder] + record["widow"] if card not in record["discard"]]
    misere = ended.standing in ("M", "OM")
    live = [
        seat for seat in seats(record) if not (misere and seat != bidder and side(record, seat) == side(record, bidder))
    ]
    strain = "N" if misere else ended.standing[-1]
    kind = "misere" if misere else "tricks"
    return Playing(record, opts, strain, kind, record["joker_suit"], bidder, hands, live, bidder)


def played(record: Record, number: int) -> Playing:
    now = begun(record)
    for text in record["plays"][:number]:
        now.play(text)
    return now


def namings(record: Record) -> set[str]:
    """Section 5, 3: what the bidder may say of his joker, once he has discarded; nothing where he is not asked."""
    opts, now = options(record), begun(record)
    asked = opts["joker_prenomination"] == "on" and now.strain == "N" and opts["pack"] not in (24, 42)
    if now.bidder is None or not asked:
        return set()
    return {f"joker {suit}" for suit in ("-SHDC" if "JK" in now.hands[now.bidder] else "-")}


def partner_choices(record: Record, bidder: str, bid: str) -> set[str]:
    others = [after(record, bidder, step) for step in range(1, 5)]
    most = 2 if bid[:-1] in ("8", "9", "10") else 1
    groups = [group for size in range(most + 1) for group in combinations(others, size)]
    return {" ".join(["partners", *sorted(group)]) for group in groups}


def legal(record: Record, done: int) -> set[str]:
    """Return what may be done after so many actions of a record."""
    calls = record["calls"]
    if done < len(calls) or auction(record, calls).turn is not None:
        return legal_calls(record, calls[:done])
    if redealt_by(record) is not None:
        return set()
    done -= len(calls)
    ended = auction(record, calls)
    if ended.bidder is not None and ended.standing is not None:
        if record["players"] == 5:
            if done == 0:
                return partner_choices(record, ended.bidder, ended.standing)
            done -= 1
        if done == 0:
            held = hand_cards(record["hands"][ended.bidder]) + record["widow"]
            return {" ".join(["discard", str(len(record["widow"])), *sorted(held)])}
        done -= 1
        if namings(record):
            if done == 0:
                return namings(record)
            done -= 1
    now = played(record, done)
    return set() if now.over else now.legal()


# --- sections 7 and 8


def value(bid: str) -> int:
    if bid in ("M", "OM"):
        return {"M": 250, "OM": 500}[bid]
    return 40 + 20 * "SCDHN".index(bid[-1]) + 100 * (int(bid[:-1]) - 6)


def end(record: Record) -> tuple[dict[str, dict[str, int]], str | None, str]:
    """Return the totals after a deal that has been finished, who has won the game, and who deals next."""
    before = dict(record["before"]["scores"])
    again = redealt_by(record)
    if again is not None:
        return {"scores": before}, None, again
    opts, now = options(record), played(record, len(record["plays"]))
    bid = auction(record, record["calls"]).standing
    bidders: list[str] = []
    if now.bidder is not None:
        ring = [after(record, now.bidder, step) for step in range(len(seats(record)))]
        called = [now.bidder, *record["called_partners"]]
        bidders = list(dict.fromkeys(side(record, seat) for seat in ring if seat in called))
    takers = [side(record, seat) for seat in now.winners]
    won = sum(taker in bidders for taker in takers)
    made = bid is not None and (won == 0 if bid in ("M", "OM") else won >= int(bid[:-1]))
    scores = dict(before)
    for each in scores:
        if each in bidders:
            assert bid is not None
            gain = value(bid)
            if won == 10 and opts["slam_250"] == "on" and bid not in ("M", "OM"):
                gain = max(gain, 250)
            scores[each] += gain if made else -value(bid)
        elif bid not in ("M", "OM") or opts["misere_defenders_score"]:
            new = before[each] + 10 * takers.count(each)
            scores[each] = max(before[each], min(new, 490)) if opts["defender_cap_490"] == "on" else new
    winner = game_won(opts, bidders, made, takers, before, scores)
    return {"scores": scores}, winner, after(record, record["dealer"])


def game_won(
    opts: Options, bidders: list[str], made: bool, takers: list[str], before: dict[str, int], now: dict[str, int]
) -> str | None:
    at_target = [each for each in now if now[each] >= opts["target"]]
    if opts["win_requires_contract"]:
        at_target = [each for each in at_target if made and each in bidders]
    if at_target:
        return best_of(opts, at_target, bidders, takers, before, now)
    if opts["back_door"] != "none":
        for each in now:
            if now[each] <= opts["back_door"]:
                (other,) = set(now) - {each}
                return other
    return None


def best_of(
    opts: Options,
    at_target: list[str],
    bidders: list[str],
    takers: list[str],
    before: dict[str, int],
    now: dict[str, int],
) -> str:
    if bidders and bidders[0] in at_target:
        return bidders[0]
    partners = [each for each in bidders if each in at_target]
    if partners:
        most = max(now[each] for each in partners)
        return next(each for each in partners if now[each] == most)
    if len(at_target) == 1:
        return at_target[0]
    running = dict(before)
    for taker in takers:
        running[taker] += 0 if taker in bidders else 10
        if taker in at_target and running[taker] >= opts["target"]:
            return taker
    raise AssertionError("somebody came to the target by tricks")
