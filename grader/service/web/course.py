"""`/c/{course}`: what there is to do, by when, and what became of what was handed in."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.access.who import Who
from grader.service.clock import now
from grader.service.web.calls import PageCall
from grader.service.web.pages import page
from grader.service.web.rendering import render
from grader.service.web.standing_views import all_assigned

router = APIRouter()


@page(router, "GET", "/c/{c}", who=Who.MEMBERS)
async def show_course(call: PageCall) -> Response:
    course, member, at = call.course.id, call.member, now()
    found = await call.service.store.read(lambda connection: all_assigned(connection, course, member, at))
    return render(call, "course.html", assignments=found, role=member.role)
