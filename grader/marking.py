"""One answer marked under one convention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from grader.exercise import Question
from grader.following import Following, Own
from grader.marked import Marked
from grader.questions.ask import Ask, Given
from grader.questions.pruned import Crossed
from grader.questions.registry import ASKS
from grader.reading import UNVISITED, Bound
from grader.scoring import scored
from grader.setting import Setting


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    question: Question
    marked: Marked
    marks: Fraction


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    setting: Setting
    questions: Sequence[MarkedQuestion]
    given: Mapping[str, Mapping[str, Given]]
    own: Own

    @property
    def marks(self) -> Fraction:
        return sum((each.marks for each in self.questions), Fraction(0))


def mark(setting: Setting, answers: Mapping[str, Any]) -> MarkedAnswer:
    """Read every question's answer, gather what the student's own answers imply, and mark each question."""
    exercise = setting.exercise
    given = read(setting, answers)
    own = own_answers(setting, given)
    follow_through = exercise.marking.follow_through
    following: dict[tuple[str | None, int | None], Following] = {}
    found: list[MarkedQuestion] = []
    for question in exercise.questions:
        solved_by = (question.algorithm, question.depth)
        if solved_by not in following:
            following[solved_by] = Following(partial(setting.solution, question), own)
        marked = ask_of(question).mark(question, setting, given[question.id], following[solved_by], follow_through)
        found.append(MarkedQuestion(question, marked, scored(question.rubric, question.marks, marked)))
    return MarkedAnswer(setting, found, given, own)


def read(setting: Setting, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, Given]]:
    return {
        question.id: ask_of(question).read(question, setting, answers.get(question.id))
        for question in setting.exercise.questions
    }


def misfits(setting: Setting, given: Mapping[str, Mapping[str, Given]]) -> int:
    """How many items do not agree with the key under this convention, of those that show a convention."""
    return sum(
        ask_of(question).misfits(question, setting, given[question.id])
        for question in setting.exercise.questions
        if ask_of(question).shows_convention
    )


def ask_of(question: Question) -> Ask:
    return ASKS[question.ask]


def own_answers(setting: Setting, given: Mapping[str, Mapping[str, Given]]) -> Own:
    """The values that the student states and the leaves that the student crosses out, wherever they were asked."""
    values: dict[str, Any] = {}
    bounds: set[str] = set()
    crossed: frozenset[str] | None = None
    for question in setting.exercise.questions:
        for item, here in given[question.id].items():
            if not here.read:
                continue
            if question.ask in ("values", "inequalities", "vectors") and here.value is not UNVISITED:
                if isinstance(here.value, Bound):
                    bounds.add(item)
                    values.setdefault(item, here.value.number)
                else:
                    values.setdefault(item, here.value)
            elif question.ask == "pruned" and isinstance(here.value, Crossed):
                crossed = here.value.leaves
    return Own(values, frozenset(bounds), crossed)
