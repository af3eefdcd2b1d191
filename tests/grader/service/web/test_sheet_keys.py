"""The row of signs at the boxes of the form: by touch, by keyboard, in every language."""

from __future__ import annotations

from typing import Any

import pytest

from tests.grader.service.web.sheet_page import exercise_bytes, opened_sheet
from tests.grader.service.web.test_sheet_tree import DESKTOP, PHONE, holds

pytestmark = pytest.mark.slow

ROW = ".keys.of-box"


def box(page: Any, name: str) -> Any:
    return page.locator(f'[name="{name}"]')


def key(page: Any, sign: str) -> Any:
    return page.locator(ROW).get_by_role("button", name=sign)


def test_by_touch(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **PHONE) as page:
        assert page.locator(ROW).count() == 0
        page.get_by_role("button", name="As a form").tap()
        box(page, "values.B").tap()
        row = page.locator(ROW).bounding_box()
        assert (row["x"], row["width"], round(row["y"] + row["height"])) == (0, 390, 844), "at the bottom, all across"
        assert min(key(page, sign).bounding_box()["height"] for sign in "−/∞≤≥") >= 24
        for sign in ("≤", "−"):
            key(page, sign).tap()
        page.keyboard.type("5")
        assert holds(page, "values.B") == "≤−5"
        assert page.evaluate("document.activeElement.name") == "values.B", "the keyboard stays"
        page.wait_for_selector('[name="values.B"] ~ .read:has-text("≤ −5")')
        box(page, "pruned").tap()
        assert page.locator(ROW).get_by_role("button").all_text_contents() == [","]
        seen = box(page, "pruned").bounding_box()
        assert seen["y"] + seen["height"] <= page.locator(ROW).bounding_box()["y"], "the box is not behind the row"
        page.get_by_role("button", name="Undo").tap()
        assert page.locator(ROW).count() == 0


def test_it_types_at_the_cursor_and_in_place_of_what_is_selected(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        box(page, "windows.C").fill("(3, 4)")
        box(page, "windows.C").evaluate("(each) => each.setSelectionRange(4, 5)")
        key(page, "∞").click()
        assert holds(page, "windows.C") == "(3, ∞)"
        page.keyboard.press("Backspace")
        assert holds(page, "windows.C") == "(3, )"


def test_by_keyboard_it_is_one_stop_and_no_trap(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        box(page, "values.B").focus()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "−"
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        assert holds(page, "values.B") == "≥"
        assert page.evaluate("document.activeElement.name") == "values.B"
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.name") == "values.B"
        for _ in range(2):
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.name") == "values.C", "on to the next box"
        page.keyboard.press("Shift+Tab")
        assert page.evaluate("document.activeElement.name") == "values.B", "and back, past no row"


def test_it_moves_nothing_on_the_page(browser: Any) -> None:
    """A press on a button would miss it if the page moved when the box loses the focus."""
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        before = page.get_by_role("button", name="Hand in").bounding_box()
        box(page, "values.B").focus()
        assert page.locator(ROW).is_visible()
        assert page.get_by_role("button", name="Hand in").bounding_box() == before


@pytest.mark.parametrize("language", ["en", "pt", "es", "fa"])
def test_every_sign_has_a_name(browser: Any, language: str) -> None:
    raw = exercise_bytes("two-ply")
    with opened_sheet(browser, raw, language, **DESKTOP) as page:
        box(page, "windows.A").focus()
        names = page.locator(f"{ROW} button").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
        signs = page.locator(f"{ROW} button").all_text_contents()
        assert signs == ["−", "/", "∞", "≤", "≥", "(", ",", ")"]
        for sign, name in zip(signs, names, strict=True):
            assert name.startswith(f"{sign} ")
            assert "sign-" not in name
