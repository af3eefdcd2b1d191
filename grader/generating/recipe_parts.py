"""A recipe and its parts: levels, numbers, ranges, and what it requires of every exercise (the keys of `require`).

Nodes and moves are named in braces in a recipe's texts, since each variant has its own labels.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any

from grader.kernel.document_fields import Fields
from grader.mistakes.behaviour import mistake_of
from grader.mistakes.registry import MODELS
from solver.documents import Document
from solver.game import AND, CHANCE, MAX, MIN, OR
from solver.kernel import WHOLE_FILE, Number, Place, number_text, quoted

IN_BRACES = re.compile(r"\{(\w+)\}")
# A single letter is a name after such a word; elsewhere it may be an article, or a player.
_BARE = re.compile(r"\b(?:L[0-9]+|[a-z][1-9][0-9]?)\b|(?<=\bat )[A-Z]\b|(?<=\bnode )[A-Z]\b|(?<=\bbelow )[A-Z]\b")


def name_without_braces(text: str, others: Collection[str] = ()) -> str | None:
    """The name of a node or move that is not in braces, and would be wrong in a variant with other labels."""
    return next((name for name in _BARE.findall(IN_BRACES.sub("", text)) if name not in others), None)


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


class RecipeFields(Fields):
    def range(self, holder: dict[str, Any], key: str) -> NumberRange | None:
        """A single number is a range, too."""
        written = holder.get(key)
        if not isinstance(written, list):
            number = self.number(holder, key)
            return None if number is None else NumberRange(number, number)
        ends = [self.number(written, place) for place in range(len(written))]
        if len(ends) != 2 or ends[0] is None or ends[1] is None:
            return None
        if ends[0] > ends[1]:
            self.report(holder, key, "wrong-value", "the range ends before it starts")
            return None
        return NumberRange(ends[0], ends[1])

    def whole_range(self, holder: dict[str, Any], key: str, least: int, most: int) -> tuple[int, int]:
        found = self.range(holder, key)
        if found is None:
            return least, least
        if found.low < least or found.high > most or found.low.denominator != 1 or found.high.denominator != 1:
            message = f"{quoted(key)} must be whole numbers from {least} to {most:,}"
            self.report(holder, key, "wrong-value", message)
            return least, least
        return int(found.low), int(found.high)

    def whole_or(self, usual: int, holder: dict[str, Any], key: str, least: int, most: int) -> int:
        """`usual` if nothing is written."""
        if key not in holder:
            return usual
        number = self.number(holder, key, least=least, most=Fraction(most))
        if number is not None and number.denominator != 1:
            self.report(holder, key, "wrong-value", f"{quoted(key)} must be a whole number")
        return usual if number is None else int(number)


def as_mapping(written: Any) -> dict[str, Any]:
    return written if isinstance(written, dict) else {}


def as_switch(written: Any) -> bool:
    return str(written).lower() == "true"


CUTS = ("pruned", "pruned_share", "alpha_cuts", "beta_cuts", "deep_cuts", "inner_cuts")
COUNTS = (*CUTS, "tempting_non_cut")
"""What is counted in one search."""
RANGES = (
    *COUNTS,
    "value",
    "denominator",
    "distinct_mistakes",
    "unknown_width",
    "unknown_parts",
    "depth_moves",
    "threshold",
)
SWITCHES = ("cut_on_last_child", "unique_move", "different_roots")
PROOF_KEYS = ("cut", "update", "returns", "ties")
"""Keys of the convention that must not change the answers of a convention-proof exercise."""
NEED_TIES = ("A1", "A18")
"""Mistakes that only equal values can show."""


def read_requirements(written: dict[str, Any], fields: RecipeFields) -> Requirements:
    ranges = {name: fields.range(written, name) for name in RANGES if name in written}
    return Requirements(
        ranges={name: found for name, found in ranges.items() if found is not None},
        switches={name: as_switch(written[name]) for name in SWITCHES if name in written},
        move_at=_move_at(written, fields),
        proof=_proof(written.get("convention_proof", "false")),
        exposes=_exposes(written, fields),
        ucb_gap=fields.number(written, "ucb_gap", least=0) if "ucb_gap" in written else None,
        plan=fields.text(written, "plan"),
    )


def _move_at(written: dict[str, Any], fields: RecipeFields) -> tuple[int, ...] | str | None:
    places = written.get("move_at")
    if places is None or places == "not-first":
        return places
    if not isinstance(places, list):
        return (fields.whole_or(1, written, "move_at", 1, MOST_CHILDREN),)
    found = [fields.whole(places, place, MOST_CHILDREN) for place in range(len(places))]
    return tuple(sorted(each for each in found if each is not None))


def _proof(written: Any) -> tuple[str, ...]:
    if isinstance(written, list):
        return tuple(dict.fromkeys(str(key) for key in written))
    return PROOF_KEYS if as_switch(written) else ()


def _exposes(written: dict[str, Any], fields: RecipeFields) -> tuple[str, ...] | str | None:
    listed = written.get("exposes")
    if not isinstance(listed, list):
        return fields.text(written, "exposes")
    known = dict.fromkeys(mistake_of(model) for model in MODELS)
    for place, name in enumerate(listed):
        if name not in known:
            hint = fields.nearest(str(name), known)
            fields.report(listed, place, "wrong-value", f"there is no mistake {quoted(name)}", hint)
    return tuple(dict.fromkeys(map(str, listed)))
