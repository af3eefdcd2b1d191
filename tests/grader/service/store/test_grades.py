"""Grades as they are computed from what is stored, on both databases."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import update

from grader.service.base.clock import DAY, HOUR
from grader.service.features.grades.queries import ensure_grades, recompute, recompute_all
from grader.service.store.store import Store
from grader.service.store.tables import assignment, attempt, extension, grade
from grader.service.store.transaction import Transaction
from tests.grader.service.store.classroom import Classroom

LATE = json.dumps({"per_day": "1/10", "at_most": "1/2"})


def test_best_last_late_and_by_hand(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx, late=LATE)
        first = room.hands_in(tx, "s1", 1, room.due - HOUR, "7/3")
        room.hands_in(tx, "s1", 2, room.due + HOUR, "5")
        recompute(tx, room.assignment, room.members["s1"])
        assert room.grades(tx) == {"s1": ("4.5", "10", 1, False)}
        _set(tx, room, counts="last", late=None)
        room.hands_in(tx, "s1", 3, room.due + 2 * DAY, "8", readable=False)
        room.hands_in(tx, "s1", 4, room.due + 2 * DAY, None)
        recompute_all(tx, room.assignment)
        assert room.grades(tx) == {"s1": ("5", "10", 1, False), "s2": (None, "10", 0, False)}
        _set(tx, room, late=json.dumps({"per_day": "9/10"}), counts="best")
        recompute_all(tx, room.assignment)
        assert room.grades(tx)["s1"] == ("2.33", "10", 0, False)
        assert tx.execute(grade.select().where(grade.c.member == room.members["s1"])).one().submission == first
        for code in ("s1", "s2"):
            room.decides(tx, code, "19/2")
        recompute_all(tx, room.assignment)
        assert room.grades(tx) == {"s1": ("9.5", "10", 0, True), "s2": ("9.5", "10", 0, True)}

    store.write_now(story)


def test_an_extension_counts(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx, late=LATE)
        for code in ("s1", "s2"):
            room.hands_in(tx, code, 1, room.due + HOUR, "10")
        row = {"assignment": room.assignment, "member": room.members["s2"], "reason": "", "by": room.who}
        fields = json.dumps({"due": room.due + DAY})
        tx.execute(extension.insert(), {**row, "fields": fields, "created": tx.now})
        recompute_all(tx, room.assignment)
        assert room.grades(tx) == {"s1": ("9", "10", 1, False), "s2": ("10", "10", 0, False)}

    store.write_now(story)


def test_a_try_of_a_teacher_counts_for_nobody(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx)
        room.hands_in(tx, "ada", 1, room.due, "10")
        tx.execute(update(attempt).values(trial=True))
        recompute_all(tx, room.assignment)
        assert set(room.grades(tx)) == {"s1", "s2"}

    store.write_now(story)


def test_rows_stay_the_same_while_nothing_changes(store: Store) -> None:
    def story(tx: Transaction) -> None:
        room = Classroom(tx, students=3)
        ensure_grades(tx, room.assignment)
        room.hands_in(tx, "s2", 1, room.due, "3")
        before = _rows(tx, room)
        tx.now += DAY
        ensure_grades(tx, room.assignment)
        assert _rows(tx, room) == before
        recompute(tx, room.assignment, room.members["s2"])
        after = _rows(tx, room)
        assert [one.id for one in after] == [one.id for one in before]
        assert sum(one.updated == tx.now for one in after) == 1

    store.write_now(story)


def _set(tx: Transaction, room: Classroom, **fields: Any) -> None:
    tx.execute(update(assignment).where(assignment.c.id == room.assignment).values(**fields))


def _rows(tx: Transaction, room: Classroom) -> list[Any]:
    return list(tx.execute(grade.select().where(grade.c.assignment == room.assignment).order_by(grade.c.id)).all())
