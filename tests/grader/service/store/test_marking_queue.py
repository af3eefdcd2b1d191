"""The queue of what is to be marked, on both databases: nothing is lost, nobody held up, servers share it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import update

from grader.service import tasks
from grader.service.base.clock import DAY, now
from grader.service.base.ids import new_id, sha256
from grader.service.base.program import PROGRAM
from grader.service.features.accounts import queries as accounts_queries
from grader.service.features.attempts import queries as attempts_queries
from grader.service.features.courses import queries as courses_queries
from grader.service.features.exercises.queries import Upload, new_exercise, raw_of
from grader.service.features.members import queries as members_queries
from grader.service.features.submissions import queries as submissions_queries
from grader.service.features.submissions.marking_queue import MarkingQueue
from grader.service.features.submissions.queries import Arrival, Earned, hand_in
from grader.service.store.store import Store, open_store
from grader.service.store.tables import assignment, grade, marking, member, override, version
from grader.service.store.transaction import Transaction
from grader.service.workers.worker_pool import OUR_TASKS, Workers
from tests.grader.service.api.client import OUT_OF, RIGHT, TWO_PLY, WRONG, intake_of

PATIENCE = 600.0
"""Seconds after which what never comes counts as missing; nothing is measured by it."""
TASKS_THAT_KILL = (*OUR_TASKS, "tests.grader.service.store.fatal")


def test_a_worker_that_dies_costs_one_answer(store: Store, tmp_path: Path) -> None:
    deadly = tmp_path / "deadly"
    deadly.touch()
    handed = store.write_now(lambda tx: _class_of(tx, [RIGHT, {**RIGHT, "fatal": str(deadly)}, WRONG]))

    async def story() -> None:
        async with _marking(store) as queue:
            await _until(lambda: _states(store) == ["failed", "marked", "marked"])
            failed = _row(store, handed[1])
            assert (failed.error, failed.tries) == ("worker-died", 1) and failed.lease > now()
            deadly.unlink()
            store.write_now(lambda tx: tx.execute(update(marking).values(lease=0)) and None)
            queue.wake()
            await _until(lambda: _states(store) == ["marked"] * 3)

    asyncio.run(story())
    assert sorted(_marks(store), key=float)[1:] == [str(OUT_OF)] * 2
    assert (_row(store, handed[1]).tries, _row(store, handed[1]).error) == (0, None)


def test_what_a_server_leaves_another_takes_up(store: Store) -> None:
    store.write_now(lambda tx: _class_of(tx, _distinct(24)))

    async def story() -> None:
        async with _marking(store, grace=0):
            await asyncio.sleep(0)
        with store.engine.connect() as connection:
            left = connection.execute(marking.select().where(marking.c.state == "received")).all()
        assert all(each.lease <= now() for each in left)
        async with _marking(store):
            await _until(lambda: _states(store) == ["marked"] * 24)

    asyncio.run(story())
    assert len(_marks(store)) == 24


def test_servers_share_it(database: Callable[[], str | None], tmp_path: Path) -> None:
    url = database()
    one, other = open_store(tmp_path / "data", url), open_store(tmp_path / "data", url)
    one.write_now(lambda tx: _class_of(tx, _distinct(60)))

    async def story() -> None:
        async with _marking(one), _marking(other):
            await _until(lambda: _states(one) == ["marked"] * 60)

    asyncio.run(story())
    assert len(_marks(one)) == 60
    one.close()
    other.close()


def test_what_is_decided_meanwhile_is_not_lost(store: Store) -> None:
    (handed,) = store.write_now(lambda tx: _class_of(tx, [WRONG]))
    (task,) = store.write_now(lambda tx: submissions_queries.take_to_mark(tx, 10, tx.now + DAY))
    assert not store.write_now(lambda tx: submissions_queries.take_to_mark(tx, 10, tx.now + DAY))
    raw = store.read_now(lambda connection: raw_of(connection, task.variant))
    found = Earned(tasks.mark(raw, task.raw, task.language, []), PROGRAM, "")

    def decide(tx: Transaction) -> None:
        who = tx.execute(member.select().where(member.c.role == "teacher")).one().person
        row = {"id": new_id(), "assignment": task.assignment, "member": task.member, "question": "move", "item": ""}
        tx.execute(override.insert(), {**row, "marks": "1", "reason": "", "by": who, "created": tx.now})

    store.write_now(decide)
    store.write_now(lambda tx: submissions_queries.record(tx, [(task, [found])]))
    assert (_row(store, handed).state, _row(store, handed).stale) == ("marked", True)
    before = _marks(store)

    async def story() -> None:
        async with _marking(store):
            await _until(lambda: not _row(store, handed).stale)

    asyncio.run(story())
    assert float(_marks(store)[0]) == float(before[0]) + 1


@asynccontextmanager
async def _marking(store: Store, grace: float = 10.0) -> AsyncIterator[MarkingQueue]:
    workers = Workers(1, tasks=TASKS_THAT_KILL)
    workers.start()
    queue = MarkingQueue(store, workers)
    await queue.start()
    try:
        yield queue
    finally:
        await queue.stop(grace)
        await workers.stop(grace=0)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.02)


def _distinct(count: int) -> list[dict[str, Any]]:
    return [{**RIGHT, "values": {**RIGHT["values"], "D": 100 + number}} for number in range(count)]


def _class_of(tx: Transaction, answers: list[dict[str, Any]]) -> list[str]:
    """A course whose students have handed these in; the ids of the submissions."""
    who = accounts_queries.new_person(tx, "Ada", teaches=True, login="ada")
    fields = {"title": "Search", "zone": "UTC", "language": "en"}
    course = courses_queries.new_course(tx, who, fields, "abcdefgh")
    wanted = [{"id": f"s{number}", "role": "student"} for number in range(len(answers))]
    members_queries.put_members(tx, who, course, wanted)
    upload = Upload(b"{}", intake_of(TWO_PLY))
    exercise = new_exercise(tx, who, course, upload)
    newest = tx.execute(version.select().where(version.c.exercise == exercise)).one()
    row = {
        "id": new_id(), "course": course, "exercise": exercise, "version": newest.id, "opens": tx.now, "due": None,
        "closes": None, "minutes": None, "attempts": 1, "counts": "best", "late": None, "variants": "same",
        "feedback_before": "receipt", "feedback_after": "full", "released": False, "secret": "s", "created": tx.now,
    }  # fmt: skip
    tx.execute(assignment.insert(), row)
    of = tx.execute(assignment.select()).one()
    students = tx.execute(member.select().where(member.c.role == "student").order_by(member.c.position)).all()
    handed = []
    for student, each in zip(students, answers, strict=True):
        begun, _ = attempts_queries.begin(tx, of, student, "en")
        raw = json.dumps({"answers": each}).encode()
        handed.append(hand_in(tx, Arrival(begun, "k", raw, sha256(raw), tx.now), course, student.person).id)
    return handed


def _states(store: Store) -> list[str]:
    with store.engine.connect() as connection:
        return sorted(row.state for row in connection.execute(marking.select()))


def _row(store: Store, submission: str) -> Any:
    with store.engine.connect() as connection:
        return connection.execute(marking.select().where(marking.c.submission == submission)).one()


def _marks(store: Store) -> list[str]:
    with store.engine.connect() as connection:
        return [row.marks for row in connection.execute(grade.select()) if row.marks is not None]
