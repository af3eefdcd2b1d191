"""Templates, and what every one of them may use; long lists a part at a time, and QR codes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import urlencode

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from grader.service.base.clock import now
from grader.service.http.access import STUDENT
from grader.service.http.page_calls import PageCall
from grader.service.http.request_middleware import style_nonce
from grader.service.http.static_files import static_path
from grader.service.rules.times import moment_text
from solver.languages import LANGUAGES

TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(call: PageCall, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page. Beside its own context a template has:

    `t` (sentences), `url` (of a path of ours), `static` (of a file), `person`, `course`, `staff` (whether the reader
    runs the course), `csrf`, `here` (the path),
    `utc` (a moment for programs), `nonce` (a function: of the page's own styles), `languages`, `now`."""
    about = {
        "t": call.texts,
        "url": call.url,
        "static": lambda name: call.url(static_path(name)),
        "person": call.scope.person,
        "course": call.scope.course,
        "staff": call.scope.member is not None and call.scope.member.role != STUDENT,
        "csrf": call.scope.csrf or "",
        "here": call.here,
        "utc": moment_text,
        "nonce": lambda: style_nonce(call.request),
        "languages": LANGUAGES,
        "now": now(),
    }
    html = environment().get_template(template).render({**about, **context})
    return HTMLResponse(html, status, headers={"Content-Language": call.language, "Vary": "Cookie, Accept-Language"})


SHOWN = 100
LONGEST_WORD = 100
MOST_DIGITS = 6
T = TypeVar("T")


class Listed(Protocol):
    """Somebody of a course."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def email(self) -> str | None: ...


P = TypeVar("P", bound=Listed)


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """A page of a list, and how to come to the others."""

    items: Sequence[T]
    first: int
    """Of those that are shown, counted from 1."""
    found: int
    """That fit what is looked for."""
    all: int
    find: str
    previous: str | None
    """Queries of the pages before and after."""
    next: str | None

    @property
    def last(self) -> int:
        return self.first + len(self.items) - 1

    @property
    def long(self) -> bool:
        return self.all > SHOWN or bool(self.find)


def list_people(call: PageCall, people: Sequence[P], by_id: bool = False) -> ListPage[P]:
    """Where names are off, people are found by their ids alone."""
    return filter_list(call, people, lambda each: (each.code,) if by_id else (each.code, each.name, each.email or ""))


def filter_list(
    call: PageCall, items: Sequence[T], texts: Callable[[T], Iterable[str]], **asked: str | None
) -> ListPage[T]:
    """Those in whose texts `?find=` is, a hundred at a time; `asked` is what else the address asks for."""
    find = (call.query("find") or "").strip()[:LONGEST_WORD]
    matches = [each for each in items if any(find.casefold() in text.casefold() for text in texts(each))]
    written = call.query("page") or ""
    wanted = int(written) if written.isascii() and written.isdigit() and len(written) <= MOST_DIGITS else 1
    page = min(max(wanted, 1), max(1, -(-len(matches) // SHOWN)))
    start = (page - 1) * SHOWN

    def query(number: int) -> str:
        kept = {name: value for name, value in {**asked, "find": find or None}.items() if value is not None}
        return "?" + urlencode({**kept, "page": number})

    return ListPage(
        matches[start : start + SHOWN],
        start + 1,
        len(matches),
        len(items),
        find,
        query(page - 1) if page > 1 else None,
        query(page + 1) if start + SHOWN < len(matches) else None,
    )


QUIET = 2
"""Modules around it; scanners need an edge, and the page is light there."""


def qr_picture(address: str) -> Markup:
    """SVG without style: what is dark has the class `dark`. A screen reader skips it: the address stands
    beside it."""
    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, border=QUIET, svgclass="qr", lineclass="dark", omitsize=True
    )
    drawn = out.getvalue().decode("utf-8").strip()
    return Markup(drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))
