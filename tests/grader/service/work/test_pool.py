"""A real pool: what a task does to its worker costs that task, and nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from grader.service.workers.lanes import BULK, MARKING, STATELESS
from grader.service.workers.work_problems import (
    Busy,
    OutOfMemory,
    Refused,
    Stopping,
    TaskFailed,
    TimedOut,
    WorkerDied,
    WorkProblem,
)
from grader.service.workers.worker_pool import TRIES, Workers
from tests.grader.service.work import misbehaving
from tests.support.paths import ROOT

MISBEHAVING = ("tests.grader.service.work.misbehaving",)


@asynccontextmanager
async def pool(count: int = 1, **settings: Any) -> AsyncIterator[Workers]:
    workers = Workers(count, tasks=MISBEHAVING, **settings)
    workers.start()
    try:
        yield workers
    finally:
        await workers.stop(grace=0)


def test_plain_data_and_messages_go_and_come() -> None:
    data = {"text": "α−β", "bytes": b"\xff" * 300_000, "list": [1, 10**40, None, True, ("a", 2.5)]}

    async def story() -> None:
        async with pool(2) as workers:
            assert await workers.run(misbehaving.echo, data) == data
            parcel = misbehaving.Parcel(("α",), misbehaving.Parcel(()))
            assert await workers.run(misbehaving.echo, parcel) == parcel
            for task in (misbehaving.gives_an_object, misbehaving.gives_undeclared):
                with pytest.raises(TaskFailed, match=f"{task.__name__}: "):
                    await workers.run(task)
            with pytest.raises(TaskFailed, match="echo: "):
                await workers.run(misbehaving.echo, Path("/"))
            assert await workers.run(misbehaving.echo, 1) == 1

    asyncio.run(story())


@pytest.mark.parametrize(
    ("task", "ends_as"),
    [
        (misbehaving.exits, WorkerDied),
        (misbehaving.is_killed, WorkerDied),
        (misbehaving.never_ends, TimedOut),
        (misbehaving.eats, OutOfMemory),
        (misbehaving.fails, TaskFailed),
        (misbehaving.refuses, Refused),
        (misbehaving._hidden, TaskFailed),
        (os.getpid, TaskFailed),
        (asyncio.run, TaskFailed),
    ],
)
def test_a_task_fails_alone(task: Callable[[], Any], ends_as: type[WorkProblem]) -> None:
    async def story() -> None:
        async with pool(2) as workers:
            bad = workers.lane(STATELESS, 0.5 if task is misbehaving.never_ends else None).run(task)
            found = await asyncio.gather(
                bad, *(workers.run(misbehaving.echo, n) for n in range(20)), return_exceptions=True
            )
            assert type(found[0]) is ends_as
            assert found[1:] == list(range(20))
            assert await workers.run(misbehaving.echo, "after") == "after"
            counts = workers.counts()
            assert counts.deaths == (ends_as is WorkerDied)
            assert counts.timeouts["stateless"] == (ends_as is TimedOut)
            assert counts.out_of_memory["stateless"] == (ends_as is OutOfMemory)
            assert counts.running == counts.waiting == {"stateless": 0, "marking": 0, "bulk": 0}

    asyncio.run(story())


def test_only_processor_time_is_limited() -> None:
    async def story() -> None:
        async with pool() as workers:
            assert await workers.lane(STATELESS, 0.3).run(misbehaving.sleeps, 1.0) == "done"
            # Nor does what one task has used count for the next.
            for _ in range(3):
                with pytest.raises(TimedOut):
                    await workers.lane(STATELESS, 0.3).run(misbehaving.never_ends)
                assert await workers.lane(STATELESS, 0.3).run(misbehaving.sleeps, 0.0) == "done"

    asyncio.run(story())


def test_who_waits_for_what_never_comes_is_given_up(tmp_path: Path) -> None:
    async def story() -> None:
        async with pool(patience=3.0) as workers:
            with pytest.raises(WorkerDied):
                await workers.lane(STATELESS, 0.2).run(misbehaving.waits_for, str(tmp_path / "gate"))
            assert workers.counts().deaths == 1
            assert await workers.run(misbehaving.echo, 1) == 1

    asyncio.run(story())


def test_a_refusal_keeps_its_words_and_a_fault_hides_them() -> None:
    async def story() -> None:
        async with pool() as workers:
            with pytest.raises(Refused) as refused:
                await workers.run(misbehaving.refuses)
            assert (refused.value.status, refused.value.code, refused.value.detail) == (422, "syntax", "not YAML")
            assert refused.value.problems[0]["line"] == 2 and refused.value.total == 7
            with pytest.raises(TaskFailed, match="fails: ValueError") as failed:
                await workers.run(misbehaving.fails)
            assert "nobody" not in str(failed.value)

    asyncio.run(story())


def test_a_worker_that_dies_idle_is_replaced_unnoticed() -> None:
    async def story() -> None:
        async with pool(2) as workers:
            for _ in range(3):
                for pid in workers.pids:
                    with suppress(ProcessLookupError):  # killed before, and not needed since
                        os.kill(pid, signal.SIGKILL)
                    await gone(pid)
                assert [await workers.run(misbehaving.echo, n) for n in range(4)] == [0, 1, 2, 3]

    asyncio.run(story())


def test_signals_are_left_to_the_server() -> None:
    async def story() -> None:
        async with pool() as workers:
            pid = await workers.run(misbehaving.pid)
            for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
                os.kill(pid, sign)
            assert await workers.run(misbehaving.pid) == pid

    asyncio.run(story())


def test_a_worker_is_renewed_after_its_tasks() -> None:
    async def story() -> None:
        async with pool(1, tasks_of_a_life=3) as workers:
            pids = [await workers.run(misbehaving.pid) for _ in range(9)]
            assert [pids.index(pid) for pid in pids] == [0, 0, 0, 3, 3, 3, 6, 6, 6]

    asyncio.run(story())


def test_what_died_is_tried_again_but_not_for_ever(tmp_path: Path) -> None:
    async def story() -> None:
        async with pool() as workers:
            again = workers.lane(MARKING, tries=TRIES)
            assert await again.run(misbehaving.is_killed_once, str(tmp_path / "mark")) == "done"
            assert workers.counts().deaths == 1
            with pytest.raises(WorkerDied):
                await again.run(misbehaving.exits)
            assert workers.counts().deaths == 4
            with pytest.raises(TaskFailed):
                await again.run(misbehaving.fails)

    asyncio.run(story())


def occupied(workers: Workers, gate: Path, lane: str = "marking") -> asyncio.Task[Any]:
    """The one worker has something to do until the gate is there."""
    return asyncio.ensure_future(workers.lane(lane).run(misbehaving.waits_for, str(gate)))


async def begun(workers: Workers) -> None:
    while not sum(workers.counts().running.values()):
        await asyncio.sleep(0.005)


def test_marking_first_then_stateless_then_bulk_and_none_starves(tmp_path: Path) -> None:
    async def story() -> None:
        async with pool() as workers:
            first = occupied(workers, tmp_path / "gate")
            await begun(workers)
            log = str(tmp_path / "log")
            each = [(BULK, "b", 2), (STATELESS, "s", 3), (MARKING, "m", 10)]
            tasks = [
                workers.lane(lane).run(misbehaving.writes, log, sign) for lane, sign, many in each for _ in range(many)
            ]
            waiting = asyncio.gather(*tasks)
            await asyncio.sleep(0)
            assert workers.counts().waiting == {"stateless": 3, "marking": 10, "bulk": 2}
            (tmp_path / "gate").touch()
            await asyncio.gather(first, waiting)
            assert Path(log).read_text(encoding="ascii") == "mmsmmmsmmmsmmbb"

    asyncio.run(story())


def test_only_the_stateless_lane_is_ever_full(tmp_path: Path) -> None:
    async def story() -> None:
        async with pool(most_waiting=2) as workers:
            first = occupied(workers, tmp_path / "gate")
            await begun(workers)
            waiting = [asyncio.ensure_future(workers.run(misbehaving.echo, n)) for n in range(2)]
            marking = [asyncio.ensure_future(workers.lane(MARKING).run(misbehaving.echo, n)) for n in range(200)]
            await asyncio.sleep(0)
            with pytest.raises(Busy) as busy:
                await workers.run(misbehaving.echo, 3)
            assert (busy.value.status, busy.value.code) == (503, "busy") and busy.value.retry_after
            # Whoever goes away makes room.
            waiting[0].cancel()
            await asyncio.sleep(0)
            again = asyncio.ensure_future(workers.run(misbehaving.echo, 4))
            await asyncio.sleep(0)
            (tmp_path / "gate").touch()
            assert await asyncio.gather(*marking) == list(range(200))
            assert list(await asyncio.gather(first, waiting[1], again)) == [str(tmp_path / "gate"), 1, 4]

    asyncio.run(story())


def test_bulk_work_leaves_a_worker_free(tmp_path: Path) -> None:
    async def story() -> None:
        async with pool(2) as workers:
            bulk = [occupied(workers, tmp_path / "gate", "bulk") for _ in range(3)]
            await begun(workers)
            assert await workers.run(misbehaving.echo, 1) == 1
            counts = workers.counts()
            assert (counts.running["bulk"], counts.waiting["bulk"]) == (1, 2)
            (tmp_path / "gate").touch()
            await asyncio.gather(*bulk)

    asyncio.run(story())


def test_stopping_lets_work_under_way_end(tmp_path: Path) -> None:
    async def story() -> None:
        async with pool() as workers:
            first = occupied(workers, tmp_path / "gate")
            await begun(workers)
            waiting = asyncio.ensure_future(workers.lane(MARKING).run(misbehaving.echo, 1))
            await asyncio.sleep(0)
            stopping = asyncio.ensure_future(workers.stop(grace=30))
            with pytest.raises(Stopping):
                await waiting
            with pytest.raises(Stopping):
                await workers.run(misbehaving.echo, 2)
            (tmp_path / "gate").touch()
            await stopping
            assert await first
            assert workers.pids == []

    asyncio.run(story())


def test_stopping_does_not_wait_for_ever() -> None:
    async def story() -> None:
        async with pool() as workers:
            pid = workers.pids[0]
            endless = asyncio.ensure_future(workers.lane(STATELESS, 600).run(misbehaving.never_ends))
            await begun(workers)
            await workers.stop(grace=0.1)
            with pytest.raises(Stopping):
                await endless
            await gone(pid)

    asyncio.run(story())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_workers_hold_nothing_of_the_servers(tmp_path: Path) -> None:
    async def story() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server, open(tmp_path / "lock", "w", encoding="ascii") as lock:
            os.set_inheritable(server.fileno(), True)
            os.set_inheritable(lock.fileno(), True)
            ours = {os.fstat(each.fileno()).st_ino for each in (server, lock)}
            async with pool(2) as workers:
                await asyncio.gather(*(workers.run(misbehaving.echo, n) for n in range(8)))
                for pid in workers.pids:
                    held = {os.stat(each).st_ino for each in Path(f"/proc/{pid}/fd").iterdir() if each.exists()}
                    assert held and not held & ours

    asyncio.run(story())


@pytest.mark.slow
def test_the_process_that_forks_workers_can_be_killed() -> None:
    async def story() -> None:
        async with pool(2) as workers:
            before = await workers.run(misbehaving.pid)
            parent = int(Path(f"/proc/{before}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[1])
            assert parent != os.getpid()
            os.kill(parent, signal.SIGKILL)
            await gone(parent)
            again = workers.lane(MARKING, tries=TRIES)
            assert [await again.run(misbehaving.echo, n) for n in range(6)] == list(range(6))
            assert before not in workers.pids

    asyncio.run(story())


GRACEFUL = f"""
import asyncio, pathlib, signal, sys
from grader.service.workers.lanes import STATELESS
from grader.service.workers.worker_pool import Workers
from tests.grader.service.work import misbehaving

