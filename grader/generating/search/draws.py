"""Random draws that are the same on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seed:
    """What a run's exercises are a function of, beside the recipe. Seeds for practice are a space of their own: no text
    gives the same draws in both."""

    text: str
    practice: bool = False

    @property
    def is_unicode(self) -> bool:
        """Python has half characters too, for arguments that are not UTF-8."""
        return not any("\ud800" <= sign <= "\udfff" for sign in self.text)

    def draw(self, recipe: str, *rest: object) -> Draw:
        # An id is not empty and has no slash, so what begins with one is drawn for nothing else.
        space = ("", "practice") if self.practice else ()
        return Draw(*space, recipe, self.text, *rest)


class Draw:
    """Only random bits are taken from Python, since its other methods may change between versions."""

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
        """`count` different items, in the order drawn."""
        pool = list(items)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]
