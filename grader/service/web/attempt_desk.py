"""An attempt on its page: what is asked, what was written so far, and how that is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, bindparam, select

from grader.service import tasks
from grader.service.access.scope import unknown
from grader.service.api.attempts import read_parts
from grader.service.api.spelt import read_answers
from grader.service.edge.bodies import ANSWER
from grader.service.problems import ServiceProblem
from grader.service.store.attempts import Desk, SavedDraft, desk_of, draft_of
from grader.service.store.schema import attempt
from grader.service.store.variants import StoredVariant, raw_reader, variant_of
from grader.service.web.calls import PageCall
from grader.service.web.sheet import WholeSheet, all_with_reading, answers_of, fields_of, saved_answers, whole_sheet
from grader.service.work.lanes import MARKING

_own = select(attempt.c.member, attempt.c.assignment).where(attempt.c.id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class OpenDesk:
    desk: Desk
    variants: Sequence[StoredVariant]
    """One for each part."""
    draft: SavedDraft | None
    posed: Sequence[tasks.PosedExercise]
    """Of each part."""

    @property
    def revision(self) -> int:
        return 0 if self.draft is None else self.draft.revision

    @property
    def saved(self) -> dict[str, Any]:
        """The answers of the draft."""
        return {} if self.draft is None else saved_answers(self.draft.answers)


async def open_desk(call: PageCall, attempt_id: str) -> OpenDesk:
    """404 for an attempt that is not the caller's, or of another assignment."""
    desk, variants, draft = await call.service.store.read(lambda connection: _found(connection, call, attempt_id))
    posed = [await posed_for(call, each.sha256, raw_reader(each), desk.row.language) for each in variants]
    return OpenDesk(desk, variants, draft, posed)


async def posed_for(
    call: PageCall, sha256: str, read: Callable[[Connection], bytes], language: str
) -> tasks.PosedExercise:
    """What a document asks, with a tree to write on. Never refused for the queue's depth: a class begins at once."""

    async def pose() -> tasks.PosedExercise:
        raw = await call.service.store.read(read)
        return await call.service.workers.lane(MARKING).run(tasks.pose, raw, language, page=True)

    return await call.service.posed.get((sha256, language, "page"), pose)


def written_answers(call: PageCall, posed: Sequence[tasks.PosedExercise]) -> dict[str, Any]:
    """What the form holds. Boxes of the sheet come after the form's own fields, and win over those of the same name."""
    return answers_of((field for each in posed for field in fields_of(each)), dict(call.form.pairs))


def body_of(answers: Mapping[str, Any]) -> bytes:
    """The same bytes as a program would send; 413 and 422 as there."""
    raw = orjson.dumps({"answers": answers})
    if len(raw) > ANSWER.octets:
        raise ServiceProblem(413, "too-large", "the answers are larger than their limit")
    read_answers(raw)
    return raw


async def read_sheet(call: PageCall, found: OpenDesk, answers: Mapping[str, Any]) -> WholeSheet:
    """The sheet with these answers, and how each is read; nothing about right or wrong."""
    sheet = whole_sheet(found.posed, call.texts, answers)
    if not answers:
        return sheet
    return all_with_reading(sheet, await read_parts(call, found.variants, body_of(answers), found.desk.row.language))


def _found(
    connection: Connection, call: PageCall, attempt_id: str
) -> tuple[Desk, list[StoredVariant], SavedDraft | None]:
    if not _is_own(connection, call, attempt_id):
        raise unknown()
    desk = desk_of(connection, attempt_id)
    return desk, [variant_of(connection, each) for each in desk.variants], draft_of(connection, attempt_id)


def _is_own(connection: Connection, call: PageCall, attempt_id: str) -> bool:
    """Whether it is the caller's attempt at the assignment of the page."""
    row = connection.execute(_own, {"id": attempt_id}).first()
    return row is not None and row.member == call.member.id and row.assignment == call.row("a").id
