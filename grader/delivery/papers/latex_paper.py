"""A paper as LaTeX to compile or to edit, by the article class. Every text is escaped character by character."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias
from unicodedata import bidirectional

from grader.delivery.papers.content import Figure, Paper, PaperBox, PaperPart, PaperQuestion, PaperSheet, PaperTable
from grader.delivery.papers.direction import runs_rtl
from grader.delivery.papers.room import ACROSS
from solver.drawing import (
    LATEX_PLAIN,
    LATEX_STYLES,
    LATEX_UNICODE,
    Board,
    latex_colours,
    latex_forest,
    latex_plain_characters,
    latex_takes,
    latex_unicode_characters,
)

Write: TypeAlias = Callable[[str], str]

ROWS_A_PAGE = 13
"""Of boxes; a question with more of them goes on on the next page."""
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
\usepackage{adjustbox, array, enumitem, longtable, needspace, pdflscape, xcolor, amssymb}
\setlength\parindent{0pt}
\setlength\parskip{1mm}
\setlist{nosep, leftmargin=5mm}
\newcommand\paperfield[2]{\parbox[t]{\linewidth}{{\small\color{darkgray}#1}\ \hrulefill
  \llap{\makebox[.72\linewidth][l]{#2}}}}
\newcommand\paperbox[3]{\fboxsep=2mm\framebox[#1]{\rule[-#2]{0pt}{\dimexpr#2+3mm}\parbox[c]{\dimexpr#1-5mm}{#3}}}
\newcommand\papertick{{\fboxsep=0pt\fbox{\rule{0pt}{2.6mm}\rule{2.6mm}{0pt}}}}
\newcommand\paperblank[1]{\underline{\hspace{#1}}}
\newenvironment{paperquestion}{\par\vspace{4mm}\begin{minipage}{\textwidth}\setlength\parskip{1mm}}{\end{minipage}\par}
% A question that is too long for a page.
\newenvironment{paperlongquestion}{\par\vspace{4mm}\needspace{60mm}}{\par}
"""


def latex_paper(paper: Paper) -> bytes:
    rtl = paper.language.direction == "rtl"
    unicode = rtl or not all(_is_plain(text) for text in _texts(paper))
    return ("\n".join(_LatexWriter(paper, unicode, rtl).lines()) + "\n").encode("utf-8", "replace")


