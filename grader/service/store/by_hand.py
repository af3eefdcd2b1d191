"""Marks that people gave by hand, as far as marking applies them: to items and questions of one member, and to all
equal answers. The total of a member is decided after lateness, which marking knows nothing of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, select

from grader.service.store.schema import decision, override
from grader.service.work.records import ReviewEntry

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
"""`{question, item, marks, reason}`: what the worker's task takes."""
NOT_ASKED = "ignored"
"""Why a person should look at what answers no question. It says nothing of the rest of the answer: whoever wrote the
same need not have earned the same, and nothing is decided about all of them at once."""
LONGEST_GIVEN = 400
"""Characters; of what is longer, indexes hold the hash."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """Whatever might apply to what a member hands in."""

    own: Sequence[Applied] = ()
    equal: Mapping[tuple[str, str, str], Applied] = field(default_factory=dict)
    """By question, item and what was given."""

    def applying_to(self, review: Iterable[ReviewEntry]) -> list[Applied]:
        """What does, by the answers that a person should look at; what is a member's own comes last, and holds."""
        if not self.equal:
            return list(self.own)
        looked_at = {(each.question, each.item, given_key(each.given)) for each in review if each.why != NOT_ASKED}
        return [*(applied for key, applied in self.equal.items() if key in looked_at), *self.own]


def by_hand_of(connection: Connection, assignment_id: str, member_id: str) -> ByHand:
    keys = {"assignment_id": assignment_id, "member_id": member_id}
    own = [_applied(row) for row in connection.execute(_overrides, keys)]
    decided = connection.execute(_decisions, {"assignment_id": assignment_id})
    return ByHand(own, {(row.question, row.item, row.given): _applied(row) for row in decided})


def all_by_hand(connection: Connection, assignment_id: str) -> Callable[[str], ByHand]:
    """Of any member, found in two readings."""
    whole = select(override).where(override.c.assignment == assignment_id, override.c.question != "")
    own: dict[str, list[Applied]] = {}
    for row in connection.execute(whole.order_by(override.c.question, override.c.item)):
        own.setdefault(row.member, []).append(_applied(row))
    equal = by_hand_of(connection, assignment_id, "").equal
    return lambda member_id: ByHand(own.get(member_id, ()), equal)


def given_key(given: str) -> str:
    """What equal answers to a question or an item have in common."""
    return given if len(given) <= LONGEST_GIVEN else f"sha256:{hashlib.sha256(given.encode()).hexdigest()}"


def by_hand_sha256(applied: Sequence[Applied]) -> str:
    """Empty where nothing applies."""
    if not applied:
        return ""
    written = json.dumps([dict(each) for each in applied], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def _applied(row: Any) -> dict[str, str]:
    return {"question": row.question, "item": row.item, "marks": row.marks, "reason": row.reason}
