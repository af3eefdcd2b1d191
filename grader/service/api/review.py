"""What a person should look at, decided once for all equal answers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from grader.service.access.scope import unknown
from grader.service.api.bodies import Body, answer, items, nothing, shape
from grader.service.api.marks import SCHEMA, read_marks
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, route
from grader.service.rules.counting import check_override
from grader.service.store import review
from grader.service.store.transaction import Transaction

router = APIRouter()
TEXT = {"type": "string"}
ITEM = shape({"id": TEXT, "question": TEXT, "item": TEXT, "given": TEXT, "count": {"type": "integer"}, "why": TEXT})


class Decided(Body):
    marks: Annotated[Any, Field(json_schema_extra=SCHEMA)]
    reason: str = ""


@route(router, "GET", "/api/assignments/{a}/review", {200: Gives("Equal answers together", items(ITEM))},
       about="What a person should look at", queries=[LIMIT, AFTER])  # fmt: skip
async def list_review(call: ApiCall) -> Response:
    wanted, assignment = page(call), call.row("a").id
    found = await call.service.store.read(lambda connection: review.to_review(connection, assignment))
    following = [each for each in found if wanted.after is None or each.id > wanted.after]
    shown = following[: wanted.limit]
    more = len(following) > len(shown)
    return answer({"items": [each.data for each in shown], "next": shown[-1].id if more else None})


@route(router, "POST", "/api/assignments/{a}/review/{id}", {204: Gives("All equal answers have these marks")},
       about="Give marks to equal answers, those to come as well", body=Decided)  # fmt: skip
async def decide_review(call: ApiCall) -> Response:
    fields: Decided = await call.fields(Decided)
    marks, assignment = read_marks(fields.marks), call.row("a").id
    review_id = call.request.path_params["id"]

    def write(tx: Transaction) -> None:
        about = review.equal_answers(tx.connection, assignment, review_id)
        if about is None:
            raise unknown()
        check_override(marks, about.out_of)
        review.decide(tx, call.person.id, call.course.id, assignment, about, marks, fields.reason)

    await call.service.store.write(write)
    call.service.marking.wake()
    return nothing()
