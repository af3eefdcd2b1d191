"""The first page, and the ways in and out: a link, a name and a password, a course's code; and the language."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import APIRouter, Response

from grader.service.base.exchange import exchange_of
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.accounts import queries as accounts_queries
from grader.service.features.accounts.api import known_by_password
from grader.service.features.accounts.queries import NewSession
from grader.service.features.members import queries as members_queries
from grader.service.http.access import Who
from grader.service.http.page_calls import LANGUAGE_COOKIE, PageCall, own_path
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render
from grader.service.http.routing import link_url
from grader.service.http.sessions import clear_cookie, cookie_hash, link_hash, set_cookie
from solver.languages import LANGUAGES

router = APIRouter()
A_YEAR = 31_536_000
LONGEST_NAME, LONGEST_CODE, LONGEST_PASSWORD = 200, 64, 1_000


@page(router, "GET", "/", who=Who.EVERYBODY)
async def show_home(call: PageCall) -> Response:
    theirs: list[dict[str, str]] = []
    if call.scope.person is not None:
        person = call.person.id
        theirs = await call.service.store.read(
            lambda connection: accounts_queries.courses_and_roles(connection, person)
        )
    return render(call, "accounts/home.html", courses=theirs)


@page(router, "GET", "/in/{link}", who=Who.EVERYBODY, always_open=True)
async def show_button(call: PageCall) -> Response:
    """The same for every link: who opens a page learns nothing of whether it would work."""
    return render(call, "accounts/enter.html", failed=False, next=own_path(call.query("next") or "/"))


@page(router, "POST", "/in/{link}", who=Who.EVERYBODY, always_open=True, signs_in=True)
async def press_button(call: PageCall) -> Response:
    begun = await _enter_by_link(call, call.request.path_params["link"])
    if begun is None:
        return render(call, "accounts/enter.html", 401, failed=True, next="/")
    return await _signed_in(call, begun, own_path(call.form["next"]))


@page(router, "GET", "/sign-in", who=Who.EVERYBODY, always_open=True)
async def show_sign_in(call: PageCall) -> Response:
    return render(call, "accounts/sign_in.html", next=own_path(call.query("next") or "/"), name="", problem="")


@page(router, "POST", "/sign-in", who=Who.EVERYBODY, always_open=True, signs_in=True)
async def sign_in(call: PageCall) -> Response:
    """By a link, if one is given."""
    form, where = call.form, own_path(call.form["next"])
    name, password = form["name"], next(iter(form.all("password")), "")
    if form["link"]:
        begun = await _enter_by_link(call, form["link"])
        problem = "page.in.failed"
    elif not name or not password or len(name) > LONGEST_NAME or len(password) > LONGEST_PASSWORD:
        begun, problem = None, "page.sign-in.both"
    else:
        begun, problem = await _enter_by_password(call, name, password), "page.sign-in.wrong"
    if begun is None:
        return render(call, "accounts/sign_in.html", 401, next=where, name=name, problem=call.texts(problem))
    return await _signed_in(call, begun, where)


@page(router, "POST", "/sign-out", who=Who.EVERYBODY, always_open=True)
async def sign_out(call: PageCall) -> Response:
    over = call.scope.session
    if over is not None:
        await call.service.store.write(lambda tx: accounts_queries.end_session(tx, over))
    response = redirect(call, "/")
    clear_cookie(response, call.service.settings)
    return response


@page(router, "GET", "/join", who=Who.EVERYBODY, always_open=True)
async def show_join(call: PageCall) -> Response:
    return render(call, "accounts/join.html", code=(call.query("code") or "")[:LONGEST_CODE], name="", problem="")


@page(router, "POST", "/join", who=Who.EVERYBODY, always_open=True, signs_in=True)
async def join(call: PageCall) -> Response:
    """Makes a new member and signs them in. The link is shown once: it is their way back."""
    call.service.rates.joining(exchange_of(call.request.scope).client)
    code, name = call.form["code"].lower()[:LONGEST_CODE], call.form["name"][:LONGEST_NAME]
    if not code or not name:
        return render(call, "accounts/join.html", 422, code=code, name=name, problem=call.texts("page.join.both"))
    known = await _own_course(call, code)
    if known is not None:
        return redirect(call, f"/c/{known}")
    joined = await call.service.store.write(lambda tx: members_queries.join(tx, code, name))
    if joined is None:
        return render(call, "accounts/join.html", 404, code=code, name=name, problem=call.texts("page.join.unknown"))
    course_id, _, secret = joined
    begun = await _enter_by_link(call, secret)
    assert begun is not None
    response = render(
        call,
        "accounts/joined.html",
        course_id=course_id,
        link=link_url(call, secret),
        person=begun.person,
        csrf=begun.csrf,
    )
    set_cookie(response, call.service.settings, begun.secret)
    return response


@page(router, "POST", "/language", who=Who.EVERYBODY, always_open=True)
async def choose_language(call: PageCall) -> Response:
    code = call.form["language"]
    if code not in LANGUAGES:
        raise ServiceProblem(422, "language", f"language: one of {', '.join(LANGUAGES)}")
    if call.scope.person is not None:
        person = call.person.id
        await call.service.store.write(lambda tx: accounts_queries.set_language(tx, person, code))
    response = redirect(call, own_path(call.form["next"] or _page_before(call)))
    settings = call.service.settings
    response.set_cookie(
        LANGUAGE_COOKIE, code, A_YEAR, path=settings.path or "/", secure=settings.secure, httponly=True, samesite="lax"
    )
    return response


async def _enter_by_link(call: PageCall, link: str) -> NewSession | None:
    hashed, before = link_hash(link), cookie_hash(call.request)
    return await call.service.store.write(lambda tx: accounts_queries.enter_by_link(tx, hashed, before))


async def _enter_by_password(call: PageCall, name: str, password: str) -> NewSession | None:
    before = cookie_hash(call.request)
    try:
        person = await known_by_password(call, accounts_queries.login_name(name), password)
    except ServiceProblem as found:
        if found.status != 401:
            raise
        return None
    return await call.service.store.write(lambda tx: accounts_queries.begin_session(tx, person, before, "password"))


async def _own_course(call: PageCall, code: str) -> str | None:
    """The course of this code, if the caller is in it already: a page that is loaded again makes nobody anew."""
    if call.scope.person is None:
        return None
    person = call.person.id
    return await call.service.store.read(lambda connection: members_queries.joined_already(connection, code, person))


def _page_before(call: PageCall) -> str:
    """The path of a page that does not say it itself, since it is a secret."""
    return urlsplit(call.request.headers.get("referer", "")).path.removeprefix(call.service.settings.path)


async def _signed_in(call: PageCall, begun: NewSession, where: str) -> Response:
    response = redirect(call, "/teach" if where == "/" and begun.person.teaches else where)
    set_cookie(response, call.service.settings, begun.secret)
    return response
