"""What answers may be to: one exercise, variants that ask the same questions for the same marks, or an exam.

An exam's parts are exercises or variants; it says what an answer to it says of each part.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fractions import Fraction
from itertools import takewhile
from typing import Any

from grader.documents.answer_file import Answer, require_answer_to
from grader.questions.exercise import Exercise
from solver.kernel import DocumentError, Place, Problem, UsageError, quoted


@dataclass(frozen=True, slots=True)
class Variants:
    exercises: dict[str, Exercise]
    """By id, in the order in which they were given; never empty."""

    def __iter__(self) -> Iterator[Exercise]:
        return iter(self.exercises.values())

    @property
    def first(self) -> Exercise:
        return next(iter(self))

    @property
    def only(self) -> Exercise | None:
        return self.first if len(self.exercises) == 1 else None

    @property
    def has_variants(self) -> bool:
        """Whether students may have had different exercises."""
        return len(self.exercises) > 1

    @property
    def out_of(self) -> Fraction:
        return self.first.out_of

    @property
    def language(self) -> str:
        return self.first.language

    @property
    def answered_as(self) -> str | None:
        """What every answer names as its exercise; None where that differs."""
        return None if self.only is None else self.only.id

    @property
    def id(self) -> str:
        """The exercise's, or how the ids of all variants start."""
        return set_name(list(self.exercises))

    @property
    def title(self) -> str:
        titles = {exercise.title for exercise in self}
        return self.first.title or self.id if len(titles) == 1 else self.id

    def of(self, answer: Answer) -> Exercise:
        """The exercise that an answer is to; DocumentError if it is none of these."""
        if self.only is not None:
            require_answer_to(self.only.id, answer)
            return self.only
        named = dict.fromkeys(name for name in (answer.exercise, answer.variant) if name in self.exercises)
        if len(named) == 1:
            return self.exercises[next(iter(named))]
        name = quoted(answer.exercise)
        if named:
            message = f"this answers the exercise {name}, and {quoted(answer.variant)} as well"
        else:
            message = f"this answers the exercise {name}, which is not one of the {len(self.exercises):,} variants"
        close = [] if named else get_close_matches(answer.exercise, self.exercises, n=1)
        hint = f"did you mean {close[0]}?" if close else ""
        raise DocumentError([Problem(answer.place, "other-exercise", message, hint)])


def set_name(ids: Sequence[str]) -> str:
    """What variants are called together: how all their ids start; the id of one alone."""
    if len(ids) == 1:
        return ids[0]
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(min(ids), max(ids), strict=False))
    return "".join(sign for sign, _ in alike).rstrip("-_.0123456789") or "variants"


def variants_of(exercises: Sequence[Exercise]) -> Variants:
    """UsageError for exercises whose marks would not go into one table."""
    first = exercises[0]
    for exercise in exercises[1:]:
        if _asked(exercise) != _asked(first):
            raise UsageError(
                f"{first.id} and {exercise.id} are not variants of one another: they ask different questions "
                "or for different marks; mark one of them at a time"
            )
    return Variants({exercise.id: exercise for exercise in exercises})


def _asked(exercise: Exercise) -> list[tuple[str, str, object]]:
    return [(question.id, question.ask, question.marks) for question in exercise.questions]


MOST_NAMED = 50
"""Of what is left aside in one answer."""


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What an answer says of one part."""

    part: str
    exercise: Exercise
    answer: Answer
    known: bool = True
    """Whether this is the exercise that the student had. Else nothing was answered, and it is the first of all."""
    not_theirs: bool = False
    """Whether the student had been given another one."""


@dataclass(frozen=True, slots=True)
class Exam:
    id: str
    title: str | None
    language: str
    parts: dict[str, Variants]
    """By name, in order: the exercise's id, or what all ids of its variants have in common; never empty. No exercise is
    in two of them, and the marks of each are as the exam has them."""
    source: str = ""
    """The name of its file."""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    """Where it names the exercise or the variants of each part."""

    def __iter__(self) -> Iterator[Exercise]:
        """Every exercise of every part."""
        return (exercise for part in self.parts.values() for exercise in part)

    @property
    def has_variants(self) -> bool:
        """Whether students may have had different exercises."""
        return bool(self.several)

    @property
    def answered_as(self) -> str:
        """What every answer names as its exercise."""
        return self.id

    @property
    def out_of(self) -> Fraction:
        return sum((part.first.out_of for part in self.parts.values()), Fraction(0))

    @property
    def several(self) -> dict[str, list[str]]:
        """The ids of variants, by part, where there are more than one."""
        return {name: list(part.exercises) for name, part in self.parts.items() if part.only is None}

    def answered(self, answer: Answer) -> dict[str, str]:
        """By part, the id of the exercise that is answered; DocumentError for an answer to another exam, to an exercise
        that is in no part, or to two variants of one part."""
        require_answer_to(self.id, answer)
        found: dict[str, str] = {}
        part_of = {exercise: name for name, part in self.parts.items() for exercise in part.exercises}
        problems: list[Problem] = []
        # Two variants of which one is empty are one: a form may offer all of them.
        for exercise, written in sorted(_by_exercise(answer).items(), key=lambda each: not each[1]):
            part = part_of.get(exercise)
            if part is None:
                message = f"this answers {quoted(exercise)}, which is in no part of the exam {quoted(self.id)}"
                problems.append(Problem(answer.place, "other-exercise", message, self._meant(exercise, part_of)))
            elif (other := found.setdefault(part, exercise)) != exercise and written:
                message = f"this answers {quoted(other)} and {quoted(exercise)}, two variants of one part"
                problems.append(Problem(answer.place, "other-exercise", message))
        if problems:
            raise DocumentError(problems[:20], len(problems))
        return found

    def split(self, answer: Answer, theirs: Mapping[str, str] | None = None) -> list[PartAnswer]:
        """An answer to each part, in order; DocumentError as above. `theirs` says which variants the student had been
        given, as far as that is known."""
        answered, given = self.answered(answer), theirs or {}
        written = _by_exercise(answer)
        found: list[PartAnswer] = []
        for name, part in self.parts.items():
            own = given.get(name)
            chosen = answered.get(name) or own
            exercise = part.first if chosen is None else part.exercises[chosen]
            answers = written.get(exercise.id, {})
            here = replace(
                answer,
                exercise=exercise.id,
                variant=None,
                answers=answers if isinstance(answers, dict) else {},
                ignored=(),
            )
            known = chosen is not None or part.only is not None
            found.append(PartAnswer(name, exercise, here, known, own not in (None, exercise.id)))
        return found

    def left_aside(self, answer: Answer) -> tuple[str, ...]:
        """What of an answer means nothing: unknown keys, and parts that hold no answers by question."""
        odd = (name for name, written in _by_exercise(answer).items() if not isinstance(written, dict))
        return (*answer.ignored, *list(odd)[:MOST_NAMED])

    def _meant(self, name: str, known: Mapping[str, str]) -> str:
        if name in self.parts:
            return "answers stand under the id of the exercise that the student had"
        close = get_close_matches(name[:100], known, n=1)
        return f"did you mean {close[0]}?" if close else ""


def _by_exercise(answer: Answer) -> dict[str, Any]:
    return {unicodedata.normalize("NFC", name): written for name, written in answer.answers.items()}
