"""A small app behind the whole edge, served by a real uvicorn in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from grader.service.base.addresses import Proxies, public_url
from grader.service.base.exchange import STREAMING, BodyLimit, exchange_of
from grader.service.base.service_problems import general_problem
from grader.service.http.body_limits import ANSWER, KIB, UPLOAD, body_limit
from grader.service.http.connections import ConnectionLimits, connection_room
from grader.service.http.logs import configure_logs
from grader.service.http.metrics import Metrics, add_metrics_route
from grader.service.http.request_middleware import MiddlewareSettings, RequestMiddleware, SecurityHeaders, style_nonce
from grader.service.http.server_protocol import uvicorn_options
from grader.service.http.sessions import origin_asked, require_same_origin
from grader.service.run.app import add_problem_handlers

ROOT = Path(__file__).parents[4]
PART, PARTS = b"x" * 64 * KIB, 512
METRICS_TOKEN = "metrics-token-0815"

router = APIRouter(prefix="/api")


async def signed_in(request: Request) -> None:
    if request.headers.get("authorization") != "Bearer good":
        raise general_problem(401)
    exchange_of(request.scope).person = "p-opaque-1"


@router.get("/hello")
async def hello() -> dict[str, str]:
    return {"hello": "there"}


@router.post("/body")
async def body(request: Request) -> dict[str, int]:
    return {"octets": len(await request.body())}


@router.post("/draft/{t}", dependencies=[Depends(signed_in), Depends(body_limit(ANSWER))])
async def draft(t: str, request: Request) -> dict[str, int]:  # noqa: ARG001 - the path has it
    return {"octets": len(await request.body())}


@router.post("/upload", dependencies=[Depends(body_limit(UPLOAD))])
async def upload(request: Request) -> dict[str, int]:
    return {"octets": len(await request.body())}


@router.post("/parsed")
async def parsed(given: dict[str, Any]) -> dict[str, int]:
    return {"fields": len(given)}


@router.post("/unread")
async def unread() -> dict[str, bool]:
    return {"read": False}


@router.get("/where/{link}")
async def where(link: str, request: Request) -> dict[str, Any]:  # noqa: ARG001 - the path has it
    exchange = exchange_of(request.scope)
    return {
        "client": exchange.client,
        "peer": exchange.peer,
        "url": str(request.url),
        "root": request.scope["root_path"],
        "memory": int(Path("/proc/self/statm").read_text().split()[1]) * 4,
    }


@router.get("/crash/{secret}")
async def crash(secret: str) -> None:
    raise RuntimeError(f"with {secret} in its words")


@router.get("/checked")
async def checked(count: int) -> int:
    return count


async def parts() -> AsyncIterator[bytes]:
    for _ in range(PARTS):
        yield PART


@router.get("/large")
async def large() -> StreamingResponse:
    return StreamingResponse(parts())


async def beats(pause: float, octets: int) -> AsyncIterator[bytes]:
    while True:
        yield b":" + b"x" * octets + b"\n\n"
        await asyncio.sleep(pause)


@router.get("/stream")
async def stream(request: Request, pause: float, octets: int) -> StreamingResponse:
    request.scope[STREAMING]()
    return StreamingResponse(beats(pause, octets), media_type="text/event-stream")


@router.get("/whole")
async def whole() -> Response:
    return Response(PART * PARTS)


@router.put("/changed")
async def changed(request: Request, _: Annotated[None, Depends(signed_in)]) -> None:
    require_same_origin(request, {origin_asked(request)})


def app_of(given: dict[str, Any]) -> tuple[RequestMiddleware, dict[str, Any]]:
    app = FastAPI()
    add_problem_handlers(app)
    app.include_router(router)

    @app.get("/page")
    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse(f'<style nonce="{style_nonce(request)}">p {{}}</style><p>')

    url = public_url(given.get("public_url", "http://127.0.0.1"))
    proxies = Proxies(given.get("proxies", ()), url.prefix)
    metrics = Metrics()
    add_metrics_route(app, metrics, METRICS_TOKEN, proxies)
    headers = SecurityHeaders(url.https)
    settings = MiddlewareSettings(proxies, headers, metrics, BodyLimit(256 * KIB, given.get("body_seconds", 10.0)))
    limits = {"in_all": connection_room(), **given.get("limits", {})}
    return RequestMiddleware(app, settings), uvicorn_options(ConnectionLimits(**limits), metrics)


def serve(given: dict[str, Any]) -> None:
    configure_logs()
    front, options = app_of(given)
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(front, **options, loop=given.get("loop", "asyncio"))).run([listening])


class Served:
    def __init__(self, process: subprocess.Popen[str], port: int, log: Path) -> None:
        self.process, self.port, self.log = process, port, log
        self.url = f"http://127.0.0.1:{port}"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=3000)


@contextlib.contextmanager
def served(folder: Path, **given: Any) -> Iterator[Served]:
    log = folder / "log"
    command = [sys.executable, "-m", "tests.grader.service.edge.demo", json.dumps(given)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with log.open("w") as errors:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, log.read_text()
        yield Served(process, int(line), log)
    finally:
        process.terminate()
        process.communicate(timeout=300)


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