class _LatexWriter:
    def __init__(self, paper: Paper, unicode: bool, rtl: bool) -> None:
        self.paper, self.unicode, self.rtl = paper, unicode, rtl
        self._start = r"\pardir TRT\textdir TRT" if rtl else ""
        self.signs: Write = latex_unicode_characters if unicode else _plain
        self.labels = {name: self.write(text) for name, text in paper.labels.items()}

    def write(self, text: str) -> str:
        """Any text; in a paper that runs from the right, what runs from the left is turned round."""
        if not self.rtl:
            return self.signs(text)
        parts = _SEGMENT.split(text)
        if len(parts) == 1:
            return self._turned(text)
        # Every second part was isolated: a name, a number or a formula, whatever is around it.
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
        yield rf"\usepackage[{self.paper.size}paper, margin=18mm, top=16mm, bottom=20mm]{{geometry}}"
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
        parts = re.split(r"(\{pages?\})", _ISOLATES.sub("", self.paper.page_text))
        if self.rtl:
            numbers = {place: rf"\ \plyltr{{{number}}}\ " for place, number in numbers.items()}
            parts = [part.strip() for part in parts]
        said = "".join(numbers[part] if part in numbers else self.signs(part) for part in parts)
        said = rf"{{\textdir TRT {said}}}" if self.rtl else said
        if self.rtl:
            # Pages are counted in the language's digits.
            yield r"\renewcommand\thepage{\directlua{tex.sprint((string.gsub('\number\value{page}', '[0-9]',"
            yield rf"  function(digit) return utf8.char({ord(self.paper.language.count(0))} + digit) end)))}}}}"
        yield r"\newcommand\paperend{} \newcommand\papercode{} \newcommand\papername{}"
        yield r"\makeatletter"
        yield r"\renewcommand\ps@plain{\def\@oddhead{}\let\@evenhead\@oddhead"
        yield rf"  \def\@oddfoot{{\footnotesize\color{{darkgray}}\papername\hfil {said}\hfil\papercode}}"
        yield r"  \let\@evenfoot\@oddfoot}"
        yield r"\makeatother"
        yield r"\pagestyle{plain}"

    def _sheet(self, sheet: PaperSheet, place: int) -> Iterator[str]:
        if place:
            yield r"\clearpage"
        if place and self.paper.duplex:
            yield r"\ifodd\value{page}\else\thispagestyle{empty}\null\clearpage\fi"
        yield rf"\setcounter{{page}}{{1}}\renewcommand\paperend{{end-{place}}}"
        yield rf"\renewcommand\papercode{{{self._left(sheet.variant)}}}\renewcommand\papername{{{self._whose(sheet)}}}"
        if sheet.institution:
            yield rf"{{\small\color{{darkgray}} {self.write(sheet.institution)}}}\par\vspace{{1mm}}"
        code = rf"\fbox{{\small {self.labels['variant']}\ \ {self._left(sheet.variant)}}}" if sheet.variant else ""
        yield rf"{{\Large\bfseries {self.write(sheet.title)}}}\hfill{code}\par"
        if sheet.is_key and (sheet.remark or sheet.total):
            total = f"{self.labels['total']}: {self.write(sheet.total)}" if sheet.total else ""
            yield rf"{{\small {' '.join(filter(None, (self.write(sheet.remark), total)))}}}\par"
        for first in range(0, len(sheet.fields), 2):
            row = [
                rf"\begin{{minipage}}[t]{{{width}\textwidth}}\paperfield{{{self.write(label)}}}{{{self.write(value)}}}\end{{minipage}}"
                for width, (label, value) in zip((0.58, 0.38), sheet.fields[first : first + 2], strict=False)
            ]
            yield r"\vspace{2mm}\par " + r"\hfill ".join(row) + r"\par"
        if sheet.scores:
            yield from self._scores(sheet)
        yield r"\vspace{2mm}\hrule height 1pt\vspace{3mm}"
        end = rf"\label{{end-{place}}}"
        for each in sheet.parts:
            yield from self._part(each, sheet, end if each is sheet.parts[-1] else "")
        if sheet.table is not None:
            yield from self._table(sheet.table)
        if not any(figure.apart for part in sheet.parts[-1:] for figure in part.figures):
            yield end

    def _whose(self, sheet: PaperSheet) -> str:
        """At the foot of every page, or a line to write on from the second on, since pages come apart."""
        if sheet.whose:
            return self.write(sheet.whose)
        line = rf"{self.labels['name']}\ \paperblank{{42mm}}"
        return "" if sheet.is_key else rf"\ifnum\value{{page}}>1 {line}\fi"

    def _scores(self, sheet: PaperSheet) -> Iterator[str]:
        """A table for who marks the exam: a column for every part, and the total."""
        columns = [*sheet.scores, (self.paper.labels["total"], sheet.total)]
        yield rf"\vspace{{3mm}}\par\begin{{tabular}}{{|*{{{len(columns)}}}{{c|}}}}\hline"
        yield self._row(self.write(label) for label, _ in columns) + r" \hline"
        cells = (rf"\rule[-3mm]{{0pt}}{{8mm}}\hspace{{9mm}} / {self.write(marks)}" for _, marks in columns)
        yield self._row(cells) + r" \hline \end{tabular}\par"

    def _part(self, part: PaperPart, sheet: PaperSheet, end: str) -> Iterator[str]:
        """`end` marks the last page of the sheet; it is empty for all parts but the last."""
        if part.title:
            title = rf"{{\large\bfseries {self._own(part.title)}}}\hfill[{self.write(part.marks)}]"
            yield rf"\vspace{{5mm}}\needspace{{60mm}}{title}\par\nopagebreak"
        if part.text:
            yield rf"{self._own(part.text)}\par"
        if part.rules:
            yield rf"\vspace{{2mm}}{{\small\textbf{{{self.labels['conventions']}}}"
            yield from self._list(part.rules)
            yield r"\par}"
        for figure in part.figures:
            if not figure.apart:
                yield from self._figure(figure)
        if any(figure.apart for figure in part.figures):
            yield rf"\vspace{{2mm}}{{\small\color{{darkgray}} {self.labels['tree-apart']}}}\par"
        for question in part.questions:
            ends = end and question is part.questions[-1] and not sheet.is_key
            yield from self._asked(question, self._total(sheet) if ends else "")
        yield from self._marking(part)
        for figure in part.figures:
            if figure.apart:
                yield r"\clearpage" + (r"\begin{landscape}" if figure.wide else "") + r"\vspace*{\fill}"
                yield from self._figure(figure)
                yield rf"\vspace*{{\fill}}{end}" + (r"\end{landscape}" if figure.wide else r"\clearpage")

    def _marking(self, part: PaperPart) -> Iterator[str]:
        if part.notes:
            yield rf"\vspace{{4mm}}\needspace{{25mm}}\textbf{{{self.labels['notes']}}}"
            yield from self._list(part.notes)
        if part.mistakes is None:
            return
        yield rf"\vspace{{4mm}}\par\needspace{{35mm}}\textbf{{{self.labels['mistakes']}}}\par\nopagebreak"
        if not part.mistakes:
            yield self.labels["none"]
            return
        yield rf"{{\small {self.labels['how']}\par}}\nopagebreak"
        yield rf"{{\footnotesize\begin{{longtable}}{{{self._columns('p{22mm}', 'p{70mm}', 'p{70mm}')}}}"
        for each in part.mistakes:
            cells = (self._left(each.names), self.write(each.title), self._left(each.traces))
            yield self._row(map(self._ragged, cells))
        yield r"\end{longtable}}"

    def _figure(self, figure: Figure) -> Iterator[str]:
        # A tree is the same tree where text runs from the right.
        yield r"{\pardir TLT\textdir TLT" if self.rtl else "{"
        most = r".85\textheight" if figure.apart else r".5\textheight"
        yield rf"\begin{{center}}\begin{{adjustbox}}{{max width=\linewidth, max totalheight={most}}}"
        yield from latex_forest(figure.board, self.signs)
        yield r"\end{adjustbox}"
        caption = rf"{{\textdir TRT {self.write(figure.caption)}}}" if self.rtl else self.write(figure.caption)
        yield rf"\par\vspace{{1mm}}{{\small\color{{darkgray}} {caption}}}\end{{center}}}}"

    def _asked(self, question: PaperQuestion, after: str) -> Iterator[str]:
        kind = "paperlongquestion" if self._rows(question) > ROWS_A_PAGE else "paperquestion"
        yield rf"\begin{{{kind}}}"
        marks = rf"\hfill{{\small[{self.write(question.marks)}]}}"
        yield rf"\makebox[7mm][l]{{\textbf{{{self.write(question.number)}.}}}}%"
        remarks = (
            rf"\par{{\small\color{{darkgray}} {' '.join(map(self.write, question.remarks))}}}"
            if question.remarks
            else ""
        )
        yield r"\begin{minipage}[t]{\dimexpr\textwidth-32mm}\raggedright"
        yield rf"{self._own(question.text)}{remarks}\end{{minipage}}{marks}\par"
        yield r"\vspace{1.5mm}"
        yield from self._answers(question)
        if question.notes:
            yield r"{\small\color{darkgray}"
            yield from self._list(question.notes)
            yield "}"
        if after:
            yield after
        yield rf"\end{{{kind}}}"

    def _answers(self, question: PaperQuestion) -> Iterator[str]:
        boxes = question.boxes
        answered = any(box.answer for box in boxes)
        if len(boxes) == 1 and not boxes[0].label:
            box = boxes[0]
            if box.choices and not box.answer:
                yield rf"\hspace*{{7mm}}{self._cell(box)}\par"
                return
            wide = f"{question.width}mm" if question.width and not answered else r"\dimexpr\textwidth-7mm"
            high = 0 if answered else 9 * question.lines - 7
            yield rf"\hspace*{{7mm}}\paperbox{{{wide}}}{{{high}mm}}{{{self._cell(box)}}}\par"
            return
        rows = self._rows(question)
        count = -(-len(boxes) // rows)
        drop = 3 if answered else 8 * question.lines - 5
        for first in range(0, len(boxes), count):
            part = boxes[first : first + count]
            columns = rf"*{{{len(part)}}}{{>{{\centering\arraybackslash}}p{{{_width(question) - 5}mm}}|}}"
            yield rf"\hspace*{{7mm}}\begin{{tabular}}{{|{columns}}}\hline"
            yield self._row(rf"\small {self.write(box.label)}" for box in part) + r" \hline"
            strut = rf"\rule[-{drop}mm]{{0pt}}{{{drop + 5}mm}}"
            yield self._row(f"{strut}{self._cell(box)}" for box in part) + r" \hline"
            yield r"\end{tabular}\par\vspace{1mm}"

    def _rows(self, question: PaperQuestion) -> int:
        """As even as can be: ten boxes are five and five, not eight and two."""
        most = max(1, ACROSS // (_width(question) + 1))
        return -(-len(question.boxes) // most) * (1 if any(box.label for box in question.boxes) else question.lines)

    def _cell(self, box: PaperBox) -> str:
        if box.choices and not box.answer:
            ticks = r"\quad ".join(rf"\papertick~{self.write(word)}" for word in box.choices)
            return rf"{{\textdir TRT {ticks}}}" if self.rtl else ticks
        return rf"\textbf{{{self._left(box.answer)}}}" if box.answer else ""

    def _total(self, sheet: PaperSheet) -> str:
        inside = rf"\textbf{{{self.labels['total']}}}\ \ \paperblank{{14mm}} / {self.write(sheet.total)}"
        return rf"\vspace{{4mm}}\hfill\fbox{{{inside}}}"

    def _table(self, table: PaperTable) -> Iterator[str]:
        columns = ["r", "p{60mm}", *["p{27mm}"] * (len(table.head) - 3), "p{16mm}"]
        yield rf"\begin{{longtable}}{{{self._columns(*columns)}}}"
        number, *names = [rf"\textbf{{{self.write(cell)}}}" for cell in table.head]
        yield self._row([number, *map(self._ragged, names)]) + r" \hline \endhead"
        for number, *cells in table.rows:
            yield self._row([self.write(number), *(self._ragged(self._own(cell)) for cell in cells)]) + r" \hline"
        yield r"\end{longtable}"

    def _ragged(self, cell: str) -> str:
        """In a cell that has lines: a table does not hand on where text starts."""
        return rf"\raggedright\arraybackslash{self._start} {cell}"

    def _columns(self, *columns: str) -> str:
        return f"@{{}}{''.join(reversed(columns) if self.rtl else columns)}@{{}}"

    def _row(self, cells: Iterable[str]) -> str:
        """Tables run from the left in LuaTeX; where the text does not, the first cell is the last."""
        row = list(cells)
        return " & ".join(reversed(row) if self.rtl else row) + r" \\"

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


def _width(question: PaperQuestion) -> int:
    return question.width or ACROSS


def _plain(text: str) -> str:
    """For pdflatex, with a few characters of sentences that pictures do not need."""
    parts: list[str] = []
    start = 0
    for place, sign in enumerate(text):
        if sign in _MORE_SIGNS:
            parts += [latex_plain_characters(text[start:place]), _MORE_SIGNS[sign]]
            start = place + 1
    # A space at an edge is kept by latex_plain_characters, which is right here.
    return "".join([*parts, latex_plain_characters(text[start:])])


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
