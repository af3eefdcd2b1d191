"""Members of a course: listed, added, also from a sheet, and removed; their links renewed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import Field

from grader.people.roster import read_roster
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.members import queries as members_queries
from grader.service.http.access import AnyRow, Who
from grader.service.http.body_limits import UPLOAD
from grader.service.http.json_bodies import STRING, Body, items, json_response, no_content, shape
from grader.service.http.routing import AFTER, LIMIT, ApiCall, Gives, link_url, page, route
from solver.kernel import UsageError

MOST_MEMBERS = 5_000

Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\s/\\\x00-\x1f]+$")]


class MemberFields(Body):
    id: Id
    name: Annotated[str, Field(max_length=200)] | None = None
    email: Annotated[str, Field(max_length=200)] | None = None
    role: Literal["student", "assistant", "teacher"] | None = None


class Members(Body):
    members: Annotated[list[MemberFields], Field(max_length=MOST_MEMBERS)]


async def save_members(call: ApiCall, wanted: Members) -> list[tuple[str, str | None]]:
    """Each id with the secret of its new link; a known id is updated and has none."""
    listed = [each.model_dump() for each in wanted.members]
    if len({each["id"] for each in listed}) < len(listed):
        raise ServiceProblem(422, "duplicate", "an id is listed more than once")
    return await call.service.store.write(
        lambda tx: members_queries.put_members(tx, call.person.id, call.course.id, listed)
    )


async def replace_link(call: ApiCall, of: AnyRow) -> str:
    """The secret of a member's new link."""
    return await call.service.store.write(lambda tx: members_queries.renew_link(tx, call.person.id, call.course.id, of))


async def dismiss_member(call: ApiCall, of: AnyRow) -> None:
    if of.id == call.member.id:
        raise ServiceProblem(409, "yourself", "you cannot remove yourself from a course")
    await call.service.store.write(lambda tx: members_queries.remove_member(tx, call.person.id, call.course.id, of))


def members_of_sheet(raw: bytes) -> list[dict[str, Any]]:
    """Students in the order of the sheet."""
    try:
        found = read_roster(raw, "members")
    except UsageError as error:
        raise ServiceProblem(422, "sheet", str(error)) from None
    return [{"id": each, "name": found.names.get(each), "email": found.addresses.get(each)} for each in found.ids]


router = APIRouter()

MEMBER = shape({"id": STRING, "name": STRING, "email": {"type": ["string", "null"]}, "role": STRING})
LINKED = shape({"id": STRING}, {"link": STRING})


@route(router, "GET", "/api/courses/{c}/members",
       {200: Gives("Members in the order of the roster", items(MEMBER))},
       who=Who.TEACHER,
       about="Members of a course", queries=[LIMIT, AFTER])  # fmt: skip
async def list_members(call: ApiCall) -> Response:
    wanted = page(call, number=True)
    return json_response(
        await call.service.store.read(lambda found: members_queries.members_of(found, call.course.id, wanted))
    )


@route(
    router,
    "POST",
    "/api/courses/{c}/members",
    {201: Gives("Each member, new ones with their link", shape({"members": {"type": "array", "items": LINKED}}))},
    who=Who.TEACHER,
    about="Add or update members",
    body={"application/json": {"schema": Members.schema()}, "text/csv": {"schema": STRING}},
    limit=UPLOAD,
)
async def put_members(call: ApiCall) -> Response:
    raw = await call.body()
    sheet = call.request.headers.get("content-type", "").split(";")[0].strip().lower() == "text/csv"
    wanted = Members.of({"members": members_of_sheet(raw)}) if sheet else Members.read(raw)
    put = await save_members(call, wanted)
    linked = [{"id": code} if secret is None else {"id": code, "link": link_url(call, secret)} for code, secret in put]
    return json_response({"members": linked}, 201)


@route(router, "POST", "/api/courses/{c}/members/{m}/link",
       {201: Gives("A new link; the old one is dead", LINKED)},
       who=Who.TEACHER,
       about="A new link for a member")  # fmt: skip
async def renew_link(call: ApiCall) -> Response:
    of = call.row("m")
    secret = await replace_link(call, of)
    return json_response({"id": of.code, "link": link_url(call, secret)}, 201)


@route(router, "DELETE", "/api/courses/{c}/members/{m}", {204: Gives("Their work stays, their link is dead")},
       who=Who.TEACHER,
       about="Remove a member", problems=[409])  # fmt: skip
async def remove_member(call: ApiCall) -> Response:
    await dismiss_member(call, call.row("m"))
    return no_content()
