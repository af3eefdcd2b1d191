"""The page of stages, and pictures, as a browser shows them and a screen reader finds them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from solver.drawing import Request, draw
from solver.drawing.boards import board
from solver.drawing.moments import moments
from solver.drawing.picture_parts import Picture
from solver.drawing.slideshow import USUAL_SECONDS, stages_page
from solver.drawing.svg_picture import svg
from solver.drawing.tree_layout import picture, pictures
from solver.drawing.view import FINISHED, PRUNING, View
from solver.game import Game
from solver.languages.translation import Language, language
from solver.pipeline import load, load_tree, solve
from tests.support.browser import browser, watched_page
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

__all__ = ["browser"]

Visit = Callable[..., Any]

SPECS = ROOT / "specs"
HOSTILE = [
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "]]></style></title></svg>&amp;&lt;",
    "\"'` onload=window.pwned=1 \u2028 x='",
]


def stage_pictures(game: Game, code: str = "en", most_leaves: int | None = None) -> list[Picture]:
    solution, words, view = (
        solve(game),
        language(code),
        View(FINISHED | PRUNING, most_leaves=most_leaves, alternating=True),
    )
    boards = [board(solution.tree, view, words, game.title or "", solution, at) for at in moments(solution)]
    return pictures(boards)


def captions(count: int) -> list[str]:
    return [f"What happened at stage {number}, and why." for number in range(1, count + 1)]


@pytest.fixture
def visit(browser: Any) -> Iterator[Visit]:
    """Opens a file; at the end it must have kept to itself."""
    with ExitStack() as pages:

        def visit(file: Path, at: str = "", **options: Any) -> Any:
            page = pages.enter_context(watched_page(browser, **options))
            page.goto(file.as_uri() + at)
            return page

        yield visit


def page_of(
    title: str, pictures: Sequence[Picture], captions: Sequence[str], words: Language, theme: str = "auto"
) -> str:
    """The pictures as the stages from 1 on."""
    return stages_page(title, pictures, captions, words, range(1, len(pictures) + 1), len(pictures), theme)


@pytest.fixture
def opened(visit: Visit, tmp_path: Path) -> Visit:
    """Opens the page of AIMA's Figure 5.5, or of other pictures."""

    def opened(code: str = "en", pictures: Sequence[Picture] | None = None, **options: Any) -> Any:
        drawn = stage_pictures(load(SPECS / "two-ply.yaml"), code) if pictures is None else pictures
        file = tmp_path / "stages.html"
        file.write_text(page_of("Figure 5.5", drawn, captions(len(drawn)), language(code)), encoding="utf-8")
        return visit(file, **options)

    return opened


def shown(page: Any) -> list[int]:
    """The numbers of the stages that are to be seen."""
    return [int(stage.get_attribute("id")) for stage in page.locator(".stage").all() if stage.is_visible()]


def at_stage(page: Any, number: int) -> bool:
    """Whether picture, caption, slider and address all agree."""
    address = page.evaluate("location.hash")
    return (
        shown(page) == [number]
        and page.locator("#player-caption").inner_text() == f"What happened at stage {number}, and why."
        and page.locator("#player-count").inner_text() == page.locator(f"#stage-{number}").text_content()
        and page.locator("#player-slider").input_value() == str(number)
        and address in (f"#{number}", "")
    )


def focused(page: Any) -> str:
    """What a screen reader calls the focused element, up to the first comma."""
    name = page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.id")
    return str(name).split(",")[0]


