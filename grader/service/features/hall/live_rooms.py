"""The live exercises that are going on, as this process holds them: who is connected, and what the class has said,
counted by field and by node.

All of it can be made again from the store.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from grader.service import tasks
from grader.service.base.async_cache import AsyncCache
from grader.service.base.ids import sha256
from grader.service.features.exercises.queries import raw_of
from grader.service.features.hall import queries as hall_queries
from grader.service.http.service import Service
from grader.service.store.store import Store
from grader.service.workers.lanes import MARKING, WakeEvent
from grader.service.workers.work_problems import WorkProblem
from grader.service.workers.worker_pool import TRIES, Workers

ReadAnswer = Sequence[tuple[str, str, bool]]
"""Of one answer: a field, what was written there, whether that is right."""
WARMEST = 4
MOST_SHOWN = 6
"""Different texts that are shown of a field; the rest is summed up."""


@dataclass(frozen=True, slots=True)
class AnswerCount:
    text: str
    """Empty for what cannot be read."""
    count: int
    right: bool
    share: int
    """Tenths of the fullest row, from 1 to 10."""


@dataclass
class AnswerTally:
    """Each answer is counted once; a changed one is taken out and put in again."""

    nodes: frozenset[str]
    fields: dict[str, Counter[tuple[str, bool]]] = field(default_factory=dict)
    at_nodes: Counter[str] = field(default_factory=Counter)
    right_at: Counter[str] = field(default_factory=Counter)
    asked_at: Counter[str] = field(default_factory=Counter)
    answers: int = 0

    def add(self, said: ReadAnswer, times: int = 1) -> None:
        """-1 times takes it out."""
        self.answers += times
        for name, text, right in said:
            self.fields.setdefault(name, Counter())[text, right] += times
            _, dot, item = name.partition(".")
            if dot and item in self.nodes:
                self.asked_at[item] += times
                self.right_at[item] += times * right
        for node in self._touched(said):
            self.at_nodes[node] += times

    def _touched(self, said: ReadAnswer) -> set[str]:
        """Nodes of which the answer says something: those of its fields, and those that it names in a list."""
        found: set[str] = set()
        for name, text, _ in said:
            item = name.partition(".")[2]
            found |= {item} if item else set(re.split(r"[,،;\s]+", text))
        return found & self.nodes

    def given(self, name: str) -> tuple[list[AnswerCount], int]:
        """The most frequent first, and how many more there were."""
        counts = sorted(((count, each) for each, count in self.fields.get(name, {}).items() if count > 0), reverse=True)
        most = counts[0][0] if counts else 1
        shown = [
            AnswerCount(text, count, right, max(1, round(10 * count / most)))
            for count, (text, right) in counts[:MOST_SHOWN]
        ]
        return shown, sum(count for count, _ in counts[MOST_SHOWN:])

    def warmth(self, judged: bool) -> Mapping[str, tuple[int, int]]:
        """By node: how many said something of it and how warm that is; or, judged, how many per cent were right."""
        if judged:
            asked = {node: count for node, count in self.asked_at.items() if count > 0}
            return {
                node: (100 * self.right_at[node] // count, _band(self.right_at[node], count))
                for node, count in asked.items()
            }
        return {node: (count, _band(count, self.answers)) for node, count in self.at_nodes.items() if count > 0}


def _band(part: int, whole: int) -> int:
    return min(WARMEST, (WARMEST + 1) * part // max(1, whole))


MOST_ROOMS = 64
MOST_DISTINCT = 2_000
MOST_DRAWN = 64
MOST_STREAMS = 2_000
"""In all rooms; each is a connection that stays."""
STREAMS_OF_ONE = 4
BEYOND = 1_000_000
"""A stage after the last one."""
_log = logging.getLogger("plymark.hall")


class LiveRoom:
    """One live exercise."""

    def __init__(self, row: Any, variant_raw: bytes, nodes: frozenset[str], workers: Workers) -> None:
        self.row, self.variant_raw, self._workers = row, variant_raw, workers.lane(MARKING, tries=TRIES)
        self.tally = AnswerTally(nodes)
        self.token = token_hex(4)
        """Tells this room from the one of the same exercise before a restart."""
        self.counted = 0
        """Grows with every change of the tally and of who is there."""
        self.here = Counter[str]()
        """Streams of each who is connected."""
        self.phones: set[WakeEvent] = set()
        self.projectors: set[WakeEvent] = set()
        self.drawn: AsyncCache[Any] = AsyncCache(MOST_DRAWN)
        self._stages: AsyncCache[tasks.SearchStage] = AsyncCache(MOST_DRAWN)
        self._said: AsyncCache[ReadAnswer] = AsyncCache(MOST_DISTINCT)
        self._last: dict[str, ReadAnswer] = {}
        self._turns: dict[str, int] = {}

    @property
    def present(self) -> int:
        """Who is connected or has answered."""
        return len(self.here.keys() | self._last.keys())

    @property
    def answered(self) -> int:
        return len(self._last)

    def moved(self, row: Any) -> None:
        """The teacher has changed something."""
        if row.revision > self.row.revision:
            self.row = row
        self.ring(everybody=True)

    def ring(self, everybody: bool = False) -> None:
        self.counted += 1
        for bell in self.projectors | (self.phones if everybody else set()):
            bell.ring()

    async def count(self, who: str, raw: bytes) -> None:
        """Takes in an answer that is stored; of two by the same person, the later one. Equal ones are marked once."""
        turn = self._turns[who] = self._turns.get(who, 0) + 1
        try:
            said = await self._said.get(sha256(raw), lambda: self._mark(raw))
        except WorkProblem as problem:
            _log.warning("a live answer could not be marked: %s", problem.code)
            said = ()
        if self._turns[who] != turn:
            return
        if who in self._last:
            self.tally.add(self._last[who], -1)
        self._last[who] = said
        self.tally.add(said)
        self.ring()

    async def _mark(self, raw: bytes) -> ReadAnswer:
        return await self._workers.run(tasks.live_mark, self.variant_raw, raw, self.row.language)

    async def stage(self, language: str) -> tasks.SearchStage | None:
        """The solution as far as it is shown; None before that."""
        return None if self.row.stage < 0 else await self._stage(self.row.stage, language)

    async def stages(self) -> int:
        """How many there are."""
        return (await self._stage(BEYOND, self.row.language)).of

    async def _stage(self, number: int, language: str) -> tasks.SearchStage:
        run = self._workers.run
        return await self._stages.get(
            (number, language), lambda: run(tasks.live_stage, self.variant_raw, number, language)
        )

    async def tree(self, said: Mapping[str, tuple[str, int]], language: str) -> str:
        """With what is said of its nodes, and how warm they are."""
        return await self._workers.run(tasks.live_tree, self.variant_raw, said, language)


class Hall:
    def __init__(self, store: Store, workers: Workers) -> None:
        self._store, self._workers = store, workers
        self._rooms: AsyncCache[LiveRoom] = AsyncCache(MOST_ROOMS)
        self._under_way: set[asyncio.Task[None]] = set()
        self._bells: set[WakeEvent] = set()
        self.streams = 0
        self.closing = False

    async def room(self, row: Any) -> LiveRoom:
        """Made from what is stored if it is not there yet."""
        room = await self._rooms.get(row.id, lambda: self._made(row))
        if row.revision > room.row.revision:
            room.moved(row)
        return room

    def counting(self, room: LiveRoom, who: str, raw: bytes) -> None:
        """In the background: whoever answered need not wait for it."""
        task = asyncio.create_task(room.count(who, raw))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def enter(self, bell: WakeEvent) -> None:
        self.streams += 1
        self._bells.add(bell)

    def leave(self, bell: WakeEvent) -> None:
        self.streams -= 1
        self._bells.discard(bell)

    async def stop(self) -> None:
        """Streams end by themselves; what was answered is in the store."""
        self.closing = True
        for bell in tuple(self._bells):
            bell.ring()
        for task in tuple(self._under_way):
            task.cancel()

    async def _made(self, row: Any) -> LiveRoom:
        raw = await self._store.read(lambda connection: raw_of(connection, row.variant))
        posed = await self._workers.lane(MARKING, tries=TRIES).run(tasks.pose, raw, row.language, page=True)
        room = LiveRoom(row, raw, frozenset(each.id for each in posed.tree.nodes), self._workers)
        answers = await self._store.read(lambda connection: hall_queries.all_answers(connection, row.id))
        await asyncio.gather(*(room.count(who, answer) for who, answer in answers))
        return room


def hall_of(service: Service) -> Hall:
    assert isinstance(service.hall, Hall)
    return service.hall
