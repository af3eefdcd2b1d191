"""What may be put in a sentence. The type of a fact says how it is written; a plain `str` is a user's own text.

Conventions and their choices are facts, too: people read of them by name, documents keep the ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from solver.game.convention import Bound, Convention, Window

MOST_ITEMS = 12
"""A sentence lists no more names or numbers than these."""


@dataclass(frozen=True, slots=True)
class Amount:
    """How many: written with the digits grouped."""

    number: int


@dataclass(frozen=True, slots=True)
class Percent:
    """So many of a hundred."""

    number: int | Fraction | Decimal


@dataclass(frozen=True, slots=True)
class Limit:
    """A number, −∞ or +∞."""

    bound: Bound


@dataclass(frozen=True, slots=True)
class Between:
    """A window, or an interval if `closed`."""

    ends: Window
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Formula:
    """Parts written one after another, from left to right in every language; signs and names are plain `str`."""

    parts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list in words. Of a long one `shown` has the first items, and `total` says how many there are."""

    shown: tuple[Fact, ...]
    total: int
    joint: str = "and"


@dataclass(frozen=True, slots=True)
class NameRun:
    """Names that follow one another in an order that the reader knows: the first and the last, if there are more."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """An entry of the catalogue with what goes into it; within another sentence, a word or a phrase."""

    key: str
    count: int | Fraction | None = None
    """What the words agree with in number."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    otherwise: Fact | None = None
    """What is said in its place where no catalogue has the key."""


Fact: TypeAlias = "str | int | Fraction | Decimal | tuple[int | Fraction, ...] | Amount | Percent | Limit | Between | Formula | Items | NameRun | Sentence"  # noqa: E501
"""A `tuple` is a vector; a `Decimal` is a rounded number, and is written with all its digits."""

_NAMES = {
    "aima3": "convention.aima3",
    "aima4": "convention.aima4",
    "strict": "convention.strict",
    "fail-hard": "convention.fail-hard",
}
_CHOICES = {
    "cut": "choice.cut",
    "update": "choice.update",
    "returns": "choice.returns",
    "order": "choice.order",
    "ties": "choice.ties",
    "window": "choice.window",
    "write": "choice.write",
    "depth_unit": "choice.depth-unit",
}
_VALUES: dict[tuple[str, str], Fact] = {
    ("cut", "at-bound"): "≥, ≤",
    ("cut", "past-bound"): ">, <",
    ("update", "after-test"): Sentence("choice.update.after"),
    ("update", "before-test"): Sentence("choice.update.before"),
    ("order", "left-to-right"): Sentence("choice.order.left"),
    ("order", "right-to-left"): Sentence("choice.order.right"),
    ("ties", "first"): Sentence("choice.ties.first"),
    ("ties", "last"): Sentence("choice.ties.last"),
    ("ties", "any"): Sentence("choice.ties.any"),
    ("window", "utilities"): Sentence("choice.window.utilities"),
    ("window", "bounds"): Sentence("choice.window.bounds"),
    ("write", "entry"): Sentence("choice.write.entry"),
    ("write", "exit"): Sentence("choice.write.exit"),
    ("write", "all"): Sentence("choice.write.all"),
    ("write", "inequality"): Sentence("choice.write.inequality"),
    ("write", "interval"): Sentence("choice.write.interval"),
    ("depth_unit", "ply"): Sentence("choice.depth-unit.ply"),
    ("depth_unit", "round"): Sentence("choice.depth-unit.round"),
}


def convention_name(convention: Convention, changed: Sequence[str] = ()) -> Fact:
    """A convention by its name, or by the choices that are not the declared ones."""
    if convention.name:
        return Sentence(_NAMES[convention.name])
    if not changed:
        return Sentence("convention.own")
    choices = tuple(
        Sentence("choice.made", None, {"choice": choice_name(key), "value": _value(convention, key)}) for key in changed
    )
    return Items(choices, len(choices), "then")


def choice_name(key: str) -> Sentence:
    """What is chosen, such as the order of the children."""
    return Sentence(_CHOICES[key])


def _value(convention: Convention, key: str) -> Fact:
    value = getattr(convention, key)
    return Between(value) if isinstance(value, tuple) else _VALUES.get((key, value), str(value))
