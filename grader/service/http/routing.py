"""How a route of the API is declared: what it takes and gives for OpenAPI, who may call it, and the function that does
it; and how its parameters and links are read.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from sqlalchemy import Connection
from starlette.routing import BaseRoute, Route

from grader.service.base.exchange import BodyLimit, exchange_of
from grader.service.base.service_problems import MEDIA_TYPE, ServiceProblem, StoreUnavailable
from grader.service.http.access import CSRF_HEADER, AnyRow, Scope, Who, read_credential, resolve, unknown
from grader.service.http.body_limits import USUAL
from grader.service.http.json_bodies import Body, problem_schema
from grader.service.http.service import Service
from grader.service.http.sessions import (
    csrf_matches,
    origin_asked,
    own_origins,
    refuse_foreign_page,
    renew_session,
    require_same_origin,
)
from grader.service.store.prepared_statements import Page

SAFE = ("GET", "HEAD")


@dataclass(frozen=True, slots=True)
class Query:
    """A parameter of a URL's query, or a header."""

    name: str
    about: str
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})
    required: bool = False
    place: str = "query"


LIMIT = Query("limit", "At most this many items", {"type": "integer", "minimum": 1, "maximum": 500, "default": 50})
AFTER = Query("after", "`next` of the page before")


@dataclass(frozen=True, slots=True)
class Gives:
    """What a status means, and the shape of its body."""

    about: str
    schema: Mapping[str, Any] | None = None
    """JSON Schema; None for no body."""
    media: str = "application/json"
    also: Sequence[str] = ()
    """Other media types that the caller may ask for; their bodies are text."""


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One request that may be answered."""

    request: Request
    service: Service
    scope: Scope

    @property
    def person(self) -> AnyRow:
        assert self.scope.person is not None
        return self.scope.person

    @property
    def course(self) -> AnyRow:
        assert self.scope.course is not None
        return self.scope.course

    @property
    def member(self) -> AnyRow:
        assert self.scope.member is not None
        return self.scope.member

    def row(self, name: str) -> AnyRow:
        """What a path parameter names."""
        return self.scope.rows[name]

    def query(self, name: str) -> str | None:
        return self.request.query_params.get(name)

    async def body(self) -> bytes:
        return await self.request.body()

    async def fields(self, shape: type[Body]) -> Any:
        """The body as fields of a shape; 422 with every field that is wrong, unknown ones included."""
        return shape.read(await self.request.body())


Handler = Callable[[ApiCall], Awaitable[Response]]


def route(
    router: APIRouter,
    method: str,
    path: str,
    answers: Mapping[int, Gives],
    *,
    who: Who,
    about: str,
    problems: Sequence[int] = (),
    body: type[Body] | Mapping[str, Any] | None = None,
    queries: Sequence[Query] = (),
    limit: BodyLimit = USUAL,
    signs_in: bool = False,
    always_open: bool = False,
) -> Callable[[Handler], Handler]:
    """Adds a route. `problems` are the statuses it may answer beside those that any route may. One that signs in needs
    no token of the session before, but no page of another site may call it. One without a body takes no fields. One
    that is always open answers people who are not signed in even where the service is closed to them: otherwise nobody
    could sign in."""
    known = {query.name for query in queries if query.place == "query"}

    def add(handler: Handler) -> Handler:
        async def endpoint(request: Request) -> Response:
            service: Service = request.app.state.service
            exchange_of(request.scope).body_limit = limit
            scope = await admit(request, service, who, always_open)
            if scope.csrf is not None and method not in SAFE and not signs_in:
                _require_own_page(request, scope.csrf, service)
            await renew_if_due(service, scope)
            if signs_in:
                refuse_foreign_page(request, service.settings)
            _refuse_unknown(request, known)
            if body is None and method not in SAFE:
                Body.read(await request.body())
            return await handler(ApiCall(request, service, scope))

        endpoint.__name__ = handler.__name__
        note_rights(endpoint, who)
        router.add_api_route(
            path,
            endpoint,
            methods=[method],
            summary=about,
            operation_id=handler.__name__,
            include_in_schema=True,
            response_class=Response,
            route_class_override=DirectRoute,
            status_code=min(answers),
            responses=_responses(answers, _usual_problems(who, method, problems)),
            openapi_extra=_extra(path, body, queries, who),
        )
        return handler

    return add


def note_rights(endpoint: Callable[..., Any], who: Who) -> None:
    """For `rights`, which tells of all routes who may call them."""
    endpoint.who = who  # type: ignore[attr-defined]


def rights(routes: Iterable[BaseRoute]) -> dict[tuple[str, str], Who]:
    """Who may call what: every method and path of routes, in their order."""
    return {
        (method, route.path): who
        for route in routes
        if isinstance(route, Route) and (who := getattr(route.endpoint, "who", None)) is not None
        for method in sorted((route.methods or set()) - {"HEAD"})
    }


async def admit(request: Request, service: Service, who: Who, always_open: bool) -> Scope:
    """Who is calling and what about, before anything else is read; counted against the caller's rate."""
    exchange, credential = exchange_of(request.scope), read_credential(request)
    closed = service.settings.closed and not always_open
    if credential is None and (who.signed_in or closed):
        service.rates.address(exchange.client)
    if credential is None and not who.signed_in and not closed:
        scope = Scope()
    else:
        params = request.path_params
        if any("\0" in value for value in params.values()):
            raise unknown()

        def read(connection: Connection) -> Scope:
            caller = resolve(connection, credential, who, params, closed)
            if who is Who.SOLVERS and caller.person is not None:
                service.refuse_during_attempt(connection, caller.person.id)
            return caller

        scope = await service.store.glance(read)
    if scope.person is None:
        service.rates.address(exchange.client)
    else:
        exchange.person = scope.person.id
        service.rates.account(scope.person.id)
    return scope


