"""Random draws that are the same on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Only bits are taken from Python's generator: what its other methods make of them may change."""

    def __init__(self, *seed: object) -> None:
        self._bits = Random("/".join(map(str, seed))).getrandbits

    def below(self, size: int) -> int:
        length = size.bit_length()
        while True:
            drawn = self._bits(length)
            if drawn < size:
                return drawn

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def chance(self, probability: Fraction) -> bool:
        return self.below(probability.denominator) < probability.numerator

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """This many of them, in the order drawn."""
        pool = list(items)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]
