"""The job of a regrade: every answer that was handed in, marked against another version in chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from grader.service import tasks
from grader.service.base.program import PROGRAM
from grader.service.features.exercises.queries import raw_of
from grader.service.features.jobs.queries import JobRun
from grader.service.features.regrades import queries as regrades_queries
from grader.service.features.regrades.queries import RemarkedPart, remark_parts
from grader.service.features.submissions.queries import Earned, put_reports, raws_of
from grader.service.store.transaction import Transaction
from grader.service.workers.task_results import MarkingResult
from grader.service.workers.work_problems import Stopping, WorkProblem

CHUNK = 25
SECONDS_ALONE = 10.0
MarkingWork = tuple[bytes, bytes, str, list[dict[str, str]]]
"""What `mark` takes."""
T = TypeVar("T")


async def regrade(run: JobRun) -> Any:
    """First by the rules alone, which tells what by hand applies to; then with that."""
    row = await run.store.read(lambda connection: regrades_queries.regrade_row(connection, run.payload["regrade"]))
    found = await run.store.read(lambda connection: remark_parts(connection, row.assignment, row.to_version, PROGRAM))
    plain = _distinct(each for each in found if each.plain is None)
    of = len(_distinct(found))
    done = of - len(plain)
    await run.progress(done, of)

    async def by_rules(chunk: Sequence[RemarkedPart]) -> None:
        nonlocal done
        await _mark(run, chunk, by_hand=False)
        done += len(chunk)
        await run.progress(done, of)

    async def by_hand(chunk: Sequence[RemarkedPart]) -> None:
        await _mark(run, chunk, by_hand=True)
        await run.progress(done, of)

    await run.each(_chunks(plain, CHUNK), by_rules)
    found = await run.store.read(lambda connection: remark_parts(connection, row.assignment, row.to_version, PROGRAM))
    decided = _distinct(each for each in found if each.plain is not None and each.final is None)
    await run.each(_chunks(decided, CHUNK), by_hand)
    return await run.store.write(lambda tx: regrades_queries.preview(tx, row, PROGRAM))


async def _mark(run: JobRun, chunk: Sequence[RemarkedPart], by_hand: bool) -> None:
    work = await run.store.read(
        lambda connection: [
            (raw_of(connection, each.variant), raw, each.language, [dict(one) for one in each.applied])
            for each, raw in zip(chunk, raws_of(connection, [each.submission for each in chunk]), strict=True)
        ]
    )
    found = await _marked(run, work)

    def write(tx: Transaction) -> None:
        for each, one in zip(chunk, found, strict=True):
            if one is not None:
                put_reports(tx, each.variant_sha256, [Earned(one, PROGRAM, each.overrides_sha256 if by_hand else "")])

    await run.store.write(write)


async def _marked(run: JobRun, work: list[MarkingWork]) -> list[MarkingResult | None]:
    """All at once, or each alone if one of them is too much."""
    try:
        return [*await run.bulk().run(tasks.mark_many, work)]
    except Stopping:
        raise
    except WorkProblem:
        if len(work) == 1:
            return [None]
    alone: list[MarkingResult | None] = []
    for each in work:
        try:
            alone += await run.bulk(SECONDS_ALONE).run(tasks.mark_many, [each])
        except Stopping:
            raise
        except WorkProblem:
            alone.append(None)
    return alone


def _distinct(found: Any) -> list[RemarkedPart]:
    """One of each that would have the same report."""
    kept: dict[tuple[str, str, str], RemarkedPart] = {}
    for each in found:
        kept.setdefault((each.variant_sha256, each.canonical_sha256, each.overrides_sha256), each)
    return list(kept.values())


def _chunks(all_of: Sequence[T], size: int) -> Iterator[list[T]]:
    rest = iter(all_of)
    while chunk := list(islice(rest, size)):
        yield chunk
