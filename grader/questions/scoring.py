"""Marks from verdicts, as a rubric says. All marks are exact; only a total is rounded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from grader.kernel.verdicts import EARNING, MISSING, UNREADABLE, WHOLE, WRONG, ZERO
from grader.questions.exercise import Rubric
from grader.questions.items import Marked


def worth(rubric: Rubric, marks: Fraction, names: Sequence[str]) -> list[Fraction]:
    """What each item is worth: equal shares, or shares by weight."""
    if not rubric.weights:
        return [marks / len(names)] * len(names) if names else []
    weights = [rubric.weights.get(name, WHOLE) for name in names]
    whole = sum(weights)
    return [marks * weight / whole for weight in weights] if whole else [ZERO] * len(names)


def scored(rubric: Rubric, out_of: Fraction, marked: Marked) -> Fraction:
    """A question's marks, from 0 (or the rubric's floor) to all of them (or its cap)."""
    if all(item.verdict in (MISSING, UNREADABLE) for item in marked.items):
        return ZERO
    match rubric.scheme:
        case "all-or-nothing":
            least = min((item.share for item in marked.items), default=ZERO)
            earned = out_of * least if all(item.verdict in EARNING for item in marked.items) else ZERO
        case "per-error":
            errors = sum(
                item.penalty > 0 or (whole > 0 and item.share < 1)
                for item, whole in zip(marked.items, marked.worth, strict=True)
            )
            earned = out_of - errors * (rubric.each or ZERO)
        case "right-minus-wrong":
            lost = [
                whole or out_of / len(marked.items)
                for item, whole in zip(marked.items, marked.worth, strict=True)
                if item.verdict == WRONG and not item.penalty
            ]
            earned = marked.marks - sum(lost)
        case _:
            earned = marked.marks
    capped = earned if rubric.cap is None else min(earned, rubric.cap)
    return max(rubric.floor, ZERO, min(out_of, capped))
