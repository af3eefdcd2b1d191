"""A student from the link to the feedback: with script and without, and what another window or a second click does."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from tests.grader.service.web.site import Site, Student, Visit, visit

pytestmark = pytest.mark.slow

WRITTEN = {
    "values.A": "3", "values.B": "2,5", "values.C": "<= 2", "windows.A": "(-inf, inf)", "windows.B": "three",
    "pruned": "L5 L6",
}  # fmt: skip
FULL: dict[str, Any] = {"feedback_before": "full", "attempts": 2}


def fill(opened: Visit, answers: dict[str, str]) -> None:
    for name, text in answers.items():
        opened.page.locator(f'[name="{name}"]').fill(text)


def look_until(opened: Visit, text: str) -> None:
    """Loads the page again until it says so: marking goes on behind it."""
    for _ in range(100):
        if opened.page.get_by_text(text).count():
            return
        opened.page.wait_for_timeout(100)
        opened.page.reload()
    pytest.fail(f"the page never said {text!r}")


def test_everything_a_student_must_do_without_script(site: Site, browser: Any) -> None:
    assignment = site.assign(**FULL)
    with visit(browser, site, java_script_enabled=False) as opened:
        opened.go(f"/join?code={site.code}")
        opened.page.get_by_label("Your name").fill("No Script")
        opened.page.get_by_role("button", name="Join").click()
        opened.page.get_by_role("link", name="to the course").click()
        opened.page.locator(f'a.button[href="/a/{assignment}"]').click()
        opened.page.get_by_role("button", name="Begin").click()
        fill(opened, WRITTEN)
        opened.page.get_by_role("button", name="Save").click()
        assert opened.page.get_by_text("Saved.").is_visible()
        assert opened.page.locator('[name="values.B"]').input_value() == "2,5"
        opened.page.get_by_role("button", name="Check and hand in").click()
        assert opened.page.get_by_role("heading", name="1 answer cannot be read").is_visible()
        assert opened.page.get_by_role("heading", name="4 boxes are blank").is_visible()
        opened.page.get_by_role("button", name="Hand in now").click()
        assert opened.page.get_by_text("It has arrived and is stored").is_visible()
        assert re.fullmatch(r"[0-9a-f]{64}", opened.page.locator(".hash").first.text_content() or "")
        look_until(opened, "How it went")
        assert opened.page.locator(".side").count() == opened.page.locator(".side:visible").count() == 2
        assert opened.page.get_by_text("✓ right").first.is_visible()
        opened.page.get_by_role("link", name="The search, step by step").click()
        assert opened.page.locator("svg").first.is_visible()


def begun(site: Site, client: httpx.Client, assignment: str) -> tuple[Student, dict[str, str]]:
    """A student signed in with an attempt, and the hidden fields of its form."""
    student = site.new_student()
    client.post(student.link)
    page = client.get(f"/a/{assignment}").text
    assert client.post(f"/a/{assignment}", data={"csrf": hidden(page, "csrf")}).status_code == 303
    page = client.get(f"/a/{assignment}").text
    return student, {name: hidden(page, name) for name in ("csrf", "attempt", "revision")}


def hidden(page: str, name: str) -> str:
    found = re.findall(rf'<input type="hidden" name="{name}" value="([^"]*)">', page)
    return str(found[-1])


def test_two_windows_are_shown_to_each_other(site: Site, client: httpx.Client) -> None:
    assignment = site.assign()
    _, fields = begun(site, client, assignment)
    first = client.post(f"/a/{assignment}/draft", data={**fields, "values.A": "1"})
    assert first.status_code == 303
    second = client.post(f"/a/{assignment}/draft", data={**fields, "values.A": "2", "move": "a1"})
    assert second.status_code == 409
    assert "Two versions" in second.text
    kept = {**fields, "revision": hidden(second.text, "revision"), "values.A": "2"}
    assert client.post(f"/a/{assignment}/draft", data=kept).status_code == 303
    assert 'value="2"' in client.get(f"/a/{assignment}").text


def test_whoever_presses_twice_hands_in_once(site: Site, client: httpx.Client) -> None:
    assignment = site.assign(attempts=3)
    _, fields = begun(site, client, assignment)
    check = client.post(f"/a/{assignment}/check", data={**fields, "values.A": "3"}, follow_redirects=True)
    sent = {**fields, "key": hidden(check.text, "key"), "values.A": "3"}
    answers = [client.post(f"/a/{assignment}/hand-in", data=sent) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.headers["location"] for answer in answers}) == 1
    other = client.post(f"/a/{assignment}/hand-in", data={**sent, "key": "another"})
    assert other.status_code == 409
    assert "handed in already" in other.text


def test_nobody_writes_in_the_attempt_of_another(site: Site, client: httpx.Client) -> None:
    assignment = site.assign()
    _, fields = begun(site, client, assignment)
    with httpx.Client(base_url=site.url, headers={"Origin": site.url}) as other:
        _, own = begun(site, other, assignment)
        for path in ("draft", "check", "hand-in"):
            sent = {**own, "attempt": fields["attempt"], "key": "k", "values.A": "9"}
            assert other.post(f"/a/{assignment}/{path}", data=sent).status_code == 404


def test_who_is_signed_out_is_led_back_to_where_they_were(site: Site, browser: Any) -> None:
    assignment, student = site.assign(), site.new_student("Ines")
    with visit(browser, site) as opened:
        opened.go(f"/a/{assignment}")
        opened.page.get_by_label("Your link").fill(student.link)
        opened.page.get_by_role("button", name="Sign in with the link").click()
        opened.page.wait_for_url(f"{site.url}/a/{assignment}")
        assert opened.page.locator("header").get_by_text("Ines").is_visible()


def test_dates_are_those_of_the_reader(site: Site, browser: Any) -> None:
    """With an extension, in the course's zone, and in the zone of a browser somewhere else."""
    assignment, student = site.assign(due="2031-07-01T12:00:00", minutes=30), site.new_student()
    extended = {"due": "2031-07-02T12:00:00", "reason": "ill"}
    site.call("PUT", f"/api/assignments/{assignment}/extensions/{student.code}", json=extended)
    with visit(browser, site, timezone_id="Asia/Tehran") as opened:
        opened.sign_in(student)
        opened.go(f"/a/{assignment}")
        said = " ".join(opened.page.locator(".rules").inner_text().split())
        assert "Wed 2 Jul 2031, 12:00 (your time:" in said
        assert "14:30" in said
        assert "(extended from Tue 1 Jul 2031, 12:00" in said
        opened.page.get_by_role("button", name="Begin").click()
        opened.page.get_by_text("30 minutes left").wait_for()


