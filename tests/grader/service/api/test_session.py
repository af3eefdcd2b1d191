"""Signing in, passwords, joining."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from grader.service.base.clock import DAY, HOUR
from grader.service.base.ids import hash_of
from grader.service.features.accounts.queries import first_link, once_link
from grader.service.http.rates import Rates, StoredGuesses
from grader.service.http.sessions import Passwords
from grader.service.rules.times import IDLE, LONGEST
from grader.service.store.tables import guess, person, session
from grader.service.store.transaction import Transaction
from tests.grader.service.api.client import BASE, Api, Course

GOOD = "correct horse battery"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def cookie_of(answer: httpx.Response) -> str:
    found = SimpleCookie(answer.headers["set-cookie"])["plymark_session"]
    assert found["httponly"] and found["samesite"] == "lax" and found["path"] == "/"
    return found.value


def by_cookie(cookie: str, csrf: str | None = None, origin: str | None = BASE) -> dict[str, str]:
    headers = {"Cookie": f"plymark_session={cookie}"}
    if csrf is not None:
        headers["X-CSRF-Token"] = csrf
    return {**headers, "Origin": origin} if origin is not None else headers


def sign_in(api: Api, **more: Any) -> tuple[str, str]:
    """The cookie and the token that pages send beside it."""
    answer = api.post("/api/session", **more)
    assert answer.status_code == 201, answer.text
    return cookie_of(answer), answer.json()["csrf"]


def test_a_link_signs_in(api: Api, course: Course) -> None:
    for link in (course["s1"], f"{BASE}/in/{course['s1']}"):
        answer = api.post("/api/session", json={"link": link})
        told = answer.json()
        assert (told["name"], told["teaches"]) == ("Name of s1", False)
        assert told["courses"] == [{"id": course.id, "title": "Search", "role": "student"}]
        listed = api.get(f"/api/courses/{course.id}/assignments", headers=by_cookie(cookie_of(answer)))
        assert listed.status_code in (200, 404), listed.text  # 404 while nobody has built that route
    for wrong in ("x", "", f"{course['s1']}x"):
        assert api.post("/api/session", json={"link": wrong}).status_code == 401


def test_what_a_body_may_be(api: Api) -> None:
    for body in ({}, {"link": "x", "name": "y"}, {"name": "x"}, {"link": "x", "role": "teacher"}, {"link": 3}, [1]):
        assert api.post("/api/session", json=body).status_code == 422, body
    assert api.post("/api/session", json={"link": "x\0"}).status_code == 422


def test_a_teachers_link_works_once_and_only_by_posting(api: Api) -> None:
    secret = api.service.store.write_now(first_link)
    assert secret is not None
    path = f"/in/{secret}"
    pages = [api.get(path), api.get("/in/unknown"), api.get(path)]
    assert {page.status_code for page in pages} == {200}
    assert secret not in pages[0].text
    assert len({page.text for page in pages}) == 1
    assert "script-src 'self'" in pages[0].headers["content-security-policy"]
    assert api.call("HEAD", path).status_code == 200
    # It is no bearer token.
    assert api.get("/api/courses", secret).status_code == 401
    pressed = api.post(path)
    assert (pressed.status_code, pressed.headers["location"]) == (303, "/teach")
    assert api.get("/api/courses", headers=by_cookie(cookie_of(pressed))).status_code == 200
    again = api.post(path)
    assert (again.status_code, "set-cookie" in again.headers) == (401, False)
    assert again.headers["content-type"].startswith("text/html")
    assert api.post("/api/session", json={"link": secret}).status_code == 401


def test_a_link_that_works_once_works_once_for_many_at_the_same_time(api: Api) -> None:
    secret = api.service.store.write_now(first_link)

    async def press() -> list[int]:
        sent = (api.send("POST", "/api/session", json={"link": secret}) for _ in range(20))
        return sorted(answer.status_code for answer in await asyncio.gather(*sent))

    assert api.loop.run(press()) == [201] + [401] * 19


def test_a_first_link_is_offered_until_a_teacher_arrives(api: Api) -> None:
    first, second = (api.service.store.write_now(first_link) for _ in range(2))
    assert first and second and first != second
    assert api.post("/api/session", json={"link": first}).status_code == 401
    assert api.post("/api/session", json={"link": second}).status_code == 201
    assert api.service.store.write_now(first_link) is None
    with api.service.store.engine.connect() as connection:
        (only,) = connection.execute(person.select()).all()
    third = api.service.store.write_now(lambda tx: once_link(tx, only.id))
    assert api.post("/api/session", json={"link": third}).status_code == 201


def test_a_session_is_new_at_every_sign_in(api: Api, course: Course) -> None:
    """And the one before, whoever planted it, is over."""
    planted = by_cookie("planted", origin=None)
    first, _ = sign_in(api, json={"link": course["s1"]}, headers=planted)
    assert first != "planted"
    second, csrf = sign_in(api, json={"link": course["s1"]}, headers=by_cookie(first))
    assert second != first
    assert api.delete("/api/session", headers=by_cookie(first, "x")).status_code == 401
    out = api.delete("/api/session", headers=by_cookie(second, csrf))
    assert out.status_code == 204
    assert SimpleCookie(out.headers["set-cookie"])["plymark_session"].value == ""
    assert api.delete("/api/session", headers=by_cookie(second, csrf)).status_code == 401
    with api.service.store.engine.connect() as connection:
        kept = {row.hash for row in connection.execute(session.select())}
    assert kept == {hash_of(first), hash_of(second)}


@pytest.mark.parametrize("origin", ["http://evil.test", "null", f"{BASE}.evil.test", "https://plymark.test"])
def test_no_other_site_signs_its_visitors_in(api: Api, course: Course, origin: str) -> None:
    answer = api.post("/api/session", json={"link": course["s1"]}, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    assert api.post(f"/in/{course['s1']}", headers={"Origin": origin}).status_code == 403
    assert api.post(f"/in/{course['s1']}", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_what_a_cookie_signs_in_needs_the_pages_token_and_origin(api: Api, course: Course) -> None:
    cookie, csrf = sign_in(api, json={"link": course["s1"]})
    body = {"password": GOOD, "name": "sue"}
    for headers in (
        by_cookie(cookie),
        by_cookie(cookie, "wrong"),
        by_cookie(cookie, csrf, None),
        by_cookie(cookie, csrf, "null"),
        by_cookie(cookie, csrf, "http://evil.test"),
    ):
        assert api.put("/api/me/password", json=body, headers=headers).status_code == 403
    assert api.put("/api/me/password", json=body, headers=by_cookie(cookie, csrf)).status_code == 204


def test_a_password(api: Api, course: Course) -> None:
    api = Api(replace(api.service, passwords=Passwords(QUICK)), api.loop)
    cookie, csrf = sign_in(api, json={"link": course["s1"]})
    other, _ = sign_in(api, json={"link": course["s1"]})
    mine = by_cookie(cookie, csrf)
    for body in ({"password": "short", "name": "sue"}, {"password": GOOD}, {"password": GOOD, "name": " "}):
        assert api.put("/api/me/password", json=body, headers=mine).status_code == 422
    assert api.put("/api/me/password", json={"password": GOOD, "name": "Süe "}, headers=mine).status_code == 204
    assert api.delete("/api/session", headers=by_cookie(other, "x")).status_code == 401
    for name in ("Süe", "SÜE", "su\u0308e"):
        assert sign_in(api, json={"name": name, "password": GOOD})
    with_password = api.put("/api/me/password", json={"password": f"{GOOD}!"}, headers=mine)
    assert (with_password.status_code, with_password.json()["code"]) == (422, "field")
    wrong = api.put("/api/me/password", json={"password": f"{GOOD}!", "current": "wrong"}, headers=mine)
    assert (wrong.status_code, wrong.json()["code"]) == (403, "password")
    right = {"password": f"{GOOD}!", "current": GOOD}
    assert api.put("/api/me/password", json=right, headers=mine).status_code == 204
    assert api.post("/api/session", json={"name": "süe", "password": GOOD}).status_code == 401
    taken = api.put("/api/me/password", course["s2"], json={"password": GOOD, "name": "SÜE"})
    assert (taken.status_code, taken.json()["code"]) == (409, "taken")


def test_what_is_wrong_is_not_told(api: Api, course: Course) -> None:
    api.put("/api/me/password", course["s1"], json={"password": GOOD, "name": "sue"})
    unknown = api.post("/api/session", json={"name": "nobody", "password": GOOD})
    wrong = api.post("/api/session", json={"name": "sue", "password": f"{GOOD} "})
    assert (unknown.status_code, unknown.content) == (wrong.status_code, wrong.content) == (401, unknown.content)


def test_guessing_ends_and_a_restart_does_not_help(api: Api, course: Course) -> None:
    store = api.service.store
    restarted = [_restarted(api) for _ in range(2)]
    restarted[0].put("/api/me/password", course["s1"], json={"password": GOOD, "name": "sue"})
    right = {"name": "sue", "password": GOOD}
    for _ in range(12):
        assert restarted[0].post("/api/session", json=right).status_code == 201
    wrong = {"name": "sue", "password": "wrong"}
    statuses = [restarted[0].post("/api/session", json=wrong).status_code for _ in range(11)]
    assert statuses == [401] * 10 + [429]
    for each in restarted:
        answer = each.post("/api/session", json=right)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) <= 30
    with store.engine.connect() as connection:
        kept = connection.execute(guess.select()).all()
    assert kept and all(len(row.key) == 64 for row in kept)


def _restarted(api: Api) -> Api:
    rates = Rates(guesses=StoredGuesses(api.service.store))
    return Api(replace(api.service, rates=rates, passwords=Passwords(QUICK)), api.loop)


def test_joining_makes_a_new_member(api: Api, course: Course) -> None:
    code = api.get(f"/api/courses/{course.id}", course.teacher).json()["join"]
    made = [api.post("/api/join", json={"code": written, "name": "Sue"}) for written in (code, f" {code.upper()} ")]
    assert [answer.status_code for answer in made] == [201, 201]
    first, second = (answer.json() for answer in made)
    assert first["course"] == course.id and first["id"] != second["id"]
    assert first["link"].startswith(f"{BASE}/in/")
    assert sign_in(api, json={"link": first["link"]})
    listed = api.get(f"/api/courses/{course.id}/members", course.teacher).json()["items"]
    assert [(each["name"], each["role"]) for each in listed[-2:]] == [("Sue", "student")] * 2
    for wrong in ({"code": "nonesuch", "name": "Sue"},):
        assert api.post("/api/join", json=wrong).status_code == 404
    for wrong in ({"code": code, "name": " "}, {"code": code, "name": "Sue", "id": "s1"}, {"code": code}):
        assert api.post("/api/join", json=wrong).status_code == 422


def test_a_session_lasts_while_it_is_used(api: Api, course: Course) -> None:
    cookie, csrf = sign_in(api, json={"link": course["s1"]})
    headers = by_cookie(cookie, csrf)

    def age(used: int, begun: int) -> None:
        """As if the session had begun and been used last so long ago."""

        def write(tx: Transaction) -> None:
            ends = min(tx.now - begun + LONGEST, tx.now - used + IDLE)
            tx.execute(session.update().values(created=tx.now - begun, seen=tx.now - used, expires=ends))

        api.service.store.write_now(write)

    def ends() -> tuple[int, int]:
        """After it was used last, and after it began."""
        with api.service.store.engine.connect() as connection:
            row = connection.execute(session.select()).one()
            return row.expires - row.seen, row.expires - row.created

    def works() -> bool:
        return api.post("/api/check", content="x", headers=headers).status_code == 422 and _is_signed_in(api, cookie)

    age(13 * DAY, 13 * DAY)
    assert works() and ends()[0] == IDLE
    age(HOUR // 2, 13 * DAY)
    assert works()
    age(DAY, 55 * DAY)
    assert works() and ends()[1] == LONGEST
    age(15 * DAY, 15 * DAY)
    assert not _is_signed_in(api, cookie)
    age(0, 61 * DAY)
    assert not _is_signed_in(api, cookie)


def _is_signed_in(api: Api, cookie: str) -> bool:
    return api.get("/api/courses", headers=by_cookie(cookie)).status_code == 403
