"""`/teach/c/{c}/members`: who is in a course, the links by which they come in, and whether names are shown."""

from __future__ import annotations

import codecs
import csv
import re
from base64 import b64encode
from collections.abc import Sequence
from itertools import count
from typing import Any

from fastapi import APIRouter, Response

from grader.kernel.csv_sheets import csv_bytes
from grader.people.roster import FIRST_NAMES, LAST_NAMES, LOGIN_COLUMNS, NAME_COLUMNS
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.members import api as members_api
from grader.service.features.members import queries as members_queries
from grader.service.features.members.api import Members, members_of_sheet
from grader.service.features.members.queries import Person, people_of
from grader.service.http.access import Who
from grader.service.http.body_limits import UPLOAD
from grader.service.http.page_calls import NAMES_COOKIE, NAMES_OFF, PageCall, own_path
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import list_people, qr_picture, render
from grader.service.http.routing import link_url, only_here
from grader.service.store.tables import member
from grader.service.store.transaction import Transaction
from solver.kernel import quoted

router = APIRouter()
Linked = list[tuple[Person, str]]
TITLES = {*NAME_COLUMNS, *FIRST_NAMES, *LAST_NAMES}
"""Of columns that hold names and tell nobody apart."""
ID = re.compile(r"[^\s/\\\x00-\x1f]{1,64}")
IDS = "an id has at most 64 characters, and among them no space and no slash"


@page(router, "GET", "/teach/c/{c}/members", who=Who.TEACHER)
async def show_members(call: PageCall) -> Response:
    return await _shown(call)


@page(router, "POST", "/teach/c/{c}/members", who=Who.TEACHER, limit=UPLOAD)
async def add_members(call: PageCall) -> Response:
    """Links of those who are new are shown once; what is wrong with the list is told beside it."""
    try:
        wanted = numbered(listed(call.form["lines"], call.form["role"] or None), await _people(call))
        put = await members_api.save_members(call, Members.of({"members": wanted}))
    except ServiceProblem as found:
        return await _shown(call, found)
    new = {code: secret for code, secret in put if secret is not None}
    return _links(call, [(each, new[each.code]) for each in await _people(call) if each.code in new], len(put))


@page(router, "POST", "/teach/c/{c}/links", who=Who.TEACHER)
async def renew_links(call: PageCall) -> Response:
    """Of all students whose accounts are for this course alone: the old links are dead, which the page asks about
    first."""
    if not call.form["sure"]:
        raise ServiceProblem(422, "not-sure", "tick the box that says that the old links will no longer work")
    students = [each for each in await _people(call) if each.role == "student"]
    course, who = call.course.id, call.person.id

    def write(tx: Transaction) -> tuple[Linked, list[Person]]:
        rows = {row.id: row for row in tx.execute(member.select().where(member.c.course == course))}
        further = [each for each in students if members_queries.reaches_further(tx.connection, rows[each.id])]
        wanted = [each for each in students if each not in further]
        return [(each, members_queries.renew_link(tx, who, course, rows[each.id])) for each in wanted], further

    made, further = await call.service.store.write(write)
    return _sheet(call, made) if call.form["as"] == "csv" else _links(call, made, left_out=further)


@page(router, "POST", "/teach/c/{c}/members/{m}/role", who=Who.TEACHER)
async def change_role(call: PageCall) -> Response:
    of = call.row("m")
    if of.id == call.member.id:
        raise ServiceProblem(409, "yourself", "you cannot change your own role")
    await members_api.save_members(call, Members.of({"members": [{"id": of.code, "role": call.form["role"]}]}))
    return _back(call)


@page(router, "POST", "/teach/c/{c}/members/{m}/link", who=Who.TEACHER)
async def renew_link(call: PageCall) -> Response:
    of = call.row("m")
    secret = await members_api.replace_link(call, of)
    return _links(call, [(each, secret) for each in await _people(call) if each.id == of.id])


@page(router, "POST", "/teach/c/{c}/members/{m}/remove", who=Who.TEACHER)
async def remove_member(call: PageCall) -> Response:
    await members_api.dismiss_member(call, call.row("m"))
    return _back(call)


async def _shown(call: PageCall, problem: ServiceProblem | None = None) -> Response:
    members = list_people(call, await _people(call))
    status = 200 if problem is None else problem.status
    return render(
        call, "members/members.html", status, members=members, own=call.member.id, problem=problem, form=call.form
    )


