"""Golden pictures: docs/pictures/ holds what the commands below draw, to be looked at and to be read in the docs.

`pytest --update-goldens` draws them anew; then look at each one before committing it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from solver.drawing import Request, draw
from solver.game import Game
from solver.kernel import UsageError
from solver.languages.translation import language
from solver.pipeline import load, load_bytes, load_tree, solve
from solver.story.stage_captions import captions
from tests.support.command import plymark
from tests.support.machine import needs, vnu
from tests.support.paths import ROOT
from tests.support.svg_boxes import clashes, root_of, texts

pytestmark = pytest.mark.slow

PICTURES = ROOT / "docs" / "pictures"

DRAWN = {
    "two-ply.svg": "specs/two-ply.yaml",
    "two-ply-blank.svg": "specs/two-ply.yaml --blank",
    "two-ply-stages.svg": "specs/two-ply.yaml --stage 1-5,7",
    "three-players.svg": "specs/three-players.yaml",
    "chance.svg": "specs/fair-coins.yaml",
    "deep-cut-showcase.svg": "specs/deep-cut-showcase.yaml",
    "deep-cut-showcase-dark.svg": "specs/deep-cut-showcase.yaml --theme dark",
    "deep-cut-showcase-fa.svg": "specs/deep-cut-showcase.yaml --language fa",
    "plan.svg": "specs/vacuum-plan.yaml",
    "counts.svg": "specs/mcts-textbook.yaml --algorithm mcts",
    "two-ply-narrow.svg": "specs/two-ply.yaml --width 340",
    "two-ply-legend.svg": "specs/two-ply.yaml --legend --title Alpha-beta",
    "two-ply-slide.svg": "specs/two-ply.yaml --stage 4 --size slides",
    "hundred-leaves.svg": "docs/pictures/hundred-leaves.yaml",
    "five-hundred-leaves.svg": "docs/pictures/five-hundred-leaves.yaml",
}
"""Each picture's name, and what is said to `plymark draw` to get it."""

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&amp; &lt; ]]> -->",
    r"\input{/etc/passwd} $x^2$ 100% #1 ~_^",
    "{{7*7}} #{x} ${HOME} `id`",
    "بازی‌های رقابتی",
    "a\u05d0\u05d1b 12",
    "🙂👩‍👩‍👧",
    "漢" * 64,
    "=cmd|' /C calc'!A0",
    "fi\ufb01 e\u0301 ａ",
]


def pictures_of(name: str) -> list[str]:
    """The files of a picture; the stages are several."""
    if "stages" not in name:
        return [name]
    return [name.replace(".svg", f"-{stage}.svg") for stage in (1, 2, 3, 4, 5, 7)]


@pytest.mark.parametrize("name", DRAWN)
def test_goldens(name: str, update_goldens: bool, tmp_path: Path) -> None:
    ran = plymark("draw", *DRAWN[name].split(), "--out", tmp_path / name)
    assert ran.code == 0, ran.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == pictures_of(name)
    for file in pictures_of(name):
        if update_goldens:
            shutil.copy(tmp_path / file, PICTURES / file)
        assert (tmp_path / file).read_bytes() == (PICTURES / file).read_bytes(), "see --update-goldens"


def test_every_picture_is_a_golden() -> None:
    kept = {path.name for path in PICTURES.glob("*.svg")}
    assert kept == {file for name in DRAWN for file in pictures_of(name)}


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*.svg")), ids=lambda path: path.stem)
def test_goldens_are_tidy(path: Path) -> None:
    assert not clashes(path.read_text("utf-8"))


