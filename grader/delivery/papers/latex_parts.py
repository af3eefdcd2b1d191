"""What LaTeX papers are written with: their preamble, the packages that it needs, and signs for pdflatex."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from solver.drawing import Board, latex_plain_characters, latex_takes

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
