"""The written algorithm that turns a seed into a deck, worked out here a second time, and its fairness."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterator

import pytest

from rules.cards import PACK_52, Card
from rules.shuffle import SEED_BYTES, drawn, shuffled

# Seeds of 32 bytes, and the first five and the last card of a pack of 52 that they give.
VECTORS = {
    "00" * 32: "SJ C6 C8 HJ SQ C7",
    "ff" * 32: "D7 C2 D8 C8 C4 HQ",
    bytes(range(32)).hex(): "DJ DA C7 SA HJ H5",
}


def numbers(seed: bytes, label: bytes) -> Iterator[int]:
    """The stream of the documentation: SHA-256(seed, label, counter), eight numbers of four bytes in each digest."""
    for counter in range(10**6):
        digest = hashlib.sha256(seed + label + bytes(7) + bytes([counter])).hexdigest()
        for place in range(0, 64, 8):
            yield int(digest[place : place + 8], 16)


def below(stream: Iterator[int], limit: int) -> int:
    while True:
        number = next(stream)
        if number // limit < 2**32 // limit:
            return number % limit


def shuffled_again(deck: tuple[Card, ...], seed: bytes) -> list[Card]:
    """Fisher-Yates from the last place down, told as drawing: the card drawn comes last, the last takes its place."""
    stream = numbers(seed, b"deck")
    left, done = list(deck), list[Card]()
    while len(left) > 1:
        other = below(stream, len(left))
        drawn_card, last = left[other], left[-1]
        left[other] = last
        left.pop()
        done.insert(0, drawn_card)
    return left + done


@pytest.mark.parametrize("number", range(20))
def test_the_algorithm_as_it_is_written(number: int) -> None:
    seed = bytes([number]) * SEED_BYTES
    assert list(shuffled(PACK_52, seed)) == shuffled_again(PACK_52, seed)


@pytest.mark.parametrize(("seed", "cards"), VECTORS.items())
def test_fixed_vectors(seed: str, cards: str) -> None:
    """What has once been dealt must be checked by the same algorithm for ever."""
    deck = shuffled(PACK_52, bytes.fromhex(seed))
    assert " ".join(map(str, (*deck[:5], deck[-1]))) == cards
    assert sorted(deck) == sorted(PACK_52)


def seeds(count: int) -> Iterator[bytes]:
    return (hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(count))


def test_every_order_of_four_cards_comes_as_often() -> None:
    deck = PACK_52[:4]
    times = Counter(shuffled(deck, seed) for seed in seeds(24 * 200))
    assert len(times) == math.factorial(4)
    # Chi square with 23 degrees of freedom: more than 49.7 once in a thousand times, and the seeds are fixed.
    assert sum((count - 200) ** 2 / 200 for count in times.values()) < 49.7


def test_draws_are_fair_and_apart_from_the_shuffle() -> None:
    times = Counter(drawn(4, seed) for seed in seeds(4000))
    assert set(times) == {0, 1, 2, 3}
    assert sum((count - 1000) ** 2 / 1000 for count in times.values()) < 16.3  # 3 degrees, once in a thousand times
    seed = bytes(32)
    stream = numbers(seed, b"draw")
    assert drawn(4, seed) == below(stream, 4)


def test_a_number_that_would_favour_some_outcomes_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**32 is no multiple of 3: the one number above the last full row of three is passed over."""
    monkeypatch.setattr("rules.shuffle._numbers", lambda seed, label: iter([2**32 - 1, 2**32 - 2]))
    assert drawn(3, bytes(32)) == (2**32 - 2) % 3


def test_one_card_and_none() -> None:
    assert shuffled(PACK_52[:1], bytes(32)) == PACK_52[:1]
    assert shuffled((), bytes(32)) == ()
