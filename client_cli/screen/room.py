"""How much room there is: what the parts of the table measure on a terminal of some size."""

from dataclasses import dataclass

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
WIDE, TALL = 110, 34
"""From here on there is room for more beside each other, and below each other."""


@dataclass(frozen=True, slots=True)
class Room:
    """A terminal's size, in cells."""

    width: int
    height: int

    @property
    def enough(self) -> bool:
        return self.width >= LEAST_WIDTH and self.height >= LEAST_HEIGHT

    @property
    def tall(self) -> bool:
        return self.height >= TALL

    @property
    def wide(self) -> bool:
        return self.width >= WIDE

    @property
    def side(self) -> int:
        """The width of what stands beside the table."""
        return 40 if self.wide else 28

    @property
    def box(self) -> int:
        """The width of a box of choices."""
        return 40 if self.wide else 30

    @property
    def felt(self) -> int:
        """The width of the table itself."""
        return self.width - self.side
