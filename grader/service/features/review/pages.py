"""`/teach/a/{a}/review`: equal answers that a person should look at, and what was decided."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.service.base.clock import now
from grader.service.features.assignments.queries import one_described
from grader.service.features.classes.queries import assignment_overview
from grader.service.features.review import api as review_api
from grader.service.features.review import queries as review_queries
from grader.service.features.review.api import Decided
from grader.service.http.access import TEACHER, Who
from grader.service.http.page_calls import TYPED, PageCall
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render

router = APIRouter()


@page(router, "GET", "/teach/a/{a}/review", who=Who.STAFF)
async def show_review(call: PageCall) -> Response:
    """Equal answers together, those of most students first."""
    row = call.row("a")

    def read(connection: Connection) -> dict[str, Any]:
        found = review_queries.to_review(connection, row.id)
        return {
            "about": assignment_overview(connection, one_described(connection, row), now()),
            "groups": sorted(found, key=lambda each: (-each.count, each.id)),
            "decided": review_queries.decided(connection, row.id),
        }

    return render(
        call, "review/review.html", **await call.service.store.read(read), teacher=call.member.role == TEACHER
    )


@page(router, "POST", "/teach/a/{a}/review/{id}", who=Who.STAFF)
async def decide(call: PageCall) -> Response:
    fields = Decided.of({"marks": call.form["marks"].translate(TYPED), "reason": call.form["reason"]})
    await review_api.decide_marks(call, call.request.path_params["id"], fields)
    return redirect(call, f"/teach/a/{call.row('a').id}/review")
