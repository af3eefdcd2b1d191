"""Trees in a learning system's page on a phone: a browser takes the picture that can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.delivery.systems.exercise_forms import exercise_form, introduction
from grader.delivery.systems.exporter import ExportOptions
from grader.delivery.systems.system_registry import EXPORTERS
from grader.documents.exercise_file import load_exercise
from tests.support.browser import browser, watched_page
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

__all__ = ["browser"]

OPTIONS = ExportOptions()
SHOWN = """async () => {
  const image = document.querySelector("img");
  await image.decode();
  return [image.currentSrc, image.clientWidth / image.naturalWidth];
}"""


def on_a_screen(browser: Any, tmp_path: Path, name: str, width: int) -> Any:
    of = load_exercise(ROOT / "exercises" / f"{name}.yaml")
    content = EXPORTERS["moodle"].write([of], OPTIONS).content
    assert isinstance(content, bytes)
    root = ElementTree.fromstring(content)
    text = root[1].findtext("questiontext/text") or ""
    for file in root[1].findall("questiontext/file"):
        address = f"data:image/svg+xml;base64,{file.text}"
        text = text.replace(f'"@@PLUGINFILE@@/{file.attrib["name"]}"', f'"{address}#{file.attrib["name"]}"')
    page_file = tmp_path / "page.html"
    page_file.write_text(f"<!DOCTYPE html><meta charset=utf-8><meta name=viewport content=width=device-width>{text}")
    with watched_page(browser, viewport={"width": width, "height": 800}) as page:
        page.goto(page_file.as_uri())
        address, scale = page.evaluate(SHOWN)
        return address.partition("#")[2], scale


@pytest.mark.parametrize("name", ["two-ply", "three-players"])
def test_a_phone_gets_letters_that_can_be_read(browser: Any, tmp_path: Path, name: str) -> None:
    file, scale = on_a_screen(browser, tmp_path, name, 390)
    assert file == "tree-narrow.svg" and 13.5 * scale >= 12
    file, scale = on_a_screen(browser, tmp_path, name, 1280)
    assert file == "tree.svg" and 12.5 * scale >= 12


def test_a_small_tree_is_the_same_on_every_screen(browser: Any, tmp_path: Path) -> None:
    assert {on_a_screen(browser, tmp_path, "deep-cut", width) for width in (390, 1280)} == {("tree.svg", 1)}


def test_what_fits_a_phone_is_sent_once(tmp_path: Path) -> None:
    text = (
        "plymark: exercise/1\nid: small\ngame: {tree: [3, 5]}\n"
        "questions: [{id: move, ask: move, marks: 1}]\n"
    )  # fmt: skip
    path = tmp_path / "small.yaml"
    path.write_text(text, "utf-8")
    made = exercise_form(load_exercise(path), OPTIONS)
    assert made.phone_picture() is None
    assert "<picture" not in "".join(introduction(made, "x", str, "y"))
