"""Short names for what a report found."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.kernel.verdicts import (
    FOLLOW_THROUGH,
    LATE,
    MISSING,
    OTHER_CONVENTION,
    RIGHT,
    UNJUSTIFIED,
    UNREADABLE,
    UNSOUND,
    WRONG,
)
from grader.marking.report import Report
from solver.game import Convention
from solver.languages import Fact, Language, convention_name

VERDICT_KEYS = {
    RIGHT: "output.verdict.right",
    FOLLOW_THROUGH: "output.verdict.follow-through",
    OTHER_CONVENTION: "output.verdict.other-convention",
    LATE: "output.verdict.late",
    UNSOUND: "output.verdict.unsound",
    UNJUSTIFIED: "output.verdict.unjustified",
    WRONG: "output.verdict.wrong",
    MISSING: "output.verdict.missing",
    UNREADABLE: "output.verdict.unreadable",
}


@dataclass(frozen=True, slots=True)
class NamedConvention:
    """Equal where the ids are, so that answers can be counted by it."""

    id: str
    called: Fact = field(compare=False)

    @classmethod
    def of(cls, convention: Convention, changed: tuple[str, ...] = ()) -> NamedConvention:
        return cls(convention_id(convention, changed), convention_name(convention, changed))


def convention_id(convention: Convention, changed: tuple[str, ...] = ()) -> str:
    """A convention by its name, or by the choices that are not the declared ones; for data."""
    if convention.name:
        return convention.name
    data = convention.as_data()
    return ", ".join(f"{key}={_choice(data[key])}" for key in changed) or "own"


def _choice(value: object) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list | tuple) else str(value)


def counted_as(report: Report) -> NamedConvention:
    """The convention under which an answer was marked."""
    return NamedConvention.of(report.counted.convention, report.counted.changed)


def mistake_title(mistake: str, words: Language) -> str:
    """What a mistake is called; its id where the catalogue knows no more."""
    key = f"mistake.{mistake}.title"
    return words.say(key) if key in words.keys else mistake
