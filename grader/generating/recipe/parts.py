"""A recipe and its parts: levels, numbers, ranges, requirements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any

from solver.documents import Document
from solver.game import AND, CHANCE, MAX, MIN, OR
from solver.kernel import WHOLE_FILE, Number, Place, number_text

WORDS = (MAX, MIN, CHANCE, OR, AND)
"""Turns that are not names of players."""
MOST_CHILDREN = 12
STRICT, REARRANGED, BOUNDED = "true", "rearranged", "bounded"
"""How variants resemble each other: all alike, with siblings in another order, or about as hard."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    low: Fraction
    high: Fraction

    def distance(self, number: Number) -> Fraction:
        """How far outside of the range a number is."""
        return max(self.low - number, number - self.high, Fraction(0))

    def __str__(self) -> str:
        ends = number_text(self.low), number_text(self.high)
        return ends[0] if self.low == self.high else f"{ends[0]} to {ends[1]}"


@dataclass(frozen=True, slots=True)
class ShapeLevel:
    turn: str
    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Leaves:
    low: Fraction = Fraction(1)
    high: Fraction = Fraction(40)
    style: str = "distinct"
    bounds: bool = False
    goals: Fraction = Fraction(1, 2)
    loops: Fraction = Fraction(0)
    sum: Fraction | None = None
    """The sum of the numbers of every vector."""

    @property
    def pool(self) -> tuple[Number, ...]:
        """Every number that may be drawn, in order."""
        return _pool(self.low, self.high, Fraction(1, 2) if self.style == "halves" else Fraction(1))


@cache
def _pool(low: Fraction, high: Fraction, step: Fraction) -> tuple[Number, ...]:
    numbers = (place * step for place in range(-(-low // step), high // step + 1))
    return tuple(int(number) if number.denominator == 1 else number for number in numbers)


@dataclass(frozen=True, slots=True)
class Estimates:
    """Whole numbers at inner nodes, from the depth `start` on."""

    low: Fraction
    high: Fraction
    start: int

    @property
    def pool(self) -> tuple[Number, ...]:
        return _pool(self.low, self.high, Fraction(1))


@dataclass(frozen=True, slots=True)
class MctsStatistics:
    fewest: int
    most: int
    exploration: str


@dataclass(frozen=True, slots=True)
class Requirements:
    ranges: Mapping[str, NumberRange] = field(default_factory=dict)
    switches: Mapping[str, bool] = field(default_factory=dict)
    move_at: tuple[int, ...] | str | None = None
    proof: tuple[str, ...] = ()
    """Keys of the convention that must not change the answers."""
    exposes: tuple[str, ...] | str | None = None
    """Names of mistakes, or "all" for every mistake that can be made."""
    ucb_gap: Fraction | None = None
    plan: str | None = None

    def least(self, name: str) -> Fraction:
        return self.ranges[name].low if name in self.ranges else Fraction(0)


@dataclass(frozen=True, slots=True)
class Recipe:
    id: str
    title: str | None
    text: str | None
    language: str
    levels: tuple[ShapeLevel, ...]
    early_leaf_chance: Fraction
    """The probability that a node above the last level is a leaf."""
    early_leaf_from: int
    leaves: Leaves
    denominator: int
    equal: bool
    statistics: MctsStatistics | None
    unknowns: Mapping[str, tuple[int, ...]]
    """By name, the leaves that the unknown may be at, from 1."""
    estimates: Estimates | None
    teams: Mapping[str, tuple[str, ...]]
    convention: Any
    """This and the next two are data as the recipe has it."""
    questions: list[dict[str, Any]]
    marking: Any
    require: Requirements
    count: int
    parallel: str | None
    """STRICT, REARRANGED or BOUNDED; None if the exercises need not resemble each other."""
    guessability: Mapping[str, Fraction]
    """By question, the share of its marks that a constant answer may earn, where the recipe says so."""
    places: Mapping[str, Place]
    """Where its keys are written, and those of `require` and `unknowns`."""
    document: Document = field(repr=False, compare=False)
    """Knows where everything is written that is copied into exercises."""

    @property
    def turns(self) -> frozenset[str]:
        return frozenset(level.turn for level in self.levels)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.turn for each in self.levels if each.turn not in WORDS))

    @property
    def sides(self) -> int:
        """How many numbers a vector has."""
        return len(self.teams) or len(self.players)

    @property
    def regular(self) -> bool:
        """Whether all trees have the same shape."""
        return self.early_leaf_chance == 0 and all(level.fewest == level.most for level in self.levels)

    @property
    def most_leaves(self) -> int:
        return prod(level.most for level in self.levels)

    def place(self, key: str) -> Place:
        return self.places.get(key, WHOLE_FILE)
