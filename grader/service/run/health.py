"""Whether the service is there and can work, what it offers as OpenAPI and as a page, and its figures."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, TypeVar

import orjson
from fastapi import APIRouter, Request, Response
from sqlalchemy import update
from starlette.responses import HTMLResponse

from grader.service.base.service_problems import ServiceProblem, StoreUnavailable, general_problem
from grader.service.http.access import Who
from grader.service.http.json_bodies import json_response, shape
from grader.service.http.metrics import CONTENT_TYPE, may_see_figures
from grader.service.http.request_middleware import style_nonce
from grader.service.http.routing import ApiCall, DirectRoute, Gives, problem_answers, route
from grader.service.http.service import Service
from grader.service.store.tables import meta
from grader.service.store.transaction import Transaction

STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "summary{cursor:pointer}code,pre{font-family:ui-monospace,monospace;font-size:.9em}"
    "pre{overflow:auto;padding:.5rem;border:1px solid}table{border-collapse:collapse}"
    "td,th{text-align:start;vertical-align:top;padding:.1rem .8rem .1rem 0}details{margin:.3rem 0}"
)
PROBLEM = 400
"""From this status on, all answers look alike."""


def reference(described: Mapping[str, Any]) -> str:
    """What the page says, the same for everybody."""
    return (
        f"<h1>Plymark’s API</h1><p>{escape(described['info']['description'])} Errors are "
        "<code>application/problem+json</code>. <code>openapi.json</code>, beside this page, is for programs.</p>\n"
        + "\n".join(_operations(described))
    )


def reference_page(content: str, nonce: str) -> str:
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>Plymark’s API</title><style nonce="{escape(nonce)}">{STYLE}</style>'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{content}\n</body></html>\n'


def _operations(described: Mapping[str, Any]) -> Iterator[str]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            title = f"<code>{method.upper()} {escape(path)}</code> {escape(operation.get('summary', ''))}"
            yield f"<details><summary>{title}</summary>{''.join(_parts(operation))}</details>"


def _parts(operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"<p>{escape(operation.get('description', ''))}</p>"
    if parameters := operation.get("parameters"):
        rows = "".join(
            f"<tr><td><code>{escape(each['name'])}</code></td><td>{escape(each['in'])}</td>"
            f"<td>{escape(each.get('description', ''))}</td></tr>"
            for each in parameters
        )
        yield f"<table><tr><th>parameter</th><th>in</th><th>meaning</th></tr>{rows}</table>"
    if body := operation.get("requestBody"):
        yield "<h4>Body</h4>" + _content(body["content"])
    problems = []
    for status, answer in operation["responses"].items():
        if int(status) >= PROBLEM:
            problems.append(status)
        else:
            yield f"<h4>{status}: {escape(answer['description'])}</h4>{_content(answer.get('content', {}))}"
    if problems:
        yield f"<p>Problems: {', '.join(problems)}.</p>"


def _content(content: Mapping[str, Any]) -> str:
    return "".join(
        f"<p><code>{escape(media)}</code></p><pre>{escape(json.dumps(each.get('schema', {}), indent=2))}</pre>"
        for media, each in content.items()
    )


router = APIRouter(route_class=DirectRoute)
T = TypeVar("T")
STATE = shape({"status": {"type": "string"}})
PATIENCE = 5.0
"""Seconds that the store has to write a row."""


@route(
    router,
    "GET",
    "/healthz",
    {200: Gives("The process is there", STATE)},
    who=Who.EVERYBODY,
    always_open=True,
    about="Is it alive?",
)
async def healthz(_call: ApiCall) -> Response:
    return json_response({"status": "ok"})


@route(router, "GET", "/readyz", {200: Gives("The store can be written and workers are there", STATE)},
       who=Who.EVERYBODY, always_open=True,
       about="Can it work?")  # fmt: skip
async def readyz(call: ApiCall) -> Response:
    try:
        async with asyncio.timeout(PATIENCE):
            await call.service.store.write(_write)
    except (StoreUnavailable, TimeoutError):
        raise _not_ready("the store cannot be written") from None
    if not call.service.workers.pids:
        raise _not_ready("there are no workers")
    return json_response({"status": "ok"})


@route(router, "GET", "/api/openapi.json", {200: Gives("This description", {"type": "object"})}, who=Who.EVERYBODY,
       about="The API as OpenAPI describes it")  # fmt: skip
async def openapi(call: ApiCall) -> Response:
    return Response(_kept(call, "openapi_bytes", orjson.dumps), media_type="application/json")


@route(
    router,
    "GET",
    "/api/docs",
    {200: Gives("A page", {"type": "string"}, "text/html")},
    who=Who.EVERYBODY,
    about="The API as a page",
)
async def docs(call: ApiCall) -> Response:
    return HTMLResponse(reference_page(_kept(call, "reference", reference), style_nonce(call.request)))


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    description="For this machine itself, or with a token of their own.",
    operation_id="metrics",
    response_class=Response,
    responses={
        200: {"description": "Figures", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **problem_answers([400, 404, 500]),
    },
)
async def metrics(request: Request) -> Response:
    service: Service = request.app.state.service
    if not may_see_figures(request, service.settings.metrics_token, service.proxies):
        raise general_problem(404)
    return Response(service.metrics.text(), media_type=CONTENT_TYPE)


def _kept(call: ApiCall, name: str, make: Callable[[dict[str, Any]], T]) -> T:
    """What is made of the description, which never changes while the service runs."""
    app = call.request.app
    if not hasattr(app.state, name):
        setattr(app.state, name, make(app.openapi()))
    made: T = getattr(app.state, name)
    return made


def _write(tx: Transaction) -> None:
    tx.execute(update(meta).where(meta.c.name == "created").values(value=meta.c.value))


def _not_ready(why: str) -> ServiceProblem:
    return ServiceProblem(503, "not-ready", why, headers={"Retry-After": "2"})
