"""How `grade` and `regrade` mark a class: in this process, in several or on a cluster, and what is said about the run:
broken answers when they come by, and at the end how many there were.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import typer

from grader.cli.command_options import read_beside
from grader.cli.command_outcome import Meter, report_problems
from grader.documents.exam import Exam, Variants
from grader.intake.answer_collection import Collection
from grader.marking.duplicates import Attempts
from grader.marking.overrides import Overrides, read_overrides
from grader.marking.run import Broken, CountedAnswer, Make, MarkedTurn, Marking, Run, lost
from grader.people.roster import Roster, read_roster
from grader.people.variant_allocation import exam_record, find_record
from grader.people.variant_ownership import ExamOwnership, VariantOwnership
from solver.jobs import DaskCluster, Executor, Result, local_executor, map_in_order, named_source
from solver.kernel import DocumentError, Limits, UsageError

Made = TypeVar("Made")

MOST_HERE, MOST_ON_CLUSTER = 25, 100
"""Answers that a process, or a worker of a cluster, gets together at most."""


@dataclass(frozen=True, slots=True)
class Markers:
    """Who marks: processes here, or a cluster."""

    jobs: int | None = None
    cluster: str | None = None

    def check(self) -> None:
        if self.cluster is not None and self.jobs is not None:
            raise UsageError("--jobs is for this machine; a cluster has workers of its own")

    def executor(self, answers: int) -> Executor:
        if self.cluster is not None:
            return DaskCluster(self.cluster, answers, MOST_ON_CLUSTER)
        return local_executor(answers, MOST_HERE, self.jobs)


def mark_answers(
    run: Run[Made],
    make: Make[Made],
    overrides: Overrides,
    markers: Markers,
    total: int,
    quiet: bool = False,
    bar: bool = True,
) -> Generator[Made, None, None]:
    """What is made of the answers of a run, in their order; the problems of broken ones go to stderr, and so does how
    far it is."""
    meter = Meter(total, "answers", quiet, bar)
    marking, executor = Marking(make, overrides), markers.executor(total)
    outcomes: Generator[MarkedTurn[Made], None, None] = map_in_order(marking, run.turns(), executor, lost)
    with meter, closing(outcomes):
        for each in run.results(outcomes):
            if isinstance(each, Broken):
                meter.clear()
                # What was printed before belongs before, also where both streams end in one place.
                sys.stdout.buffer.flush()
                report_problems(Result(named_source(each.name), problems=each.problems, total=each.total))
            else:
                yield each
            meter.at(run.seen)


def attempts_of(collection: Collection, quiet: bool) -> Attempts:
    """Who answers how often; reading a million answers takes minutes."""
    with Meter(None, "answers read", quiet) as meter:
        return collection.attempts(meter.at)


def marking_progress(run: Run[Made], total: int) -> str:
    return f"{run.marked:,} of {total:,} answers marked"


def read_people(roster: Path | None, limits: Limits) -> Roster | None:
    """What --roster names, to identify responses."""
    return None if roster is None else read_roster(read_beside(roster, limits), roster.name)


def ownership_of(
    handed_out: Variants | Exam, path: str, roster: Roster | None, secret: bytes
) -> VariantOwnership | ExamOwnership:
    """Which variant was whose, by the list beside what was handed out, the roster and the secret."""
    if isinstance(handed_out, Exam):
        return ExamOwnership(handed_out.several, roster, secret, exam_record(handed_out.id, Path(path).parent)[1])
    ids = list(handed_out.exercises)
    record = find_record(Path(path) if Path(path).is_dir() else None, ids)
    return VariantOwnership(ids, roster, secret, record[1] if record else ())


def report_run(
    run: Run[Made],
    collection: Collection,
    not_applied: Result | None = None,
    counted: Sequence[CountedAnswer] = (),
    quiet: bool = False,
) -> int:
    """Name which of several answers counts and what was passed over, count unless `quiet`, and give the exit code."""
    for remark in (*counted, *collection.notes):
        print(remark, file=sys.stderr)
    if not_applied is not None:
        report_problems(not_applied)
    if collection.several and not quiet:
        parts = [f"{run.marked:,} marked"]
        parts += [f"{run.broken:,} could not be marked"] if run.broken else []
        parts += [f"{run.passed_over:,} not counted (another answer of the student's is)"] if run.passed_over else []
        parts += [f"{collection.skipped:,} skipped (of another kind)"] if collection.skipped else []
        print(", ".join(parts), file=sys.stderr)
    return 0 if run.is_clean and not_applied is None else 1


def load_overrides(path: Path | None, limits: Limits) -> Overrides:
    """What --overrides names; the command ends if a line of it makes no sense."""
    if path is None:
        return Overrides()
    raw = read_beside(path, limits)
    try:
        return Overrides(read_overrides(raw, limits))
    except DocumentError as error:
        report_problems(Result(named_source(str(path)), problems=tuple(error.problems), total=error.total))
        raise typer.Exit(1) from None


def unapplied_overrides(overrides: Overrides, path: Path | None) -> Result | None:
    """The lines of --overrides that had no effect, once everything is marked; None if all had."""
    problems = tuple(overrides.problems())
    return Result(named_source(str(path)), problems=problems, total=len(problems)) if problems else None
