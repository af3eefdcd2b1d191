"""What an exercise is: a game, its convention, the questions with their marks, and the marking policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from solver.game import Convention, Game

STOP_COSTS = ("missed", "late", "unsound", "unjustified")
"""What a stop can cost in a rubric."""
ITEMS, RIGHT_MINUS_WRONG = "items", "right-minus-wrong"


@dataclass(frozen=True, slots=True)
class Rubric:
    """How a question's marks are given; without one written, the contract's rules."""

    scheme: str = ITEMS
    each: Fraction | None = None
    """Marks off for an error; given with per-error, and only then."""
    floor: Fraction = Fraction(0)
    """Of an answer that is not blank."""
    cap: Fraction | None = None
    """The most that the question gives; None: all of its marks."""
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    """By item, above 0; 1 for the others."""
    missed: Fraction = Fraction(1)
    """This and the next three, for `pruned`: what a stop costs, in multiples of u."""
    late: Fraction = Fraction(1, 2)
    unsound: Fraction = Fraction(3, 2)
    unjustified: Fraction = Fraction(3, 2)


@dataclass(frozen=True, slots=True)
class Policy:
    follow_through: Fraction = Fraction(1)
    accept: tuple[Convention, ...] = ()
    other_convention: str | None = None
    """None: as the contract says, by whether the exercise prints the key."""


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    ask: str
    marks: Fraction
    text: str | None = None
    nodes: tuple[str, ...] | None = None
    digits: int | None = None
    algorithm: str | None = None
    depth: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The ask's own, read: a number as such, a list as a tuple, `pruned` of a condition always as a tuple of ids.
    Those with a fixed default are always there; `of` and `at` only if written, since they depend on more."""
    rubric: Rubric = Rubric()


@dataclass(frozen=True, slots=True)
class Exercise:
    id: str
    title: str | None
    text: str | None
    language: str
    game: Game
    convention: Convention
    printed: frozenset[str]
    """Keys of the convention that the exercise writes out; a name alone prints none."""
    questions: tuple[Question, ...]
    marking: Policy
    out_of: Fraction
    source: str
    """The name of its file."""
    written: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    """Its document as it stands inside another one; None for one that is in a file, or was made from data."""
    searches: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What answer keys have searched: under any convention, each search is made once."""
    judged: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What was found about sets of pruned leaves: many students cross out the same."""

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process goes what the exercise is, not what was searched or judged here."""
        return Exercise, tuple(getattr(self, each.name) for each in fields(self) if each.init)

    def question(self, name: str) -> Question | None:
        return next((question for question in self.questions if question.id == name), None)
