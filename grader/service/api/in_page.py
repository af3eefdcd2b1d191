"""`/in/{link}`: a page with a button. Only the button signs in, so that a preview in a chat uses up nothing."""

from __future__ import annotations

from html import escape

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from grader.service.access.sessions import cookie_hash, link_hash, refuse_foreign_page, set_cookie
from grader.service.edge.exchange import exchange_of
from grader.service.edge.headers import style_nonce
from grader.service.service import Service
from grader.service.store.people import enter_by_link

router = APIRouter()
PATH = "/in/{link}"
STYLE = (
    "body{font:1.125rem/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto;padding:0 1rem;"
    "color-scheme:light dark}button{font:inherit;padding:.6em 2em;min-height:44px}"
)


@router.api_route(PATH, methods=["GET", "HEAD"], include_in_schema=False)
async def show_button(request: Request) -> Response:
    """The same for every link: who opens a page learns nothing of whether it would work."""
    _service(request).rates.address(exchange_of(request.scope).client)
    return _page(request, '<form method="post"><p><button>Sign in</button></p></form>')


@router.post(PATH, include_in_schema=False)
async def press_button(link: str, request: Request) -> Response:
    service = _service(request)
    service.rates.address(exchange_of(request.scope).client)
    refuse_foreign_page(request, service.settings)
    before = cookie_hash(request)
    begun = await service.store.write(lambda tx: enter_by_link(tx, link_hash(link), before))
    if begun is None:
        return _page(request, "<p>This link does not work, or does not work any longer. Ask for a new one.</p>", 401)
    response = RedirectResponse(f"{service.settings.path}/", 303)
    set_cookie(response, service.settings, begun.secret)
    return response


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _page(request: Request, content: str, status: int = 200) -> Response:
    style = f'<style nonce="{escape(style_nonce(request))}">{STYLE}</style>'
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plymark</title>{style}'
    return HTMLResponse(
        f'<!doctype html>\n<html lang="en"><head>{head}</head><body><h1>Plymark</h1>{content}</body></html>\n', status
    )
