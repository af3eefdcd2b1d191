"""The exercises that answers may be to: one, or variants that ask the same questions for the same marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from itertools import takewhile

from grader.documents.answer import Answer, require_answer_to
from grader.questions.exercise import Exercise
from solver.kernel import DocumentError, Problem, UsageError, quoted


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
        told = dict.fromkeys(name for name in (answer.exercise, answer.variant) if name in self.exercises)
        if len(told) == 1:
            return self.exercises[next(iter(told))]
        name = quoted(answer.exercise)
        if told:
            message = f"this answers the exercise {name}, and {quoted(answer.variant)} as well"
        else:
            message = f"this answers the exercise {name}, which is not one of the {len(self.exercises):,} variants"
        close = [] if told else get_close_matches(answer.exercise, self.exercises, n=1)
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
