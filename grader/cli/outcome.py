"""What a command says about its documents: results to stdout, problems and progress to stderr, and an exit code."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from grader.cli.hints import hint_of
from solver.jobs import Result, named_source
from solver.kernel import WHOLE_FILE, Problem

MANY = 50
"""From this many documents on, a progress bar is shown on a terminal."""
REDRAWN, TOLD = 0.1, 10.0
"""Seconds between two looks of the bar, and between two lines where there is no terminal."""
LONG = 5.0
"""Seconds from which on the slowest document is named."""
MOST_CODES = 5
STOPPED = 130


NOTHING_THERE = Problem(WHOLE_FILE, "no-file", "there is no document for this command in this folder")

Report = Callable[[Result], None]


class CommandOutcome:
    def __init__(self, done_word: str, quiet: bool = False, report: Report | None = None) -> None:
        """`report`: what tells the problems of a document, if not in words on stderr."""
        self.done_word, self.quiet, self.report = done_word, quiet, report or report_problems
        self.done = self.kept = self.skipped = self.total = 0
        self.codes: Counter[str] = Counter()
        """Of documents that failed, by the code of their first problem."""
        self.slowest: tuple[float, str] = (0.0, "")

    @property
    def failed(self) -> int:
        return self.codes.total()

    def take(self, result: Result, write: Callable[[Result], None] | None = None) -> None:
        """Pass on what became of one document; without `write` its output goes to stdout."""
        if result.skipped:
            self.skipped += 1
        elif result.problems:
            self.codes[result.problems[0].code] += 1
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
        self.advance()

    def advance(self) -> None:
        """Replaced while progress is shown."""

    def finish(self, several: bool, paths: Sequence[str] = ()) -> int:
        """Sum up, and give the exit code; folders in which nothing was found are named."""
        sys.stdout.buffer.flush()
        if not self.done and not self.kept and not self.failed:
            for path in paths:
                self.report(Result(named_source(path), problems=[NOTHING_THERE], total=1))
        if several and not self.quiet:
            slow = f"; the slowest, {self.slowest[1]}, took {self.slowest[0]:.1f} s" if self.slowest[0] >= LONG else ""
            print(self.counted() + slow, file=sys.stderr)
        return 1 if self.failed or not (self.done or self.kept) else 0

    def stopped(self, again: bool) -> int:
        """After Ctrl-C: how far it came. `again`: whether a run again goes on from there."""
        sys.stdout.buffer.flush()
        left = self.total - self.done - self.kept - self.failed - self.skipped
        advice = "; run the same command again to go on" if again else ""
        print(f"plymark: stopped: {self.counted()}, {left:,} left{advice}", file=sys.stderr)
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
    def progress(self, total: int) -> Iterator[None]:
        """A bar with the rate and the time left, if there is much to do and somebody watching; else a line now and
        then."""
        self.total = total
        if self.quiet or total < MANY:
            yield
        elif sys.stderr.isatty():
            yield from self._bar()
        else:
            self.advance = _Lines(self.done_word, total).advance  # type: ignore[method-assign]
            yield

    def _bar(self) -> Iterator[None]:
        # Imported only here: rich takes longer to load than most trees to solve.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        rate = TextColumn("{task.fields[rate]}")
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
        # Refreshed by hand: a thread of its own would be in the way of new processes.
        with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
            task = bar.add_task(self.done_word, total=self.total, rate="")
            begun = drawn = time.monotonic()
            done = 0

            def advance() -> None:
                nonlocal drawn, done
                done += 1
                now = time.monotonic()
                if now - drawn >= REDRAWN:
                    drawn = now
                    bar.update(task, completed=done, rate=f"{done / (now - begun):,.0f}/s", refresh=True)

            self.advance = advance  # type: ignore[method-assign]
            yield


class _Lines:
    """Progress where there is no terminal."""

    def __init__(self, word: str, total: int) -> None:
        self.word, self.total, self.done = word, total, 0
        self.begun = self.told = time.monotonic()

    def advance(self) -> None:
        self.done += 1
        now = time.monotonic()
        if now - self.told >= TOLD:
            self.told = now
            rate = self.done / (now - self.begun)
            left = (self.total - self.done) / rate
            print(
                f"{self.done:,} of {self.total:,} {self.word}, {rate:,.0f} a second, {left:,.0f} s left",
                file=sys.stderr,
            )


def report_problems(result: Result) -> None:
    name = "".join(sign if sign.isprintable() else "?" for sign in result.source.name)
    lines: list[str] = []
    for problem in result.problems:
        lines.append(f"{name}:{problem}")
        if hint := hint_of(result.source.path or name, problem):
            lines.append(f"    hint: {hint}")
    if result.total > len(result.problems):
        more = result.total - len(result.problems)
        lines.append(f"{name}: … and {more:,} more problem{'' if more == 1 else 's'}")
    sys.stderr.write("\n".join(lines) + "\n")
