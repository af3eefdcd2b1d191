"""An answer sheet on a page by itself, with the style, the scripts and the policy of all pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from grader.service.base.exchange import Exchange
from grader.service.features.attempts.api import _reading_data
from grader.service.http.answer_sheet import sheet_of
from grader.service.http.page_texts import texts_of
from grader.service.http.rendering import environment
from grader.service.http.request_middleware import Headers, SecurityHeaders
from grader.service.http.static_files import static_files
from grader.service.tasks.posed_exercise import pose, read
from tests.support.browser import PATIENCE
from tests.support.paths import ROOT

HOST = "http://localhost:9"
_PAGE = """<!doctype html>
<html lang="{{ t.code }}" dir="{{ t.direction }}"><head><meta charset="utf-8"><title>Sheet</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<meta name="viewport" content="width=device-width, initial-scale=1">
{% for name in ("plymark.css", "tree.css", "sheet.css") %}<link rel="stylesheet" href="/{{ name }}">{% endfor %}
{% for name in ("ply-tree.js", "sheet.js") %}<script type="module" src="/{{ name }}"></script>{% endfor %}
</head><body><main><h1>Sheet</h1>{% from "shared/sheet.html" import sheet %}
<form method="post" data-read="/read">{{ sheet(model) }}<button>Hand in</button></form></main></body></html>"""


def exercise_bytes(name: str, **changes: Any) -> bytes:
    """A ready exercise with its game inside, as the service keeps it."""
    path = ROOT / "exercises" / f"{name}.yaml"
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    if isinstance(document["game"], str):
        document["game"] = game(path.parent / document["game"])
    return json.dumps({**document, **changes}).encode()


def game(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {name: value for name, value in found.items() if name != "plymark"}


def sheet_html(raw: bytes, language: str = "en", answers: dict[str, Any] | None = None) -> str:
    texts = texts_of(language)
    model = sheet_of(pose(raw, language, page=True), texts, answers)
    return environment().from_string(_PAGE).render(model=model, t=texts)


@contextmanager
def opened_sheet(
    browser: Any, raw: bytes, language: str = "en", answers: dict[str, Any] | None = None, **options: Any
) -> Iterator[Any]:
    """A page that answers itself: its files, and how answers are read. At the end nothing may have gone wrong in it."""
    complaints: list[str] = []
    html = sheet_html(raw, language, answers)

    def answered(route: Any) -> None:
        name = route.request.url.removeprefix(HOST).removeprefix("/")
        if name == "":
            route.fulfill(body=html, headers=_headers("text/html; charset=utf-8"))
        elif name == "read":
            told = read(raw, route.request.post_data.encode(), language)
            route.fulfill(body=json.dumps(_reading_data(told)), headers=_headers("application/json"))
        elif name in static_files():
            file = static_files()[name]
            route.fulfill(body=file.raw, headers=_headers(file.kind))
        else:
            complaints.append(route.request.url)
            route.abort()

    context = browser.new_context(service_workers="block", locale=language, **options)
    context.route("**/*", answered)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        page.goto(f"{HOST}/")
        if options.get("java_script_enabled", True):
            page.wait_for_selector("ply-tree.live")
        yield page
        assert not complaints, complaints
    finally:
        context.close()


def _headers(kind: str) -> dict[str, str]:
    headers: Headers = [(b"content-type", kind.encode())]
    SecurityHeaders().add(headers, Exchange())
    return {name.decode(): value.decode() for name, value in headers}
