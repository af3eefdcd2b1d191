"""LaTeX pictures: real compilers set them, every text arrives as itself, and nothing lies on anything else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.drawing.boards import PRUNED, UNSEEN, Board, board
from solver.drawing.latex_picture import latex
from solver.drawing.moments import moments
from solver.drawing.picture_parts import arrangement
from solver.drawing.view import FINISHED, View
from solver.game.convention import DEFAULT, Convention
from solver.languages.translation import language
from solver.pipeline import load, load_tree, solve
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

SPECS = ROOT / "specs"
XHTML = "{http://www.w3.org/1999/xhtml}"


def finished(file: str, code: str = "en", convention: Convention = DEFAULT, **view: Any) -> Board:
    game = load(str(SPECS / f"{file}.yaml"))
    solution = solve(game, convention=convention)
    return board(solution.tree, View(**view), language(code), game.title or "", solution)


def of_tree(tree: str, code: str = "en") -> Board:
    solution = solve(load_tree(tree))
    return board(solution.tree, View(), language(code), "", solution)


def staged(code: str = "en") -> list[Board]:
    solution = solve(load(str(SPECS / "two-ply.yaml")))
    found = []
    for moment in moments(solution):
        if moment.stage:
            found.append(
                board(solution.tree, View(FINISHED - {"windows"} | {"intervals"}), language(code), "", solution, moment)
            )
    return found


def labelled(texts: Sequence[str]) -> Board:
    """A board that has each of these texts as a name, a move, a note, a value and a row."""
    found = finished("deep-cut-showcase")
    count = len(texts)
    items = [
        replace(item, name=texts[place % count], move=texts[(place + 14) % count] if place else "")
        for place, item in enumerate(found.items)
    ]
    assert set(texts) <= {text for item in items for text in (item.name, item.move)}
    items[0] = replace(items[0], windows=(texts[0], texts[1 % count]), value=texts[2 % count])
    items[-1] = replace(items[-1], value=texts[3 % count])
    return replace(found, items=items, rows={0: texts[0], 1: texts[-1]}, title="A\n\\end\r\u2028\\input{x}")


# What a compiler makes of it.


@dataclass(frozen=True)
class Word:
    text: str
    page: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    def overlaps(self, other: Word) -> bool:
        """A word's box has room for the highest and the deepest letter; the ink is in its middle."""
        ours, theirs = 0.25 * (self.bottom - self.top), 0.25 * (other.bottom - other.top)
        return (
            self.page == other.page
            and self.left + 0.3 < other.right
            and other.left + 0.3 < self.right
            and self.top + ours < other.bottom - theirs
            and other.top + theirs < self.bottom - ours
        )


@dataclass(frozen=True)
class Printed:
    text: str
    words: list[Word]
    pages: list[tuple[float, float]]
    log: str

    def place(self, text: str) -> Word:
        (found,) = [word for word in self.words if word.text == text]
        return found

    def has(self, text: str) -> bool:
        return bare(text) in self.text


def bare(text: str) -> str:
    """Without spaces, marks of direction and compatibility forms, which a PDF's text need not keep."""
    kept = (
        sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) not in ("Cf", "Cc", "Zs")
    )
    return "".join(kept)


def run(program: str, *arguments: str, folder: Path) -> str:
    if shutil.which(program) is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{program} is not installed")
        pytest.skip(f"{program} is not installed")
    # A TeX of the test's own: no file of the user's has a say, and none outside of the folder is written.
    environment = {**os.environ, "openout_any": "p"}
    done = subprocess.run(
        [program, *arguments], cwd=folder, env=environment, capture_output=True, timeout=900, check=False
    )
    told = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, told[told.find("\n!") :][:2000]
    return told


def printed(source: str, folder: Path) -> Printed:
    """Compiled with the program that the first line names."""
    first = re.fullmatch(r"% Compile with (pdflatex|lualatex)\.", source.split("\n", 1)[0])
    assert first is not None
    (folder / "picture.tex").write_text(source, encoding="utf-8")
    run(first[1], "-interaction=nonstopmode", "-halt-on-error", "picture.tex", folder=folder)
    text = run("pdftotext", "-raw", "picture.pdf", "-", folder=folder)
    boxes = ElementTree.fromstring(run("pdftotext", "-bbox", "picture.pdf", "-", folder=folder))
    pages = list(boxes.iter(f"{XHTML}page"))
    found = [
        Word(word.text or "", number, *(float(word.attrib[side]) for side in ("xMin", "yMin", "xMax", "yMax")))
        for number, page in enumerate(pages)
        for word in page.iter(f"{XHTML}word")
    ]
    sizes = [(float(page.attrib["width"]), float(page.attrib["height"])) for page in pages]
    log = (folder / "picture.log").read_text(encoding="utf-8", errors="replace")
    return Printed(bare(text), found, sizes, log)


