"""Names off: whoever judges sees ids instead, on every page until the names are switched on again."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.access.who import Who
from grader.service.web.calls import NAMES_COOKIE, NAMES_OFF, PageCall, own_path
from grader.service.web.pages import go, page

router = APIRouter()


@page(router, "POST", "/teach/names", who=Who.SIGNED_IN)
async def switch_names(call: PageCall) -> Response:
    response = go(call, own_path(call.form["next"]))
    settings = call.service.settings
    if call.form["names"] == NAMES_OFF:
        response.set_cookie(
            NAMES_COOKIE, NAMES_OFF, path=settings.path or "/", secure=settings.secure, httponly=True, samesite="lax"
        )
    else:
        response.delete_cookie(
            NAMES_COOKIE, settings.path or "/", secure=settings.secure, httponly=True, samesite="lax"
        )
    return response
