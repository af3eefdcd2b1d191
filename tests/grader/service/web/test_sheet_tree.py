"""Writing on the tree, in a real browser: by mouse, by keyboard alone, by touch; what the form then holds."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.grader.service.web.sheet_page import exercise_bytes, opened_sheet

pytestmark = pytest.mark.slow

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def node(page: Any, name: str) -> Any:
    return page.locator(f'ply-tree [data-node="{name}"]:visible')


def edge(page: Any, name: str) -> Any:
    return page.locator(f'ply-tree svg:visible [data-edge="{name}"]')


def holds(page: Any, name: str) -> str:
    return str(page.locator(f'[name="{name}"]').input_value())


def read_back(page: Any, name: str, text: str) -> Any:
    """Waits until it stands beside the box how its text was read."""
    return page.wait_for_selector(f'[name="{name}"] ~ .read:has-text("{text}")')


def press_edge(page: Any, name: str) -> None:
    """In the middle of the line: the box around a slanting line is mostly not the line."""
    x, y = page.evaluate(
        """(name) => {
            const lines = [...document.querySelectorAll(`[data-edge="${name}"] .edge`)];
            const line = lines.find((each) => each.checkVisibility());
            const at = line.getPointAtLength(line.getTotalLength() * 0.45).matrixTransform(line.getScreenCTM());
            return [at.x, at.y];
        }""",
        name,
    )
    page.mouse.click(x, y)


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.dataset.node ?? ''"))


def test_by_mouse(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        node(page, "B").click()
        page.keyboard.type("3")
        page.get_by_role("dialog").get_by_label("α").fill("−∞")
        page.get_by_role("dialog").get_by_label("β").fill("∞")
        page.get_by_role("button", name="Done").click()
        assert holds(page, "values.B") == "3"
        assert holds(page, "windows.B") == "(−∞, ∞)"
        assert node(page, "B").locator("text").all_text_contents() == ["B", "3", "(−∞, ∞)"]
        press_edge(page, "L5")
        page.get_by_role("button", name="Cut", exact=True).click()
        node(page, "L6").click()
        assert holds(page, "pruned") == "L5, L6"
        assert "is-cut" in edge(page, "L5").get_attribute("class")
        assert "left-out" in node(page, "L6").get_attribute("class")
        page.get_by_role("button", name="Choose the move").click()
        press_edge(page, "B")
        assert holds(page, "move") == "a1"
        page.get_by_role("button", name="Undo").click()
        assert holds(page, "move") == ""
        assert "chosen" not in (edge(page, "B").get_attribute("class") or "")
        page.get_by_role("button", name="Redo").click()
        assert holds(page, "move") == "a1"


def test_by_keyboard_alone(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        keys = page.keyboard
        while focused(page) != "A":
            keys.press("Tab")
        keys.press("ArrowDown")
        keys.press("ArrowRight")
        assert focused(page) == "C"
        keys.press("<")
        keys.type("= 2")
        keys.press("Enter")
        assert (focused(page), holds(page, "values.C")) == ("C", "<= 2")
        keys.press("w")
        keys.type("3")
        keys.press("Tab")
        keys.type("inf")
        keys.press("Enter")
        assert (focused(page), holds(page, "windows.C")) == ("C", "(3, inf)")
        assert node(page, "C").locator("text").all_text_contents() == ["C", "≤ 2", "(3, ∞)"]
        keys.press("m")
        assert holds(page, "move") == "a2"
        for key in ("ArrowDown", "ArrowRight", "x"):
            keys.press(key)
        assert (focused(page), holds(page, "pruned")) == ("L5", "L5")
        keys.press("ArrowUp")
        keys.press("x")
        assert holds(page, "pruned") == "C", "all below is cut with it"
        assert edge(page, "C").locator(".count").text_content() == "3 leaves"
        assert page.get_by_role("status").first.text_content() == "Cut above C: 3 leaves are left out."
        keys.press("Control+z")
        assert holds(page, "pruned") == "L5"
        keys.press("Control+z")
        assert holds(page, "pruned") == ""
        keys.press("Control+y")
        assert holds(page, "pruned") == "L5"
        keys.press("Home")
        keys.press("5")
        keys.press("Escape")
        assert (focused(page), holds(page, "values.A")) == ("A", "")
        keys.press("Tab")
        assert focused(page) == "", "the tree is one stop"


def test_by_touch(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **PHONE) as page:
        node(page, "B").tap()
        cell = page.get_by_role("dialog")
        box = cell.bounding_box()
        assert (box["x"], box["width"], round(box["y"] + box["height"])) == (0, 390, 844), "at the bottom, all across"
        assert node(page, "B").bounding_box()["y"] + node(page, "B").bounding_box()["height"] <= box["y"]
        for sign in ("≤", "−", "∞"):
            cell.get_by_role("button", name=sign).tap()
        assert holds(page, "values.B") == "≤−∞"
        assert page.evaluate("document.activeElement.localName") == "input", "the keyboard stays"
        cell.get_by_role("button", name="L1 ›").tap()
        cell.get_by_role("button", name="cut the edge above").tap()
        assert holds(page, "pruned") == "L1"
        cell.get_by_role("button", name="‹ B").tap()
        assert cell.get_by_label("value").input_value() == "≤−∞"
        cell.get_by_role("button", name="Done").tap()
        assert not cell.is_visible()


@pytest.mark.parametrize("language", ["en", "fa"])
def test_arrows_go_as_drawn(browser: Any, language: str) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), language, **DESKTOP) as page:
        node(page, "C").focus()
        for key, step in (("ArrowRight", 1), ("ArrowLeft", -1)):
            before = node(page, focused(page)).bounding_box()["x"]
            page.keyboard.press(key)
            assert (node(page, focused(page)).bounding_box()["x"] - before) * step > 0
        page.keyboard.press("ArrowUp")
        assert focused(page) == "A"


def test_a_page_that_becomes_narrow_shows_the_same_on_its_other_picture(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), **DESKTOP) as page:
        wide = node(page, "B").bounding_box()["y"]
        page.locator('[name="values.B"]').fill("3")
        page.set_viewport_size(PHONE["viewport"])
        page.locator('svg:visible [data-node="B"] [data-slot]:text("3")').wait_for()
        assert page.locator("svg:visible").count() == 1
        assert node(page, "B").bounding_box()["y"] != wide
        node(page, "L1").click()
        page.get_by_role("dialog").get_by_role("button", name="cut the edge above").click()
        page.get_by_role("button", name="Done").click()
        page.keyboard.press("ArrowDown")
        assert focused(page) == "L2", "down the column"
        page.set_viewport_size(DESKTOP["viewport"])
        page.locator('svg:visible .is-cut[data-edge="L1"]').wait_for(state="attached")


def test_on_a_persian_keyboard(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), "fa", **DESKTOP) as page:
        node(page, "B").focus()
        page.evaluate(
            """() => document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", {key: "ط", code: "KeyX", bubbles: true, cancelable: true}))"""
        )
        assert holds(page, "pruned") == "B"
        page.evaluate(
            """() => document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", {key: "۳", code: "Digit3", bubbles: true, cancelable: true}))"""
        )
        page.keyboard.press("Enter")
        assert holds(page, "values.B") == "۳"
        assert read_back(page, "values.B", "3")


