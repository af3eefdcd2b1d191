"""The parts of the font that web pages carry are the font's own letters, and a page carries no more than it needs."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from pathlib import Path

import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from solver.drawing.embedding import font_faces
from solver.drawing.picture_style import PICTURE_FONTS
from tests.support.machine import missing
from tests.support.paths import ROOT
from tools.make_fonts import BOLD, PARTS, REGULAR, UNSEEN, parts, spans

PRIVATE = {*range(0xE000, 0xF900)}


def carried(part: str) -> set[int]:
    found = json.loads((PICTURE_FONTS / "parts.json").read_bytes())[part]
    return {code for first, last in found for code in range(first, last + 1)}


def outline(font: TTFont, code: int) -> tuple[int, object]:
    letters, name = font.getGlyphSet(), font.getBestCmap()[code]
    pen = DecomposingRecordingPen(letters)
    letters[name].draw(pen)
    return font["hmtx"][name][0], pen.value


def test_the_parts_are_those_of_the_script() -> None:
    made = parts(TTFont(REGULAR))
    made["latin"] = sorted({*made["latin"], *UNSEEN})
    written = {name: list(map(list, spans(codes))) for name, codes in made.items()}
    assert json.loads((PICTURE_FONTS / "parts.json").read_bytes()) == written
    assert {file.name for file in PICTURE_FONTS.glob("*.woff2")} == {
        f"{file.stem}-{part}.woff2" for part in PARTS for file in (REGULAR, BOLD)
    }


def test_together_the_parts_have_every_sign_once() -> None:
    signs = [code for part in PARTS for code in carried(part)]
    assert len(signs) == len(set(signs))
    assert set(signs) == set(TTFont(REGULAR).getBestCmap()) - PRIVATE | {*UNSEEN}


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("file", [REGULAR, BOLD], ids=lambda file: file.stem)
def test_letters_are_drawn_as_the_font_draws_them(file: Path, part: str) -> None:
    if not file.exists():
        missing(str(file))
    font, cut = TTFont(file), TTFont(PICTURE_FONTS / f"{file.stem}-{part}.woff2")
    assert set(cut.getBestCmap()) == carried(part) & set(font.getBestCmap())
    assert all(outline(cut, code) == outline(font, code) for code in cut.getBestCmap())
    for name in ("ascent", "descent", "lineGap"):
        assert getattr(cut["hhea"], name) == getattr(font["hhea"], name)
    assert "Bitstream" in cut["name"].getDebugName(0), "who holds the rights"


@pytest.mark.slow
def test_arabic_letters_join() -> None:
    for file in PICTURE_FONTS.glob("*-arabic.woff2"):
        features = {record.FeatureTag for record in TTFont(file)["GSUB"].table.FeatureList.FeatureRecord}
        assert {"init", "medi", "fina", "liga"} <= features


def test_catalogues_need_two_parts() -> None:
    """What papers say themselves, in any language; authors and names may need more."""
    files = [*ROOT.glob("solver/languages/*.po"), *ROOT.glob("grader/languages/*.po")]
    assert len(files) == 8
    for file in files:
        signs = {ord(sign) for sign in file.read_text("utf-8")} - {10}
        assert signs <= carried("latin") | (carried("arabic") if file.stem == "fa" else set()), file


def test_a_page_carries_what_it_needs() -> None:
    def needed(text: str) -> list[str]:
        rules = font_faces(text)
        found = re.findall(r"font-weight:(\w+);unicode-range:U\+([0-9A-F]+).*?base64,([^)]+)\)", rules)
        assert rules.count("@font-face") == len(found)
        for _, first, letters in found:
            assert b64decode(letters)[:4] == b"wOF2" and int(first, 16)
        assert [weight for weight, _, _ in found] == ["normal", "bold"] * (len(found) // 2)
        firsts = {min(carried(part)): part for part in PARTS}
        return [firsts[int(first, 16)] for _, first, _ in found[::2]]

    assert needed("") == needed("漢字\n") == []
    assert needed("Zoë: −∞ ≤ α → ✓ \u2068Łukasz\u2069") == ["latin"]
    assert needed("گره A") == ["latin", "arabic"]
    assert needed("ΩЯאṿ⊕") == ["latin-more", "greek", "cyrillic", "symbols", "other"]
    assert len(font_faces("A")) < 45_000
