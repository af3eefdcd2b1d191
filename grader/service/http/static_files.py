"""Style sheets, scripts and pictures of the pages: read once, and kept by browsers for as long as they do not change.

All are under one name made of their contents, so that a module finds the others beside it, and a new release is a new
name. They hold nothing about anybody and are sent to everybody.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request, Response

from grader.service.base.service_problems import general_problem

FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, max-age=0, must-revalidate"
PATH = "/static/{release}/{name:path}"
router = APIRouter()


@dataclass(frozen=True, slots=True)
class StaticFile:
    kind: str
    raw: bytes
    packed: bytes
    etag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """By name; what others wrote is in the folder `vendor`."""
    found = sorted(file for file in FOLDER.rglob("*") if file.suffix in KINDS)
    return {file.relative_to(FOLDER).as_posix(): _read(file) for file in found}


@cache
def release() -> str:
    """A name for all files as they are now."""
    told = "".join(f"{name} {each.etag}\n" for name, each in static_files().items())
    return sha256(told.encode()).hexdigest()[:16]


def static_path(name: str) -> str:
    """Where a file is; KeyError for one that is not there."""
    return f"/static/{release()}/{static_files()[name] and name}"


async def send(request: Request) -> Response:
    name, asked = request.path_params["name"], request.path_params["release"]
    found = static_files().get(name)
    if found is None:
        raise general_problem(404)
    caching = FOR_EVER if asked == release() else ASK_AGAIN
    headers = {"Cache-Control": caching, "ETag": found.etag, "Vary": "Accept-Encoding"}
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.packed, 200, {**headers, "Content-Encoding": "gzip"}, found.kind)
    return Response(found.raw, 200, headers, found.kind)


def _read(file: Path) -> StaticFile:
    raw = file.read_bytes()
    packed = gzip.compress(raw, 9, mtime=0)
    return StaticFile(KINDS[file.suffix], raw, packed, f'"{sha256(raw).hexdigest()[:32]}"')


router.add_route(PATH, send, ["GET", "HEAD"], include_in_schema=False)
