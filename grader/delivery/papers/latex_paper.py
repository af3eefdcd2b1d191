"""A paper as LaTeX to compile or to edit, by the article class. Every text is escaped character by character."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias
from unicodedata import bidirectional

from grader.delivery.papers.paper_content import (
    ACROSS,
    Figure,
    Paper,
    PaperBox,
    PaperPart,
    PaperQuestion,
    PaperSheet,
    PaperStory,
    PaperTable,
    qr_runs,
    runs_rtl,
)
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

MORE_SIGNS = {
    "“": "``",
    "”": "''",
    "’": "'",
    "–": "--",
    "—": "---",
    "√": r"$\surd$",
    "\N{NO-BREAK SPACE}": "~",
    "×": r"$\times$",
    "⌈": r"$\lceil$",
    "⌉": r"$\rceil$",
    "⌊": r"$\lfloor$",
    "⌋": r"$\rfloor$",
}
PREAMBLE = r"""
\usepackage{adjustbox, array, enumitem, longtable, needspace, pdflscape, xcolor, amssymb}
\setlength\parindent{0pt}
\setlength\parskip{1mm}
\setlist{nosep, leftmargin=5mm}
\newcommand\paperfield[2]{\parbox[t]{\linewidth}{{\small\color{darkgray}#1}\ \hrulefill
  \llap{\makebox[.72\linewidth][l]{#2}}}}
\newcommand\paperbox[3]{\fboxsep=2mm\framebox[#1]{\rule[-#2]{0pt}{\dimexpr#2+3mm}\parbox[c]{\dimexpr#1-5mm}{#3}}}
\newcommand\papertick{{\fboxsep=0pt\fbox{\rule{0pt}{2.6mm}\rule{2.6mm}{0pt}}}}
\newcommand\paperblank[1]{\underline{\hspace{#1}}}
\newenvironment{paperquestion}{\par\vspace{4mm}\begin{minipage}{\linewidth}\setlength\parskip{1mm}}{\end{minipage}\par}
% A question that is too long for a page.
\newenvironment{paperlongquestion}{\par\vspace{4mm}\needspace{60mm}}{\par}
"""
USUAL = {"array", "fontenc", "inputenc", "longtable", "textcomp", "amssymb"}
"""Packages that every LaTeX has."""


def tex_packages(written: str) -> list[str]:
    """What a document loads, in the order of the alphabet; and the fonts that it prints signs with."""
    loaded = re.findall(r"^\\usepackage(?:\[[^\]]*\])?\{([^}]*)\}", written, re.MULTILINE)
    names = {name.strip() for names in loaded for name in names.split(",")}
    if re.search(r"\\plyding\{", written):
        names.add("zapfding")
    if "fontspec" in names:
        names.add("dejavu")
    return sorted(names)


def plain_signs(text: str) -> str:
    """For pdflatex, with a few characters of sentences that pictures do not need."""
    parts: list[str] = []
    start = 0
    for place, sign in enumerate(text):
        if sign in MORE_SIGNS:
            parts += [latex_plain_characters(text[start:place]), MORE_SIGNS[sign]]
            start = place + 1
    # A space at an edge is kept by latex_plain_characters, which is right here.
    return "".join([*parts, latex_plain_characters(text[start:])])


def is_plain(text: str) -> bool:
    return bool(latex_takes("".join(sign for sign in text if sign not in MORE_SIGNS)))


def texts_of(part: Any) -> Iterator[str]:
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


Write: TypeAlias = Callable[[str], str]

ROWS_A_PAGE = 13
"""Of boxes; a question with more of them goes on on the next page."""
_SEGMENT = re.compile("[\u2066-\u2068]((?:[^\u2066-\u2069]|[\u2066-\u2068][^\u2066-\u2069]*\u2069)*)\u2069")
"""What is isolated, and perhaps has something isolated in it."""
_ISOLATES = re.compile("[\u2066-\u2069]")
MODULE = 0.42
"""Millimetres to a side, of a QR code."""
SCORES_A_ROW = 9


def latex_paper(paper: Paper) -> bytes:
    unicode = paper.rtl or not all(is_plain(text) for text in texts_of(paper))
    body = "\n".join(_LatexWriter(paper, unicode, paper.rtl).lines()) + "\n"
    engine = "lualatex" if unicode else "pdflatex"
    head = (
        f"% Compile with {engine}, twice: the second run counts the pages.\n% Needs {', '.join(tex_packages(body))}.\n"
    )
    return (head + body).encode("utf-8", "replace")


class _LatexWriter:
    def __init__(self, paper: Paper, unicode: bool, rtl: bool) -> None:
        self.paper, self.unicode, self.rtl = paper, unicode, rtl
        self._start = r"\pardir TRT\textdir TRT" if rtl else ""
        self.signs: Write = latex_unicode_characters if unicode else plain_signs
        self._parts: dict[int, list[str]] = {}
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
        yield r"\documentclass[11pt]{article}"
        yield (LATEX_UNICODE if self.unicode else LATEX_PLAIN).strip()
        top = 22 if any(sheet.code for sheet in self.paper.sheets) else 16
        yield rf"\usepackage[{self.paper.size}paper, margin=18mm, top={top}mm, bottom=20mm]{{geometry}}"
        yield PREAMBLE.strip()
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
        yield r"\newcommand\paperend{} \newcommand\papercode{} \newcommand\papername{} \newcommand\paperqr{}"
        yield r"\makeatletter"
        yield r"\renewcommand\ps@plain{\def\@oddhead{\hfil\smash{\raisebox{-6mm}{\paperqr}}}\let\@evenhead\@oddhead"
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
        yield rf"\renewcommand\paperqr{{{_qr(sheet.code)}}}" if sheet.code else ""
        yield r"\begin{landscape}" if sheet.wide else ""
        head = list(self._head(sheet))
        for each in sheet.parts:
            yield from self._part(each, head)
            head = []
        yield from head
        for table in sheet.tables:
            yield from self._answers_table(table) if table.answers else self._table(table)
        yield rf"\label{{end-{place}}}" + (r"\end{landscape}" if sheet.wide else "")

    def _head(self, sheet: PaperSheet) -> Iterator[str]:
        if sheet.institution:
            yield rf"{{\small\color{{darkgray}} {self._own(sheet.institution)}}}\par\vspace{{1mm}}"
        code = rf"\fbox{{\small {self.labels['variant']}\ \ {self._left(sheet.variant)}}}" if sheet.variant else ""
        yield rf"{{\Large\bfseries {self._own(sheet.title)}}}\hfill{code}\par"
        if sheet.is_key and (sheet.remark or sheet.total):
            total = f"{self.labels['total']}: {self.write(sheet.total)}" if sheet.total else ""
            yield rf"{{\small {' '.join(filter(None, (self.write(sheet.remark), total)))}}}\par"
        for first in range(0, len(sheet.fields), 2):
            row = [
                rf"\begin{{minipage}}[t]{{{width}\linewidth}}\paperfield{{{self.write(label)}}}{{{self._own(value)}}}\end{{minipage}}"
                for width, (label, value) in zip((0.58, 0.38), sheet.fields[first : first + 2], strict=False)
            ]
            yield r"\vspace{2mm}\par " + r"\hfill ".join(row) + r"\par"
        if sheet.about:
            labels = (rf"{{\small\color{{darkgray}}{self.write(label)}}}" for label, _ in sheet.about)
            said = [rf"{label}\ \ {self._own(value)}" for label, (_, value) in zip(labels, sheet.about, strict=True)]
            yield r"\vspace{1mm}{\raggedright " + r"\hspace{8mm} ".join(said) + r"\par}"
        if sheet.scores:
            yield from self._scores(sheet)
        yield r"\vspace{2mm}\hrule height 1pt\vspace{3mm}"

    def _whose(self, sheet: PaperSheet) -> str:
        """At the foot of every page, or a line to write on from the second on, since pages come apart."""
        if sheet.whose:
            return self.write(sheet.whose)
        line = rf"{self.labels['name']}\ \paperblank{{42mm}}"
        return "" if sheet.is_key else rf"\ifnum\value{{page}}>1 {line}\fi"

    def _scores(self, sheet: PaperSheet) -> Iterator[str]:
        """A table for who marks it: a column for every question or exercise, and the total."""
        columns = [*sheet.scores, (self.paper.labels["total"], sheet.total)]
        rows = -(-len(columns) // SCORES_A_ROW)
        count = -(-len(columns) // rows)
        for first in range(0, len(columns), count):
            part = columns[first : first + count]
            yield rf"\vspace{{2mm}}\par{{\small\begin{{tabular}}{{|*{{{len(part) + 1}}}{{c|}}}}\hline"
            yield self._row([self.write(sheet.scored), *(self.write(label) for label, _ in part)]) + r" \hline"
            cells = [rf"\rule[-2mm]{{0pt}}{{7mm}}\hspace{{7mm}} / {self.write(marks)}" for _, marks in part]
            yield self._row([self.labels["marks"], *cells]) + r" \hline \end{tabular}\par}"

    def _part(self, part: PaperPart, before: list[str]) -> Iterator[str]:
        """The tree comes before its questions; one that is too wide for the page is on a page on its side, with what is
        said `before`."""
        beside = [figure for figure in part.figures if figure.beside]
        alone = [figure for figure in part.figures if figure.high]
        if beside:
            yield r"\clearpage\begin{landscape}"
        yield from before
        if id(part) not in self._parts:
            self._parts[id(part)] = [*self._given(part, bool(alone)), *self._asking(part, beside, alone)]
        yield from self._parts[id(part)]

    def _given(self, part: PaperPart, apart: bool) -> Iterator[str]:
        if part.title:
            title = rf"{{\large\bfseries {self._own(part.title)}}}\hfill[{self.write(part.marks)}]"
            yield rf"\vspace{{5mm}}\needspace{{60mm}}{title}\par\nopagebreak"
        if part.text:
            yield rf"{self._own(part.text)}\par"
        if part.rules:
            yield rf"\vspace{{2mm}}{{\small\textbf{{{self.labels['conventions']}}}"
            yield from self._list(part.rules)
            yield r"\par}"
        if apart:
            yield rf"\vspace{{2mm}}{{\small\color{{darkgray}} {self.labels['tree-apart']}}}\par"

    def _asking(self, part: PaperPart, beside: list[Figure], alone: list[Figure]) -> Iterator[str]:
        for figure in beside:
            yield from self._figure(figure, r".43\textwidth" if figure is beside[0] else r".85\textwidth")
        if beside:
            yield r"\end{landscape}"
        for figure in alone:
            yield r"\clearpage" + (r"\begin{landscape}" if figure.wide else "") + r"\vspace*{\fill}"
            yield from self._figure(figure, r".85\textwidth" if figure.wide else r".85\textheight")
            yield r"\vspace*{\fill}" + (r"\end{landscape}" if figure.wide else r"\clearpage")
        for figure in part.figures:
            if not figure.apart:
                yield from self._figure(figure, r".5\textheight")
        for question in part.questions:
            yield from self._asked(question)
        yield from self._marking(part)
        for story in part.stories:
            yield from self._story(story)

    def _story(self, story: PaperStory) -> Iterator[str]:
        yield rf"\vspace{{4mm}}\par\needspace{{30mm}}\textbf{{{self.write(story.title)}}}\par\nopagebreak{{\small"
        yield rf"{self.write(story.opening)}\par" if story.opening else ""
        for number, step in enumerate(story.steps, 1):
            yield rf"\par\vspace{{1mm}}{self.write(f'{self.paper.language.count(number)}.')}\ {self.write(step)}"
        yield r"\par\vspace{1mm}" + (rf"{self.write(story.closing)}\par}}" if story.closing else "}")

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

    def _figure(self, figure: Figure, most: str) -> Iterator[str]:
        # A tree is the same tree where text runs from the right.
        yield r"{\pardir TLT\textdir TLT" if self.rtl else "{"
        yield rf"\begin{{center}}\begin{{adjustbox}}{{max width=\linewidth, max totalheight={most}}}"
        yield from latex_forest(figure.board, self.signs)
        yield r"\end{adjustbox}"
        caption = rf"{{\textdir TRT {self.write(figure.caption)}}}" if self.rtl else self.write(figure.caption)
        yield rf"\par\vspace{{1mm}}{{\small\color{{darkgray}} {caption}}}\end{{center}}}}"

    def _asked(self, question: PaperQuestion) -> Iterator[str]:
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
        yield rf"\end{{{kind}}}"

    def _answers(self, question: PaperQuestion) -> Iterator[str]:
        boxes = question.boxes
        answered = any(box.answer for box in boxes)
        if len(boxes) == 1 and not boxes[0].label:
            box = boxes[0]
            if box.choices and not box.answer:
                yield rf"\hspace*{{7mm}}{self._cell(box)}\quad {self._called(box)}\par"
                return
            wide = f"{question.width}mm" if question.width and not answered else r"\dimexpr\textwidth-7mm"
            high = 0 if answered else 9 * question.lines - 7
            inside = self._cell(box) or self._called(box)
            yield rf"\hspace*{{7mm}}\paperbox{{{wide}}}{{{high}mm}}{{{inside}}}\par"
            return
        rows = self._rows(question)
        count = -(-len(boxes) // rows)
        drop = 3 if answered else 8 * question.lines - 5
        for first in range(0, len(boxes), count):
            part = boxes[first : first + count]
            columns = rf"*{{{len(part)}}}{{>{{\centering\arraybackslash}}p{{{_width(question) - 5}mm}}|}}"
            yield rf"\hspace*{{7mm}}\begin{{tabular}}{{|{columns}}}\hline"
            yield self._row(rf"\small {self.write(box.label)}\ {self._called(box)}" for box in part) + r" \hline"
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

    def _called(self, box: PaperBox) -> str:
        """What the box is called in the sheet of typed answers."""
        return rf"{{\tiny\color{{darkgray}}{self._left(box.column)}}}" if box.column else ""

    def _table(self, table: PaperTable) -> Iterator[str]:
        columns = ["r", "p{60mm}", *["p{27mm}"] * (len(table.head) - 3), "p{16mm}"]
        yield rf"\begin{{longtable}}{{{self._columns(*columns)}}}"
        number, *names = [rf"\textbf{{{self.write(cell)}}}" for cell in table.head]
        yield self._row([number, *map(self._ragged, names)]) + r" \hline \endhead"
        for number, *cells in table.rows:
            yield self._row([self.write(number), *(self._ragged(self._own(cell)) for cell in cells)]) + r" \hline"
        yield r"\end{longtable}"

    def _answers_table(self, table: PaperTable) -> Iterator[str]:
        """Variants and their answers: a question gets as much room as its answers need."""
        long = [max(8, *(min(90, len(row[place])) for row in table.rows)) for place in range(len(table.head))]
        shares = [f"p{{{0.94 * each / sum(long) - 0.01:.3f}\\linewidth}}" for each in long]
        yield rf"\vspace{{3mm}}\textbf{{{self.write(table.title)}}}\par" if table.title else ""
        yield rf"{{\footnotesize\begin{{longtable}}{{{self._columns(*shares)}}}"
        yield self._row(self._ragged(rf"\textbf{{{self.write(cell)}}}") for cell in table.head) + r" \hline \endhead"
        for row in table.rows:
            yield self._row(self._ragged(self._left(cell)) for cell in row) + r" \hline"
        yield r"\end{longtable}}"

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


def _qr(code: str) -> str:
    """Drawn with TikZ, which the trees are drawn with too."""
    _, runs = qr_runs(code)
    drawn = " ".join(f"({column},{row}) rectangle +({many},1)" for row, column, many in runs)
    return rf"\tikz[x={MODULE}mm, y=-{MODULE}mm]\fill {drawn};"
