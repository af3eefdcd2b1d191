"""What `plymark admin check` says: whether a store is whole, and every report readable in every language and at every
level, of whichever program stored it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, select

from grader.kernel.option_values import LEVELS
from grader.service.base.program import PROGRAM
from grader.service.base.settings import Settings
from grader.service.features.exercises.queries import guessable_versions, raw_of
from grader.service.features.review.queries import by_hand_sha256
from grader.service.features.submissions.queries import KEYS, parts_to_mark, report_of, told_by
from grader.service.rules.grade_counting import MARKED
from grader.service.run.administering import open_existing_store
from grader.service.store.schema_migration import is_current
from grader.service.store.store_backup import check
from grader.service.store.tables import marking
from grader.service.tasks.submission_marking import mark, word
from grader.service.workers.task_results import MarkingResult, StoredReport
from grader.service.workers.work_problems import Refused
from solver.languages import LANGUAGES


@dataclass(slots=True)
class CheckedReports:
    problems: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    """Where today's rules would give other marks than those that were given."""


def check_store(settings: Settings) -> tuple[list[str], list[str]]:
    """What is wrong with it; and what a teacher should know: marks that today's rules would give otherwise, and
    variants that can be guessed. Of an older schema, only what is wrong."""
    with open_existing_store(settings) as engine:
        problems = list(check(engine))
        with engine.connect() as connection:
            if not is_current(connection):
                return problems, []
            reports = check_reports(connection)
            guessable = [
                f"the variants of {version.name}, version {version.number}, in the course {version.title!r} can be "
                "guessed: somebody chose their seed; draw another one on the exercise's page"
                for version in guessable_versions(connection)
            ]
        return [*problems, *reports.problems], [*reports.differences, *guessable]


def check_reports(connection: Connection) -> CheckedReports:
    checked = CheckedReports()
    for row in _one_of_each(connection):
        name = f"submission {row.submission}, part {row.part}"
        stored = report_of(connection, row)
        if stored is None:
            checked.problems.append(f"{name}: its report is not there")
            continue
        feedback = told_by(PROGRAM, stored)
        if feedback is not None and _problem(feedback, stored) is None:
            continue
        try:
            marked = _marked_again(connection, row, stored)
        except Exception as error:
            checked.problems.append(f"{name}: it cannot be marked again ({type(error).__name__})")
            continue
        if (problem := _problem(marked.feedback, stored)) is not None:
            checked.problems.append(f"{name}: {problem}")
        if marked.marks != stored.marks and not row.stale:
            words = f"{name}: by today's rules it earns {marked.marks}; the marks that were given, {stored.marks}, stay"
            checked.differences.append(words)
    return checked


def _one_of_each(connection: Connection) -> Iterator[Row[Any]]:
    """A part of a submission for each report: equal answers share theirs."""
    known = set()
    marked = select(marking).where(marking.c.state == MARKED).order_by(marking.c.submission, marking.c.part)
    for row in connection.execute(marked):
        key = tuple(getattr(row, name) for name in KEYS)
        if key not in known:
            known.add(key)
            yield row


def _problem(feedback: bytes, stored: Row[Any]) -> str | None:
    for language in LANGUAGES:
        for level in LEVELS:
            try:
                word([("", StoredReport(feedback, stored.marks, stored.questions))], level, language, {"student": ""})
            except Refused as refused:
                return f"in the language {language}, {refused.detail}"
    return None


def _marked_again(connection: Connection, row: Row[Any], stored: Row[Any]) -> MarkingResult:
    task = next(each for each in parts_to_mark(connection, row.submission) if each.part == row.part)
    variant = raw_of(connection, task.variant)
    by_rules = mark(variant, task.raw, task.language)
    applied = task.by_hand.applying_to(by_rules.review)
    if not applied or by_hand_sha256(applied) != stored.overrides_sha256:
        return by_rules
    return mark(variant, task.raw, task.language, applied)
