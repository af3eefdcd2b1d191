"""The parts of the benchmark, each with the ratio that counts."""

from __future__ import annotations

import asyncio
import json
import time

from benchmarks.measure import Ratio, show, title
from benchmarks.service.classroom import Classroom, answers, classroom, hand_in
from benchmarks.service.client import Connection, Load, request, send
from benchmarks.service.servers import Served, bare, served

CONNECTIONS = 32
ROUNDS = 4
CLASS, CLASS_SECONDS = 500, 10.0
AUTOSAVING, EVERY, SOLVING_ROUNDS = 1_000, 5.0, 3
TREE = b'{"plymark": "game/1", "tree": [[3, 12, 8], [2, 4, 6], [14, 5, 2]]}'


def service(quick: bool) -> list[Ratio]:
    """Durable acknowledgements, a class at once, and solving beside autosaving."""
    title("The service: `plymark serve` as it starts, SQLite, requests over loopback from this machine")
    each, pupils, saving, seconds = (50, 20, 50, 2.0) if quick else (1_000, CLASS, AUTOSAVING, 10.0)
    with served() as ours, bare() as port:
        room = classroom(ours, ROUNDS * each + pupils)
        found = show(_acknowledging(ours, port, room, each))
        _a_class_at_once(ours, room, pupils)
    with served() as ours:
        found += show([_solving_beside_drafts(ours, classroom(ours, saving), seconds)])
    return found


def _acknowledging(ours: Served, port: int, room: Classroom, each: int) -> list[Ratio]:
    """Rounds of a bare route and of submissions, in turn. Marking goes on beside the submissions, as it would, and has
    ended when the bare route is asked."""
    hello = [request("GET", "/")] * each
    asyncio.run(send(port, hello, CONNECTIONS))
    bare_rounds, own_rounds, worst, middle = [], [], [], []
    for turn in range(ROUNDS):
        _until_marked(ours, room, turn * each)
        theirs = asyncio.run(send(port, hello, CONNECTIONS))
        own = asyncio.run(send(ours.port, hand_in(room, turn * each, (turn + 1) * each), CONNECTIONS))
        _require(own, 201)
        bare_rounds.append(1 / theirs.per_second)
        own_rounds.append(1 / own.per_second)
        worst.append(own.percentile(0.99))
        middle.append(own.percentile(0.5))
        print(
            f"  round {turn + 1}: bare {theirs.per_second:,.0f}/s, acknowledged {own.per_second:,.0f}/s, "
            f"median {own.percentile(0.5) * 1000:.1f} ms, p99 {own.percentile(0.99) * 1000:.1f} ms",
            flush=True,
        )
    return [
        Ratio(
            "durable acknowledgements, of a bare route's requests", own_rounds, bare_rounds, target=0.25, inverse=True
        ),
        Ratio("p99 of an acknowledgement, of its median", worst, middle, target=10),
    ]


def _a_class_at_once(ours: Served, room: Classroom, pupils: int) -> None:
    """Distinct answers, spread over ten seconds; then until the last of them is marked."""
    _until_marked(ours, room, len(room.attempts) - pupils)
    first = len(room.attempts) - pupils
    wanted = hand_in(room, first, len(room.attempts))

    async def over_ten_seconds() -> Load:
        load = Load()

        async def one(number: int, raw: bytes) -> None:
            await asyncio.sleep(CLASS_SECONDS * number / len(wanted))
            connection, began = Connection(ours.port), time.perf_counter()
            status, _ = await connection.ask(raw)
            load.taken.append(time.perf_counter() - began)
            load.statuses[status] = load.statuses.get(status, 0) + 1
            connection.close()

        began = time.perf_counter()
        await asyncio.gather(*(one(number, raw) for number, raw in enumerate(wanted)))
        load.seconds = time.perf_counter() - began
        return load

    load = asyncio.run(over_ten_seconds())
    _require(load, 201)
    began = time.perf_counter()
    _until_marked(ours, room, len(room.attempts))
    print(
        f"  {pupils} distinct answers in {load.seconds:.1f} s: all acknowledged, "
        f"p99 {load.percentile(0.99) * 1000:.1f} ms; the last was marked {time.perf_counter() - began:.1f} s later",
        flush=True,
    )


def _until_marked(ours: Served, room: Classroom, number: int) -> None:
    """Until so many students have marks."""
    while True:
        marked, after = 0, ""
        while True:
            page = ours.call("GET", f"/api/assignments/{room.assignment}/grades?limit=500{after}")
            marked += sum(each["marks"] is not None for each in page["items"])
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        if marked >= number:
            return
        time.sleep(0.2)


def _solving_beside_drafts(ours: Served, room: Classroom, seconds: float) -> Ratio:
    """One who solves trees one after another, alone and beside students whose pages save drafts every five seconds."""
    solve = request("POST", "/api/solve", body=TREE)

    async def solving(until: float) -> Load:
        load, connection = Load(), Connection(ours.port)
        while time.perf_counter() < until:
            began = time.perf_counter()
            status, _ = await connection.ask(solve)
            load.taken.append(time.perf_counter() - began)
            load.statuses[status] = load.statuses.get(status, 0) + 1
            await asyncio.sleep(0.02)
        connection.close()
        return load

    revisions: dict[int, int] = {}

    async def saving(number: int, until: float) -> None:
        connection = Connection(ours.port)
        await asyncio.sleep(EVERY * number / len(room.attempts))
        while time.perf_counter() < until:
            revision = revisions.get(number, 0)
            draft = {"answers": answers(number + revision), "revision": revision}
            raw = request("PUT", f"/api/attempts/{room.attempts[number]}/draft", room.tokens[number], draft)
            status, body = await connection.ask(raw)
            assert status == 200, body
            revisions[number] = json.loads(body)["revision"]
            await asyncio.sleep(EVERY)
        connection.close()

    async def beside() -> Load:
        until = time.perf_counter() + EVERY + seconds
        savers = [asyncio.create_task(saving(number, until)) for number in range(len(room.attempts))]
        await asyncio.sleep(EVERY)
        load = await solving(until)
        await asyncio.gather(*savers)
        return load

    crowded, alone = [], []
    for turn in range(SOLVING_ROUNDS):
        by_itself = asyncio.run(solving(time.perf_counter() + seconds))
        in_company = asyncio.run(beside())
        _require(by_itself, 200)
        _require(in_company, 200)
        alone.append(by_itself.percentile(0.95))
        crowded.append(in_company.percentile(0.95))
        print(
            f"  round {turn + 1}: /api/solve, p95 {alone[-1] * 1000:.1f} ms alone, "
            f"{crowded[-1] * 1000:.1f} ms beside {len(room.attempts):,} who autosave",
            flush=True,
        )
    return Ratio("p95 of /api/solve beside autosaving, of its p95 alone", crowded, alone, target=2)


def _require(load: Load, status: int) -> None:
    assert set(load.statuses) == {status}, load.statuses
