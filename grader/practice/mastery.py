"""Which mistakes an answer shows or avoids, and when one counts as gone.

An exercise puts a mistake to the test if whoever makes it would answer otherwise than the key. The answer then shows
the mistake if the diagnosis names it first, and avoids it if everything that the mistake would get wrong is right.
Anything else, such as a blank, says nothing. A mistake counts as gone after it was avoided twice in a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grader.marking.diagnose import Diagnosing
from grader.marking.mark import read
from grader.marking.report import Report
from grader.mistakes.behaviour import mistake_of
from grader.practice.writing import right_answers

IN_A_ROW = 2


class Evidence(StrEnum):
    MADE = "made"
    AVOIDED = "avoided"


@dataclass(frozen=True, slots=True)
class Mastery:
    """What is known of a mistake so far."""

    made: int = 0
    avoided: int = 0
    """In a row, since it was last made."""

    @property
    def gone(self) -> bool:
        return self.avoided >= IN_A_ROW

    def after(self, evidence: Evidence) -> Mastery:
        if evidence == Evidence.MADE:
            return Mastery(self.made + 1, 0)
        return Mastery(self.made, self.avoided + 1)


def evidence_of(report: Report) -> dict[str, Evidence]:
    """By mistake, what the answer says of it; nothing of those that it says nothing of."""
    answer_key = report.declared.answer_key
    diagnosing = Diagnosing(answer_key)
    written, key = diagnosing.written(report.declared.given), diagnosing.key
    # Where a search never comes, nothing need be written: a perfect answer has no such cell, or a value that the search
    # did not need.
    asked = diagnosing.written(read(answer_key, right_answers(answer_key))[0])
    perfect = report.best.marks == report.exercise.out_of
    found: dict[str, Evidence] = {}
    for each in diagnosing.classes:
        shown = [cell for cell in each.different if cell in asked]
        if (shown or perfect) and all(_is_right(cell, written, key, asked) for cell in each.different):
            found.update(dict.fromkeys(map(mistake_of, each.models), Evidence.AVOIDED))
    if report.diagnosis:
        found[report.diagnosis[0].mistake] = Evidence.MADE
    return found


def _is_right(cell: Any, written: Mapping[Any, Any], key: Mapping[Any, Any], asked: Mapping[Any, Any]) -> bool:
    """As the key has it, or as a perfect answer does; what need not be written may be left out."""
    if cell not in written:
        return cell not in asked
    return written[cell] in (key[cell], asked.get(cell, key[cell]))


def standings(before: Mapping[str, Mastery], found: Mapping[str, Evidence]) -> dict[str, Mastery]:
    """What is known after one more answer."""
    after = dict(before)
    for mistake, evidence in found.items():
        after[mistake] = before.get(mistake, Mastery()).after(evidence)
    return after