def test_an_empty_course_says_what_will_be_there(site: Site, client: httpx.Client) -> None:
    course = site.call("POST", "/api/courses", json={"title": "Empty", "zone": "UTC", "language": "pt"})["id"]
    members = {"members": [{"id": "x", "name": "X"}]}
    link = site.call("POST", f"/api/courses/{course}/members", json=members)["members"][0]["link"]
    client.post(link)
    page = client.get(f"/c/{course}").text
    assert '<html lang="pt"' in page
    assert "Nada foi passado ainda." in page


def test_feedback_with_script_shows_one_tree_at_a_time(site: Site, browser: Any) -> None:
    assignment, student = site.assign(**FULL), site.new_student()
    with visit(browser, site) as opened:
        opened.sign_in(student)
        opened.go(f"/a/{assignment}")
        opened.page.get_by_role("button", name="Begin").click()
        opened.page.get_by_role("button", name="Check and hand in").click()
        opened.page.get_by_role("button", name="Hand in now").click()
        opened.page.get_by_text("How it went").wait_for()
        assert opened.page.locator(".side:visible").count() == 1
        opened.page.get_by_role("button", name="Answer key").click()
        assert opened.page.locator('[data-side="key"]').is_visible()
        assert not opened.page.locator('[data-side="own"]').is_visible()