def test_the_form_and_the_tree_are_in_step(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), answers={"pruned": "L5-L6"}, **DESKTOP) as page:
        assert "is-cut" in edge(page, "L6").get_attribute("class")
        page.locator('[name="values.D"]').fill("2,5")
        assert "2,5" in node(page, "D").locator("text").all_text_contents()
        assert node(page, "D").get_attribute("aria-label").startswith("D 2,5, MIN, move a3")
        assert read_back(page, "values.D", "→ 5/2")
        page.locator('[name="pruned"]').fill("L9, what?")
        assert "is-cut" in edge(page, "L9").get_attribute("class")
        node(page, "L8").focus()
        page.keyboard.press("x")
        assert holds(page, "pruned") == "L9, what?, L8", "what cannot be read is kept"
        page.get_by_role("button", name="Nothing is pruned").click()
        assert holds(page, "pruned") == "none"
        page.get_by_role("button", name="As a form").click()
        assert not page.locator('[name="values.D"]').is_visible()
        assert "1 of 4" in page.locator("fieldset[data-question=values] .filled").text_content()


def test_order_of_visits_and_of_children_bounds_and_choices(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("deep-cut"), **DESKTOP) as page:
        for leaf in ("L1", "L2", "L4"):
            node(page, leaf).focus()
            page.keyboard.press("o")
        assert holds(page, "leaves") == "L1, L2, L4"
        assert node(page, "L4").locator(".badge").text_content() == "3"
        node(page, "L2").focus()
        page.keyboard.press("o")
        assert holds(page, "leaves") == "L1, L4"
        node(page, "B").click()
        page.get_by_role("dialog").get_by_role("button", name="earlier", disabled=False).last.click()
        page.get_by_role("button", name="Done").click()
        assert re.fullmatch(r"B: \w+, \w+", holds(page, "order"))
        node(page, "D").click()
        page.get_by_role("dialog").get_by_label("bound").fill("≤ 4")
        page.keyboard.press("Enter")
        assert holds(page, "bounds.D") == "≤ 4"
        node(page, "L3").click()
        page.get_by_role("dialog").get_by_label("can be pruned").select_option("yes")
        assert holds(page, "prunable.L3") == "yes"


