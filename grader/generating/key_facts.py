"""What the keys of single question types tell: ranges of unknown leaves, moves by depth, an opponent's threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers import IntervalSet
from grader.marking.mark import ask_of
from grader.questions.answer_key import Setting

LARGEST_DENOMINATOR = 12
"""Of a threshold that is to be found by hand."""


@dataclass(frozen=True, slots=True)
class KeyFacts:
    ranges: tuple[IntervalSet, ...] = ()
    """The answers to `range`, within the game's bounds."""
    depth_moves: int | None = None
    """How many different moves are best at the depths of `depths`."""
    thresholds: tuple[Fraction | None, ...] = ()
    """From which probability on another move is best; None if it never is, or is at no simple fraction."""
    unanswered: int = 0
    """How often no values reach the goal of `assign`."""

    @property
    def forms(self) -> tuple[str, ...]:
        """What the ranges look like without their numbers: x < n and x ≤ n are two forms."""
        return tuple(" ".join(map(_form, each.parts)) for each in self.ranges)


def key_facts(setting: Setting) -> KeyFacts:
    ranges: list[IntervalSet] = []
    thresholds: list[Fraction | None] = []
    moves: set[Any] | None = None
    unanswered = 0
    for question in setting.exercise.questions:
        if question.ask not in ("range", "depths", "assign", "opponent"):
            continue
        key = ask_of(question).keyed(question, setting)
        match question.ask:
            case "range":
                ranges.append(key["range"].shown & key["range"].domain)
            case "depths":
                moves = (moves or set()) | {each for item, each in key.items() if item.endswith(" move")}
            case "assign":
                unanswered += key["values"] is None
            case _ if "range" in key:
                parts = key["range"][0]
                exact = parts[0].low.exact if parts else None
                threshold = None if exact is None else Fraction(exact)
                simple = threshold is not None and threshold.denominator <= LARGEST_DENOMINATOR
                thresholds.append(threshold if simple else None)
    return KeyFacts(tuple(ranges), None if moves is None else len(moves), tuple(thresholds), unanswered)


def width(found: IntervalSet) -> Fraction | None:
    """How long its intervals are together; None if that is infinitely long."""
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
