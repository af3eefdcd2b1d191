"""Names off: whoever judges sees ids instead, on every page until the names are switched on again."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.web.calls import PageCall, own_path
from grader.service.web.pages import go, page

router = APIRouter()
COOKIE, OFF = "plymark_names", "off"


def names_off(call: PageCall) -> bool:
    return call.request.cookies.get(COOKIE) == OFF


@page(router, "POST", "/teach/names")
async def switch_names(call: PageCall) -> Response:
    response = go(call, own_path(call.form["next"]))
    settings = call.service.settings
    if call.form["names"] == OFF:
        response.set_cookie(
            COOKIE, OFF, path=settings.path or "/", secure=settings.secure, httponly=True, samesite="lax"
        )
    else:
        response.delete_cookie(COOKIE, settings.path or "/", secure=settings.secure, httponly=True, samesite="lax")
    return response