def test_goldens_are_valid_svg() -> None:
    """By the W3C's checker."""
    ran = subprocess.run(
        [*vnu(), "--svg", "--Werror", *sorted(PICTURES.glob("*.svg"))], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_the_checker_finds_mistakes(tmp_path: Path) -> None:
    bad = tmp_path / "bad.svg"
    bad.write_text((PICTURES / "two-ply.svg").read_text("utf-8").replace('role="tree"', 'role="banana"'), "utf-8")
    assert subprocess.run([*vnu(), "--svg", bad], capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf", ".tex", ".txt", ".html"])
def test_equal_input_gives_equal_bytes(ending: str, tmp_path: Path) -> None:
    for seed in ("0", "1"):
        ran = plymark("draw", "specs/two-ply.yaml", "--out", tmp_path / f"{seed}{ending}", PYTHONHASHSEED=seed)
        assert ran.code == 0, ran.stderr
    assert (tmp_path / f"0{ending}").read_bytes() == (tmp_path / f"1{ending}").read_bytes()


def hostile_game() -> Game:
    """Every hostile text as a title's, a player's and a move's; ids have no spaces, slashes or joiners."""
    moves = [
        {"move": text, "id": re.sub(r"[\s/\\\u200c\u200d]", "", text), "value": place}
        for place, text in enumerate(HOSTILE)
    ]
    data = {"plymark": "game/1", "title": " ".join(HOSTILE), "tree": {"turn": "max", "children": moves}}
    return load_bytes(json.dumps(data).encode())


def test_hostile_labels_are_themselves_in_svg() -> None:
    game = hostile_game()
    (drawing,) = draw(game, Request())
    text = drawing.content.decode()
    root = root_of(text)
    assert {str(move) for move in game.tree.move if move} | set(game.tree.ids) <= set(texts(text))
    assert root.find("{http://www.w3.org/2000/svg}title").text == game.title  # type: ignore[union-attr]
    assert {element.tag.partition("}")[2] for element in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "g", "text", "polyline", "polygon", "path", "ellipse"
    }  # fmt: skip
    for element in root.iter():
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    assert not clashes(text)


def test_hostile_labels_are_themselves_in_text_and_page() -> None:
    game = hostile_game()
    outline = draw(game, Request(".txt"))[0].content.decode()
    page = draw(game, Request(".html"))[0].content.decode()
    for move in filter(None, game.tree.move):
        assert move in outline
        assert move.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace(
            "'", "&#x27;"
        ) in page  # fmt: skip
    assert page.count("<script") == 1


def test_hostile_labels_reach_png_and_pdf(tmp_path: Path) -> None:
    game = hostile_game()
    assert draw(game, Request(".png", scale=1))[0].content.startswith(b"\x89PNG\r\n")
    file = tmp_path / "hostile.pdf"
    file.write_bytes(draw(game, Request(".pdf"))[0].content)
    ran = subprocess.run([needs("pdftotext"), file, "-"], capture_output=True, text=True, check=True)
    for text in HOSTILE[:5]:
        assert "".join(text.split()) in "".join(ran.stdout.split())


def pages_of(file: Path) -> list[tuple[float, float, list[Any]]]:
    """The size of each page, and its words with their boxes."""
    ran = subprocess.run([needs("pdftotext"), "-bbox", file, "-"], capture_output=True, check=True)
    pages = ElementTree.fromstring(ran.stdout).iter("{http://www.w3.org/1999/xhtml}page")
    return [(float(page.attrib["width"]), float(page.attrib["height"]), list(page)) for page in pages]


def is_inside(word: Any, width: float, height: float) -> bool:
    across = float(word.attrib["xMin"]) >= 0 and float(word.attrib["xMax"]) <= width
    return across and float(word.attrib["yMin"]) >= 0 and float(word.attrib["yMax"]) <= height


STAGED_SPECS = [path for path in sorted((ROOT / "specs").glob("*.yaml")) if not path.stem.startswith("unknown")]


@pytest.mark.parametrize("spec", STAGED_SPECS, ids=lambda path: path.stem)
def test_stages_on_pages_are_whole_and_readable(spec: Path, tmp_path: Path) -> None:
    """One or two on a page of A4, upright or across; nothing is clipped."""
    game, file = load(spec), tmp_path / "figure.pdf"
    file.write_bytes(draw(game, Request(".pdf", stages="all"))[0].content)
    pages, told = pages_of(file), captions(solve(game), language("en"))[1:]
    assert len(pages) in (-(-len(told) // 2), len(told))
    for width, height, words in pages:
        assert sorted((round(width), round(height))) == [595, 842]
        assert all(is_inside(word, width, height - 40) for word in words)
    # Words of 10 points are those of the captions; ids such as X..|...|... may be broken at the end of a line.
    printed = Counter(word.text for _, _, words in pages for word in words if round(_height(word)) == 10)
    assert Counter(word for caption in told for word in caption.split() if word.isalpha()) <= printed


def _height(word: Any) -> float:
    return float(word.attrib["yMax"]) - float(word.attrib["yMin"])


def test_slides_have_one_stage_each(tmp_path: Path) -> None:
    """16 to 9, as PDF, SVG and PNG alike; captions are large, and all of the words are there."""
    game, file = load(ROOT / "specs" / "deep-cut-showcase.yaml"), tmp_path / "slides.pdf"
    file.write_bytes(draw(game, Request(".pdf", stages="all", size="slides"))[0].content)
    pages, told = pages_of(file), captions(solve(game), language("en"))[1:]
    assert len(pages) == len(told)
    for (width, height, words), caption in zip(pages, told, strict=True):
        assert (width, height) == (960, 540)
        assert all(is_inside(word, width, height) for word in words)
        large = Counter(word.text for word in words if _height(word) > 13)
        assert Counter(word for word in caption.split() if word.isalpha()) <= large
    slides = draw(game, Request(".svg", stages="1-2", size="slides", language="fa"))
    for drawing in slides:
        root = root_of(drawing.content.decode())
        assert (root.get("width"), root.get("height")) == ("1920", "1080")
    (drawing,) = draw(game, Request(".png", stages="5", size="slides"))
    assert drawing.content[16:24] == (1920).to_bytes(4) + (1080).to_bytes(4)
    (finished,) = draw(game, Request(".svg", size="slides"))
    assert "Stage" not in finished.content.decode()
    for stages in ("2", None):
        (named,) = draw(game, Request(".svg", stages=stages, size="slides", title="My own"))
        assert "My own" in named.content.decode() and str(game.title) not in named.content.decode()


def test_the_legend_of_a_slide_is_as_wide_as_the_slide() -> None:
    """The fewer its rows, the larger the tree."""
    game = load(ROOT / "specs" / "deep-cut-showcase.yaml")
    high = {
        size: root_of(draw(game, Request(".svg", stages="3", size=size, legend=True))[0].content.decode())
        for size in ("slides", None)
    }
    rows = {
        size: len(
            {each.get("y") for each in root.iter("{http://www.w3.org/2000/svg}text") if each.get("class") == "meaning"}
        )
        for size, root in high.items()
    }
    assert 0 < rows["slides"] < rows[None]


def test_a_stage_alone_on_a_page_fills_it(tmp_path: Path) -> None:
    file = tmp_path / "stages.pdf"
    game = load(ROOT / "specs" / "deep-cut-showcase.yaml")
    file.write_bytes(draw(game, Request(".pdf", stages="all"))[0].content)
    for width, height, words in pages_of(file):
        lowest = max(float(word.attrib["yMax"]) for word in words)
        assert lowest > 0.6 * height and all(is_inside(word, width, height) for word in words)


def test_a_size_is_for_pages() -> None:
    game = load_tree("[[3, 5], [2, 4]]")
    for ending, size in ((".svg", "a4"), (".txt", "slides"), (".html", "slides"), (".pdf", "a5")):
        with pytest.raises(UsageError, match="size"):
            draw(game, Request(ending, size=size))


def test_stages_on_pages_may_be_dark(tmp_path: Path) -> None:
    file = tmp_path / "figure.pdf"
    game = load(ROOT / "specs" / "two-ply.yaml")
    for theme, corner in (("auto", 255), ("light", 255), ("dark", 0x18)):
        file.write_bytes(draw(game, Request(".pdf", stages="1-3", theme=theme))[0].content)
        ran = subprocess.run([needs("pdftoppm"), "-r", "10", file], capture_output=True, check=True)
        # The last byte of the raw image is the blue of its lower right corner.
        assert ran.stdout[-1] == corner


def test_persian_pictures_have_persian_digits() -> None:
    drawn = texts((PICTURES / "deep-cut-showcase-fa.svg").read_text("utf-8"))
    assert {"۹", "≤۲", "(−∞، ۴)", "L11", "Max"} <= set(drawn)


@pytest.mark.parametrize(("ending", "module", "extra"), [(".png", "resvg_py", "draw"), (".pdf", "typst", "pdf")])
def test_a_missing_extra_is_named(ending: str, module: str, extra: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules[{module!r}] = None\n", "utf-8")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = plymark("draw", "specs/two-ply.yaml", "--out", tmp_path / f"x{ending}", PYTHONPATH=path)
    assert ran.code == 2
    assert f"pip install 'plymark[{extra}]'" in ran.stderr


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (".svg", "a file's name ends in the kind of picture: .svg, .png, .pdf, .tex, .txt, .html"),
        ("x", "a file's name ends in the kind of picture: .svg, .png, .pdf, .tex, .txt, .html"),
        ("specs/two-ply.yaml/x.svg", "two-ply.yaml is a file, not a folder to write to"),
    ],
)
def test_a_bad_name_for_a_file_is_told_in_words(out: str, message: str) -> None:
    ran = plymark("draw", "specs/two-ply.yaml", "--out", out)
    assert (ran.code, ran.stdout) == (2, "")
    assert message in ran.stderr
    if "/" in out:
        assert message in plymark("explain", "specs/two-ply.yaml", "--out", out).stderr


def test_a_scale_that_is_no_number_is_told_in_words() -> None:
    ran = plymark("draw", "specs/two-ply.yaml", "--out", "x.png", "--scale", "nan")
    assert ran.code == 2
    assert "Invalid value for '--scale'" in ran.stderr


def test_no_drawing_is_loaded_before_it_is_asked_for() -> None:
    code = "import sys, grader.cli.main; print([m for m in sys.modules if 'drawing' in m or m == 'babel'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_pictures_are_well_formed() -> None:
    for path in PICTURES.glob("*.svg"):
        tree: Any = ElementTree.parse(path)
        assert tree.getroot().tag == "{http://www.w3.org/2000/svg}svg"
