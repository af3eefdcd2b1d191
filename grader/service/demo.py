"""`--demo`: a course with a class that has handed in, for a first look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from sqlalchemy import select

from grader.service import tasks
from grader.service.demo_class import EXERCISE, STUDENTS, DemoStudent
from grader.service.ids import new_id, sha256
from grader.service.rules.assigning import DEFAULTS, read_fields
from grader.service.service import Service
from grader.service.store import assignments, attempts, courses, exercises, grades, people
from grader.service.store.backup import count_rows
from grader.service.store.errors import StoreRefused
from grader.service.store.exercises import Upload
from grader.service.store.schema import assignment, member
from grader.service.store.submissions import Arrival, hand_in
from grader.service.store.transaction import Transaction
from grader.service.work.lanes import BULK

COURSE = {"title": "Adversarial search", "zone": "UTC", "language": "en"}
JOIN_CODE = "demo2345"
RULES = {"attempts": 3, "feedback_before": "full"}


async def fill(service: Service) -> None:
    """StoreRefused if anything is in the store. What is handed in is marked like everything else."""
    if await service.store.read(count_rows):
        raise StoreRefused("the store is not empty; --demo fills an empty one, so give another --data")
    raw = orjson.dumps(EXERCISE)
    intake = await service.workers.lane(BULK).run(tasks.take_in, raw)
    await service.store.write(lambda tx: _write(tx, Upload(raw, intake)))


def _write(tx: Transaction, upload: Upload) -> None:
    teacher = people.new_teacher(tx)
    course = courses.new_course(tx, teacher, COURSE, JOIN_CODE)
    listed = [{"id": each.id, "name": each.name, "email": None, "role": "student"} for each in STUDENTS]
    courses.put_members(tx, teacher, course, listed)
    exercise = exercises.new_exercise(tx, teacher, course, upload)
    fields: Mapping[str, Any] = read_fields({**DEFAULTS, **RULES}, ZoneInfo(COURSE["zone"]), tx.now)
    version = assignments.wanted_version(tx.connection, course, exercise, None)
    row = {**fields, "exercise": exercise, "version": version}
    assigned = assignments.new_assignment(tx, teacher, course, row)
    grades.ensure_grades(tx, assigned)
    for each in STUDENTS:
        _hand_in(tx, course, assigned, each)


def _hand_in(tx: Transaction, course: str, assigned: str, student: DemoStudent) -> None:
    row: Any = tx.execute(select(assignment).where(assignment.c.id == assigned)).one()
    of: Any = tx.execute(select(member).where(member.c.course == course, member.c.code == student.id)).one()
    attempt, _ = attempts.begin(tx, row, of, COURSE["language"])
    raw = orjson.dumps({"answers": student.answers})
    hand_in(tx, Arrival(attempt, new_id(), raw, sha256(raw), tx.now), course, of.person)
