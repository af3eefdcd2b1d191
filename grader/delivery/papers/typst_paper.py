"""A paper as PDF, by Typst: the same bytes on every machine, since only the fonts that come with it are used.

Where a string has letters that these have not, such as a Chinese name, the machine's own fonts help out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from grader.delivery.papers.paper_content import Paper, PaperPart, PaperQuestion, PaperSheet, qr_svg, runs_rtl
from solver.drawing import PICTURE_FAMILY, PICTURE_FONTS, Board, picture, svg
from solver.kernel import needs_extra

SERIF = "Libertinus Serif"
"""Typst brings it along. It has no Persian letters, so there the pictures' own font is used for all."""
SIZES = {"a4": ("a4", 210, 297), "letter": ("us-letter", 215.9, 279.4)}
"""What Typst calls them, and millimetres across and along."""
_OWN_TEXTS = {PaperSheet: ("title",), PaperPart: ("title", "text"), PaperQuestion: ("text",)}
"""What authors wrote, which runs in the direction of its own letters."""
NEARLY_EMPTY = 0.3
"""How much of a last page is so little that smaller trees and narrower gaps may save the page."""

MANY_ROWS = 500
"""Of tables: so many fill so many pages that one less does not matter, and trying takes memory."""

_TEMPLATE = Path(__file__).parent / "paper.typ"


@dataclass(frozen=True, slots=True)
class Manuscript:
    """All that one PDF is made of, as text: it can be handed to another process."""

    data: str
    codes: tuple[str, ...] = ()
    """What the QR codes say, by sheet; empty for none at all."""


@dataclass(frozen=True, slots=True)
class TypesetFile:
    content: bytes
    sheets: Sequence[tuple[int, int]] = ()
    """The first and the last page of each."""
    pages: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """How close things stand, and which way the pages lie."""

    tight: int = 0
    """From 0 to 2."""
    aside: bool = False


class Manuscripts:
    """Of papers that belong together: what several sheets share is prepared once, and all are set alike."""

    def __init__(self) -> None:
        self._parts: dict[int, tuple[PaperPart, dict[str, Any]]] = {}
        self._setting: Setting | None = None

    def written(self, paper: Paper) -> Manuscript:
        if self._setting is None:
            self._setting = self._best_setting(paper)
        return self._manuscript(paper, self._setting)

    def _manuscript(self, paper: Paper, setting: Setting) -> Manuscript:
        words = paper.language
        size, across, along = SIZES[paper.size]
        numbers: dict[int, int] = {}
        parts: list[dict[str, Any]] = []
        for part in (part for sheet in paper.sheets for part in sheet.parts):
            if id(part) not in numbers:
                numbers[id(part)] = len(parts)
                parts.append(self._part(part))
        data = {
            "title": paper.title,
            "language": words.code,
            "rtl": paper.rtl,
            "bold": not paper.rtl,
            "tight": setting.tight,
            "aside": setting.aside,
            "size": size,
            "across": across,
            "along": along,
            "duplex": paper.duplex,
            "fonts": [PICTURE_FAMILY] if paper.rtl else [SERIF, PICTURE_FAMILY],
            "digits": [words.count(digit) for digit in range(10)],
            "page": paper.page_text,
            "labels": paper.labels,
            "parts": parts,
            "sheets": [self._sheet(sheet, numbers) for sheet in paper.sheets],
        }
        codes = tuple(sheet.code for sheet in paper.sheets)
        return Manuscript(json.dumps(data, ensure_ascii=False), codes if any(codes) else ())

    def _sheet(self, sheet: PaperSheet, numbers: dict[int, int]) -> dict[str, Any]:
        parts = [numbers[id(part)] for part in sheet.parts]
        return {**_data(replace(sheet, parts=())), "parts": parts, "wide": sheet.wide, "whose": sheet.whose}

    def _part(self, part: PaperPart) -> dict[str, Any]:
        """Kept with the part itself, so that no other gets its id."""
        if id(part) not in self._parts:
            self._parts[id(part)] = part, _data(part)
        return self._parts[id(part)][1]

    def _best_setting(self, paper: Paper) -> Setting:
        """The first that needs the fewest pages; names of students do not matter. Where every tree needs a page on its
        side, the questions may find room there as well."""
        if sum(len(table.rows) for sheet in paper.sheets for table in sheet.tables) > MANY_ROWS:
            return Setting()
        sheets: dict[tuple[int, ...], PaperSheet] = {}
        for sheet in paper.sheets:
            sheets.setdefault(tuple(map(id, sheet.parts)), sheet)
        sample = replace(paper, sheets=tuple(sheets.values()))
        all_wide = all(_is_wide(sheet) for sheet in sample.sheets)
        pages, nearly_empty = self._pages(sample, Setting())
        others = [Setting(1), Setting(2)] if nearly_empty else []
        others += [Setting(0, True), Setting(1, True), Setting(2, True)] if all_wide else []
        best = Setting()
        for setting in others:
            fewer, _ = self._pages(sample, setting)
            if fewer < pages:
                best, pages = setting, fewer
        return best

    def _pages(self, paper: Paper, setting: Setting) -> tuple[int, bool]:
        """How many there are, and whether the last one of some sheet has little on it."""
        ends = [each["end"] for each in _placed(_compiler(self._manuscript(paper, setting)))]
        return sum(page for page, _ in ends), any(page > 1 and filled < NEARLY_EMPTY for page, filled in ends)