def clashes(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    for place, word in enumerate(words):
        yield from ((word.text, other.text) for other in words[:place] if word.overlaps(other))


def shown(found: Board) -> Iterator[str]:
    yield from found.rows.values()
    for item, stacked in zip(found.items, arrangement(found).stacked, strict=True):
        # In a column there is room for values only.
        around = () if stacked else (item.name, item.move, item.probability)
        yield from filter(None, (item.value, *item.notes, *around))


def test_games_of_every_kind(tmp_path: Path) -> None:
    all_windows = replace(DEFAULT, write="all")
    games = [
        finished("deep-cut-showcase"),
        finished("deep-cut-showcase", convention=all_windows),
        finished("three-players-by-name"),
        finished("fair-coins"),
        finished("vacuum-plan"),
        finished("backgammon-roll"),
        finished("two-ply", "pt"),
        finished("two-ply", "es"),
        finished("two-ply", blank=True, show=FINISHED),
        of_tree(str([[[leaf % 17 for leaf in range(row, row + 5)] for row in range(4)] for _ in range(3)])),
        of_tree(str([list(range(row, row + 60)) for row in range(3)])),
    ]
    result = printed(latex(games, ["The first", "50 % & more"]), tmp_path)
    for each in games:
        for text in shown(each):
            assert result.has(text), text
    assert result.has("(a) The first")
    assert result.has("(b) 50 % & more")
    assert result.has("(k)")
    assert list(clashes(result.words)) == []
    assert "Missing character" not in result.log


def test_a_finished_search(tmp_path: Path) -> None:
    result = printed(latex([finished("two-ply")]), tmp_path)
    place = result.place
    leaves = [place(f"L{number}") for number in range(1, 10)]
    assert [leaf.middle for leaf in leaves] == sorted(leaf.middle for leaf in leaves)
    assert len({round(leaf.top) for leaf in leaves}) == 1
    assert len({round(place(name).top) for name in "BCD"}) == 1
    assert place("A").bottom < place("a2").top < place("B").bottom < place("b1").top < leaves[0].top
    assert place("B").left < place("A").left < place("D").left
    assert max(place("MAX").right, place("MIN").right) < min(
        word.left for word in result.words if word.text not in ("MAX", "MIN")
    )
    assert place("A").top < place("MAX").bottom < place("a1").top
    assert list(clashes(result.words)) == []
    assert len(result.pages) == 1


def test_stages_share_a_page_and_stand_still(tmp_path: Path) -> None:
    stages = staged()
    result = printed(latex(stages, ["What happens."] * len(stages)), tmp_path)
    assert len(stages) == 7
    ((width, height),) = result.pages
    assert sorted((round(width), round(height))) == [595, 842]
    labels = [result.place(f"({letter})") for letter in "abcdefg"]
    assert len({round(label.top) for label in labels}) < len(labels)
    assert [label.text for label in sorted(labels, key=lambda word: (round(word.top), word.left))] == [
        label.text for label in labels
    ]
    for name in ("A", "B", "L5", "L9", "MIN"):
        there, first = (
            sorted((word for word in result.words if word.text == each), key=lambda word: (word.top // 9, word.left))
            for each in (name, "L1")
        )
        assert len(there) == len(first) == 7
        apart = [(word.left - leaf.left, word.top - leaf.top) for word, leaf in zip(there, first, strict=True)]
        assert all(abs(x - apart[0][0]) < 0.1 and abs(y - apart[0][1]) < 0.1 for x, y in apart), name
    assert list(clashes(result.words)) == []


HOSTILE = [
    r"\input{/etc/passwd}",
    r"\immediate\write18{touch written}",
    r"\end{forest}\end{document}",
    "$x^2$",
    "50%",
    "#1 & _ ^ ~",
    "}{",
    "{",
    "}",
    "\\",
    "a,b=[c],",
    "]",
    "[",
    "--<<>>,,''``\"?`!`",
    "  lead  trail  ",
    "^^5cinput",
    "W" * 64,
    "tab\tline\nend",
    "−∞ ≤ α ≥ β → ↺ ✓ ✗ …",
]
LETTERS = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ¡¿«»·°ºª±¬×÷"
MORE_LETTERS = "ĂăĄąĆćČčĎďđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"


def test_hostile_texts_with_pdflatex(tmp_path: Path) -> None:
    texts = [*HOSTILE, LETTERS, MORE_LETTERS]
    source = latex([labelled(texts)], ["A caption } with \\ "])
    assert source.startswith("% Compile with pdflatex.\n")
    result = printed(source, tmp_path)
    for text in texts:
        assert result.has(text), text
    assert result.has("A caption } with \\")
    assert "root:" not in result.text
    assert not (tmp_path / "written").exists()
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f"picture.{end}" for end in ("aux", "log", "pdf", "tex")
    ]
    assert list(clashes(result.words)) == []


def test_every_script_with_lualatex(tmp_path: Path) -> None:
    texts = [
        *HOSTILE,
        "Ελλάδα",
        "Москва",
        "کمینه",
        "گره ۱۲ از abc",
        "(بیشینه)",
        "x کمینه 345 y",
        "漢字かな",
        "😀",
        "👩\u200d👩\u200d👧",
        "a\u200db",
        "\u202eevil",
        "½",
        "\ufffe\uffff\ue000\U0010ffff",
        "नमस्ते",
    ]
    persian = finished("two-ply", "fa")
    games = [labelled(texts), persian, finished("deep-cut-showcase", "fa"), of_tree(str([list(range(99))] * 3), "fa")]
    source = latex(games, ["متن با abc و ۳٫۵ "])
    assert source.startswith("% Compile with lualatex.\n")
    result = printed(source, tmp_path)
    for text in [*HOSTILE, "Ελλάδα", "Москва", "کمینه", "(بیشینه)", "evil", "½"]:
        assert result.has(text), text
    for text in shown(persian):
        assert result.has(text), text
    # A number in text from right to left keeps its digits in order, and each word its letters.
    assert result.has("۱۲")
    assert result.has("345")
    assert result.has("گره")
    assert not (tmp_path / "written").exists()


# What stands in the source.


def test_the_simplest_engine_that_can_is_named() -> None:
    plain, greek = finished("two-ply"), replace(finished("two-ply"), rows={0: "Μαξ"})
    assert latex([plain]).startswith(
        "% Compile with pdflatex.\n% Two-ply game tree\n\\documentclass[border=6pt]{standalone}"
    )
    assert latex([greek]).startswith("% Compile with lualatex.\n")
    assert latex([plain], ["漢"]).startswith("% Compile with lualatex.\n")
    assert latex([finished("two-ply", "fa")]).startswith("% Compile with lualatex.\n")
    assert latex([plain]) == latex([finished("two-ply")])


def test_nothing_is_lost_of_what_the_board_says() -> None:
    source = latex([finished("two-ply")])
    assert source.count("slanting cut") - source.count("slanting cut/.style") == 2
    assert len(re.findall(r"\[\{[46]\}, leaf node, called below=\{L[56]\}, .*, pruned\]", source)) == 2
    assert len(re.findall(r"^ *\[\{.*on the line", source, re.MULTILINE)) == 3
    assert r"[{$\leq$2}, min node, called={C}, note={(3, +$\infty$)}" in source
    tree = source[source.index(r"\begin{document}") :]
    assert tree.count("[{") == 13
    stage = staged()[3]
    drawn = latex([stage])
    drawn = drawn[drawn.index(r"\begin{document}") :]
    assert drawn.count("not reached") == sum(item.state == UNSEEN for item in stage.items) > 0
    assert drawn.count(", pruned") == sum(item.state == PRUNED for item in stage.items) == 2
    assert drawn.count("just evaluated") == 1
    game = load(str(SPECS / "two-ply.yaml"))
    blank = latex([board(game.tree, View(), language("en"), "")])
    assert len(re.findall(r"^ *\[\{\}, .* node, .*blank value, blank note$", blank, re.MULTILINE)) == 4


def test_many_stages_go_on_to_further_pages() -> None:
    stages = staged() * 9
    source = latex(stages)
    assert source.count(r"\clearpage") >= 1
    assert "{\\centering (63)\\par" in source
    assert source.count(r"\begin{forest} plymark=") == 63


def test_letters_of_stages_stand_before_their_captions() -> None:
    assert r"{\centering (b) Then.\par" in latex(staged(), ["First.", "Then."])
    assert r"{\centering \plyrtl{\plyltr{(b)} \plyrtl{سپس}}\par" in latex(staged("fa"), ["نخست", "سپس"])


SETS = {
    **{f"\\{sign}": sign for sign in "{}$&#%_ "},
    **{r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~"},
    **{r"\textquotesingle{}": "'", r"\textasciigrave{}": "`", r"\textquotedbl{}": '"', r"\textellipsis{}": "…"},
    **{r"$\infty$": "∞", r"$-\infty$": "−∞", "$-$": "−", r"$\leq$": "≤", r"$\geq$": "≥", r"$\alpha$": "α"},
    **{r"$\beta$": "β", r"$\rightarrow$": "→", r"$\circlearrowleft$": "↺", r"\plyding{51}": "✓", r"\plyding{55}": "✗"},
    **{"{}": "", r"\plyrtl{": "", r"\plyltr{": ""},
}
TOKENS = re.compile("|".join(map(re.escape, sorted(SETS, key=len, reverse=True))) + "|(?s:.)")


def set_by(source: str) -> str:
    """What TeX sets, of the few commands that there are; any other sign of TeX's own fails."""
    open_braces, text = 0, ""
    for token in TOKENS.findall(source):
        if token == "}":
            open_braces -= 1
            assert open_braces >= 0
        else:
            open_braces += token.startswith(r"\ply")
            assert token in SETS or token not in "\\{}$&#%_^~\n\r", source
            text += SETS.get(token, token)
    assert open_braces == 0
    assert "  " not in source.replace("\\ ", "")
    return text


DIRECTING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
TEXTS = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("\\{}$&#%_^~[]=,-<>'`\" −∞✓אبپ12۳")), min_size=1
)
LEAF_ONLY = of_tree("[[3]]")


@given(TEXTS)
def test_any_text_is_set_as_itself(text: str) -> None:
    *others, leaf = LEAF_ONLY.items
    source = latex([replace(LEAF_ONLY, items=[*others, replace(leaf, name=text)])])
    (written,) = re.findall(r"\[\{3\}, leaf node, called below=\{(.*)\}, move=\{b1\}, on the line\]\n", source)
    lualatex = source.startswith("% Compile with lualatex")
    wanted = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in text)
    assert set_by(written) == ("".join(sign for sign in wanted if sign not in DIRECTING) if lualatex else wanted)