def listed(lines: str, role: str | None) -> list[dict[str, Any]]:
    """Members from what was pasted: a sheet with a line of titles, or lines of an id, a name and an address. Who is
    given by name alone has no id yet."""
    rows = [line for line in lines.splitlines() if line.strip()]
    if not rows:
        raise ServiceProblem(422, "sheet", "write a line for each member")
    try:
        found = members_of_sheet(lines.encode())
    except ServiceProblem:
        titles = [each.casefold() for each in _cells(rows[0])]
        if titles[0] in LOGIN_COLUMNS:
            # A line of titles: it is a sheet, and something in it is wrong.
            raise
        found = _named(titles, rows[1:]) if TITLES.issuperset(titles) else [_member(line) for line in rows]
        if not found:
            raise
    return [{**each, "role": role} for each in found]


def _cells(line: str) -> list[str]:
    """What is between commas, semicolons or tabs."""
    separator = next((each for each in "\t;," if each in line), ",")
    return [each.strip() for each in next(csv.reader([line], delimiter=separator))]


def _named(titles: list[str], lines: list[str]) -> list[dict[str, Any]]:
    """From a sheet that has nothing but names: whole ones, or first and last names."""
    last_first = titles[0] in LAST_NAMES
    found = [_cells(line) for line in lines]
    names = (" ".join(each for each in (reversed(cells) if last_first else cells) if each) for cells in found)
    return [{"id": None, "name": name, "email": None} for name in names if name]


def _member(line: str) -> dict[str, Any]:
    """Whatever has an @ is an address. No id has a space in it."""
    cells = _cells(line)
    mail = next((each for each in cells[1:] if "@" in each), None)
    code = None if len(cells[0].split()) > 1 else cells[0]
    name = " ".join(each for each in cells[code is not None :] if each and each != mail)
    return {"id": code, "name": name or None, "email": mail}


def numbered(found: list[dict[str, Any]], people: Sequence[Person]) -> list[dict[str, Any]]:
    """Ids for those who have none: of the only one in the course who is called so, or else the next that is free."""
    for each in found:
        if each["id"] is not None and not ID.fullmatch(each["id"]):
            raise ServiceProblem(422, "member-id", f"{quoted(each['id'])} cannot be an id: {IDS}")
    taken = {each.code for each in people} | {each["id"] for each in found}
    called: dict[str, list[str]] = {}
    for person in people:
        called.setdefault(person.name, []).append(person.code)
    free = (code for code in (f"s{number:02}" for number in count(1)) if code not in taken)
    made = []
    for each in found:
        known = called.get(each["name"], []) if each["id"] is None else []
        made.append({**each, "id": each["id"] or (known[0] if len(known) == 1 else next(free))})
    return made


async def _people(call: PageCall) -> list[Person]:
    course = call.course.id
    return await call.service.store.read(lambda connection: people_of(connection, course))


def _back(call: PageCall) -> Response:
    return redirect(call, f"/teach/c/{call.course.id}/members")


def _links(call: PageCall, made: Linked, changed: int = 0, left_out: Sequence[Person] = ()) -> Response:
    """A page to print: links are stored hashed, so they are shown now and never again."""
    links = [(each, link_url(call, secret)) for each, secret in made]
    told = [{"person": each, "link": link, "qr": qr_picture(link)} for each, link in links]
    saved = f"data:text/csv;charset=utf-8;base64,{b64encode(_sheet_bytes(links)).decode()}"
    return render(
        call,
        "members/links.html",
        links=told,
        sheet=saved,
        changed=changed,
        left_out=left_out,
        local=only_here(call),
        language_next=f"/teach/c/{call.course.id}",
    )


def _sheet(call: PageCall, made: Linked) -> Response:
    content = _sheet_bytes([(each, link_url(call, secret)) for each, secret in made])
    headers = {"Content-Disposition": f'attachment; filename="links-{call.course.id}.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


def _sheet_bytes(links: Linked) -> bytes:
    """Whoever joins by code chooses a name, so that every cell is made safe."""
    rows = [[each.code, each.name, each.email or "", link] for each, link in links]
    return codecs.BOM_UTF8 + csv_bytes([["id", "name", "email", "link"], *rows])


@page(router, "POST", "/teach/names", who=Who.SIGNED_IN)
async def switch_names(call: PageCall) -> Response:
    response = redirect(call, own_path(call.form["next"]))
    settings = call.service.settings
    if call.form["names"] == NAMES_OFF:
        response.set_cookie(
            NAMES_COOKIE, NAMES_OFF, path=settings.path or "/", secure=settings.secure, httponly=True, samesite="lax"
        )
    else:
        response.delete_cookie(
            NAMES_COOKIE, settings.path or "/", secure=settings.secure, httponly=True, samesite="lax"
        )
    return response
