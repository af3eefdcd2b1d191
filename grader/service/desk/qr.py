"""QR codes as pictures inside a page."""

from __future__ import annotations

import io

import segno
from markupsafe import Markup

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
