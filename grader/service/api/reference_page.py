"""OpenAPI as a page that needs nothing else: no script, no other file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

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
