"""answers → what is made of their reports: many answers marked, in one process or in several, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeVar

from grader.documents.answer_file import Answer
from grader.marking.duplicates import BEST, LATEST, Attempts
from grader.marking.overrides import Overrides, OverrideUse
from grader.marking.report import Chosen
from solver.kernel import Problem, Refusal

MOST_COUNTED = 1_000
"""This many students with several answers are named."""

Made = TypeVar("Made")
Make = Callable[[Answer, Chosen | None, Overrides], tuple[Made, Fraction]]
"""What is made of an answer, with its exact marks. A process gets it once, and may remember what it has found out."""


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


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer whose turn it is to be marked, or what was found in its place."""

    found: Answer | Broken
    chosen: Chosen | None = None
    """Where the student gave several: why this one counts, if it does."""
    place: int = 0
    """Among the student's answers, earliest first."""
    is_last: bool = True
    """Whether none of the student's comes after it."""


@dataclass(frozen=True, slots=True)
class MarkedTurn(Generic[Made]):
    """What became of a turn. Reports hold whole keys; this is small, so that it can come from another process."""

    turn: Turn
    """Without what was written."""
    made: Made | Broken
    marks: Fraction = Fraction(0)
    """Exact."""
    use: OverrideUse | None = None


class Marking(Generic[Made]):
    """What a process does with each turn, whichever others it gets: a broken answer spoils only itself."""

    def __init__(self, make: Make[Made], overrides: Overrides | None = None) -> None:
        self._make, self._overrides = make, (overrides or Overrides()).unused()

    def __call__(self, turn: Turn) -> MarkedTurn[Made]:
        answer = turn.found
        if isinstance(answer, Broken):
            return MarkedTurn(turn, answer)
        made: Made | Broken
        try:
            made, marks = self._make(answer, turn.chosen, self._overrides)
        except Refusal as refusal:
            made, marks = _unmarked(answer, f"cannot be marked: {refusal.message}"), Fraction(0)
        return MarkedTurn(_short(turn, answer), made, marks, self._overrides.taken())


def lost(turn: Turn, _why: str) -> MarkedTurn[Made]:
    """What becomes of an answer at which a process died."""
    answer = turn.found
    if isinstance(answer, Broken):
        return MarkedTurn(turn, answer)
    return MarkedTurn(
        _short(turn, answer),
        _unmarked(answer, "the process that marked this answer died", "is there enough memory?"),
    )


def _short(turn: Turn, answer: Answer) -> Turn:
    return replace(turn, found=without_content(answer))


def without_content(answer: Answer) -> Answer:
    """Whose it is and where it stands."""
    return replace(answer, answers={})


def _unmarked(answer: Answer, message: str, hint: str = "") -> Broken:
    return Broken(answer.source, (Problem(answer.place, "crash", message, hint),), 1, answer.student)


class Run(Generic[Made]):
    """Goes through answers once, in their order: gives each its turn, and takes what became of it.

    Memory does not grow with the number of answers. Nothing is printed: whoever takes the results gets the broken ones
    in their places, and the counts so far are in the fields. Where `attempts` are known, one answer of each student
    counts: the latest or the best, which comes in the place of the last.
    """

    def __init__(
        self,
        found: Iterable[Answer | Broken],
        attempts: Attempts | None = None,
        by: str = LATEST,
        overrides: Overrides | None = None,
    ) -> None:
        self.marked = self.broken = self.passed_over = 0
        self.counted: list[CountedAnswer] = []
        """Of students with several answers, the first of them."""
        self._found, self._attempts, self._by = found, attempts, by
        self._overrides = overrides or Overrides()
        self._held: dict[str, MarkedTurn[Made]] = {}
        """Of students with several answers, the best so far."""

    @property
    def is_clean(self) -> bool:
        """Whether there was an answer, and none was broken."""
        return bool(self.marked) and not self.broken

    @property
    def seen(self) -> int:
        return self.marked + self.broken + self.passed_over + len(self._held)

    def turns(self) -> Iterator[Turn]:
        """Those that are to be marked; all of a student's, where the best counts."""
        number = -1
        for each in self._found:
            if isinstance(each, Broken):
                yield Turn(each)
                continue
            number += 1
            theirs = [number] if self._attempts is None else self._attempts.of(each.student, number)
            if len(theirs) == 1:
                yield Turn(each)
            elif self._by == BEST or theirs[-1] == number:
                yield Turn(each, Chosen(self._by, len(theirs)), theirs.index(number), number == max(theirs))
            else:
                self.passed_over += 1

    def results(self, outcomes: Iterable[MarkedTurn[Made]]) -> Iterator[Made | Broken]:
        """What counts of the outcomes of all turns, which come in their order."""
        for outcome in outcomes:
            if outcome.use is not None:
                self._overrides.add_use(outcome.use)
            for each in self._best(outcome) if self._by == BEST and outcome.turn.chosen else [outcome]:
                if isinstance(each.made, Broken):
                    self.broken += 1
                else:
                    self.marked += 1
                    self._name(each.turn)
                yield each.made

    def _best(self, outcome: MarkedTurn[Made]) -> Iterator[MarkedTurn[Made]]:
        """The best of a student's answers once all were seen; until then only what is broken."""
        found = outcome.turn.found
        assert isinstance(found, Answer)
        held = self._held.get(found.student)
        if isinstance(outcome.made, Broken):
            yield outcome
        else:
            self.passed_over += held is not None
            if held is None or _rank(outcome) > _rank(held):
                self._held[found.student] = outcome
        if outcome.turn.is_last and (best := self._held.pop(found.student, None)) is not None:
            yield best

    def _name(self, turn: Turn) -> None:
        if turn.chosen is not None and isinstance(turn.found, Answer) and len(self.counted) < MOST_COUNTED:
            self.counted.append(CountedAnswer(turn.found, turn.chosen))


def _rank(outcome: MarkedTurn[Made]) -> tuple[Fraction, int]:
    return outcome.marks, outcome.turn.place


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)
