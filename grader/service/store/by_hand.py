"""Marks that people gave by hand, as far as marking applies them: to items and questions of one member, and to all
equal answers. The total of a member is decided after lateness, which marking knows nothing of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select

from grader.service.store.schema import decision, override

_overrides = (
    select(override)
    .where(
        override.c.assignment == bindparam("assignment_id"),
        override.c.member == bindparam("member_id"),
        override.c.question != "",
    )
    .order_by(override.c.question, override.c.item)
)
_decisions = (
    select(decision)
    .where(decision.c.assignment == bindparam("assignment_id"))
    .order_by(decision.c.question, decision.c.item, decision.c.given)
)
Applied = Mapping[str, str]
"""`{question, item, marks, reason}`, with `given` where it is about all equal answers: what the worker's task takes."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """Whatever might apply to what a member hands in."""

    own: Sequence[Applied] = ()
    equal: Sequence[Applied] = ()

    def applying_to(self, review: Iterable[Mapping[str, Any]]) -> list[Applied]:
        """What does, by the answers that a person should look at."""
        looked_at = {(each["question"], each["item"], each["given"]) for each in review} if self.equal else set()
        found = [each for each in self.equal if (each["question"], each["item"], each["given"]) in looked_at]
        return [*self.own, *found]


def by_hand_of(connection: Connection, assignment_id: str, member_id: str) -> ByHand:
    keys = {"assignment_id": assignment_id, "member_id": member_id}
    own = [_applied(row) for row in connection.execute(_overrides, keys)]
    decided = connection.execute(_decisions, {"assignment_id": assignment_id})
    return ByHand(own, [{**_applied(row), "given": row.given} for row in decided])


def by_hand_sha256(applied: Sequence[Applied]) -> str:
    """Empty where nothing applies."""
    if not applied:
        return ""
    written = json.dumps([dict(each) for each in applied], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def _applied(row: Any) -> dict[str, str]:
    return {"question": row.question, "item": row.item, "marks": row.marks, "reason": row.reason}
