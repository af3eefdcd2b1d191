"""What a person should look at, decided once for all equal answers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from grader.service.features.review import queries as review_queries
from grader.service.http.access import Who, unknown
from grader.service.http.json_bodies import SCHEMA, Body, items, json_response, no_content, read_marks, shape
from grader.service.http.routing import AFTER, LIMIT, ApiCall, Gives, page, route
from grader.service.rules.grade_counting import check_override
from grader.service.store.transaction import Transaction


class Decided(Body):
    marks: Annotated[Any, Field(json_schema_extra=SCHEMA)]
    reason: str = ""


async def decide_marks(call: ApiCall, review_id: str, fields: Decided) -> None:
    """For all answers that are equal to one."""
    marks, assignment = read_marks(fields.marks), call.row("a").id

    def write(tx: Transaction) -> None:
        about = review_queries.equal_answers(tx.connection, assignment, review_id)
        if about is None:
            raise unknown()
        check_override(marks, about.out_of)
        review_queries.decide(tx, call.person.id, call.course.id, assignment, about, marks, fields.reason)

    await call.service.store.write(write)
    call.service.marking.wake()


router = APIRouter()
TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
ITEM = shape(
    {"id": TEXT, "question": TEXT, "item": TEXT, "given": TEXT, "count": NUMBER, "why": TEXT}, {"part": NUMBER}
)


@route(router, "GET", "/api/assignments/{a}/review", {200: Gives("Equal answers together", items(ITEM))}, who=Who.STAFF,
       about="What a person should look at", queries=[LIMIT, AFTER])  # fmt: skip
async def list_review(call: ApiCall) -> Response:
    wanted, assignment = page(call), call.row("a").id
    equal_answers = await call.service.store.read(lambda connection: review_queries.to_review(connection, assignment))
    following = [each for each in equal_answers if wanted.after is None or each.id > wanted.after]
    shown = following[: wanted.limit]
    more = len(following) > len(shown)
    return json_response({"items": [each.data for each in shown], "next": shown[-1].id if more else None})


@route(router, "POST", "/api/assignments/{a}/review/{id}", {204: Gives("All equal answers have these marks")},
       who=Who.STAFF,
       about="Give marks to equal answers, those to come as well", body=Decided)  # fmt: skip
async def decide_review(call: ApiCall) -> Response:
    await decide_marks(call, call.request.path_params["id"], await call.fields(Decided))
    return no_content()
