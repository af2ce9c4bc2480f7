"""From a seed to a shuffled deck and to the draw for the first deal, by a written algorithm that anyone can repeat.

The stream of a seed is SHA-256(seed ‖ label ‖ counter) for counter = 0, 1, 2 ..., the counter as 8 bytes, each digest
read as eight numbers of 32 bits, all big-endian. A number below n is the next of the stream that is below the greatest
multiple of n up to 2**32, modulo n: the others are skipped, so that no outcome is favoured.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import unpack

from rules.cards import Card

SEED_BYTES = 32


def _numbers(seed: bytes, label: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from unpack(">8I", sha256(seed + label + counter.to_bytes(8, "big")).digest())
        counter += 1


def _below(numbers: Iterator[int], limit: int) -> int:
    fair = 2**32 - 2**32 % limit
    return next(number for number in numbers if number < fair) % limit


def shuffled(deck: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """Shuffle a deck by Fisher-Yates, from the last place down: each card swaps with one at or before it."""
    numbers = _numbers(seed, b"deck")
    cards = list(deck)
    for place in range(len(cards) - 1, 0, -1):
        other = _below(numbers, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def drawn(choices: int, seed: bytes) -> int:
    """Draw one of so many choices, 0 to choices-1; independent of the shuffle of the same seed."""
    return _below(_numbers(seed, b"draw"), choices)
