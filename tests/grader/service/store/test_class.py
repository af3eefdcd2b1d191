"""A class as it is read back, on both databases: exercises, grades, marks by hand, what was handed in, a copy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import select

from grader.service.base.clock import HOUR
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import (
    assignments_of,
    described,
    extension_of,
    is_begun,
    put_extension,
    remove_extension,
)
from grader.service.features.classes.queries import submissions_listed, submissions_raw, work_of_class
from grader.service.features.courses.queries import copy_with_assignments, entries_of
from grader.service.features.exercises.queries import (
    Upload,
    add_version,
    exercises_of,
    guessable_versions,
    version_data,
)
from grader.service.features.grades.queries import (
    ensure_grades,
    gradebook_rows,
    grades_of,
    out_of_override,
    put_override,
    recompute_all,
    remove_override,
)
from grader.service.rules.assignment_dates import Extension
from grader.service.store.prepared_statements import Page
from grader.service.store.store import Store
from grader.service.store.tables import assignment, course, exercise, grade, member
from grader.service.store.transaction import Transaction
from grader.service.workers.task_results import ClassAnswer, VariantIntake
from tests.grader.service.store.classroom import Classroom, intake_of


def test_versions_follow_each_other(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx)
        variants = [VariantIntake(f"v{n}", b"{}", str(n), "5/2") for n in (1, 2)]
        upload = Upload(b"second", intake_of(*variants, seed="s"), True)
        assert add_version(tx, room.who, room.course, room.exercise, upload, expected=1) == 2
        with pytest.raises(ServiceProblem, match="412"):
            add_version(tx, room.who, room.course, room.exercise, upload, expected=1)
        (listed,) = exercises_of(tx.connection, room.course, Page())["items"]
        assert (listed["version"], listed["variants"]) == (2, 2)
        of = tx.execute(select(exercise)).one()
        first, second = (version_data(tx.connection, of, number) for number in (1, 2))
        assert first and second and version_data(tx.connection, of, 3) is None
        assert (first["document"], first["seed"], first["guessable"]) == ("raw", None, False)
        assert (second["document"], second["seed"], second["guessable"]) == ("second", "s", True)
        assert [(row.name, row.number) for row in guessable_versions(tx.connection)] == [(of.name, 2)]
        assert [str(each["out_of"]) for each in second["variants"]] == ["2.5", "2.5"]

    store.write_now(story)


def test_marks_by_hand_and_gradebooks(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx, students=3)
        room.hands_in(tx, "s1", 1, room.due, "7/2")
        ensure_grades(tx, room.assignment)
        of = _grade(tx, room, "s2")
        assert out_of_override(tx.connection, of, "", "") == 10
        assert out_of_override(tx.connection, of, "values", "") is None
        for marks in (4, 5):
            put_override(tx, room.who, room.course, of, "", "", Fraction(marks), "oral")
        listed = grades_of(tx.connection, room.assignment, Page(limit=2))
        assert [str(each["marks"]) for each in listed["items"]] == ["3.5", "5"] and listed["next"] == "3"
        assert listed["items"][1]["override"] == {"marks": 5, "reason": "oral", "questions": []}
        rows = gradebook_rows(tx.connection, room.assignment)
        assert [(each.student, each.marks) for each in rows] == [("s1", "3.5"), ("s2", "5")]
        remove_override(tx, room.who, room.course, of, None, None)
        assert _grade(tx, room, "s2").marks is None
        removed = [each for each in tx.entries if each.what == "grade.override-removed"]
        remove_override(tx, room.who, room.course, of, None, None)
        assert len(removed) == 1 and len([e for e in tx.entries if e.what == "grade.override-removed"]) == 1

    store.write_now(story)


def test_what_a_class_handed_in(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx)
        ids = [room.hands_in(tx, "s1", n, room.due + n * HOUR, marks) for n, marks in ((1, "2"), (2, "3"), (3, None))]
        recompute_all(tx, room.assignment)
        row = _assignment(tx, room)
        listed = submissions_listed(tx.connection, row, "Europe/Lisbon")
        assert [each["id"] for each in listed] == ids
        assert [each["state"] for each in listed] == ["marked", "marked", "received"]
        assert [each["marks"] for each in listed] == [2, 3, None]
        assert [each.code for each in submissions_raw(tx.connection, room.assignment)] == ["s1"] * 3
        work = work_of_class(tx.connection, row)
        assert work.handed_out == [b"{}"]
        assert work.entries == [ClassAnswer((b"{}",), b"{}", "en", (), "s1", "s1")]
        assert is_begun(tx.connection, room.assignment)

    store.write_now(story)


def test_extensions_are_replaced_and_taken_back(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx)
        whom = room.members["s1"]
        for given in (Extension(attempts=3), Extension(due=room.due + HOUR, minutes=5)):
            put_extension(tx, room.who, room.course, room.assignment, whom, given, "ill")
            assert extension_of(tx.connection, room.assignment, whom) == given
        remove_extension(tx, room.who, room.course, room.assignment, whom)
        assert extension_of(tx.connection, room.assignment, whom) is None

    store.write_now(story)


def test_a_copy_is_on_its_own(store: Store) -> None:
    def story(tx: Transaction) -> str:
        room = Classroom(tx, released=True)
        copied = copy_with_assignments(tx, room.who, tx.execute(select(course)).one(), "Again", "code")
        (new,) = assignments_of(tx.connection, copied)
        found, before = (tx.execute(described(each)).one() for each in (copied, room.course))
        assert found.id == new and found.secret != before.secret and not found.released
        assert (found.due, found.number, found.name) == (before.due, 1, before.name)
        assert tx.execute(select(member.c.code).where(member.c.course == copied)).scalars().all() == ["ada"]
        return copied

    copied = store.write_now(story)
    log = store.read_now(lambda connection: entries_of(connection, copied, Page()))["items"]
    assert [each["what"] for each in log] == ["course.made", "course.copied", "assignment.made"]


def _grade(tx: Transaction, room: Classroom, code: str) -> Any:
    return tx.execute(select(grade).where(grade.c.member == room.members[code])).one()


def _assignment(tx: Transaction, room: Classroom) -> Any:
    return tx.execute(select(assignment).where(assignment.c.id == room.assignment)).one()
