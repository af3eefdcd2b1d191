"""What is written is kept: on the server, in the browser, in two windows at once, without a connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.grader.service.web.site import Site, Student, Visit, visit

pytestmark = pytest.mark.slow

HASTE = "document.querySelector('form[data-draft]').dataset.rest = 100"
KEPT = "Object.keys(localStorage).filter((key) => key.startsWith('plymark.draft.'))"


@contextmanager
def writing(site: Site, browser: Any, **options: Any) -> Iterator[tuple[Visit, Student, str]]:
    """A student with an attempt before them."""
    assignment, student = site.assign(), site.new_student()
    with visit(browser, site, **options) as opened:
        opened.sign_in(student)
        opened.go(f"/a/{assignment}")
        opened.page.get_by_role("button", name="Begin").click()
        live(opened.page)
        yield opened, student, assignment


def live(page: Any) -> None:
    page.wait_for_selector("ply-tree.live")
    page.evaluate(HASTE)


def write(page: Any, name: str, text: str) -> None:
    page.locator(f'[name="{name}"]').fill(text)


def state(page: Any, name: str) -> None:
    """Waits until the page says so of the draft."""
    page.wait_for_selector(f'.draft-state[data-state="{name}"]')


def saved(student: Student, assignment: str) -> dict[str, Any]:
    with student.client() as client:
        found: dict[str, Any] = client.post(f"/api/assignments/{assignment}/attempts").json()
        return found["draft"] or {}


def second_window(opened: Visit) -> Any:
    page = opened.context.new_page()
    page.goto(opened.page.url)
    live(page)
    return page


def test_a_pause_saves_and_the_receipt_clears(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        page = opened.page
        page.locator('[data-node="C"]:visible').focus()
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        page.keyboard.press("x")
        state(page, "saved")
        assert saved(student, assignment) == {"values": {"C": "2"}, "pruned": "C"}
        page.reload()
        live(page)
        assert page.locator('[name="pruned"]').input_value() == "C"
        write(page, "values.A", "2,5")
        page.wait_for_selector('[name="values.A"] ~ .read:has-text("→ 5/2")')
        page.get_by_role("button", name="Check and hand in").click()
        page.get_by_role("button", name="Hand in now").wait_for()
        assert len(page.evaluate(KEPT)) == 1, "a copy stays until the receipt"
        page.get_by_role("button", name="Hand in now").click()
        page.locator("[data-receipt]").wait_for()
        assert page.evaluate(KEPT) == []


def test_two_windows_show_both_versions_and_let_one_choose(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        first, second = opened.page, second_window(opened)
        write(first, "values.A", "3")
        state(first, "saved")
        write(second, "values.A", "5")
        second.locator('[name="move"]').select_option("a1")
        state(second, "conflict")
        rows = second.locator(".conflict tbody tr").all_inner_texts()
        assert [row.split("\t") for row in rows] == [["values: A", "5", "3"], ["move", "a1", "empty"]]
        assert saved(student, assignment) == {"values": {"A": "3"}}, "nothing is overwritten unasked"
        second.get_by_role("button", name="Keep this window's").click()
        state(second, "saved")
        assert saved(student, assignment) == {"values": {"A": "5"}, "move": "a1"}
        write(first, "values.B", "8")
        state(first, "conflict")
        first.get_by_role("button", name="Take the other window's").click()
        assert first.locator('[name="values.A"]').input_value() == "5"
        assert first.locator('[name="values.B"]').input_value() == ""
        assert first.locator(".conflict").is_hidden()
        write(first, "values.B", "9")
        state(first, "saved")
        assert saved(student, assignment) == {"values": {"A": "5", "B": "9"}, "move": "a1"}


def test_a_lost_connection_is_told_and_tried_again(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        opened.context.set_offline(True)
        write(opened.page, "values.A", "3")
        state(opened.page, "offline")
        write(opened.page, "values.B", "4")
        opened.context.set_offline(False)
        state(opened.page, "saved")
        assert saved(student, assignment) == {"values": {"A": "3", "B": "4"}}


def test_leaving_without_a_connection_and_coming_back_loses_nothing(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        address = opened.page.url
        opened.context.set_offline(True)
        write(opened.page, "values.A", "3")
        opened.page.close()
        opened.context.set_offline(False)
        page = opened.context.new_page()
        page.goto(address)
        state(page, "restored")
        assert page.locator('[name="values.A"]').input_value() == "3"
        state(page, "saved")
        assert saved(student, assignment) == {"values": {"A": "3"}}


def test_a_copy_that_was_overtaken_is_shown_beside_the_draft(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        address = opened.page.url
        opened.context.set_offline(True)
        write(opened.page, "values.A", "3")
        opened.page.close()
        opened.context.set_offline(False)
        with student.client() as client:
            attempt = client.post(f"/api/assignments/{assignment}/attempts").json()["id"]
            elsewhere = {"answers": {"values": {"A": 7}}, "revision": 0}
            assert client.put(f"/api/attempts/{attempt}/draft", json=elsewhere).status_code == 200
        page = opened.context.new_page()
        page.goto(address)
        state(page, "conflict")
        assert page.locator(".conflict tbody td").all_inner_texts() == ["3", "7"]
        page.get_by_role("button", name="Take the other window's").click()
        assert page.locator('[name="values.A"]').input_value() == "7"
        page.reload()
        live(page)
        assert page.locator(".conflict").is_hidden()


def test_leaving_at_once_saves_too(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        opened.page.evaluate(HASTE.replace("100", "100_000"))
        write(opened.page, "values.A", "3")
        opened.go("/")
        for _ in range(100):
            if saved(student, assignment):
                break
            opened.page.wait_for_timeout(50)
        assert saved(student, assignment) == {"values": {"A": "3"}}
