"""A paper as LaTeX to compile or to edit, by the article class. Every text is escaped sign by sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias
from unicodedata import bidirectional

from grader.papers.content import Asked, Box, Figure, Paper, Part, Sheet, Table
from grader.papers.typst_paper import page_text, runs_rtl
from solver import (
    LATEX_PLAIN,
    LATEX_STYLES,
    LATEX_UNICODE,
    Board,
    latex_colours,
    latex_forest,
    latex_plain_signs,
    latex_takes,
    latex_unicode_signs,
)

Write: TypeAlias = Callable[[str], str]

WIDTHS = {"value": 20, "number": 28, "bound": 24, "window": 34, "vector": 34, "move": 34, "choice": 44}
"""Millimetres of a box by what goes into it."""
ACROSS = 165
_MORE_SIGNS = {
    "“": "``",
    "”": "''",
    "’": "'",
    "–": "--",
    "—": "---",
    "√": r"$\surd$",
    "×": r"$\times$",
    "⌈": r"$\lceil$",
    "⌉": r"$\rceil$",
    "⌊": r"$\lfloor$",
    "⌋": r"$\rfloor$",
}
_SEGMENT = re.compile("[\u2066-\u2068]((?:[^\u2066-\u2069]|[\u2066-\u2068][^\u2066-\u2069]*\u2069)*)\u2069")
"""What is isolated, and perhaps has something isolated in it."""
_ISOLATES = re.compile("[\u2066-\u2069]")
_HEAD = r"""
\usepackage[a4paper, margin=18mm, top=16mm, bottom=20mm]{geometry}
\usepackage{adjustbox, array, enumitem, longtable, xcolor, pifont, amssymb}
\setlength\parindent{0pt}
\setlength\parskip{1mm}
\setlist{nosep, leftmargin=5mm}
\newcommand\paperfield[2]{\parbox[t]{\linewidth}{{\small\color{darkgray}#1}\ \hrulefill
  \llap{\makebox[.72\linewidth][l]{#2}}}}
\newcommand\paperbox[3]{\fboxsep=2mm\framebox[#1]{\rule[-#2]{0pt}{\dimexpr#2+3mm}\parbox[c]{\dimexpr#1-5mm}{#3}}}
\newcommand\papertick{{\fboxsep=0pt\fbox{\rule{0pt}{2.6mm}\rule{2.6mm}{0pt}}}}
\newenvironment{paperquestion}{\par\vspace{4mm}\begin{minipage}{\textwidth}\setlength\parskip{1mm}}{\end{minipage}\par}
"""


def latex_paper(paper: Paper) -> bytes:
    rtl = paper.language.direction == "rtl"
    unicode = rtl or not all(_is_plain(text) for text in _texts(paper))
    return ("\n".join(_Writer(paper, unicode, rtl).lines()) + "\n").encode("utf-8", "replace")


class _Writer:
    def __init__(self, paper: Paper, unicode: bool, rtl: bool) -> None:
        self.paper, self.unicode, self.rtl = paper, unicode, rtl
        self.signs: Write = latex_unicode_signs if unicode else _plain
        self.labels = {name: self.write(text) for name, text in paper.labels.items()}

    def write(self, text: str) -> str:
        """Any text; in a paper that runs from the right, what runs from the left is turned round."""
        if not self.rtl:
            return self.signs(text)
        parts = _SEGMENT.split(text)
        if len(parts) == 1:
            return self._turned(text)
        # Every second part was isolated: a name, a number or a formula, whatever stands around it.
        return "".join(self._turned(part) for part in parts if part)

    def _turned(self, text: str) -> str:
        first = next((place for place, sign in enumerate(text) if bidirectional(sign) in ("R", "AL")), None)
        if first is None:
            has_letters = any(bidirectional(sign) in ("L", "EN") for sign in text)
            return rf"\plyltr{{{self.signs(text)}}}" if has_letters else self.signs(text)
        if any(bidirectional(sign) == "L" for sign in text[:first]):
            # Where a name comes first, the sentence still runs from the right.
            return rf"\plyltr{{{self.signs(text[:first].strip())}}} {self.signs(text[first:])}"
        return self.signs(text)

    def lines(self) -> Iterator[str]:
        yield f"% Compile with {'lualatex' if self.unicode else 'pdflatex'}, twice: the second run counts the pages."
        yield r"\documentclass[11pt]{article}"
        yield (LATEX_UNICODE if self.unicode else LATEX_PLAIN).strip()
        yield _HEAD.strip()
        yield latex_colours()
        yield LATEX_STYLES.strip()
        yield from self._footer()
        yield r"\begin{document}"
        if self.rtl:
            yield r"\pardir TRT\textdir TRT\plyrtlfont"
        for place, sheet in enumerate(self.paper.sheets):
            yield from self._sheet(sheet, place)
        yield r"\end{document}"

    def _footer(self) -> Iterator[str]:
        numbers = {"{page}": r"\thepage{}", "{pages}": r"\pageref{\paperend}"}
        parts = re.split(r"(\{pages?\})", _ISOLATES.sub("", page_text(self.paper.language)))
        if self.rtl:
            numbers = {place: rf"\ \plyltr{{{number}}}\ " for place, number in numbers.items()}
            parts = [part.strip() for part in parts]
        said = "".join(numbers[part] if part in numbers else self.signs(part) for part in parts)
        said = rf"{{\textdir TRT {said}}}" if self.rtl else said
        yield r"\newcommand\paperend{} \newcommand\papercode{} \newcommand\papername{}"
        yield r"\makeatletter"
        yield r"\renewcommand\ps@plain{\def\@oddhead{}\let\@evenhead\@oddhead"
        yield rf"  \def\@oddfoot{{\footnotesize\color{{darkgray}}\papername\hfil {said}\hfil\papercode}}"
        yield r"  \let\@evenfoot\@oddfoot}"
        yield r"\makeatother"
        yield r"\pagestyle{plain}"

    def _sheet(self, sheet: Sheet, place: int) -> Iterator[str]:
        name = sheet.fields[0][1] if sheet.fields and not sheet.is_key else ""
        if place:
            yield r"\clearpage"
        yield rf"\setcounter{{page}}{{1}}\renewcommand\paperend{{end-{place}}}"
        yield rf"\renewcommand\papercode{{{self._left(sheet.variant)}}}\renewcommand\papername{{{self.write(name)}}}"
        code = rf"\fbox{{\small {self.labels['variant']}\ \ {self._left(sheet.variant)}}}" if sheet.variant else ""
        yield rf"{{\Large\bfseries {self.write(sheet.title)}}}\hfill{code}\par"
        if sheet.remark:
            total = f" {self.labels['total']}: {self.write(sheet.total)}" if sheet.total else ""
            yield rf"{{\small {self.write(sheet.remark)}{total}}}\par"
        for first in range(0, len(sheet.fields), 2):
            row = [
                rf"\begin{{minipage}}[t]{{{width}\textwidth}}\paperfield{{{self.write(label)}}}{{{self.write(value)}}}\end{{minipage}}"
                for width, (label, value) in zip((0.58, 0.38), sheet.fields[first : first + 2], strict=False)
            ]
            yield r"\vspace{2mm}\par " + r"\hfill ".join(row) + r"\par"
        yield r"\vspace{2mm}\hrule height 1pt\vspace{3mm}"
        for each in sheet.parts:
            yield from self._part(each, sheet, each is sheet.parts[-1])
        if sheet.table is not None:
            yield from self._table(sheet.table)
        yield rf"\label{{end-{place}}}"

    def _part(self, part: Part, sheet: Sheet, last: bool) -> Iterator[str]:
        if part.title:
            yield rf"\vspace{{4mm}}{{\large\bfseries {self._own(part.title)}}}\par"
        if part.text:
            yield rf"{self._own(part.text)}\par"
        if part.rules:
            yield rf"\vspace{{2mm}}{{\small\textbf{{{self.labels['conventions']}}}"
            yield from self._list(part.rules)
            yield r"\par}"
        for figure in part.figures:
            yield from self._figure(figure)
        for question in part.questions:
            ends = last and question is part.questions[-1] and not sheet.is_key
            yield from self._asked(question, self._total(sheet) if ends else "")
        if part.notes:
            yield rf"\vspace{{4mm}}\textbf{{{self.labels['notes']}}}"
            yield from self._list(part.notes)
        if part.mistakes is not None:
            yield rf"\vspace{{4mm}}\par\textbf{{{self.labels['mistakes']}}}\par"
            if not part.mistakes:
                yield self.labels["none"]
                return
            yield rf"{{\small {self.labels['how']}\par}}"
            yield r"{\footnotesize\begin{longtable}{@{}p{22mm}p{85mm}p{55mm}@{}}"
            for each in part.mistakes:
                cells = (self._left(each.names), self.write(each.title), self._left(each.traces))
                yield " & ".join(rf"\raggedright\arraybackslash {cell}" for cell in cells) + r" \\"
            yield r"\end{longtable}}"

    def _figure(self, figure: Figure) -> Iterator[str]:
        # A tree is the same tree where text runs from the right.
        yield r"{\pardir TLT\textdir TLT" if self.rtl else "{"
        yield r"\begin{center}\begin{adjustbox}{max width=\textwidth, max totalheight=.5\textheight}"
        yield from latex_forest(figure.board, self.signs)
        yield r"\end{adjustbox}"
        yield rf"\par\vspace{{1mm}}{{\small\color{{darkgray}} {self.write(figure.caption)}}}\end{{center}}}}"

    def _asked(self, question: Asked, after: str) -> Iterator[str]:
        yield r"\begin{paperquestion}"
        marks = rf"\hfill{{\small[{self.write(question.marks)}]}}"
        yield rf"\makebox[7mm][l]{{\textbf{{{self.write(question.number)}.}}}}%"
        remarks = (
            rf"\par{{\small\color{{darkgray}} {' '.join(map(self.write, question.remarks))}}}"
            if question.remarks
            else ""
        )
        yield r"\begin{minipage}[t]{\dimexpr\textwidth-32mm}\raggedright"
        yield rf"{self._own(question.text)}{remarks}\end{{minipage}}{marks}\par"
        yield r"\vspace{1.5mm}\hspace*{7mm}\begin{minipage}{\dimexpr\textwidth-7mm}"
        yield from self._answers(question)
        yield r"\end{minipage}\par"
        if question.notes:
            yield r"{\small\color{darkgray}"
            yield from self._list(question.notes)
            yield "}"
        if after:
            yield after
        yield r"\end{paperquestion}"

    def _answers(self, question: Asked) -> Iterator[str]:
        boxes = question.boxes
        if len(boxes) == 1 and not boxes[0].label:
            box = boxes[0]
            if box.choices and not box.answer:
                yield self._cell(box)
                return
            wide = f"{WIDTHS[box.kind]}mm" if box.kind in WIDTHS and not box.answer else r"\linewidth"
            yield rf"\paperbox{{{wide}}}{{{0 if box.answer else 9 * question.lines - 7}mm}}{{{self._cell(box)}}}"
            return
        width = WIDTHS.get(boxes[0].kind, 42)
        most = max(1, ACROSS // (width + 1))
        rows = -(-len(boxes) // most)
        count = -(-len(boxes) // rows)
        for first in range(0, len(boxes), count):
            part = boxes[first : first + count]
            yield rf"\begin{{tabular}}{{|*{{{len(part)}}}{{>{{\centering\arraybackslash}}p{{{width - 5}mm}}|}}}}\hline"
            yield " & ".join(rf"\small {self.write(box.label)}" for box in part) + r" \\ \hline"
            yield " & ".join(rf"\rule[-3mm]{{0pt}}{{8mm}}{self._cell(box)}" for box in part) + r" \\ \hline"
            yield r"\end{tabular}\par\vspace{1mm}"

    def _cell(self, box: Box) -> str:
        if box.choices and not box.answer:
            ticks = r"\quad ".join(rf"\papertick~{self.write(word)}" for word in box.choices)
            return rf"{{\textdir TRT {ticks}}}" if self.rtl else ticks
        return rf"\textbf{{{self._left(box.answer)}}}" if box.answer else ""

    def _total(self, sheet: Sheet) -> str:
        blank = r"\underline{\hspace{14mm}}"
        inside = rf"\textbf{{{self.labels['total']}}}\ \ {blank} / {self.write(sheet.total)}"
        return rf"\vspace{{4mm}}\hfill\fbox{{{inside}}}"

    def _table(self, table: Table) -> Iterator[str]:
        yield r"\begin{longtable}{@{}rp{68mm}p{32mm}p{30mm}p{16mm}@{}}"
        yield " & ".join(rf"\textbf{{{self.write(cell)}}}" for cell in table.head) + r" \\ \hline \endhead"
        for row in table.rows:
            yield " & ".join(map(self.write, row)) + r" \\ \hline"
        yield r"\end{longtable}"

    def _list(self, texts: tuple[str, ...]) -> Iterator[str]:
        if self.rtl:
            # Lists keep room for their marks on the left only.
            yield from (rf"\par\textbullet\ \ {self.write(text)}" for text in texts)
            yield r"\par"
            return
        yield r"\begin{itemize}"
        yield from (rf"\item {self.write(text)}" for text in texts)
        yield r"\end{itemize}"

    def _own(self, text: str) -> str:
        """What an author wrote, in the direction of its own letters."""
        return self.write(text) if runs_rtl(text) else self._left(text)

    def _left(self, text: str) -> str:
        """What runs from the left even among other letters, such as a key."""
        return rf"\plyltr{{{self.signs(text)}}}" if self.rtl and not runs_rtl(text) else self.write(text)


def _plain(text: str) -> str:
    """For pdflatex, with a few signs of sentences that pictures do not need."""
    parts: list[str] = []
    start = 0
    for place, sign in enumerate(text):
        if sign in _MORE_SIGNS:
            parts += [latex_plain_signs(text[start:place]), _MORE_SIGNS[sign]]
            start = place + 1
    # A space at an edge is kept by latex_plain_signs, which is right here.
    return "".join([*parts, latex_plain_signs(text[start:])])


def _is_plain(text: str) -> bool:
    return bool(latex_takes("".join(sign for sign in text if sign not in _MORE_SIGNS)))


def _texts(part: Any) -> Iterator[str]:
    """Every text on a paper."""
    pending = [part]
    while pending:
        here = pending.pop()
        if isinstance(here, str):
            yield here
        elif isinstance(here, Board):
            yield from here.rows.values()
            for item in here.items:
                yield from (item.name, item.mover, item.sign, item.value, *item.notes, item.move, item.probability)
        elif is_dataclass(here):
            pending += [getattr(here, each.name) for each in fields(here)]
        elif isinstance(here, tuple):
            pending += here
        elif isinstance(here, dict):
            pending += here.values()
