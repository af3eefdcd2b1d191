"""One answer marked under one convention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from grader.answers import UNVISITED, Bound
from grader.questions.answer_key import Setting
from grader.questions.ask import SEARCH_KEYS, Ask, Given
from grader.questions.exercise import Question
from grader.questions.following import NO_OWN, Following, Own
from grader.questions.items import Marked
from grader.questions.pruned import Crossed
from grader.questions.registry import ASKS
from grader.questions.scoring import scored
from grader.questions.values import Values


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

    @property
    def marks(self) -> Fraction:
        return sum((each.marks for each in self.questions), Fraction(0))


@dataclass(frozen=True, slots=True)
class Remembered:
    """Of one answer: what was found out under other conventions, by what of a convention matters to it."""

    questions: dict[tuple[Any, ...], MarkedQuestion] = field(default_factory=dict)
    following: dict[tuple[Any, ...], Following] = field(default_factory=dict)


def mark(setting: Setting, answers: Mapping[str, Any], before: Remembered | None = None) -> MarkedAnswer:
    """Read every question's answer, gather what the student's own answers imply, and mark each question."""
    exercise, before = setting.exercise, before or Remembered()
    given = read(setting, answers)
    own = own_answers(setting, given)
    found: list[MarkedQuestion] = []
    for question in exercise.questions:
        ask = ask_of(question)
        matters = (question.id, *(getattr(setting.convention, key) for key in ask.depends_on))
        if matters not in before.questions:
            following = _following(setting, question, own, before)
            marked = ask.mark(question, setting, given[question.id], following, exercise.marking.follow_through)
            marks = scored(question.rubric, question.marks, marked)
            before.questions[matters] = MarkedQuestion(question, marked, marks)
        found.append(before.questions[matters])
    return MarkedAnswer(setting, found, given)


def _following(setting: Setting, question: Question, own: Mapping[Group, Own], before: Remembered) -> Following:
    """The student's own answers beside the key's search, which many conventions and questions share."""
    group = _group(question, setting)
    matters = (*group, *(getattr(setting.convention, key) for key in (*SEARCH_KEYS, "update")))
    stated = own.get(group, NO_OWN)
    found = before.following.get(matters)
    if found is None or found.own != stated:
        found = before.following[matters] = Following(partial(setting.solution, question), stated, group[2])
    return found


def read(setting: Setting, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, Given]]:
    return {
        question.id: ask_of(question).read(question, setting, answers.get(question.id))
        for question in setting.exercise.questions
    }


def ask_of(question: Question) -> Ask:
    return ASKS[question.ask]


Group = tuple[str | None, int | None, bool]
"""The algorithm and depth of a question, and whether it asks for the truth rather than for what a search returns."""


def _group(question: Question, setting: Setting) -> Group:
    ask = ask_of(question)
    truth = isinstance(ask, Values) and not ask.of_search(question, setting)
    return question.algorithm, question.depth, truth


def own_answers(setting: Setting, given: Mapping[str, Mapping[str, Given]]) -> dict[Group, Own]:
    """The values that the student states and the leaves that the student crosses out, by what they are said of. Where
    only the true values are asked for, the questions about the search follow from those."""
    values: dict[Group, dict[str, Any]] = {}
    bounds: dict[Group, set[str]] = {}
    crossed: dict[Group, frozenset[str]] = {}
    for question in setting.exercise.questions:
        group = _group(question, setting)
        for item, here in given[question.id].items():
            if not here.read:
                continue
            if question.ask in ("values", "inequalities", "vectors") and here.value is not UNVISITED:
                if isinstance(here.value, Bound):
                    bounds.setdefault(group, set()).add(item)
                    values.setdefault(group, {}).setdefault(item, here.value.number)
                else:
                    values.setdefault(group, {}).setdefault(item, here.value)
            elif question.ask == "pruned" and isinstance(here.value, Crossed):
                crossed[group] = here.value.leaves
    for algorithm, depth, truth in list(values):
        if truth and (algorithm, depth, False) not in values:
            values[algorithm, depth, False] = values[algorithm, depth, True]
    groups = {*values, *crossed}
    return {group: Own(values.get(group, {}), frozenset(bounds.get(group, ())), crossed.get(group)) for group in groups}
