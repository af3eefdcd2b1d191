"""A marked question: its items, what each is worth, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grader.answers import Unreadable
from grader.kernel.verdicts import FAULTS, WHOLE, ZERO, Verdict
from solver.languages import Fact, Sentence


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A place that a question asks about, or that an answer speaks of, and what was written there. Below full feedback
    reports list these: they depend on the shape of the tree and on the answer, never on the key."""

    name: str
    given: Fact | None
    problem: Unreadable | None = None
    blank: bool = False


def unread_row(problem: Unreadable) -> AnswerRow:
    """A name in a list that could not be read."""
    return AnswerRow(problem.given, problem.given, problem)


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one item. `share` is the part of its marks that it earns."""

    name: str
    given: Fact | None
    """As it was written, or, of a list or mapping, as it was read; None if nothing was."""
    expected: Fact | None
    """None where the key has nothing."""
    verdict: Verdict
    share: Fraction
    why: tuple[Sentence, ...] | None = None
    """The comparison that decides; None if the key of the item tells it."""
    hint: Sentence | None = None
    """What to look at again; it never tells the key."""
    penalty: Fraction = ZERO
    """What the item loses beside what it does not earn."""

    @property
    def is_fault(self) -> bool:
        """Whether it is wrong, missing or charged."""
        return self.verdict in FAULTS or (self.penalty is not ZERO and self.penalty > 0)


@dataclass(frozen=True, slots=True)
class Marked:
    """A question's items, each with the marks it is worth, and the marks that they come to."""

    items: Sequence[Item]
    worth: Sequence[Fraction]
    """An item's marks, if all of it is right; 0 for what can only lose marks."""
    marks: Fraction
    refused: bool = False
    """Whether follow-through was refused, since it would have made the rest too easy."""
    rows: Mapping[str, Verdict] = field(default_factory=dict)
    """What becomes of rows that are no items."""

    def marks_of(self, place: int) -> Fraction:
        item, whole = self.items[place], self.worth[place]
        earned = whole if item.share is WHOLE else ZERO if item.share is ZERO else whole * item.share
        return earned if item.penalty is ZERO else earned - item.penalty


def marked(items: Sequence[Item], worth: Sequence[Fraction], refused: bool = False) -> Marked:
    """Items that each earn their share of what they are worth, less what they lose; never below 0."""
    earned = [
        whole if item.share is WHOLE else item.share * whole
        for item, whole in zip(items, worth, strict=True)
        if item.share is not ZERO
    ]
    # Most are worth the same, and adding fractions takes long.
    like_first = sum(marks is earned[0] for marks in earned)
    marks = sum((each for each in earned if each is not earned[0]), like_first * earned[0]) if earned else ZERO
    lost = sum((item.penalty for item in items if item.penalty is not ZERO), ZERO)
    return Marked(items, worth, max(ZERO, marks - lost) if lost else marks, refused)
