"""What may be put in a sentence. The type of a fact says how it is written; a plain `str` is a user's own text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from solver.game.convention import Bound, Window

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
