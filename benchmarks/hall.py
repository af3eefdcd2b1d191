"""The lecture hall: 500 phones with a stream each, all from one address, and 500 answers within a minute.

Measured is the time from sending an answer until the projector's stream tells of it. Each answer is one of a few that a
class gives, with a slip of its own in one place, so that many are alike and many are not.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import orjson

from benchmarks.games import SEED
from benchmarks.measure import title
from grader.service.run.demo import EXERCISE
from tests.grader.service.hall.lecture import Lecture, start_lecture
from tests.grader.service.served import Running, served
from tests.grader.service.web.site import open_site

PHONES, QUICK_PHONES = 500, 20
SECONDS, QUICK_SECONDS = 50.0, 2.0
"""In which all answers are sent, evenly."""
TARGET = 2.0
AT_ONCE = 25
"""Phones that come at the same moment."""
DISTINCT = 40
"""Different answers of the class."""


def hall(quick: bool) -> list[Any]:
    title("Lecture hall: phones and streams from one address")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "data") as running:
        site = open_site(running)
        lecture = start_lecture(site, site.put_exercise(EXERCISE))
        phones, seconds = (QUICK_PHONES, QUICK_SECONDS) if quick else (PHONES, SECONDS)
        asyncio.run(_Session(running, lecture, phones, seconds).run())
        site.teacher.close()
    return []


class _Session:
    def __init__(self, running: Running, lecture: Lecture, phones: int, seconds: float) -> None:
        self._running, self._lecture, self._phones, self._seconds = running, lecture, phones, seconds
        self._sent: list[float] = []
        self._shown: list[float] = []
        self._acknowledged: list[float] = []
        self._revealed: list[float] = []
        self._projector_events = 0
        self._listening = 0

    async def run(self) -> None:
        headers = {"Origin": self._running.url}
        limits = httpx.Limits(max_connections=None)
        cookies = dict(self._lecture.site.teacher.cookies.items())
        async with httpx.AsyncClient(base_url=self._running.url, headers=headers, limits=limits, timeout=120) as client:
            projector = asyncio.create_task(self._watch(client, cookies))
            gate = asyncio.Semaphore(AT_ONCE)
            began = time.perf_counter()
            keys = await asyncio.gather(*(self._arrive(client, gate) for _ in range(self._phones)))
            streams = [asyncio.create_task(self._listen(client, key)) for key in keys]
            while self._listening < self._phones:
                await asyncio.sleep(0.05)
            print(f"{self._phones} phones have the page and a stream after {time.perf_counter() - began:.1f} s")
            await asyncio.gather(*(self._answer(client, key, place) for place, key in enumerate(keys)))
            while len(self._shown) < self._phones:
                await asyncio.sleep(0.05)
            began = time.perf_counter()
            await asyncio.to_thread(self._lecture.do, "next")
            while len(self._revealed) < self._phones:
                await asyncio.sleep(0.05)
            self._tell(began)
            for task in (projector, *streams):
                task.cancel()
            await asyncio.gather(projector, *streams, return_exceptions=True)

    async def _arrive(self, client: httpx.AsyncClient, gate: asyncio.Semaphore) -> dict[str, str]:
        async with gate:
            answer = await client.get(f"/live/{self._lecture.code}", headers={"Cookie": ""})
            answer.raise_for_status()
            client.cookies.clear()
            found = re.search(r"plymark_live=([^;]+)", answer.headers["set-cookie"])
            assert found
            return {"Cookie": f"plymark_live={found[1]}"}

    async def _listen(self, client: httpx.AsyncClient, key: dict[str, str]) -> None:
        async with client.stream("GET", f"/live/{self._lecture.code}/events", headers=key) as answer:
            answer.raise_for_status()
            states = 0
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    states += 1
                    if states == 1:
                        self._listening += 1
                    else:
                        self._revealed.append(time.perf_counter())

    async def _answer(self, client: httpx.AsyncClient, key: dict[str, str], place: int) -> None:
        await asyncio.sleep(self._seconds * place / self._phones)
        draw = random.Random(SEED + place)
        slip = draw.randrange(DISTINCT)
        fields = {"values.A": "3", "values.B": str(slip % 8), "values.C": "2", "windows.C": f"({slip // 8}, inf)"}
        fields |= {"pruned": "L5, L6", "move": "a1"}
        began = time.perf_counter()
        self._sent.append(began)
        answer = await client.post(f"/live/{self._lecture.code}", data=fields, headers=key)
        assert answer.status_code == 303, answer.text
        self._acknowledged.append(time.perf_counter() - began)

    async def _watch(self, client: httpx.AsyncClient, cookies: dict[str, str]) -> None:
        """The n-th answer that was sent counts as shown when the projector tells of n."""
        kept = "; ".join(f"{name}={value}" for name, value in cookies.items())
        path = f"/teach/live/{self._lecture.code}/events"
        async with client.stream("GET", path, headers={"Cookie": kept}) as answer:
            answer.raise_for_status()
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    self._projector_events += 1
                    told, now = orjson.loads(line.removeprefix("data: ")), time.perf_counter()
                    self._shown += [now] * (told["answered"] - len(self._shown))

    def _tell(self, began: float) -> None:
        waits = sorted(shown - sent for sent, shown in zip(self._sent, self._shown, strict=True))
        acknowledged = sorted(self._acknowledged)
        events = self._projector_events
        print(f"{len(waits)} answers in {max(self._sent) - min(self._sent):.0f} s, {events} updates of the projector")
        print(f"acknowledged: median {_at(acknowledged, 0.5):.3f} s, p95 {_at(acknowledged, 0.95):.3f} s")
        met = "met" if _at(waits, 0.95) < TARGET else "MISSED"
        print(f"from answer to projector: median {_at(waits, 0.5):.2f} s, p95 {_at(waits, 0.95):.2f} s,", end=" ")
        print(f"longest {waits[-1]:.2f} s (target p95 under {TARGET:.0f} s: {met})")
        revealed = sorted(each - began for each in self._revealed)
        print(f"a stage shown on all phones: median {_at(revealed, 0.5):.2f} s, last {revealed[-1]:.2f} s")


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
