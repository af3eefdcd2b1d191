"""Bulk work: how far it has come, and a job under way as the function that does it sees it."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, and_, or_, select, update

from grader.service.base.clock import SECOND, now
from grader.service.base.ids import new_id
from grader.service.store.store import Store
from grader.service.store.tables import job
from grader.service.store.transaction import Transaction
from grader.service.workers.lanes import BULK
from grader.service.workers.worker_pool import TRIES, WorkerLane, Workers

WAITING, RUNNING, DONE, FAILED, STOPPED = STATES = ("waiting", "running", "done", "failed", "stopped")
OPEN = (WAITING, RUNNING)
JOB_TRIES = 3
GIVEN_UP = "it was begun several times and never came to an end"


def new_job(
    tx: Transaction, who: str, kind: str, payload: Mapping[str, Any], course: str | None = None, of: int = 0
) -> str:
    """For whoever asked, and the teachers of the course if there is one."""
    job_id = new_id()
    row = {"id": job_id, "course": course, "created_by": who, "kind": kind, "payload": json.dumps(payload)}
    more = {"state": WAITING, "done": 0, "of": of, "result": None, "error": None, "tries": 0, "lease": 0}
    tx.execute(job.insert(), {**row, **more, "created": tx.now})
    tx.audit(who, "job.begun", job_id, course, kind=kind)
    return job_id


def job_data(row: Row[Any]) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "state": row.state,
        "done": row.done,
        "of": row.of,
        "result": None if row.result is None else json.loads(row.result),
        "error": row.error,
    }


def job_row(connection: Connection, job_id: str) -> Row[Any]:
    return connection.execute(select(job).where(job.c.id == job_id)).one()


def is_any_waiting(connection: Connection) -> bool:
    return connection.execute(select(job.c.id).where(_free(now())).limit(1)).first() is not None


def take(tx: Transaction, until: int) -> Row[Any] | None:
    """The next job, leased until a moment; one that was begun too often has failed."""
    while True:
        statement = select(job).where(_free(tx.now)).order_by(job.c.created, job.c.id).limit(1)
        if tx.connection.dialect.name == "postgresql":
            statement = statement.with_for_update(skip_locked=True)
        found = tx.execute(statement).first()
        if found is None:
            return None
        if found.tries < JOB_TRIES:
            leased = {"state": RUNNING, "tries": found.tries + 1, "lease": until}
            tx.execute(update(job).where(job.c.id == found.id).values(**leased))
            return found
        end(tx, found.id, FAILED, error=GIVEN_UP)


def take_up_again(tx: Transaction) -> None:
    """After a restart: with SQLite no other server can be at work. Elsewhere leases run out by themselves."""
    if tx.connection.dialect.name == "sqlite":
        tx.execute(update(job).where(job.c.state == RUNNING).values(lease=0))


def advance(tx: Transaction, job_id: str, done: int, of: int, until: int) -> bool:
    """Whether the job goes on: not if somebody has stopped it. What has come forward does not count as a failed try."""
    values = {"done": done, "of": of, "lease": until, "tries": 1}
    return bool(tx.execute(_open(job_id).where(job.c.state == RUNNING).values(**values)).rowcount)


def prolong(tx: Transaction, job_id: str, until: int) -> None:
    tx.execute(_open(job_id).where(job.c.state == RUNNING).values(lease=until))


def leave(tx: Transaction, job_id: str) -> None:
    """For whoever is next; it is not the job's fault."""
    tx.execute(_open(job_id).where(job.c.state == RUNNING).values(state=WAITING, lease=0, tries=0))


def end(tx: Transaction, job_id: str, state: str, result: Any = None, error: str | None = None) -> None:
    """Unless somebody has stopped it meanwhile."""
    found = None if result is None else json.dumps(result, ensure_ascii=False)
    tx.execute(_open(job_id).values(state=state, result=found, error=error, lease=0))


def stop(tx: Transaction, who: str, row: Row[Any]) -> None:
    """The chunk under way is the last; a job that has ended stays as it is."""
    if tx.execute(_open(row.id).values(state=STOPPED, lease=0)).rowcount:
        tx.audit(who, "job.stopped", row.id, row.course)


def _open(job_id: str) -> Any:
    return update(job).where(job.c.id == job_id, job.c.state.in_(OPEN))


def _free(moment: int) -> Any:
    return or_(job.c.state == WAITING, and_(job.c.state == RUNNING, job.c.lease <= moment))


LEASE = 120 * SECOND

T = TypeVar("T")


class JobStopped(Exception):
    """Somebody has stopped the job, or another server has it."""


@dataclass(frozen=True, slots=True)
class JobRun:
    """A job under way, as the function that does it sees it."""

    id: str
    payload: Mapping[str, Any]
    store: Store
    workers: Workers

    def bulk(self, timeout: float | None = None) -> WorkerLane:
        """For chunks; each is begun anew if its worker dies."""
        return self.workers.lane(BULK, timeout, TRIES)

    async def each(self, chunks: Iterable[T], do: Callable[[T], Awaitable[None]]) -> None:
        """All chunks, as many at a time as there are hands for them; the first that fails ends the others."""
        under_way: set[asyncio.Future[None]] = set()
        try:
            for chunk in chunks:
                if len(under_way) >= self.workers.at_once:
                    under_way = await _some(under_way)
                under_way.add(asyncio.ensure_future(do(chunk)))
            while under_way:
                under_way = await _some(under_way)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def progress(self, done: int, of: int) -> None:
        """To be told after each chunk; JobStopped if there shall be no other."""
        if not await self.store.write(lambda tx: advance(tx, self.id, done, of, tx.now + LEASE)):
            raise JobStopped


async def _some(under_way: set[asyncio.Future[None]]) -> set[asyncio.Future[None]]:
    """Those that are left when one or more have ended."""
    done, left = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
    for each in done:
        each.result()
    return left


GENERATION = "generate"


def payload_of(recipe: bytes, count: int, seed: str | None) -> dict[str, Any]:
    return {"recipe": base64.b64encode(recipe).decode(), "count": count, "seed": seed}
