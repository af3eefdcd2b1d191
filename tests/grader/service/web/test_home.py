"""The first page, and the ways in and out."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from grader.service.http.page_calls import own_path
from solver.languages import LANGUAGES
from tests.grader.service.web.site import Site, visit

pytestmark = pytest.mark.slow


def test_joining_gives_a_link_that_leads_back(site: Site, browser: Any) -> None:
    with visit(browser, site) as first:
        first.go("/")
        first.page.get_by_role("link", name="Join a course").click()
        first.page.get_by_label("Code of the course").fill(site.code.upper())
        first.page.get_by_label("Your name").fill("Zoë <b>Q</b>")
        first.page.get_by_role("button", name="Join").click()
        link = first.page.get_by_label("Your link").input_value()
        assert first.page.locator("header").get_by_text("Zoë <b>Q</b>").is_visible()
        first.page.reload()  # sends the form again: nobody joins twice
        first.page.wait_for_url(f"{site.url}/c/{site.course}")
    with visit(browser, site) as second:
        second.page.goto(link)
        assert second.page.locator("header").get_by_text("You are not signed in").is_visible()
        second.page.get_by_role("button", name="Sign in").click()
        second.page.get_by_role("link", name="Adversarial search").wait_for()
        assert second.page.locator("header").get_by_text("Zoë <b>Q</b>").is_visible()
        second.page.get_by_role("button", name="Sign out").click()
        assert second.page.locator("header").get_by_text("You are not signed in").is_visible()


def test_a_wrong_code_keeps_what_was_typed(client: httpx.Client) -> None:
    answer = client.post("/join", data={"code": "nonsense", "name": 'Q "x"'})
    assert answer.status_code == 404
    assert 'value="nonsense"' in answer.text
    assert 'value="Q &#34;x&#34;"' in answer.text


def test_a_link_is_used_up_by_the_button_alone(site: Site, client: httpx.Client) -> None:
    student = site.new_student()
    assert "set-cookie" not in client.get(student.link).headers
    assert client.get("/in/nonsense").text.count("<button") == client.get(student.link).text.count("<button")
    assert client.post("/in/nonsense").status_code == 401
    signed_in = client.post(student.link, data={"next": "/join"})
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/join")
    foreign = client.post(f"/in/{student.token}", headers={"Origin": "https://elsewhere.example"})
    assert foreign.status_code == 403


def test_forms_of_somebody_signed_in_need_the_token_of_the_page(site: Site, client: httpx.Client) -> None:
    client.post(site.new_student().link)
    refused = client.post("/language", data={"language": "fa", "next": "/"})
    assert refused.status_code == 403
    assert '<input type="hidden" name="language" value="fa">' in refused.text, "what was sent can be sent again"
    assert "Student" in client.get("/").text


def test_wrong_passwords_are_told_without_saying_what_was_wrong(client: httpx.Client) -> None:
    answer = client.post("/sign-in", data={"name": "nobody", "password": "secret-word", "next": "/join"})
    assert answer.status_code == 401
    assert "The name or the password is wrong." in answer.text
    assert 'value="nobody"' in answer.text
    assert "secret-word" not in answer.text


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_language_chosen_stays(site: Site, browser: Any, code: str) -> None:
    with visit(browser, site) as opened:
        opened.go("/join?code=abc")
        opened.page.get_by_role("button", name=LANGUAGES[code]).click()
        assert opened.page.locator("html").get_attribute("lang") == code
        assert opened.page.locator("html").get_attribute("dir") == ("rtl" if code == "fa" else "ltr")
        assert opened.page.locator("#code").input_value() == "abc"
        opened.go("/")
        assert opened.page.locator("html").get_attribute("lang") == code


def test_the_browser_s_language_is_the_first_choice(site: Site) -> None:
    asked = {"Accept-Language": "de-DE, fa-IR;q=0.5, es;q=0.9, x;q=nonsense"}
    assert '<html lang="es" dir="ltr">' in httpx.get(f"{site.url}/", headers=asked).text


def test_the_page_of_a_link_changes_its_language_without_repeating_the_link(site: Site, browser: Any) -> None:
    student = site.new_student()
    with visit(browser, site) as opened:
        opened.page.goto(student.link)
        assert student.token not in opened.page.content()
        opened.page.get_by_role("button", name="Español").click()
        assert opened.page.url == student.link
        assert opened.page.get_by_role("heading", name="Entrar").is_visible()


@pytest.mark.parametrize("bad", ["//evil.example/", "/\\evil.example", "https://evil.example", "evil", "/a\nb", ""])
def test_only_own_paths_are_led_back_to(bad: str) -> None:
    assert own_path(bad) == "/"
    assert own_path("/a/1?x=/b") == "/a/1?x=/b"


def test_files_are_kept_for_ever_under_the_name_of_their_release(client: httpx.Client) -> None:
    address = client.get("/").text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    found = client.get(address)
    assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert found.headers["content-encoding"] == "gzip"
    assert client.get(address, headers={"If-None-Match": found.headers["etag"]}).status_code == 304
    assert client.get(address, headers={"Accept-Encoding": "identity"}).text == found.text
    assert "immutable" not in client.get("/static/other/plymark.css").headers["cache-control"]
    assert client.get("/static/other/..%2ftexts.py").status_code == 404
    assert client.get("/static/other/nothing.css").status_code == 404


def test_the_page_of_a_problem_says_whose_it_is(site: Site, client: httpx.Client) -> None:
    client.post(site.new_student("Vera Rubin").link)
    for path in ("/c/nonsense", "/nonsense"):
        answer = client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 404
        assert "Vera Rubin" in answer.text
    assert client.get("/nonsense").headers["content-type"] == "application/problem+json"
    assert client.get("/api/nonsense", headers={"Accept": "text/html"}).headers["content-type"] != "text/html"
