"""What recipes can require of the keys: ranges of unknown leaves, moves by depth, an opponent's threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers import IntervalSet
from grader.questions.answer_key import AnswerKey
from grader.questions.registry import ask_of

LARGEST_DENOMINATOR = 12
"""The largest denominator of a threshold that students can be expected to find by hand."""


@dataclass(frozen=True, slots=True)
class KeyFacts:
    ranges: tuple[IntervalSet, ...] = ()
    """The answers to `range`, within the game's bounds."""
    depth_moves: int | None = None
    """How many different moves are best at the depths of `depths`."""
    thresholds: tuple[Fraction | None, ...] = ()
    """The probability from which another move is best; None if there is none, or if it is not a simple fraction."""
    unanswered: int = 0
    """How many `assign` questions have a goal that no values reach."""

    @property
    def forms(self) -> tuple[str, ...]:
        """What the ranges look like without their numbers: x < n and x ≤ n are two forms."""
        return tuple(" ".join(map(_form, each.parts)) for each in self.ranges)


def key_facts(answer_key: AnswerKey) -> KeyFacts:
    found = [ask_of(question).exam_facts(question) for question in answer_key.questions]
    moves = [each.depth_moves for each in found if each.depth_moves is not None]
    return KeyFacts(
        ranges=tuple(part for each in found for part in each.ranges),
        depth_moves=len(frozenset().union(*moves)) if moves else None,
        thresholds=tuple(_simple(threshold) for each in found for threshold in each.thresholds),
        unanswered=sum(each.unanswered for each in found),
    )


def _simple(threshold: Fraction | None) -> Fraction | None:
    return threshold if threshold is not None and threshold.denominator <= LARGEST_DENOMINATOR else None


def width(found: IntervalSet) -> Fraction | None:
    """The total length of its intervals; None if infinite."""
    total = Fraction(0)
    for low, high, _, _ in found.parts:
        if isinstance(low, str) or isinstance(high, str):
            return None
        total += high - low
    return total


def _form(part: Any) -> str:
    low, high, low_closed, high_closed = part
    if low == high:
        return "n"
    start = "…" if isinstance(low, str) else "[" if low_closed else "("
    return start + ("…" if isinstance(high, str) else "]" if high_closed else ")")
