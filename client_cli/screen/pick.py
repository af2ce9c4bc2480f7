"""What a person is choosing: where the cursor is, what has been typed, what waits for a second Enter.

Nothing of it outlives the moment that it was meant for: `begin` is for another offer, `clear` for whatever interrupts.
"""

from dataclasses import dataclass, field

from client_cli.screen.offer import Choice, Offer, Place, further_offer


@dataclass(slots=True)
class Pick:
    """Choosing among what is offered.

    `refused` is a letter that begins nothing of it; `laid` are the cards that are to be laid away together.
    """

    offer: Offer | None = None
    at: Place | None = None
    typed: str = ""
    refused: str = ""
    armed: Choice | None = None
    laid: list[str] = field(default_factory=list)
    _outer: Offer | None = None

    def begin(self, offer: Offer | None) -> None:
        """Choose anew, among something else or among nothing."""
        self.offer, self._outer = offer, None
        self.clear()

    def clear(self) -> None:
        """Forget what is half done."""
        self.offer, self._outer = self.base, None
        self.at, self.typed, self.refused, self.armed = None, "", "", None
        self.laid = []

    @property
    def base(self) -> Offer | None:
        """What had been offered before a choice led further, if one did."""
        return self.offer if self._outer is None else self._outer

    @property
    def choice(self) -> Choice | None:
        """What the cursor is on."""
        if self.offer is None or self.at is None:
            return None
        row, place = self.at
        return self.offer.rows[row].choices[place]

    def open(self, choice: Choice) -> None:
        """Go on to the further choices of one."""
        self._outer, self.offer = self.offer, further_offer(choice)
        self.at, self.typed, self.refused = None, "", ""

    def step_back(self) -> None:
        """Take back what was done last: what waits, what was typed, further choices, the cursor."""
        self.refused = ""
        if self.armed is not None:
            self.armed = None
        elif self.typed:
            self.typed = ""
        elif self._outer is not None:
            self.offer, self._outer, self.at = self._outer, None, None
        else:
            self.at = None

    # --- by arrows

    def along(self, step: int) -> None:
        """Go to the next choice, or the one before; from nowhere to the first or last."""
        places = [place for place, _ in self.offer.items()] if self.offer is not None else []
        if places:
            here = places.index(self.at) if self.at is not None else -1 if step > 0 else 0
            self._go(places[(here + step) % len(places)])

    def across(self, step: int) -> None:
        """Go to the nearest choice in the next row, or the one before."""
        if self.offer is None or self.at is None:
            self.along(step)
            return
        row, place = self.at
        number = len(self.offer.rows)
        for distance in range(1, number):
            to = (row + step * distance) % number
            near = [other for other, choice in enumerate(self.offer.rows[to].choices) if choice is not None]
            if near:
                self._go((to, min(near, key=lambda other: abs(other - place))))
                return

    def _go(self, at: Place) -> None:
        self.at, self.typed, self.refused, self.armed = at, "", "", None

    # --- by letters

    def type(self, sign: str) -> bool:
        """Take a letter or digit, if something that is offered is spelled so; the cursor goes there."""
        for typed in (self.typed + sign, sign):
            found = self._spelled(typed)
            if found:
                self.at, self.typed, self.refused, self.armed = found[0][0], typed, "", None
                return True
        return False

    def refuse(self, sign: str) -> None:
        """Take note of a letter that nothing offered begins with."""
        self.typed, self.refused = "", sign

    def untype(self) -> None:
        """Take back the last letter."""
        self.typed, self.armed = self.typed[:-1], None

    @property
    def meant(self) -> Choice | None:
        """What has been typed in full, if there is nothing else that it could become."""
        found = self._spelled(self.typed) if self.typed else []
        (choice,) = [choice for _, choice in found] if len(found) == 1 else (None,)
        return choice if choice is not None and self.typed in choice.spellings else None

    def _spelled(self, typed: str) -> list[tuple[Place, Choice]]:
        if self.offer is None:
            return []
        items = self.offer.items()
        return [(at, choice) for at, choice in items if any(text.startswith(typed) for text in choice.spellings)]

    # --- several cards at once

    def lay(self, card: str) -> None:
        """Put a card to those that are to be laid away, or take it back."""
        assert self.offer is not None, "cards are laid away where that is offered"
        if card in self.laid:
            self.laid.remove(card)
        elif len(self.laid) < self.offer.lay_away:
            self.laid.append(card)
