"""A tree is built with the mouse alone: no key is pressed, and what comes out is a document that checks."""

from __future__ import annotations

import re
from typing import Any

import pytest

from grader.service.tasks.document_commands import check
from tests.grader.service.web.site import Site, Visit
from tests.grader.service.writing.conftest import Writing, write_document
from tests.grader.service.writing.test_tree_edits import SHOWCASE
from tests.support.browser import expect

pytestmark = pytest.mark.slow

SMALL = "# mine\nplymark: game/1\ntree: [0, 0]  # small\n"
ADDED = ("0", "0.1", "0.1.0", "0.1.1", "1", "1.1", "1.1.0", "1.1.0", "1.1.1")
VALUES = {"0.0": "4", "0.1.0.0": "7", "0.1.0.1": "5", "0.1.1.1": "6", "1.0": "15", "1.1.0.0": "2", "1.1.0.1": "8",
          "1.1.0.2": "1", "1.1.1.0": "9", "1.1.1.1": "19"}  # fmt: skip


def open_with(opened: Visit, site: Site, text: str) -> Any:
    opened.go(f"/teach/c/{site.course}/exercises/new")
    page = opened.page
    page.locator("ply-build svg").wait_for()
    write_document(page, text)
    return page


def wait_for_text(page: Any, text: str) -> None:
    expect(page.locator("#document")).to_have_value(text)


def select(page: Any, path: str) -> None:
    page.locator(f'[data-path="{path}"]').click()
    page.locator(f'[data-path="{path}"][aria-pressed="true"]').wait_for()


def test_the_showcase_is_built_with_the_mouse_alone(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        count = 3
        for path in ADDED:
            select(page, path)
            page.locator("[data-op=add]").click()
            count += 1 if path == "1.1.0" and count == 17 else 2
            expect(page.locator("[data-path]")).to_have_count(count)
        for path, value in VALUES.items():
            select(page, path)
            for digit in value:
                page.locator(f'[data-key="{digit}"]').click()
            page.locator("[data-key=set]").click()
            page.locator(f'[data-path="{path}"] text', has_text=value).wait_for()
        text = page.locator("#document").input_value()
        assert text == SMALL.replace("[0, 0]", SHOWCASE)
        check(text.encode())
        page.locator(".look figure svg:visible").wait_for()


def test_undo_takes_back_one_change_after_the_other(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        select(page, "1")
        page.locator("[data-step='1']").click()
        wait_for_text(page, SMALL.replace("[0, 0]", "[0, 1]"))
        page.locator("[data-op=earlier]").click()
        wait_for_text(page, SMALL.replace("[0, 0]", "[1, 0]"))
        page.locator("[data-undo]").click()
        wait_for_text(page, SMALL.replace("[0, 0]", "[0, 1]"))
        page.locator("[data-undo]").click()
        wait_for_text(page, SMALL)


def test_the_keyboard_does_what_the_mouse_does(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        page.locator('[data-path=""]').focus()
        page.keyboard.press("ArrowDown")
        page.locator('[data-path="0"][aria-pressed="true"]').wait_for()
        page.keyboard.press("+")
        wait_for_text(page, SMALL.replace("[0, 0]", "[[0, 0], 0]"))
        page.keyboard.press("Delete")
        wait_for_text(page, SMALL.replace("[0, 0]", "[0]"))
        page.keyboard.press("Control+z")
        wait_for_text(page, SMALL.replace("[0, 0]", "[[0, 0], 0]"))


def test_after_a_click_the_keys_are_for_that_node(site: Site, writing: Writing) -> None:
    """As in a spreadsheet: click a leaf, type, Enter, and the arrows go on from there."""
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        page.locator('[data-path="0"]').click()
        page.locator('[data-path="0"][aria-pressed="true"]').wait_for()
        page.keyboard.type("17")
        page.keyboard.press("Enter")
        wait_for_text(page, SMALL.replace("[0, 0]", "[17, 0]"))
        expect(page.locator('[data-path="0"]')).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.locator('[data-path="1"][aria-pressed="true"]').wait_for()
        page.keyboard.type("-4")
        page.keyboard.press("Enter")
        wait_for_text(page, SMALL.replace("[0, 0]", "[17, -4]"))


def test_turns_probabilities_and_names(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        page.locator("#build-turn").select_option("chance")
        wait_for_text(page, SMALL.replace("[0, 0]", "{turn: chance, children: [0, 0]}"))
        select(page, "0")
        page.locator("#build-p").fill("1/4")
        page.locator("#build-p").press("Enter")
        children = "{p: 1/4, value: 0}, {p: 3/4, value: 0}"
        wait_for_text(page, SMALL.replace("[0, 0]", f"{{turn: chance, children: [{children}]}}"))
        page.locator("ply-build summary").first.click()
        page.locator("#build-move").fill("heads")
        page.locator("#build-move").press("Enter")
        expect(page.locator("#document")).to_have_value(re.compile(r"\{move: heads, p: 1/4"))
        check(page.locator("#document").input_value().encode())


def test_what_cannot_be_done_is_said(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        select(page, "0")
        page.locator("#build-value").fill("3 or so")
        page.locator("#build-value").press("Enter")
        page.locator("ply-build .said", has_text="a value is a number").wait_for()
        assert page.locator("#document").input_value() == SMALL


def test_players_are_declared_and_take_turns(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        page.locator("ply-build summary", has_text="Players").click()
        page.locator("#build-players").fill("Ann, Bob, Cy")
        page.locator("#build-players").press("Enter")
        wait_for_text(page, SMALL.replace("tree: [0, 0]", "players: [Ann, Bob, Cy]\ntree: [[0, 0, 0], [0, 0, 0]]"))
        select(page, "1")
        for key in "1,2,6":
            page.locator(f'[data-key="{key}"]').click()
        page.locator("[data-key=set]").click()
        page.locator('[data-path="1"] text', has_text="1, 2, 6").wait_for()
        page.locator('[data-path=""]').click()
        page.locator("#build-turn").select_option("Cy")
        text = SMALL.replace(
            "tree: [0, 0]", "players: [Ann, Bob, Cy]\ntree: {turn: Cy, children: [[0, 0, 0], [1, 2, 6]]}"
        )
        wait_for_text(page, text)
        check(text.encode())
        page.locator("#build-players").fill("")
        page.locator("#build-players").press("Enter")
        wait_for_text(page, SMALL.replace("[0, 0]", "{turn: max, children: [0, 1]}"))


def test_the_flat_form_is_nested_by_a_click(site: Site, writing: Writing) -> None:
    nodes = "  A: {turn: max, children: [B, 7]}  # top\n  B: {turn: min, children: [3, 5]}\n"
    flat = f"# mine\nplymark: game/1\nroot: A\nnodes:\n{nodes}"
    with writing() as opened:
        page = open_with(opened, site, SMALL)
        expect(page.locator("[data-path]")).to_have_count(3)
        write_document(page, flat)
        page.locator("[data-nest]").click()
        expect(page.locator("[data-path]")).to_have_count(5)
        nested = page.locator("#document").input_value()
        assert nested.startswith("# mine\nplymark: game/1\ntree:\n  # top\n  id: A\n")
        check(nested.encode())
        select(page, "1")
        page.locator("[data-key=x]").click()
        page.locator("[data-key=set]").click()
        expect(page.locator("#document")).to_have_value(re.compile(r"unknowns: \[x\]\n"))
        page.locator("[data-undo]").click()
        page.locator("[data-undo]").click()
        wait_for_text(page, flat)