def test_stepping_by_button_key_and_slider(opened: Visit) -> None:
    page = opened()
    assert at_stage(page, 1)
    assert page.locator('[aria-live="polite"] #player-caption').count() == 1
    steps = [
        ("#player-next", 2), ("#player-next", 3), ("#player-previous", 2), ("ArrowRight", 3), ("PageDown", 4),
        ("ArrowLeft", 3), ("PageUp", 2), ("End", 8), ("PageDown", 8), ("#player-next", 8), ("Home", 1), ("PageUp", 1),
    ]  # fmt: skip
    for step, expected in steps:
        if step.startswith("#"):
            page.locator(step).click(force=True)  # Playwright would wait for one that is aria-disabled.
        else:
            page.keyboard.press(step)
        assert at_stage(page, expected), step
    assert page.locator("#player-previous").get_attribute("aria-disabled") == "true"
    page.locator("#player-slider").fill("5")
    assert at_stage(page, 5)
    # A remote turns stages wherever the focus was left; a choice keeps its own keys.
    for control in ("#player-slider", "#player-seconds", "#player-size", "#player-next"):
        page.locator(control).focus()
        page.keyboard.press("PageDown")
        assert at_stage(page, 6), control
        page.keyboard.press("PageUp")
    page.locator("#player-seconds").focus()
    page.keyboard.press("ArrowDown")
    assert at_stage(page, 5)
    assert page.locator("#player-seconds").input_value() != str(USUAL_SECONDS)


def test_stages_keep_their_numbers(visit: Visit, tmp_path: Path) -> None:
    (drawing,) = draw(load(SPECS / "two-ply.yaml"), Request(".html"))
    file = tmp_path / "stages.html"
    file.write_bytes(drawing.content)
    page = visit(file)
    assert page.locator("#player-count").inner_text() == "Stage 0 of 7"
    page.keyboard.press("End")
    assert page.locator("#player-count").inner_text() == "Stage 7 of 7"
    assert page.evaluate("location.hash") == "#7"
    (some,) = draw(load(SPECS / "two-ply.yaml"), Request(".html", stages="2,4"))
    file.write_bytes(some.content)
    page = visit(file, at="#4")
    assert page.locator("#player-count").inner_text() == "Stage 4 of 7"
    page.keyboard.press("ArrowLeft")
    assert shown(page) == [2]


def test_the_address_opens_a_stage(opened: Visit) -> None:
    page = opened(at="#3")
    assert at_stage(page, 3)
    page.evaluate("location.hash = '#7'")
    page.wait_for_function("document.getElementById('7').classList.contains('shown')")
    assert at_stage(page, 7)
    whole = page.url.partition("#")[0]
    for address, expected in (("#99", 1), ("#0", 1), ("#x", 1), ("#007", 7), ("#-1", 1)):
        page.goto("about:blank")
        page.goto(whole + address)
        assert shown(page) == [expected], address


def test_playing(opened: Visit) -> None:
    page = opened()
    page.clock.install()
    page.reload()
    page.keyboard.press(" ")
    assert at_stage(page, 1)
    page.clock.run_for(1000 * USUAL_SECONDS)
    assert at_stage(page, 2)
    page.locator("#player-seconds").select_option("1")
    page.clock.run_for(2000)
    assert at_stage(page, 4)
    page.locator("#player-play").click()
    page.clock.run_for(60_000)
    assert at_stage(page, 4)
    page.locator("#player-play").press(" ")
    page.clock.run_for(60_000)
    assert at_stage(page, 8)
    # At the end it starts again; a step by hand stops it.
    page.locator("#player-play").click()
    assert at_stage(page, 1)
    page.keyboard.press("ArrowRight")
    page.clock.run_for(60_000)
    assert at_stage(page, 2)


def test_walking_in_the_tree(opened: Visit) -> None:
    page = opened(at="#6")
    page.keyboard.press("Tab")
    walk = [
        ("", "A"), ("ArrowUp", "A"), ("ArrowDown", "B"), ("ArrowRight", "C"), ("ArrowDown", "L4"), ("ArrowLeft", "L4"),
        ("ArrowRight", "L5"), ("ArrowDown", "L5"), ("ArrowUp", "C"), ("End", "L9"), ("Home", "A"), ("ArrowDown", "B"),
    ]  # fmt: skip
    for key, expected in walk:
        if key:
            page.keyboard.press(key)
        assert focused(page) == expected, key
        assert at_stage(page, 6)
    assert page.locator('.stage.shown [tabindex="0"]').count() == 1
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    # The place in the tree is kept from stage to stage.
    page.keyboard.press("PageDown")
    assert at_stage(page, 7)
    assert focused(page) == "B"
    page.keyboard.press("Escape")
    assert focused(page) == "player-play"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "B"
    # A click does not take the stage keys away.
    page.locator("#player-slider").focus()
    page.locator(".stage.shown .node").nth(3).click()
    page.keyboard.press("ArrowRight")
    assert at_stage(page, 8)