def test_a_plan(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("vacuum-plan"), **DESKTOP) as page:
        for step in ("s1-Suck", "s8"):
            node(page, step).focus()
            page.keyboard.press("m")
        assert holds(page, "plan") == "[Suck, {s5: [Right, Suck], s7: []}]"
        chosen = page.eval_on_selector_all(".chosen", "edges => edges.map((edge) => edge.dataset.edge)")
        assert sorted(chosen) == ["s1-Suck", "s6", "s8"]
        page.locator('[name="plan"]').fill("[Right]")
        assert page.eval_on_selector_all(".chosen", "edges => edges.map((edge) => edge.dataset.edge)") == ["s2"]


def test_vectors_and_a_line(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("three-players"), **DESKTOP) as page:
        node(page, "D").focus()
        page.keyboard.press("(")
        page.keyboard.type("1, 2, 6)")
        page.keyboard.press("Enter")
        assert holds(page, "vectors.D") == "(1, 2, 6)"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("m")
        assert holds(page, "line") == "a1, b1, d1"


def test_counts_and_a_selected_child(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("mcts"), **DESKTOP) as page:
        node(page, "C").focus()
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.keyboard.press("m")
        assert (holds(page, "ucb.C"), holds(page, "ucb.select")) == ("1", "C")
        assert any("1" in text for text in node(page, "C").locator(".beside text").all_text_contents())


@pytest.mark.parametrize(
    ("name", "language", "options"),
    [
        pytest.param("two-ply", "en", DESKTOP, id="desktop"),
        pytest.param("two-ply", "fa", PHONE, id="phone, right to left"),
        pytest.param("deep-cut", "fa", {**DESKTOP, "color_scheme": "dark"}, id="desktop, dark"),
        pytest.param("deep-cut", "en", {**PHONE, "color_scheme": "dark"}, id="phone, dark"),
    ],
)
def test_axe_finds_nothing_and_targets_are_large(browser: Any, name: str, language: str, options: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    rules = {"rules": {"label-content-name-mismatch": {"enabled": True}}}
    with opened_sheet(browser, exercise_bytes(name), language, {"values": {"A": "3"}}, **options) as page:
        assert Axe().run(page, options=rules).response["violations"] == []
        node(page, "B").click()
        assert Axe().run(page, options=rules).response["violations"] == []
        small = page.eval_on_selector_all(
            "button, input, select, summary, [data-node] .target",
            """found => found.filter((each) => each.checkVisibility())
                .map((each) => [each, each.getBoundingClientRect()])
                .filter(([, box]) => box.width < 24 || box.height < 24).map(([each]) => each.outerHTML)""",
        )
        assert small == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "only the tree scrolls sideways"


def test_without_script_the_form_is_all_there_is(browser: Any) -> None:
    with opened_sheet(browser, exercise_bytes("two-ply"), java_script_enabled=False, **PHONE) as page:
        page.locator('[name="values.A"]').fill("3")
        page.locator('[name="move"]').select_option("a1")
        assert page.locator("fieldset input:visible, fieldset select:visible").count() == 10
