"""Whether the service is there and can work, what it offers, and its figures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import orjson
from fastapi import APIRouter, Request, Response
from sqlalchemy import update
from starlette.responses import HTMLResponse

from grader.service.access.who import Who
from grader.service.api.bodies import answer, shape
from grader.service.api.reference_page import reference, reference_page
from grader.service.api.routing import ApiCall, DirectRoute, Gives, problem_answers, route
from grader.service.edge.headers import style_nonce
from grader.service.edge.metrics import CONTENT_TYPE, may_see_figures
from grader.service.problems import ServiceProblem, general_problem
from grader.service.service import Service
from grader.service.store.errors import StoreUnavailable
from grader.service.store.schema import meta
from grader.service.store.transaction import Transaction

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
    return answer({"status": "ok"})


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
    return answer({"status": "ok"})


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