def test_a_folded_rest_hangs_below_its_own_node(opened: Visit) -> None:
    tree = load_tree(str([list(range(20)), list(range(20)), [1, 2]]))
    page = opened(pictures=stage_pictures(tree, most_leaves=8), at="#9")
    page.keyboard.press("Tab")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    rest = focused(page)
    assert rest.startswith("…")
    page.keyboard.press("ArrowUp")
    assert focused(page) == "B"


def beside(page: Any) -> dict[str, bool]:
    """Whether windows and intervals are seen in the stages that are."""
    stage = page.locator(".stage.shown") if page.locator(".stage.shown").count() else page.locator(".stage").last
    kinds = {"windows": ".of-window", "intervals": ".of-interval"}
    return {name: stage.locator(f"text{kind}").first.is_visible() for name, kind in kinds.items()}


def test_windows_intervals_or_values_alone(opened: Visit) -> None:
    """By key, on any layout, and by the choice beside the buttons; kept when the page is opened again, and on paper."""
    page = opened()
    assert beside(page) == {"windows": True, "intervals": False}
    page.keyboard.press("KeyI")
    assert beside(page) == {"windows": False, "intervals": True}
    assert page.locator("#player-notes").input_value() == "intervals"
    at = page.locator(".stage.shown .of-interval").first.bounding_box()
    page.reload()
    assert beside(page) == {"windows": False, "intervals": True}
    page.locator("#player-notes").select_option("values")
    assert beside(page) == {"windows": False, "intervals": False}
    page.emulate_media(media="print")
    assert beside(page) == {"windows": False, "intervals": False}
    page.emulate_media(media="screen")
    page.locator("#player-next").focus()
    page.keyboard.press("KeyW")
    assert beside(page) == {"windows": True, "intervals": False}
    # They are at the same place, so that nothing moves.
    there = page.locator(".stage.shown .of-window").first.bounding_box()
    assert abs(at["x"] + at["width"] - there["x"] - there["width"]) < 1 and abs(at["y"] - there["y"]) < 1


@pytest.mark.parametrize("options", [{"java_script_enabled": False}, {"media": "print"}], ids=["no script", "print"])
def test_all_stages_in_order_without_the_player(opened: Visit, options: dict[str, Any]) -> None:
    media = options.pop("media", None)
    page = opened(**options)
    if media:
        page.emulate_media(media=media)
    assert shown(page) == list(range(1, 9))
    assert not page.locator(".controls").is_visible()
    assert beside(page) == {"windows": True, "intervals": False}
    seen = page.locator(".stage .caption")
    assert [each.inner_text() for each in seen.all() if each.is_visible()] == captions(8)
    tops = [page.locator(f'[id="{number}"] svg').bounding_box()["y"] for number in range(1, 9)]
    assert tops == sorted(tops)


@pytest.mark.parametrize("size", [(1920, 1080), (800, 600), (320, 568)])
def test_the_whole_tree_fits_the_window(opened: Visit, size: tuple[int, int]) -> None:
    width, height = size
    tree = load_tree(str([[[value + 7 * row for value in range(5)] for row in range(4)] for _ in range(5)]))
    page = opened(pictures=stage_pictures(tree)[:3], viewport={"width": width, "height": height})
    box = page.locator(".stage.shown svg.plymark").bounding_box()
    area = page.locator(".stage.shown .picture").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert area["y"] <= box["y"] + 0.5 and box["y"] + box["height"] <= area["y"] + area["height"] + 0.5
    assert box["width"] > 0.9 * area["width"] or box["height"] > 0.9 * area["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#player-size").select_option("200")
    assert page.locator(".stage.shown svg.plymark").bounding_box()["width"] == pytest.approx(2 * box["width"], rel=0.01)


