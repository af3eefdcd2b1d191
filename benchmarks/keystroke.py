"""How long a keystroke on the answer sheet takes, in a real browser, with a tree of 100 nodes."""

from __future__ import annotations

import json
import os
import shutil
from itertools import count
from statistics import median
from typing import Any

from benchmarks.measure import Ratio, show, title
from grader.service.http.answer_sheet import sheet_of
from grader.service.http.page_texts import texts_of
from grader.service.http.rendering import environment
from grader.service.http.static_files import static_files
from grader.service.tasks.posed_exercise import pose

FRAME = 1 / 60
ROUNDS = 10
HOST = "http://localhost:9"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Keystrokes</title>
{% for name in ("plymark.css", "tree.css", "sheet.css") %}<link rel="stylesheet" href="/{{ name }}">{% endfor %}
<script type="module" src="/ply-tree.js"></script><link rel="icon" href="/icon.svg">
</head><body><main>{% from "sheet.html" import sheet %}<form>{{ sheet(model) }}</form></main></body></html>"""
WATCH = """() => {
    window.taken = [];
    let pressed = 0;
    const done = () => {
        document.querySelector("figure svg").getBoundingClientRect();
        window.taken.push(performance.now() - pressed);
    };
    addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
    addEventListener("keydown", ({ target }) => { if (target.dataset.node) done(); });
    addEventListener("input", ({ target }) => { if (target.closest("dialog")) done(); });
}"""
"""From the key to the end of all that it sets off, with the new layout of the page worked out."""


def keystroke(quick: bool) -> list[Ratio]:
    """A key pressed in a cell, and a cut above a node."""
    title("Keystrokes on an answer sheet: 100 nodes, Chromium, from the key to the page's new layout")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        print("  left out: it needs Chromium and Playwright")
        return []
    presses = 3 if quick else 50
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = _opened(browser)
        typed = [_typing(page, presses) for _ in range(ROUNDS)]
        cut = [_cutting(page, presses) for _ in range(ROUNDS)]
        browser.close()
    for name, rounds in (("typed into a cell", typed), ("a cut", cut)):
        times = sorted(each for found in rounds for each in found)
        print(f"  {name}: median {median(times):.2f} ms, p99 {_high(times):.2f} ms, worst {times[-1]:.2f} ms")
    frames = [FRAME * 1000] * ROUNDS
    return show(
        [
            Ratio("the slowest of 50 digits typed into a cell, of a frame", [*map(_high, typed)], frames, target=1),
            Ratio("the slowest of 50 cuts above a node, of a frame", [*map(_high, cut)], frames, target=1),
        ]
    )


def _high(times: list[float]) -> float:
    """Of a round of 50, the slowest."""
    return sorted(times)[int(len(times) * 0.99)]


def _opened(browser: Any) -> Any:
    model = sheet_of(pose(_exercise(), page=True), texts_of("en"))
    html = environment().from_string(PAGE).render(model=model)

    def answered(route: Any) -> None:
        name = route.request.url.removeprefix(f"{HOST}/")
        file = static_files().get(name)
        kind = "text/html; charset=utf-8" if file is None else file.kind
        route.fulfill(body=html if file is None else file.raw, content_type=kind)

    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.route("**/*", answered)
    page = context.new_page()
    page.goto(f"{HOST}/")
    page.wait_for_selector("ply-tree.live")
    page.evaluate(WATCH)
    return page


def _typing(page: Any, presses: int) -> list[float]:
    page.locator('[data-node="A"]:visible').focus()
    page.keyboard.press("Enter")
    page.evaluate("window.taken = []")
    for place in range(presses):
        page.keyboard.press(str(place % 10))
    page.keyboard.press("Escape")
    return _taken(page)


def _cutting(page: Any, presses: int) -> list[float]:
    page.locator('[data-node="A"]:visible').focus()
    page.keyboard.press("ArrowDown")
    page.evaluate("window.taken = []")
    for _ in range(presses):
        page.keyboard.press("x")
    return _taken(page)


def _taken(page: Any) -> list[float]:
    found: list[float] = page.evaluate("window.taken")
    return found


def _exercise() -> bytes:
    """1 + 3 + 24 + 72 nodes, with values, windows, cuts and the move."""
    worth = count(1)
    tree = [[[next(worth) * 37 % 101 for _ in range(3)] for _ in range(8)] for _ in range(3)]
    asked = [{"id": ask, "ask": ask, "marks": 1} for ask in ("values", "windows", "pruned", "move")]
    game = {"tree": tree}
    return json.dumps({"plymark": "exercise/1", "id": "keys", "game": game, "questions": asked}).encode()
