"""What a command says about its documents: results to stdout, problems and progress to stderr, and an exit code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import typer

from grader.cli.hints import hint_of
from grader.cli.progress import Meter
from solver.jobs import Result, named_source
from solver.kernel import WHOLE_FILE, Problem

LONG = 5.0
"""Seconds from which on the slowest document is named."""
MOST_CODES = 5
MOST_ALIKE = 20
"""Documents in which the same problem is told; further ones are counted."""
STOPPED = 130


NOTHING_THERE = Problem(WHOLE_FILE, "no-file", "there is no document for this command in this folder")

Report = Callable[[Result], None]


class CommandOutcome:
    def __init__(
        self, done_word: str, total: int = 1, quiet: bool = False, report: Report | None = None, bar: bool = True
    ) -> None:
        """`report`: what tells the problems of a document, if not in words on stderr. `bar`: whether there may be one
        on a terminal."""
        self.done_word, self.total, self.quiet = done_word, total, quiet
        self.told = ProblemsTold()
        self.report = report or self.told.tell
        self.meter = Meter(total, done_word, quiet, bar)
        self.done = self.kept = self.skipped = 0
        self.codes: Counter[str] = Counter()
        """Of documents that failed, by the code of their first problem."""
        self.slowest: tuple[float, str] = (0.0, "")

    @property
    def failed(self) -> int:
        return self.codes.total()

    @property
    def seen(self) -> int:
        return self.done + self.kept + self.skipped + self.failed

    def take(self, result: Result, write: Callable[[Result], None] | None = None) -> None:
        """Pass on what became of one document; without `write` its output goes to stdout."""
        if result.skipped:
            self.skipped += 1
        elif result.problems:
            self.codes[result.problems[0].code] += 1
            self.meter.clear()
            # What was printed before belongs before, also where both streams end in one place.
            sys.stdout.buffer.flush()
            self.report(result)
        elif result.kept:
            self.kept += 1
        else:
            self.done += 1
            if write is not None:
                write(result)
            else:
                sys.stdout.buffer.write(result.output)
        if result.seconds > self.slowest[0]:
            self.slowest = (result.seconds, result.source.name)
        self.meter.at(self.seen)

    def finish(self, several: bool, paths: Sequence[str] = ()) -> int:
        """Sum up, and give the exit code; folders in which nothing was found are named."""
        sys.stdout.buffer.flush()
        if not self.done and not self.kept and not self.failed:
            for path in paths:
                self.report(Result(named_source(path), problems=[NOTHING_THERE], total=1))
        self.told.sum_up()
        if several and not self.quiet:
            slow = f"; the slowest, {self.slowest[1]}, took {self.slowest[0]:.1f} s" if self.slowest[0] >= LONG else ""
            print(self.counted() + slow, file=sys.stderr)
        return 1 if self.failed or not (self.done or self.kept) else 0

    def stopped(self, again: bool) -> int:
        """After Ctrl-C: how far it came. `again`: whether a run again goes on from there."""
        sys.stdout.buffer.flush()
        advice = "; run the same command again to go on" if again else ""
        self.told.sum_up()
        print(f"plymark: stopped: {self.counted()}, {self.total - self.seen:,} left{advice}", file=sys.stderr)
        return STOPPED

    def counted(self) -> str:
        parts = [f"{self.done:,} {self.done_word}"]
        parts += [f"{self.kept:,} up to date"] if self.kept else []
        parts += [f"{self.failed:,} failed{self._codes()}"] if self.failed else []
        parts += [f"{self.skipped:,} skipped (of another kind)"] if self.skipped else []
        return ", ".join(parts)

    def _codes(self) -> str:
        named = [f"{number:,} {code}" for code, number in sorted(self.codes.items(), key=lambda each: -each[1])]
        if len(named) > MOST_CODES:
            named[MOST_CODES:] = ["…"]
        return f" ({', '.join(named)})" if self.failed > 1 else ""


@contextmanager
def stoppable(far: Callable[[], str]) -> Iterator[None]:
    """After Ctrl-C, say how far it came."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stdout.buffer.flush()
        print(f"plymark: stopped: {far()}", file=sys.stderr)
        raise typer.Exit(STOPPED) from None


class ProblemsTold:
    """Problems in words on stderr. What many documents have is told of the first ones, then counted."""

    def __init__(self) -> None:
        self._documents: Counter[tuple[str, str]] = Counter()
        self._further: dict[tuple[str, str], tuple[str, str]] = {}
        """The first and the last of those that are only counted."""

    def tell(self, result: Result) -> None:
        told = [each for each in result.problems if self._documents[each.code, each.message] < MOST_ALIKE]
        name = _printable(result.source.name)
        for alike in dict.fromkeys((each.code, each.message) for each in result.problems):
            self._documents[alike] += 1
            if self._documents[alike] > MOST_ALIKE:
                first, _ = self._further.get(alike, (name, name))
                self._further[alike] = (first, name)
        if told:
            report_problems(result, told)

    def sum_up(self) -> None:
        for (code, message), (first, last) in self._further.items():
            more = self._documents[code, message] - MOST_ALIKE
            where = f"1 more document, {first}" if more == 1 else f"{more:,} more documents, {first} to {last}"
            print(f"{message} [{code}]: {where}", file=sys.stderr)


def _printable(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def report_problems(result: Result, told: Sequence[Problem] | None = None) -> None:
    """All problems of a document, or those that are `told`."""
    name = _printable(result.source.name)
    lines: list[str] = []
    for problem in result.problems if told is None else told:
        lines.append(f"{name}:{problem}")
        if hint := hint_of(result.source.path or name, problem):
            lines.append(f"    hint: {hint}")
    if result.total > len(result.problems):
        more = result.total - len(result.problems)
        lines.append(f"{name}: … and {more:,} more problem{'' if more == 1 else 's'}")
    sys.stderr.write("\n".join(lines) + "\n")