class DirectRoute(APIRoute):
    """Described like any route of FastAPI's, and called without what ours do not use: dependencies, models, stacks."""

    def __init__(self, path: str, endpoint: Callable[[Request], Awaitable[Response]], **options: Any) -> None:
        super().__init__(path, endpoint, **options)

        async def app(scope: Any, receive: Any, send: Any) -> None:
            response = await endpoint(Request(scope, receive, send))
            await response(scope, receive, send)

        self.app = app


def _require_own_page(request: Request, csrf: str, service: Service) -> None:
    """What a cookie signs in must come from a page of ours, which knows the session's token."""
    require_same_origin(request, own_origins(request, service.settings))
    if not csrf_matches(csrf, request.headers.get(CSRF_HEADER)):
        raise ServiceProblem(403, "csrf", "the page is out of date; load it again")


async def renew_if_due(service: Service, scope: Scope) -> None:
    """Reading goes on where nothing can be written."""
    if scope.is_renewal_due and scope.session is not None:
        used = scope.session
        with suppress(StoreUnavailable):
            await service.store.write(lambda tx: renew_session(tx, used))


def _refuse_unknown(request: Request, known: set[str]) -> None:
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in known:
            raise ServiceProblem(422, "parameter", f"the parameter {name[:60]!r} is not known here")
        if "\0" in request.query_params[name]:
            raise ServiceProblem(422, "parameter", f"the parameter {name!r} holds a character that is no text")
        if given.count(name) > 1:
            raise ServiceProblem(422, "parameter", f"the parameter {name!r} is given more than once")


def _usual_problems(who: Who, method: str, more: Sequence[int]) -> list[int]:
    statuses = {400, 401, 422, 429, 500, 503, *more}
    if who.signed_in or method not in SAFE:
        statuses |= {403}
    if who.roles or who.owner:
        statuses |= {404}
    if method not in SAFE:
        statuses |= {408, 413}
    return sorted(statuses)


def _responses(answers: Mapping[int, Gives], problems: Sequence[int]) -> dict[int | str, dict[str, Any]]:
    responses: dict[int | str, dict[str, Any]] = {}
    for status, answer in answers.items():
        responses[status] = {"description": answer.about}
        if answer.schema is not None:
            others = {media: {"schema": {"type": "string"}} for media in answer.also}
            responses[status]["content"] = {answer.media: {"schema": dict(answer.schema)}, **others}
    return {**problem_answers(problems), **responses}


def problem_answers(statuses: Sequence[int]) -> dict[int | str, dict[str, Any]]:
    content = {MEDIA_TYPE: {"schema": problem_schema()}}
    return {status: {"description": "A problem", "content": content} for status in statuses}


def _extra(
    path: str,
    body: type[Body] | Mapping[str, Any] | None,
    queries: Sequence[Query],
    who: Who,
) -> dict[str, Any]:
    text = {"type": "string"}
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": text} for name in re.findall(r"{(\w+)}", path)
    ]
    parameters += (
        {
            "name": query.name,
            "in": query.place,
            "required": query.required,
            "description": query.about,
            "schema": dict(query.schema),
        }
        for query in queries
    )
    extra: dict[str, Any] = {"parameters": parameters} if parameters else {}
    if body is not None:
        content = dict(body) if isinstance(body, Mapping) else {"application/json": {"schema": body.schema()}}
        # An empty body means an object without fields, which will do where none is needed.
        needed = any(each.get("schema", {}).get("required") for each in content.values())
        extra["requestBody"] = {"content": content, "required": needed}
    extra["description"] = f"For {who.value}."
    if who.signed_in:
        extra["security"] = [{"bearer": []}, {"session": []}]
    return extra


USUAL_LIMIT, MOST_ITEMS = 50, 500
LONGEST_KEY = 64


def page(call: ApiCall, number: bool = False) -> Page:
    limit, after = call.query("limit"), call.query("after")
    if limit is not None and not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:9]) <= MOST_ITEMS):
        raise ServiceProblem(422, "parameter", f"limit: a whole number from 1 to {MOST_ITEMS}")
    if after is not None and (
        len(after) > LONGEST_KEY or (number and not (after.isascii() and after.isdigit() and len(after) < 19))
    ):
        raise ServiceProblem(422, "parameter", "after: what `next` of the page before says")
    return Page(int(limit) if limit else USUAL_LIMIT, after)


def base_url(call: ApiCall) -> str:
    """How the caller reaches the service: the public URL, or what they asked for."""
    return call.service.settings.base or origin_asked(call.request)


def link_url(call: ApiCall, secret: str) -> str:
    return f"{base_url(call)}/in/{secret}"


def only_here(call: ApiCall) -> bool:
    """Whether the address of the service leads to nothing on any other machine."""
    host = urlsplit(base_url(call)).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


MOST_PARTS = 100


def number_asked(call: ApiCall, name: str, most: int) -> int | None:
    """A parameter that is a whole number from 1; 422 for anything else."""
    written = call.query(name)
    if written is None:
        return None
    if not (written.isascii() and written.isdigit() and len(written) <= 9 and int(written)):
        raise ServiceProblem(422, "parameter", f"{name}: a whole number from 1 to {most:,}")
    return int(written)


def chosen(call: ApiCall, name: str, known: tuple[str, ...]) -> str:
    """A parameter that is one of some words, the first unless it is given."""
    written = call.query(name)
    if written is not None and written not in known:
        raise ServiceProblem(422, "parameter", f"{name}: one of {', '.join(known)}")
    return written or known[0]