def test_right_to_left(opened: Visit) -> None:
    page = opened("fa")
    assert page.locator("#player-next").bounding_box()["x"] < page.locator("#player-previous").bounding_box()["x"]
    page.keyboard.press("ArrowLeft")
    assert at_stage(page, 2)
    page.keyboard.press("ArrowRight")
    assert at_stage(page, 1)
    page.locator("#player-slider").focus()
    page.keyboard.press("ArrowLeft")
    assert at_stage(page, 2)
    page.keyboard.press("End")
    # The tree is not mirrored: the first child stands on the left, and so do the notes beside a node.
    leaves = [leaf.bounding_box()["x"] for leaf in page.locator(".stage.shown .node.leaf .shape").all()]
    assert leaves == sorted(leaves)
    root = page.locator(".stage.shown .node.max").first
    note, name, shape = (root.locator(kind).first.bounding_box() for kind in (".note", ".name", ".shape"))
    assert note["x"] + note["width"] < shape["x"] + shape["width"] / 2 < name["x"]


def test_hostile_texts_appear_as_themselves(visit: Visit, tmp_path: Path) -> None:
    leaves = [{"move": text, "value": 1} for text in HOSTILE]
    source = {"plymark": "game/1", "tree": {"turn": "max", "children": leaves}}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(source).replace("\\u2028", " "), encoding="utf-8")
    words, game = language("en"), load(file)
    solution = solve(game)
    (first, *_) = moments(solution)
    drawn = picture(board(game.tree, View(), words, HOSTILE[0], solution, first))
    for theme in ("auto", "dark"):
        page_file = tmp_path / f"{theme}.html"
        page_file.write_text(page_of(HOSTILE[2], [drawn] * 4, HOSTILE, words, theme), encoding="utf-8")
        page = visit(page_file)
        assert page.title() == HOSTILE[2]
        assert page.locator("h1").text_content() == HOSTILE[2]
        for number, text in enumerate(HOSTILE, start=1):
            assert shown(page) == [number]
            assert page.locator("#player-caption").text_content() == text
            page.keyboard.press("ArrowRight")
        labels = page.locator(".stage.shown svg .label").all_text_contents()
        assert sorted(labels) == sorted(text.replace("\u2028", " ") for text in HOSTILE)
        assert page.locator("img").count() == 0
        assert page.evaluate("window.pwned === undefined")
        assert (page.locator("script").count(), page.locator("style").count()) == (1, 1)


def violations(page: Any) -> list[str]:
    # It loads Playwright, which may be absent where these tests are skipped.
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize(("code", "scheme"), [("en", "light"), ("en", "dark"), ("fa", "light")])
def test_axe_finds_nothing_on_the_page(opened: Visit, code: str, scheme: str) -> None:
    page = opened(code, color_scheme=scheme)
    assert violations(page) == []
    page.keyboard.press("End")
    assert violations(page) == []


def test_axe_finds_nothing_in_a_picture(visit: Visit, tmp_path: Path) -> None:
    drawn = stage_pictures(load(SPECS / "two-ply.yaml"))[-1]
    alone, inlined = tmp_path / "alone.svg", tmp_path / "inlined.html"
    alone.write_text(svg(drawn), encoding="utf-8")
    inlined.write_text(
        f'<!DOCTYPE html><html lang="en"><title>Two pictures</title><main><h1>Two</h1>{svg(drawn)}'
        f"{svg(drawn, prefix='second-')}</main></html>",
        encoding="utf-8",
    )
    for file in (alone, inlined):
        page = visit(file)
        assert page.locator('[role="treeitem"]').first.get_attribute("aria-level") == "1"
        assert violations(page) == []


def test_a_stage_needs_a_picture_and_a_caption() -> None:
    drawn = stage_pictures(load(SPECS / "two-ply.yaml"))
    with pytest.raises(ValueError, match="8 pictures and 7 captions"):
        page_of("", drawn, captions(7), language("en"))
    with pytest.raises(ValueError, match="0 pictures"):
        page_of("", [], [], language("en"))
