"""answers → reports: many answers marked one after another, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grader.documents.answer import Answer
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.questions.exercise import Exercise
from solver.kernel import Problem, Refusal

MOST_GRADERS = 100
"""Each keeps what it has found out about its exercise."""


@dataclass(frozen=True, slots=True)
class Broken:
    """An answer, or a file of them, that cannot be marked."""

    name: str
    """Of its file."""
    problems: tuple[Problem, ...]
    total: int = 0
    """Of all problems; those kept may be fewer."""
    student: str | None = None
    """If that much could be read."""

    @property
    def line(self) -> int:
        return self.problems[0].place.line


class Run:
    """Goes through answers once, in their order; a broken one spoils only itself.

    Memory does not grow with the number of answers or variants. Nothing is printed: whoever goes through the answers
    or reports gets the broken ones in their places, and the counts so far are in the fields.
    """

    def __init__(self, found: Iterable[Answer | Broken], exercise_of: Callable[[Answer], Exercise]) -> None:
        self.marked = self.broken = 0
        self._found, self._exercise_of = found, exercise_of
        self._graders: dict[str, Grader] = {}

    @property
    def is_clean(self) -> bool:
        """Whether there was an answer, and none was broken."""
        return bool(self.marked) and not self.broken

    def answers(self) -> Iterator[Answer | Broken]:
        """The answers as they are, counted as marked: for whoever marks them by other means."""
        for each in self._found:
            if isinstance(each, Broken):
                self.broken += 1
            else:
                self.marked += 1
            yield each

    def reports(self) -> Iterator[Report | Broken]:
        for each in self._found:
            made = each if isinstance(each, Broken) else self._report(each)
            if isinstance(made, Broken):
                self.broken += 1
            else:
                self.marked += 1
            yield made

    def _report(self, answer: Answer) -> Report | Broken:
        try:
            return self._grader(self._exercise_of(answer)).grade(answer)
        except Refusal as refusal:
            problem = Problem(answer.place, "crash", f"cannot be marked: {refusal.message}")
            return Broken(answer.source, (problem,), 1, answer.student)

    def _grader(self, exercise: Exercise) -> Grader:
        if exercise.id not in self._graders:
            if len(self._graders) == MOST_GRADERS:
                del self._graders[next(iter(self._graders))]
            self._graders[exercise.id] = Grader(exercise)
        return self._graders[exercise.id]
