"""Signing in and out, passwords, and joining a course by its code."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response
from fastapi.routing import APIRouter
from pydantic import Field

from grader.service.base.exchange import exchange_of
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.accounts import queries as accounts_queries
from grader.service.features.accounts.queries import NewSession
from grader.service.features.members import queries as members_queries
from grader.service.http.access import Who, unknown_credential
from grader.service.http.json_bodies import Body, json_response, no_content, shape
from grader.service.http.routing import ApiCall, Gives, link_url, route
from grader.service.http.sessions import SHORTEST, clear_cookie, cookie_hash, link_hash, set_cookie

router = APIRouter()
TEXT = {"type": "string"}
ROLE = shape({"id": TEXT, "title": TEXT, "role": TEXT})
SIGNED_IN = shape(
    {"name": TEXT, "teaches": {"type": "boolean"}, "courses": {"type": "array", "items": ROLE}, "csrf": TEXT}
)
JOINED = shape({"course": TEXT, "id": TEXT, "link": TEXT})
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
Password = Annotated[str, Field(min_length=1, max_length=1_000)]


class SignInFields(Body):
    """Either a link, or a name and a password."""

    link: Annotated[str, Field(max_length=2_000)] | None = None
    name: Annotated[str, Field(max_length=200)] | None = None
    password: Annotated[str, Field(max_length=1_000)] | None = None


class PasswordFields(Body):
    password: Annotated[str, Field(min_length=SHORTEST, max_length=1_000)]
    current: Password | None = None
    name: Name | None = None


class JoinFields(Body):
    code: Annotated[str, Field(min_length=1, max_length=64)]
    name: Name


@route(router, "POST", "/api/session", {201: Gives("Signed in; the session is a cookie", SIGNED_IN)},
       who=Who.EVERYBODY, always_open=True,
       about="Sign in", body=SignInFields, signs_in=True)  # fmt: skip
async def sign_in(call: ApiCall) -> Response:
    fields: SignInFields = await call.fields(SignInFields)
    before = cookie_hash(call.request)
    if fields.link is not None and fields.name is None and fields.password is None:
        link = link_hash(fields.link)
        begun = await call.service.store.write(lambda tx: accounts_queries.enter_by_link(tx, link, before))
        if begun is None:
            raise unknown_credential()
    elif fields.link is None and fields.name is not None and fields.password is not None:
        person = await known_by_password(call, accounts_queries.login_name(fields.name), fields.password)
        begun = await call.service.store.write(
            lambda tx: accounts_queries.begin_session(tx, person, before, "password")
        )
    else:
        raise ServiceProblem(422, "field", "give either link, or name and password")
    return await _signed_in(call, begun)


@route(router, "DELETE", "/api/session", {204: Gives("Signed out")}, who=Who.SIGNED_IN, about="Sign out")
async def sign_out(call: ApiCall) -> Response:
    over = call.scope.session
    if over is not None:
        await call.service.store.write(lambda tx: accounts_queries.end_session(tx, over))
    response = no_content()
    clear_cookie(response, call.service.settings)
    return response


@route(router, "PUT", "/api/me/password", {204: Gives("Set; every other session is over")}, who=Who.SIGNED_IN,
       about="Set a password", body=PasswordFields, problems=[409])  # fmt: skip
async def put_password(call: ApiCall) -> Response:
    fields: PasswordFields = await call.fields(PasswordFields)
    person = call.person
    login = accounts_queries.login_name(fields.name) if fields.name is not None else person.login
    if login is None:
        raise ServiceProblem(422, "field", "name: choose the name that you will sign in with")
    if person.password is not None:
        if fields.current is None:
            raise ServiceProblem(422, "field", "current: the password that you have now is needed")
        if not await _is_right(call, person.login, person.password, fields.current):
            raise ServiceProblem(403, "password", "that is not the password that you have now")
    hashed = await call.service.passwords.hashed(fields.password)
    kept = call.scope.session
    if not await call.service.store.write(lambda tx: accounts_queries.set_password(tx, person.id, login, hashed, kept)):
        raise ServiceProblem(409, "taken", "somebody else signs in with this name; choose another")
    return no_content()


@route(router, "POST", "/api/join", {201: Gives("A new member of the course, with their link", JOINED)},
       who=Who.EVERYBODY, always_open=True,
       about="Join a course by its code", body=JoinFields, problems=[404])  # fmt: skip
async def join(call: ApiCall) -> Response:
    call.service.rates.joining(exchange_of(call.request.scope).client)
    fields: JoinFields = await call.fields(JoinFields)
    code, name = fields.code.strip().lower(), fields.name.strip()
    joined = await call.service.store.write(lambda tx: members_queries.join(tx, code, name))
    if joined is None:
        raise ServiceProblem(404, "unknown", "no course has this code")
    course_id, member_id, secret = joined
    return json_response({"course": course_id, "id": member_id, "link": link_url(call, secret)}, 201)


async def known_by_password(call: ApiCall, login: str, password: str) -> str:
    """The id of a person; 401 says nothing of whether the name or the password was wrong."""
    person = await call.service.store.read(lambda connection: accounts_queries.by_login(connection, login))
    if not await _is_right(call, login, None if person is None else person.password, password) or person is None:
        raise ServiceProblem(401, "password", "the name or the password is wrong", headers=unknown_credential().headers)
    return str(person.id)


async def _is_right(call: ApiCall, login: str, hashed: str | None, password: str) -> bool:
    rates, address = call.service.rates, exchange_of(call.request.scope).client
    await rates.password(login, address)
    right = await call.service.passwords.is_right(hashed, password)
    if right:
        await rates.password_was_right(login, address)
    return right


async def _signed_in(call: ApiCall, begun: NewSession) -> Response:
    theirs: list[dict[str, Any]] = await call.service.store.read(
        lambda connection: accounts_queries.courses_and_roles(connection, begun.person.id)
    )
    data = {"name": begun.person.name, "teaches": begun.person.teaches, "courses": theirs, "csrf": begun.csrf}
    response = json_response(data, 201)
    set_cookie(response, call.service.settings, begun.secret)
    return response
