"""A hostile or clumsy student: long pastes, other digits, marks that nobody sees, double clicks, undo, going back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.grader.service.web.sheet_page import exercise_bytes, opened_sheet
from tests.grader.service.web.site import Site
from tests.grader.service.web.test_sheet_draft import live, saved, second_window, state, write, writing
from tests.grader.service.web.test_sheet_tree import DESKTOP, holds, node

pytestmark = pytest.mark.slow

LONG = "9" * 10_000


def test_a_long_paste_is_kept_and_the_page_stays_as_wide(site: Site, browser: Any) -> None:
    with writing(site, browser, viewport={"width": 390, "height": 844}) as (opened, student, assignment):
        page = opened.page
        page.evaluate("document.querySelector('ply-tree').dataset.view = 'form'")
        write(page, "values.A", LONG)
        write(page, "pruned", "L5, " * 2_500)
        state(page, "saved")
        assert saved(student, assignment)["values"] == {"A": LONG}
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Check and hand in").click()
        page.get_by_role("button", name="Hand in now").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Hand in now").click()
        page.locator("[data-receipt]").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_long_paste_does_not_cover_the_tree(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        before = node(page, "B").bounding_box()["width"]
        page.locator('[name="values.B"]').fill(LONG)
        assert node(page, "B").bounding_box()["width"] < before + 120
        assert holds(page, "values.B") == LONG


def test_persian_digits_and_unseen_marks_are_read(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        page = opened.page
        write(page, "values.A", "\u200f۳\u200e")
        write(page, "values.B", "\u202b−۵/۲\u202c")
        write(page, "pruned", "\u2067L۵، L۶\u2069")
        page.wait_for_selector('[name="values.A"] ~ .read:has-text("3")')
        page.wait_for_selector('[name="values.B"] ~ .read:has-text("−5/2")')
        state(page, "saved")
        assert saved(student, assignment) == {"values": {"A": "۳", "B": "−۵/۲"}, "pruned": "L۵، L۶"}
        for leaf in ("L5", "L6"):
            assert "left-out" in node(page, leaf).get_attribute("class")


def test_a_double_click_on_hand_in_hands_in_once(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, _, _):
        page = opened.page
        write(page, "values.A", "3")
        page.get_by_role("button", name="Check and hand in").dblclick()
        page.get_by_role("button", name="Hand in now").dblclick()
        page.locator("[data-receipt]").wait_for()
        opened.go(f"/c/{site.course}")
        receipts = page.locator('a[href*="/s/"]').evaluate_all("(all) => all.map((each) => each.href)")
        assert len(set(receipts)) == 1


def test_a_double_click_on_a_node_opens_one_cell(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        node(page, "B").dblclick()
        assert page.get_by_role("dialog").count() == 1
        page.keyboard.type("4")
        assert holds(page, "values.B") == "4"


def test_undo_after_saving_saves_what_was_before(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        page = opened.page
        write(page, "values.A", "3")
        state(page, "saved")
        page.get_by_role("button", name="Undo").click()
        assert holds(page, "values.A") == ""
        page.wait_for_selector('.draft-state:not([data-state="saved"])')
        state(page, "saved")
        assert saved(student, assignment) == {}


def test_going_back_from_the_check_keeps_what_was_written(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, student, assignment):
        page = opened.page
        write(page, "values.A", "3")
        page.get_by_role("button", name="Check and hand in").click()
        page.get_by_role("button", name="Hand in now").wait_for()
        page.go_back()
        live(page)
        assert holds(page, "values.A") == "3"
        write(page, "values.B", "4")
        state(page, "saved")
        assert saved(student, assignment) == {"values": {"A": "3", "B": "4"}}
        assert page.locator(".conflict").is_hidden()


def test_going_back_after_the_receipt_does_not_hand_in_again(site: Site, browser: Any) -> None:
    with writing(site, browser) as (opened, _, assignment):
        page = opened.page
        write(page, "values.A", "3")
        page.get_by_role("button", name="Check and hand in").click()
        page.get_by_role("button", name="Hand in now").click()
        page.locator("[data-receipt]").wait_for()
        receipt = page.url
        page.go_back()
        page.wait_for_url(f"{site.url}/a/{assignment}")
        assert page.locator(f'a[href="{receipt.removeprefix(site.url)}"]').count() >= 1
        assert page.locator("ply-tree").count() == 0


def test_two_windows_offline_and_back_lose_nothing(site: Site, browser: Any) -> None:
    """Whoever comes second is shown both versions."""
    with writing(site, browser) as (opened, student, assignment):
        first, second = opened.page, second_window(opened)
        opened.context.set_offline(True)
        write(first, "values.A", "1")
        write(second, "values.A", "2")
        state(first, "offline")
        state(second, "offline")
        opened.context.set_offline(False)
        for page in (first, second):
            page.wait_for_selector('.draft-state[data-state="saved"], .draft-state[data-state="conflict"]')
        told = [page.locator(".draft-state").get_attribute("data-state") for page in (first, second)]
        assert sorted(told) == ["conflict", "saved"]
        winner = "1" if told[0] == "saved" else "2"
        assert saved(student, assignment) == {"values": {"A": winner}}
        behind = second if told[0] == "saved" else first
        assert set(behind.locator(".conflict tbody td").all_inner_texts()) == {"1", "2"}
