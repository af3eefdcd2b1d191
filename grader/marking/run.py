"""answers → reports: many answers marked one after another, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.documents.answer import Answer
from grader.marking.duplicates import BEST, LATEST, Attempts
from grader.marking.exam_report import AnyReport
from grader.marking.overrides import Overrides
from grader.marking.report import Chosen
from solver.kernel import Problem, Refusal

MOST_COUNTED = 1_000
"""This many students with several answers are named."""


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


@dataclass(frozen=True, slots=True)
class CountedAnswer:
    """Which of a student's answers counts."""

    answer: Answer
    chosen: Chosen

    def __str__(self) -> str:
        where, who = _shown(self.answer.source), _shown(self.answer.student[:60])
        answers = f"{who} gave {self.chosen.among:,} answers; this one counts, the {self.chosen.by}"
        return f"{where}:{self.answer.place.line}: {answers}"


class Run:
    """Goes through answers once, in their order; a broken one spoils only itself.

    Memory does not grow with the number of answers. Nothing is printed: whoever goes through the answers
    or reports gets the broken ones in their places, and the counts so far are in the fields. Where `attempts` are
    known, one answer of each student counts: the latest or the best, which comes in the place of the last.
    """

    def __init__(
        self,
        found: Iterable[Answer | Broken],
        grade: Callable[[Answer], AnyReport],
        overrides: Overrides | None = None,
        attempts: Attempts | None = None,
        by: str = LATEST,
    ) -> None:
        self.marked = self.broken = self.passed_over = 0
        self.counted: list[CountedAnswer] = []
        """Of students with several answers, the first of them."""
        self._found, self._grade, self._overrides = found, grade, overrides or Overrides()
        self._attempts, self._by = attempts, by
        self._held: dict[str, tuple[Fraction, int, AnyReport]] = {}
        """Of students with several answers, the best so far."""

    @property
    def is_clean(self) -> bool:
        """Whether there was an answer, and none was broken."""
        return bool(self.marked) and not self.broken

    def answers(self) -> Iterator[Answer | Broken]:
        """The answers as they are, counted as marked: for whoever marks them by other means."""
        for each, theirs, number in self._numbered():
            if isinstance(each, Broken):
                self.broken += 1
            elif self._by == LATEST and theirs[-1] != number:
                self.passed_over += 1
                continue
            else:
                self.marked += 1
            yield each

    def reports(self) -> Iterator[AnyReport | Broken]:
        for each, theirs, number in self._numbered():
            for made in [each] if isinstance(each, Broken) else self._counting(each, theirs, number):
                if isinstance(made, Broken):
                    self.broken += 1
                else:
                    self.marked += 1
                yield made

    def _numbered(self) -> Iterator[tuple[Answer | Broken, list[int], int]]:
        """Each answer with the numbers of all its student's, earliest first, and its own."""
        number = -1
        for each in self._found:
            if isinstance(each, Broken):
                yield each, [], 0
            else:
                number += 1
                yield each, [number] if self._attempts is None else self._attempts.of(each.student), number

    def _counting(self, answer: Answer, theirs: list[int], number: int) -> Iterator[AnyReport | Broken]:
        """What comes of an answer: nothing if another of the student's counts."""
        if len(theirs) == 1:
            yield self._report(answer)
        elif self._by == BEST:
            yield from self._best(self._report(answer), answer.student, theirs, number)
        elif theirs[-1] == number:
            yield self._chosen(self._report(answer), len(theirs))
        else:
            self.passed_over += 1

    def _best(
        self, made: AnyReport | Broken, student: str, theirs: list[int], number: int
    ) -> Iterator[AnyReport | Broken]:
        """The best of a student's answers once all were seen; until then only what is broken."""
        held = self._held.get(student)
        if isinstance(made, Broken):
            yield made
        else:
            self.passed_over += held is not None
            better = (made.exact_marks, theirs.index(number), made)
            self._held[student] = better if held is None or better[:2] > held[:2] else held
        if number == max(theirs) and (held := self._held.pop(student, None)) is not None:
            yield self._chosen(held[2], len(theirs))

    def _chosen(self, made: AnyReport | Broken, among: int) -> AnyReport | Broken:
        if isinstance(made, Broken):
            return made
        chosen = Chosen(self._by, among)
        if len(self.counted) < MOST_COUNTED:
            self.counted.append(CountedAnswer(made.answer, chosen))
        return replace(made, chosen=chosen)

    def _report(self, answer: Answer) -> AnyReport | Broken:
        try:
            return self._overrides.apply(self._grade(answer))
        except Refusal as refusal:
            problem = Problem(answer.place, "crash", f"cannot be marked: {refusal.message}")
            return Broken(answer.source, (problem,), 1, answer.student)


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)