def _is_wide(sheet: PaperSheet) -> bool:
    return bool(sheet.parts) and all(any(figure.wide for figure in part.figures) for part in sheet.parts)


def typeset(manuscript: Manuscript) -> TypesetFile:
    compiler = _compiler(manuscript)
    made: bytes = compiler.compile()
    places = [(each["start"], each["last"]) for each in _placed(compiler)]
    return TypesetFile(made, places, places[-1][1])


def _compiler(manuscript: Manuscript) -> Any:
    with needs_extra("pdf"):
        # Imported only here: it belongs to an extra.
        import typst
    folders: list[Any] = [str(PICTURE_FONTS)]
    inputs = {"data": manuscript.data, "codes": json.dumps([qr_svg(code) for code in manuscript.codes])}
    return typst.Compiler(
        str(_TEMPLATE),
        font_paths=folders,
        ignore_system_fonts=not needs_more_fonts(manuscript.data),
        sys_inputs=inputs,
    )


def _placed(compiler: Any) -> list[dict[str, Any]]:
    """Of every sheet: its first and last page in the file, and how many pages it has, the last one filled how far."""
    found: list[dict[str, Any]] = json.loads(compiler.query("<sheet>", field="value"))
    return found


def needs_more_fonts(text: str) -> bool:
    """Whether some letter is of a script beyond Arabic in Unicode's order; of Latin there are a few more there."""
    return not text.isascii() and any(
        sign > "\u06ff" and sign.isalpha() and not "\u1d00" <= sign <= "\u2c7f" and not "\ufb00" <= sign <= "\ufeff"
        for sign in set(text)
    )


def _data(content: Any) -> Any:
    """What the template reads: fields by their names, boards as pictures, authors' texts with their direction."""
    if isinstance(content, tuple):
        return list(map(_data, content))
    if isinstance(content, Board):
        made = picture(content)
        description = f"{content.title}. {content.description}"
        return {"svg": svg(made, "light"), "width": made.width, "height": made.height, "description": description}
    if not is_dataclass(content):
        return content
    found = {each.name: _data(getattr(content, each.name)) for each in fields(content)}
    for name in _OWN_TEXTS.get(type(content), ()):
        found[name] = _directed(found[name])
    return found


def _directed(text: str) -> dict[str, Any]:
    return {"text": text, "rtl": runs_rtl(text)}
