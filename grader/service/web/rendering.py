"""Templates, and what every one of them may use."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from grader.service.access.who import STUDENT
from grader.service.clock import now
from grader.service.edge.headers import style_nonce
from grader.service.rules.times import moment_text
from grader.service.web.calls import PageCall
from grader.service.web.static_files import static_path
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
