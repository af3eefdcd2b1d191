"""What travels between the server and its workers: classes that may, and results kept as they come."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_ALLOWED: dict[tuple[str, str], type] = {}


@dataclass_transform(frozen_default=True)
def message(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots that either side takes from the other."""
    declared = dataclass(frozen=True, slots=True)(cls)
    _ALLOWED[declared.__module__, declared.__qualname__] = declared
    return declared


def allowed(module: str, name: str) -> type | None:
    """The class of that name, if it is declared as a message and loaded: nothing is imported for its sake."""
    return _ALLOWED.get((module, name))


def members(sent: Any) -> dict[str, Any]:
    """A message as JSON has it: the `default` of `json.dumps`."""
    return {each.name: getattr(sent, each.name) for each in fields(sent)}


@message
class VariantIntake:
    name: str
    raw: bytes
    """JSON in one spelling, which is what is marked against."""
    sha256: str
    out_of: str


@message
class PartIntake:
    marks: str | None
    """What it is scaled to."""
    variants: tuple[VariantIntake, ...]


@message
class ExerciseIntake:
    """What a teacher uploaded, as it is stored; an exercise has one part."""

    name: str
    title: str | None
    language: str | None
    kind: str
    parts: tuple[PartIntake, ...]
    seed: str | None = None
    """Of a recipe."""


@message
class ItemMarks:
    item: str
    marks: str
    out_of: str
    verdict: str


@message
class QuestionMarks:
    id: str
    marks: str
    out_of: str
    items: tuple[ItemMarks, ...]


@message
class ReviewEntry:
    """What a person should look at; `out_of` is as such lists have it."""

    question: str
    item: str
    given: str
    why: str
    out_of: str
    expected: str = ""


def question_marks(stored: str) -> list[QuestionMarks]:
    return [
        QuestionMarks(**{**each, "items": tuple(ItemMarks(**item) for item in each["items"])})
        for each in json.loads(stored)
    ]


def review_entries(stored: str) -> list[ReviewEntry]:
    return [ReviewEntry(**each) for each in json.loads(stored)]


@message
class MarkingResult:
    """What an answer to a variant earns, all marks exact and as text."""

    readable: bool
    marks: str
    out_of: str
    convention: str | None
    mistake: str | None
    questions: tuple[QuestionMarks, ...]
    review: tuple[ReviewEntry, ...]
    not_applied: tuple[str, ...]
    """Why marks that were given by hand are not among these."""
    feedback: bytes
    """What each level of feedback tells, in no language."""
    canonical_sha256: str = ""
    """What equal answers have in common, whatever the order of their keys."""
    problems: tuple[str, ...] = ()
    """Why the answer could not be read."""


@message
class StoredReport:
    """What is stored of a result; the questions are JSON."""

    feedback: bytes
    marks: str
    questions: str


@message
class ClassAnswer:
    """What counts of a student: what `mark` takes, and whose it is."""

    variants: tuple[bytes, ...]
    """One; of an exam those of all parts."""
    submission: bytes
    language: str | None
    by_hand: tuple[dict[str, str], ...]
    student: str
    name: str | None


@message
class GradebookEntry:
    student: str
    name: str | None
    marks: str
    """Final, after lateness and what was decided by hand."""
    questions: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Of these questions; of an exam the numbers of its parts."""
    login: str | None = None
    address: str | None = None
