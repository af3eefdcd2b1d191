"""Every page where a teacher writes, with something on it: to be looked at by tests and by people."""

from __future__ import annotations

from collections.abc import Iterator

from tests.grader.service.web.site import Visit
from tests.grader.service.writing.conftest import write_document
from tests.support.browser import expect

EXERCISE = """\
plymark: exercise/1
id: deep-cut
title: A deep cut
# From the second lecture: a bound that comes from far above.
game:
  tree: [[4, [[7, 5], [0, 6]]], [15, [[2, 8, 1], [9, 19]]]]
convention: aima3
questions:
  - {id: values, ask: values, marks: 4}
  - {id: pruned, ask: pruned, marks: 3}
  - {id: move, ask: move, marks: 1}
"""
PLAYERS = """\
plymark: game/1
title: Three players
players: [Ann, Bob, Cy]
tree:  # Ann begins
  - - [[1, 2, 6], [4, 3, 2]]
    - [[6, 1, 2], [7, 4, 1]]
  - - [[5, 1, 1], [1, 5, 2]]
    - [[7, 7, 1], [5, 4, 5]]
"""
FLAT = """\
plymark: game/1
title: In the flat form
root: A
nodes:
  A: {turn: max, children: [B, C]}  # MAX begins
  B: {turn: min, children: [3, 12, 8]}
  C: {turn: min, children: [2, 4, 6]}
"""
RECIPE = "minimax-easy"


def each_writing_page(opened: Visit, course: str) -> Iterator[str]:
    """Goes to one after the other; the name of each."""
    new, page = f"/teach/c/{course}/exercises/new", opened.page
    offers = "**/teach/write/offers"
    with page.expect_response(offers):
        opened.go(new)
    write_document(page, EXERCISE)
    expect(page.locator(".questions tbody tr")).to_have_count(3)
    expect(page.locator("ply-build [data-path]")).to_have_count(20)
    yield "write-exercise"
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("  - {id: windows, ask: windows, ")
    page.keyboard.press("Control+Space")
    page.locator(".cm-completionInfo").wait_for()
    page.locator(".problem").first.wait_for()
    yield "write-completion"
    opened.go(new)
    write_document(page, PLAYERS)
    expect(page.locator("ply-build [data-path]")).to_have_count(15)
    page.locator("ply-build summary").last.click()
    page.locator('.state[data-kind="game/1"]').wait_for()
    yield "write-players"
    write_document(page, FLAT)
    page.locator("[data-nest]").wait_for()
    expect(page.locator(".result [data-node=C]").first).to_be_attached()
    yield "write-flat"
    opened.go(f"/teach/c/{course}/recipes/new?recipe={RECIPE}")
    page.locator(".variant").nth(2).wait_for()
    yield "write-recipe"