async def serve():
    workers = Workers(1, tasks={MISBEHAVING!r})
    workers.start()
    told = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, told.set)
    running = asyncio.ensure_future(workers.lane(STATELESS, 600).run(misbehaving.waits_for, sys.argv[1]))
    while not workers.counts().running["stateless"]:
        await asyncio.sleep(0.005)
    print("running", flush=True)
    await told.wait()
    pathlib.Path(sys.argv[1]).touch()
    await workers.stop(grace=60)
    print("finished", await running, flush=True)

if __name__ == "__main__":
    asyncio.run(serve())
"""


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_whole_group_is_the_servers_to_obey(tmp_path: Path, sign: signal.Signals) -> None:
    """As service managers and Ctrl-C send it."""
    (tmp_path / "server.py").write_text(GRACEFUL, encoding="ascii")
    command = [sys.executable, str(tmp_path / "server.py"), str(tmp_path / "gate")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "running\n"
        os.killpg(server.pid, sign)
        assert server.stdout.readline() == f"finished {tmp_path / 'gate'}\n"
        assert server.wait() == 0


SERVER = f"""
import asyncio, sys
from grader.service.workers.lanes import STATELESS
from grader.service.workers.worker_pool import Workers
from tests.grader.service.work import misbehaving

async def serve():
    workers = Workers(2, tasks={MISBEHAVING!r})
    workers.start()
    print(*workers.pids, flush=True)
    await asyncio.gather(*(workers.lane(STATELESS, 600).run(misbehaving.never_ends) for _ in sys.argv[1:]))
    await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(serve())
"""


@pytest.mark.slow
@pytest.mark.parametrize("busy", [[], ["never_ends", "never_ends"]])
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_server(tmp_path: Path, busy: list[str], sign: signal.Signals) -> None:
    (tmp_path / "server.py").write_text(SERVER, encoding="ascii")
    command = [sys.executable, str(tmp_path / "server.py"), *busy]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pids = [int(pid) for pid in server.stdout.readline().split()]
        assert len(pids) == 2 and all(map(exists, pids))
        server.send_signal(sign)
        server.wait()
        asyncio.run(all_gone(pids))


def exists(pid: int) -> bool:
    """A process that has ended may still be listed, until somebody asks how; its threads end one after another."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    threads = list(Path(f"/proc/{pid}/task").glob("*/stat"))
    return not threads or any(_runs(thread) for thread in threads)


def _runs(thread: Path) -> bool:
    try:
        return thread.read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


async def gone(pid: int) -> None:
    until = time.monotonic() + 300
    while exists(pid):
        assert time.monotonic() < until, f"{pid} is still there"
        await asyncio.sleep(0.01)


async def all_gone(pids: list[int]) -> None:
    for pid in pids:
        await gone(pid)
