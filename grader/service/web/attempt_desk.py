"""An attempt on its page: what is asked, what was written so far, and how that is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, bindparam, select

from grader.service.access.scope import unknown
from grader.service.api.spelt import read_answers
from grader.service.edge.bodies import ANSWER
from grader.service.problems import ServiceProblem
from grader.service.store.attempts import Desk, SavedDraft, desk_of, draft_of
from grader.service.store.schema import attempt
from grader.service.store.variants import StoredVariant, raw_of, variant_of
from grader.service.web.calls import PageCall
from grader.service.web.sheet import Sheet, answers_of, fields_of, saved_answers, sheet_of, with_reading
from grader.service.work.lanes import MARKING

_own = select(attempt.c.member, attempt.c.assignment).where(attempt.c.id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class OpenDesk:
    desk: Desk
    variant: StoredVariant
    draft: SavedDraft | None
    posed: dict[str, Any]

    @property
    def revision(self) -> int:
        return 0 if self.draft is None else self.draft.revision

    @property
    def saved(self) -> dict[str, Any]:
        """The answers of the draft."""
        return {} if self.draft is None else saved_answers(self.draft.answers)


async def open_desk(call: PageCall, attempt_id: str) -> OpenDesk:
    """404 for an attempt that is not the caller's, or of another assignment."""
    desk, variant, draft = await call.service.store.read(lambda connection: _found(connection, call, attempt_id))
    return OpenDesk(desk, variant, draft, await posed_for(call, variant, desk.row.language))


async def posed_for(call: PageCall, variant: StoredVariant, language: str) -> dict[str, Any]:
    """What is asked, with a tree to write on. Never refused for the queue's depth: a class begins at once."""

    async def pose() -> dict[str, Any]:
        raw = await call.service.store.read(lambda connection: raw_of(connection, variant.id))
        made: dict[str, Any] = await call.service.workers.run("pose", raw, language, True, lane=MARKING)
        return made

    return await call.service.posed.get((variant.sha256, language, "page"), pose)


def written_answers(call: PageCall, posed: Mapping[str, Any]) -> dict[str, Any]:
    """What the form holds. Boxes of the sheet come after the form's own fields, and win over those of the same name."""
    return answers_of(fields_of(posed), dict(call.form.pairs))


def body_of(answers: Mapping[str, Any]) -> bytes:
    """The same bytes as a program would send; 413 and 422 as there."""
    raw = orjson.dumps({"answers": answers})
    if len(raw) > ANSWER.octets:
        raise ServiceProblem(413, "too-large", "the answers are larger than their limit")
    read_answers(raw)
    return raw


async def read_sheet(call: PageCall, found: OpenDesk, answers: Mapping[str, Any]) -> Sheet:
    """The sheet with these answers, and how each is read; nothing about right or wrong."""
    sheet = sheet_of(found.posed, call.texts, answers)
    if not answers:
        return sheet
    raw = await call.service.store.read(lambda connection: raw_of(connection, found.variant.id))
    language = found.desk.row.language
    told = await call.service.workers.run("read", raw, body_of(answers), language, lane=MARKING)
    return with_reading(sheet, told)


def _found(connection: Connection, call: PageCall, attempt_id: str) -> tuple[Desk, StoredVariant, SavedDraft | None]:
    if not _is_own(connection, call, attempt_id):
        raise unknown()
    desk = desk_of(connection, attempt_id)
    return desk, variant_of(connection, desk.variants[0]), draft_of(connection, attempt_id)


def _is_own(connection: Connection, call: PageCall, attempt_id: str) -> bool:
    """Whether it is the caller's attempt at the assignment of the page."""
    row = connection.execute(_own, {"id": attempt_id}).first()
    return row is not None and row.member == call.member.id and row.assignment == call.row("a").id
