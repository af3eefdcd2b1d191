"""What a command says about its documents: results to stdout, problems and progress to stderr, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from solver.jobs import Result

MANY = 50
"""From this many documents on, a progress bar is shown on a terminal."""


class CommandOutcome:
    def __init__(self, done_word: str) -> None:
        self.done_word = done_word
        self.done = self.failed = self.skipped = 0

    def take(self, result: Result, write: Callable[[Result], None] | None = None) -> None:
        """Pass on what became of one document; without `write` its output goes to stdout."""
        if result.skipped:
            self.skipped += 1
        elif result.problems:
            self.failed += 1
            # What was printed before belongs before, also where both streams end in one place.
            sys.stdout.buffer.flush()
            report_problems(result)
        else:
            self.done += 1
            if write is not None:
                write(result)
            else:
                sys.stdout.buffer.write(result.output)
        self.advance()

    def advance(self) -> None:
        """Replaced while a progress bar is shown."""

    def finish(self, several: bool, paths: Sequence[str] = ()) -> int:
        """Sum up, and give the exit code; folders in which nothing was found are named."""
        sys.stdout.buffer.flush()
        if not self.done and not self.failed:
            for path in paths:
                print(f"{path}:1:1: there is no document for this command in this folder [no-file]", file=sys.stderr)
        if several:
            parts = [f"{self.done:,} {self.done_word}"]
            parts += [f"{self.failed:,} failed"] if self.failed else []
            parts += [f"{self.skipped:,} skipped (of another kind)"] if self.skipped else []
            print(", ".join(parts), file=sys.stderr)
        return 1 if self.failed or not self.done else 0

    @contextmanager
    def progress(self, total: int) -> Iterator[None]:
        """A bar with the time left, if there is much to do and somebody watching."""
        if total < MANY or not sys.stderr.isatty():
            yield
            return
        # Imported only here: rich takes longer to load than most trees to solve.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(self.done_word, total=total)
            self.advance = lambda: bar.advance(task)  # type: ignore[method-assign]
            yield


def report_problems(result: Result) -> None:
    name = "".join(sign if sign.isprintable() else "?" for sign in result.source.name)
    lines: list[str] = []
    for problem in result.problems:
        lines.append(f"{name}:{problem}")
        if problem.hint:
            lines.append(f"    hint: {problem.hint}")
    if result.total > len(result.problems):
        more = result.total - len(result.problems)
        lines.append(f"{name}: … and {more:,} more problem{'' if more == 1 else 's'}")
    sys.stderr.write("\n".join(lines) + "\n")
