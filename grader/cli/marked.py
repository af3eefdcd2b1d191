"""What `grade` and `regrade` say about a run: broken answers when they come by, and at the end how many there were."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from grader.cli.outcome import report_problems
from grader.intake.collect import Collection
from grader.marking.run import Broken, Run
from solver.jobs import Result, named_source

Good = TypeVar("Good")


def without_broken(found: Iterable[Good | Broken]) -> Iterator[Good]:
    """The others; the problems of broken ones go to stderr."""
    for each in found:
        if isinstance(each, Broken):
            # What was printed before belongs before, also where both streams end in one place.
            sys.stdout.buffer.flush()
            report_problems(Result(named_source(each.name), problems=each.problems, total=each.total))
        else:
            yield each


def sum_up(run: Run, found: Collection) -> int:
    """Name who answered twice and what was passed over, count, and give the exit code."""
    for remark in (*found.duplicates, *found.notes):
        print(remark, file=sys.stderr)
    if found.several:
        parts = [f"{run.marked:,} marked"]
        parts += [f"{run.broken:,} could not be marked"] if run.broken else []
        parts += [f"{found.duplicate_count:,} twice"] if found.duplicate_count else []
        parts += [f"{found.skipped:,} skipped (of another kind)"] if found.skipped else []
        print(", ".join(parts), file=sys.stderr)
    return 0 if run.is_clean else 1
