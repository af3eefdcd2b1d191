"""How a page is declared: who may see it, and the function that makes it. What goes wrong becomes a page too."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse

from grader.service.base.exchange import BodyLimit, exchange_of
from grader.service.base.service_problems import RuleViolation, ServiceProblem, StoreUnavailable, general_problem
from grader.service.http.access import Scope, Who, read_credential, resolve
from grader.service.http.body_limits import USUAL
from grader.service.http.logs import log_crash
from grader.service.http.page_calls import CSRF, PageCall, SentForm, own_path, page_call, read_form
from grader.service.http.rendering import render
from grader.service.http.routing import SAFE, admit, note_rights, renew_if_due
from grader.service.http.service import Service
from grader.service.http.sessions import csrf_matches, own_origins, refuse_foreign_page, require_same_origin
from grader.service.workers.work_problems import TaskFailed, WorkProblem

Handler = Callable[[PageCall], Awaitable[Response]]
SIGN_IN = "/sign-in"
_log = logging.getLogger("plymark.web")


def page(
    router: APIRouter,
    method: str,
    path: str,
    *,
    who: Who,
    signs_in: bool = False,
    always_open: bool = False,
    limit: BodyLimit = USUAL,
) -> Callable[[Handler], Handler]:
    """Adds a page. A form of whoever a cookie signs in carries the session's token in its field `csrf`; one that signs
    in needs none, but no page of another site may send it."""

    def add(handler: Handler) -> Handler:
        async def endpoint(request: Request) -> Response:
            service: Service = request.app.state.service
            exchange_of(request.scope).body_limit = limit
            scope, form = Scope(), SentForm()
            try:
                scope = await admit(request, service, who, always_open)
                if method not in SAFE:
                    form = await read_form(request)
                    _require_own_form(request, service, scope, form, signs_in)
                await renew_if_due(service, scope)
                return await handler(page_call(request, service, scope, form))
            except (ServiceProblem, RuleViolation, StoreUnavailable, WorkProblem) as found:
                problem = as_problem(found)
            except ClientDisconnect:
                raise
            except Exception as crash:
                log_crash(request.scope, crash)
                problem = general_problem(500)
            scope = scope if scope.person is not None else await _whoever(request, service)
            return problem_page(page_call(request, service, scope, form), problem)

        endpoint.__name__ = handler.__name__
        note_rights(endpoint, who)
        router.add_route(path, endpoint, [method], include_in_schema=False)
        return handler

    return add


async def no_page(request: Request, found: Exception) -> Response | None:
    """For an address that nobody has, or that is not asked for like this, where a person asks: a page that says so.
    None for programs."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if not wants_page or request.url.path.startswith(("/api/", f"{request.scope['root_path']}/api/")):
        return None
    service: Service = request.app.state.service
    problem = general_problem(getattr(found, "status_code", 500), getattr(found, "headers", None))
    return problem_page(page_call(request, service, await _whoever(request, service)), problem)


def redirect(call: PageCall, path: str) -> Response:
    """To another page of ours, asked for anew."""
    return RedirectResponse(call.url(path), 303)


def as_problem(found: Exception) -> ServiceProblem:
    """What is our own fault is for the log alone."""
    if isinstance(found, ServiceProblem):
        return found
    if isinstance(found, RuleViolation):
        return ServiceProblem(422, found.code, found.message)
    if isinstance(found, StoreUnavailable):
        return ServiceProblem(503, "unavailable", str(found), headers={"Retry-After": "2"})
    if isinstance(found, WorkProblem) and not isinstance(found, TaskFailed):
        headers = {} if found.retry_after is None else {"Retry-After": str(found.retry_after)}
        return ServiceProblem(found.status, found.code, found.detail, found.problems, headers)
    _log.error("a task failed: %s", getattr(found, "detail", found))
    return general_problem(500)


def problem_page(call: PageCall, problem: ServiceProblem) -> Response:
    """In the reader's language; with a way to send once more what was typed, where something was."""
    asked = call.request.method in SAFE
    if problem.status == 401 and asked:
        return RedirectResponse(call.url(f"{SIGN_IN}?{urlencode({'next': call.here})}"), 303)
    by_code, by_status = f"page.problem.{problem.code}", f"page.problem.status-{problem.status}"
    known = next((key for key in (by_code, by_status) if call.texts.knows(key)), "page.problem.status-500")
    response = render(
        call,
        "shared/problem.html",
        problem.status,
        words=call.texts(known),
        # In English: shown where nothing else tells what is wrong with what was sent.
        detail=problem.detail if known != by_code and problem.status in (409, 422) else "",
        problems=problem.problems,
        signed_out=problem.status == 401,
        kept=[] if asked else call.form.kept,
        wrong=problem.status == 422,
        back=_from(call),
        request_id=exchange_of(call.request.scope).request_id if problem.status >= 500 else "",
    )
    response.headers.update({name: value for name, value in problem.headers.items() if name != "WWW-Authenticate"})
    return response


def _from(call: PageCall) -> str:
    """The page of ours that a form was on, if the browser says so."""
    referer = urlsplit(call.request.headers.get("referer", ""))
    path = own_path(referer.path + (f"?{referer.query}" if referer.query else ""))
    own = path.startswith(call.service.settings.path + "/") and path != "/"
    return (
        path
        if own and f"{referer.scheme}://{referer.netloc}" in own_origins(call.request, call.service.settings)
        else ""
    )


async def _whoever(request: Request, service: Service) -> Scope:
    """Who is signed in, whatever they may not see: the page of a problem, too, says whose it is."""
    with suppress(ServiceProblem, StoreUnavailable):
        credential = read_credential(request)
        return await service.store.glance(lambda each: resolve(each, credential, Who.EVERYBODY, {}, False))
    return Scope()


def _require_own_form(request: Request, service: Service, scope: Scope, form: SentForm, signs_in: bool) -> None:
    if signs_in or scope.csrf is None:
        refuse_foreign_page(request, service.settings)
        return
    require_same_origin(request, own_origins(request, service.settings))
    if not csrf_matches(scope.csrf, form[CSRF]):
        raise ServiceProblem(403, "csrf", "the page is out of date; load it again")


NOT_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


def file_response(call: PageCall, exercise: str, content: bytes, name: str, media: str) -> Response:
    """Called after the exercise, so that a folder of downloads can be told apart."""
    whole = f"{NOT_PLAIN.sub('-', exercise).strip('-.') or call.row('a').id}-{name}"
    return Response(content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{whole}"'})
