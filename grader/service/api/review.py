"""What a person should look at, decided once for all equal answers."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.access.who import Who
from grader.service.api.bodies import answer, items, nothing, shape
from grader.service.api.decisions import Decided, decide
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, route
from grader.service.store import review

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
    found = await call.service.store.read(lambda connection: review.to_review(connection, assignment))
    following = [each for each in found if wanted.after is None or each.id > wanted.after]
    shown = following[: wanted.limit]
    more = len(following) > len(shown)
    return answer({"items": [each.data for each in shown], "next": shown[-1].id if more else None})


@route(router, "POST", "/api/assignments/{a}/review/{id}", {204: Gives("All equal answers have these marks")},
       who=Who.STAFF,
       about="Give marks to equal answers, those to come as well", body=Decided)  # fmt: skip
async def decide_review(call: ApiCall) -> Response:
    await decide(call, call.request.path_params["id"], await call.fields(Decided))
    return nothing()