def test_runs_of_direction() -> None:
    *others, leaf = LEAF_ONLY.items

    def written(text: str) -> str:
        source = latex([replace(LEAF_ONLY, items=[*others, replace(leaf, name=text)])])
        (found,) = re.findall(r"called below=\{(.*)\}, move=", source)
        return str(found)

    assert written("گره ۱۲") == r"\plyrtl{گره\ \plyltr{۱۲}}"
    assert written("گره −۱٫۵ است") == r"\plyrtl{گره\ \plyltr{−۱٫۵}\ است}"
    assert written("abc گره 12 def") == r"abc\ \plyrtl{گره\ \plyltr{12}}\ def"
    assert written("(گره)") == r"\plyrtl{(گره)}"
    assert written("گره (abc 1) گره") == r"\plyrtl{گره (\plyltr{abc 1}) گره}"


# Columns, and nodes with a single child.


def test_leaves_in_columns_keep_their_names(tmp_path: Path) -> None:
    values = [[place * 7919 % 101 for place in range(first, first + 10)] for first in range(0, 50, 10)]
    found = of_tree(str(values))
    assert any(arrangement(found).column)
    source = latex([found])
    # What is pruned goes on where the last leaf that was seen hangs.
    assert "rail from=8" in source and "rail from=3" in source
    page = printed(source, tmp_path)
    for item in found.items:
        assert page.has(item.name)
    assert page.place("L1").left == pytest.approx(page.place("L2").left, abs=0.5)
    assert not [(one, other) for one in page.words for other in page.words if one is not other and one.overlaps(other)]


def test_an_and_node_with_one_child_has_its_arc(tmp_path: Path) -> None:
    source = latex([finished("vacuum-plan")])
    assert "and node of one" not in source.partition(r"\begin{document}")[2]
    game = load_tree('{turn: or, children: [{turn: and, children: ["true"]}]}')
    found = board(game.tree, View(), language("en"), "", solve(game))
    source = latex([found])
    assert "and node of one" in source.partition(r"\begin{document}")[2]
    printed(source, tmp_path)


def test_only_what_has_changed_is_underlined() -> None:
    third = latex([staged()[2]]).partition(r"\begin{document}")[2]
    assert third.count(r"\plychanged") == 3
    assert r"note={\plychanged{[3, 3]}}" in third and r"[{\plychanged{3}}, min node" in third
