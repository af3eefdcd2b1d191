"""A web page that needs nothing else: no network and no script."""

from __future__ import annotations

from collections.abc import Iterable

from solver.drawing import markup
from solver.languages import Language


def web_page(words: Language, title: str, style: str, body: Iterable[str], *, has_fonts: bool = False) -> bytes:
    """What stands in `body` is markup; `has_fonts`: whether the style has fonts in it."""
    fonts = " font-src data:;" if has_fonts else ""
    policy = f"default-src 'none'; style-src 'unsafe-inline';{fonts} base-uri 'none'; form-action 'none'"
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{words.code}" dir="{words.direction}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{markup(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        "<main>",
        *body,
        "</main>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines).encode("utf-8", "replace")
