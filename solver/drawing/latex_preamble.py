"""What a LaTeX document with pictures starts with (packages, fonts, colours, and the styles of the nodes), and any text
as TeX shows it: for pdflatex, which has few characters, and for lualatex, which has them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import bidirectional, category

from solver.drawing.picture_style import LIGHT


def latex_colours() -> str:
    shades = dict(zip(("max", "min", "chance"), LIGHT.fills, strict=False))
    shades |= {"line": LIGHT.accent, "cut": LIGHT.cut, "grey": LIGHT.muted, "faint": LIGHT.faint}
    shades |= {f"player{place}": fill for place, fill in enumerate(LIGHT.players)}
    return "\n".join(rf"\definecolor{{ply{name}}}{{HTML}}{{{shade[1:].upper()}}}" for name, shade in shades.items())


HOW_TO_COPY = r"""
% To use a picture in a document of your own, copy all from here ...
"""
LATEX_PLAIN = r"""
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{lmodern, textcomp, amssymb, forest}
% As in pifont, which would load the font zapfding even where no sign of it is printed.
\newcommand\plyding[1]{{\usefont{U}{pzd}{m}{n}\char#1}}
% What is copied from the PDF, or read aloud, are the signs that are printed.
\input{glyphtounicode}
\pdfglyphtounicode{anticlockwise}{21BA}
\pdfgentounicode=1
"""
LATEX_UNICODE = r"""
\usepackage{fontspec, forest}
% The fonts that are there; where none of them has a sign, TeX says so in its log.
\newcommand\plyfonts{}
\newcommand\plyfont[2]{\IfFontExistsTF{#1}{\edef\plyfonts{\plyfonts"#1:mode=harf;#2",}}{}}
\plyfont{Noto Sans Arabic}{script=arab} \plyfont{Noto Sans Hebrew}{script=hebr}
\plyfont{Noto Sans Math}{} \plyfont{Noto Sans Symbols2}{}
\plyfont{Noto Sans Devanagari}{script=dev2} \plyfont{Noto Sans Thai}{script=thai}
\plyfont{Noto Sans CJK SC}{} \plyfont{Droid Sans Fallback}{}
\plyfont{Noto Color Emoji}{} \plyfont{Noto Emoji}{}
\directlua{luaotfload.add_fallback("plymark", {\plyfonts})}
\IfFontExistsTF{DejaVu Sans}
  {\setmainfont{DejaVu Sans}[Renderer=HarfBuzz, Ligatures=TeXOff, Scale=.85, RawFeature={fallback=plymark}]
   \newfontfamily\plyrtlfont{DejaVu Sans}[Renderer=HarfBuzz, Script=Arabic, Scale=.85, RawFeature={fallback=plymark}]}
  {\setmainfont{Latin Modern Roman}[Renderer=HarfBuzz, Ligatures=TeXOff, RawFeature={fallback=plymark}]
   \newcommand\plyrtlfont{}}
\newcommand\plyrtl[1]{{\textdir TRT\plyrtlfont #1}}
\newcommand\plyltr[1]{{\textdir TLT #1}}
"""
LATEX_STYLES = r"""
\makeatletter
% One TikZ shape for all outlines. Its corners enclose the texts beside it, so that forest leaves room for them.
\newdimen\ply@note \newdimen\ply@called \newdimen\ply@across
\pgfkeys{/pgf/.cd, ply outline/.initial=box, ply widen/.initial=1, ply drop/.initial=0, ply reach/.initial=1}
\newcommand\ply@size{% half of the width in \pgf@xa, half of the height in \pgf@ya
  \pgfmathsetlength\pgf@xa{max(\pgfkeysvalueof{/pgf/minimum width},
    \pgfkeysvalueof{/pgf/ply widen}*\the\wd\pgfnodeparttextbox+2*\pgfkeysvalueof{/pgf/inner xsep})/2}%
  \pgfmathsetlength\pgf@ya{max(\pgfkeysvalueof{/pgf/minimum height},
    \the\ht\pgfnodeparttextbox+\the\dp\pgfnodeparttextbox+2*\pgfkeysvalueof{/pgf/inner ysep})/2}}
\newcommand\ply@from[2]{\pgf@process{\half}\pgf@xa=#1\pgf@x\pgf@ya=#2\pgf@y
  \pgf@process{\middle}\advance\pgf@x by\pgf@xa\advance\pgf@y by\pgf@ya}
\newcommand\ply@corner[2]{\pgf@process{\half}\pgf@ya=#2\pgf@y
  \pgf@process{\room}\pgf@xa=\ifdim#1pt<0pt -\pgf@x\else\pgf@y\fi
  \pgf@process{\middle}\advance\pgf@x by\pgf@xa\advance\pgf@y by\pgf@ya}
\newcommand\ply@beside[1]{\pgf@process{\half}\pgf@ya=\pgf@y\pgf@process{\reach}\pgf@xa=#1\pgf@x
  \pgf@process{\middle}\advance\pgf@x by\pgf@xa\advance\pgf@y by\pgf@ya}
\pgfdeclareshape{ply}{%
  \savedanchor\half{\ply@size\pgf@x=\pgf@xa\pgf@y=\pgf@ya}
  \savedanchor\middle{\ply@size\pgf@x=.5\wd\pgfnodeparttextbox
    \pgf@y=.5\ht\pgfnodeparttextbox\advance\pgf@y by-.5\dp\pgfnodeparttextbox
    \advance\pgf@y by\pgfkeysvalueof{/pgf/ply drop}\pgf@ya}
  \savedanchor\reach{\ply@size\pgf@x=\pgfkeysvalueof{/pgf/ply reach}\pgf@xa\advance\pgf@x by3pt\pgf@y=0pt}
  \savedanchor\room{\ply@size\pgf@xb=\pgfkeysvalueof{/pgf/ply reach}\pgf@xa\advance\pgf@xb by3pt
    \pgf@x=\pgf@xa\pgf@y=\pgf@xa
    \ifdim\ply@note>0pt \advance\ply@note by\pgf@xb\ifdim\ply@note>\pgf@x\pgf@x=\ply@note\fi\fi
    \ifdim\ply@called>0pt \advance\ply@called by\pgf@xb\ifdim\ply@called>\pgf@y\pgf@y=\ply@called\fi\fi
    \ifdim\ply@across>\pgf@x\pgf@x=\ply@across\fi\ifdim\ply@across>\pgf@y\pgf@y=\ply@across\fi}
  \anchor{center}{\middle}
  \anchor{north}{\ply@from{0}{1}} \anchor{south}{\ply@from{0}{-1}}
  \anchor{east}{\ply@from{1}{0}} \anchor{west}{\ply@from{-1}{0}}
  \anchor{south west}{\ply@corner{-1}{-1}} \anchor{south east}{\ply@corner{1}{-1}}
  \anchor{north west}{\ply@corner{-1}{1}} \anchor{north east}{\ply@corner{1}{1}}
  \anchor{left text}{\ply@beside{-1}} \anchor{right text}{\ply@beside{1}}
  \anchorborder{\middle}
  \backgroundpath{\csname ply@draw@\pgfkeysvalueof{/pgf/ply outline}\endcsname}}
\newcommand\ply@to[3]{\csname pgfpath#1to\endcsname{\ply@from{#2}{#3}}}
\newcommand\ply@draw@box{\ply@to{move}{-1}{-1}\ply@to{line}{1}{-1}\ply@to{line}{1}{1}\ply@to{line}{-1}{1}\pgfpathclose}
\newcommand\ply@draw@up{\ply@to{move}{0}{1}\ply@to{line}{1}{-1}\ply@to{line}{-1}{-1}\pgfpathclose}
\newcommand\ply@draw@down{\ply@to{move}{0}{-1}\ply@to{line}{1}{1}\ply@to{line}{-1}{1}\pgfpathclose}
\newcommand\ply@draw@diamond{\ply@to{move}{0}{1}\ply@to{line}{1}{0}\ply@to{line}{0}{-1}\ply@to{line}{-1}{0}\pgfpathclose}
\newcommand\ply@draw@round{\pgf@process{\half}\edef\ply@next{\noexpand\pgfpathellipse{\noexpand\middle}%
  {\noexpand\pgfqpoint{\the\pgf@x}{0pt}}{\noexpand\pgfqpoint{0pt}{\the\pgf@y}}}\ply@next}
\newcommand\ply@small{\normalfont\footnotesize}
\newcommand\ply@lines[2]{\ply@small\begin{tabular}[t]{@{}#1@{}}#2\end{tabular}}
\tikzset{
  ply note/.code={\ifdim#1>\ply@note\ply@note=#1\relax\fi},
  ply called/.code={\ply@called=#1\relax},
  ply across/.code={\ifdim#1>\ply@across\ply@across=#1\relax\fi},
  ply text/.style={font=\ply@small, inner sep=0pt, outer sep=0pt, text=black},
  ply move text/.style={font=\ply@small, fill=white, inner sep=1.2pt, outer sep=0pt},
  ply cut/.pic={\foreach \x in {-.55mm,.55mm}
    \draw[plycut, solid, line width=.9pt, line cap=round] (\x-.4mm,-1.3mm) -- (\x+.4mm,1.3mm);},
}
% forest hands keys on to TikZ without their braces, so texts are measured here and only their widths are handed on.
\newcommand\ply@measure[3]{\settowidth\dimen@{#3}\dimen@=#2\dimen@\edef\ply@next{\noexpand\pgfkeysalso{#1=\the\dimen@}}\ply@next}
\forestset{
  declare boolean={ply on line}{0},
  draw tree edges processing order/.nodewalk style={
    filter={tree}{!ply_on_line()}, filter={fake=root, tree}{ply_on_line()}},
  draw tree tikz processing order/.nodewalk style={tree children-first},
  ply keep note/.code={\ply@measure{ply note}{1}{\ply@lines{r}{#1}}},
  ply keep called/.code={\ply@measure{ply called}{1}{\ply@lines{l}{#1}}},
  ply keep below/.code={\ply@measure{ply across}{.55}{\ply@lines{c}{#1}}},
  ply keep move/.code={\ply@measure{ply across}{.75}{\ply@lines{c}{#1}}},
  plymark/.style={for tree={shape=ply, draw, line width=.6pt, inner xsep=2.2mm, inner ysep=1mm, outer sep=0pt,
      minimum width=12mm, minimum height=10mm, anchor=north, parent anchor=south, child anchor=north,
      l sep=#1, s sep=3mm, tier/.pgfmath=level(), edge={draw, line width=.6pt}}},
  ply triangle/.style={ply widen=1.8, inner xsep=.6mm},
  max node/.style={ply triangle, ply outline=up, ply drop=.4, ply reach=.56, fill=plymax},
  min node/.style={ply triangle, ply outline=down, ply drop=-.32, fill=plymin},
  chance node/.style={ply outline=round, ply widen=1.25, inner xsep=1mm, fill=plychance},
  or node/.style={ply outline=diamond, ply widen=1.6, inner xsep=1mm, ply reach=.6, fill=white},
  and node/.default=black, and node/.style={or node, fill=plychance, tikz+={\begin{scope}
      \clip (.south) -- (!1.north) -- (!l.north) -- cycle; \draw[#1, line width=.5pt] (.south) circle[radius=4mm];
    \end{scope}}},
  and node of one/.default=black, and node of one/.style={or node, fill=plychance,
    tikz+={\draw[#1, line width=.5pt] ([shift=(-115:4mm)].south) arc[start angle=-115, end angle=-65, radius=4mm];}},
  player node/.style={rounded corners=4.5mm, fill=plyplayer#1},
  leaf node/.style={minimum width=7.5mm, minimum height=7mm, inner xsep=1.4mm, fill=white},
  rest node/.style={draw=none, fill=none, inner xsep=.8mm, minimum width=0pt, minimum height=7mm,
    font=\itshape\footnotesize, text=plygrey, edge={draw=plygrey, dotted}},
  called below/.style={ply keep below={#1},
    tikz+={\node[ply text, text=plygrey, anchor=north] at ([yshift=-1mm].south) {#1};}},
  called beside/.style={ply keep called={#1},
    tikz+={\node[ply text, text=plygrey, anchor=west] at ([xshift=1mm].east) {\ply@lines{l}{#1}};}},
  called/.style={ply keep called={#1},
    tikz+={\node[ply text, text=plygrey, anchor=north west] at (.right text) {\ply@lines{l}{#1}};}},
  note/.style={ply keep note={#1}, tikz+={\node[ply text, anchor=north east] at (.left text) {\ply@lines{r}{#1}};}},
  room for note/.style={ply keep note={#1}, tikz+={\path (.north west) -- (.south east);}},
  notes in lines/.style={ply reach=1},
  move/.style={ply keep move={#1}, edge label+={node[ply move text, pos=.7]{\ply@lines{c}{#1}}}},
  slanting cut/.style={edge label+={pic[pos=.46, sloped]{ply cut}}},
  square edge/.style={edge path={\noexpand\path[\forestoption{edge}] (!u.parent anchor) -- ++(0,-3mm) -|
    (.child anchor)\forestoption{edge label};}},
  square move/.style={ply keep below={#1}, edge label+={node[ply move text, pos=.8]{\ply@lines{c}{#1}}}},
  square cut/.style={edge label+={pic[pos=.6, sloped]{ply cut}}},
  column/.style={for children={anchor=west, child anchor=west, tier={},
      edge path={\noexpand\path[\forestoption{edge}] (!u.parent anchor) |- (.child anchor)\forestoption{edge label};}},
    after packing node={for children={s=3.2mm, l/.pgfmath={17mm+(n()-1)*7.6mm}}}},
  rail from/.style={edge path={\noexpand\path[\forestoption{edge}] (!u.parent anchor |- !u#1.child anchor) |-
    (.child anchor)\forestoption{edge label};}},
  column cut/.style={edge label+={pic[pos=.74, sloped]{ply cut}}},
  on the line/.style={ply on line, draw=plyline, line width=1.3pt, edge={draw=plyline, line width=2pt}},
  pruned/.style={draw=plygrey, dashed, text=plygrey, fill=white, edge={draw=plygrey, dashed, text=plygrey}},
  not reached/.style={draw=plyfaint, dotted, text=plygrey, fill=white, edge={draw=plyfaint, dotted, text=plygrey}},
  just evaluated/.style={double, double distance=1pt},
  blank value/.style={minimum width=17mm, minimum height=12mm},
  blank note/.style={ply note=17mm, tikz+={\node[ply text, draw, dotted, anchor=north east,
    minimum width=17mm, minimum height=6mm] at (.left text) {};}},
}
\newcommand\plyvalue[1]{\textcolor{black}{\normalsize#1}}
\newcommand\plychanged[1]{\textcolor{plyline}{\underline{#1}}}
\newcommand\plyrows{\coordinate (ply rows) at ([xshift=-5mm]current bounding box.west);}
\newcommand\plyrow[2]{\node[ply text, text=plygrey, anchor=east] at (ply rows |- row #1.center) {#2};}
\makeatother
% ... to here to its head, and the picture from \begin{forest} to \end{forest}.
"""

_CONTROLS = ("Cc", "Zl", "Zp", "Cs")
_DIRECTION_SIGNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ESCAPED = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
}
_PLAIN_SIGNS = {
    **_ESCAPED,
    # T1 has curly ones in these places.
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "∞": r"$\infty$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "→": r"$\rightarrow$",
    "↺": r"$\circlearrowleft$",
    "✓": r"\plyding{51}",
    "✗": r"\plyding{55}",
    "…": r"\textellipsis{}",
}
"""How pdflatex sets the characters that are not letters of its encoding."""
_PLAIN_LETTERS = frozenset(
    [
        *map(chr, [*range(0x20, 0x7F), *range(0xC0, 0x100)]),
        *"¡¿«»·°ºª±¬",
        *"ĂăĄąĆćČčĎďđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž",
    ]
)
"""The characters that its encoding has in full. A string with any other is left to lualatex."""


def latex_takes(text: str) -> bool:
    return all(sign in _PLAIN_LETTERS or sign in _PLAIN_SIGNS or category(sign) in _CONTROLS for sign in text)


def one_line(text: str) -> str:
    return "".join(" " if category(sign) in _CONTROLS else sign for sign in text)


def _signs(text: str, signs: dict[str, str]) -> str:
    """Character by character; a line break is a space, and spaces that TeX would swallow are kept."""
    written: list[str] = []
    text = one_line(text)
    for place, sign in enumerate(text):
        if sign == " ":
            kept = place == 0 or place == len(text) - 1 or text[place - 1] == " "
            written.append("\\ " if kept else " ")
        else:
            # T1 joins -- to a dash and << to a quotation mark.
            apart = "{}" if sign in "-<>," and text[place - 1 : place] == sign else ""
            written.append(apart + signs.get(sign, sign))
    return "".join(written)


def latex_plain_characters(text: str) -> str:
    return _signs(text, _PLAIN_SIGNS).replace(r"$-$$\infty$", r"$-\infty$")


def latex_unicode_characters(text: str) -> str:
    """For lualatex, which sets every character but leaves the order of right-to-left text to us."""
    text = "".join(sign for sign in text if sign not in _DIRECTION_SIGNS)
    classes = [bidirectional(sign) for sign in text]
    strong = [each for each in classes if each in ("L", "R", "AL")]
    if not {"R", "AL"} & set(strong):
        return _signs(text, _ESCAPED)
    base = "L" if strong[0] == "L" else "R"
    written = ""
    runs = [(way, "".join(sign for _, sign in signs)) for way, signs in groupby(_ways(text, classes, base), _way)]
    for outer, group in groupby(runs, lambda run: base if base == "R" else "L" if run[0] == "L" else "R"):
        parts = [
            part if way == outer else rf"\plyltr{{{part}}}"
            for way, part in ((w, _signs(t, _ESCAPED)) for w, t in group)
        ]
        written += rf"\plyrtl{{{''.join(parts)}}}" if outer == "R" else "".join(parts)
    return written


def _ways(text: str, classes: Sequence[str], base: str) -> Iterator[tuple[str, str]]:
    """Each character with L or R, or N in a number that is written from left to right within text from right to left.

    A short form of Unicode's algorithm (UAX 9): labels have no embeddings."""
    ways: list[str] = []
    strong = base
    for place, each in enumerate(classes):
        if each in ("L", "R", "AL"):
            strong = "L" if each == "L" else "R"
            ways.append(strong)
        elif each in ("EN", "AN"):
            ways.append("L" if strong == "L" else "N")
        elif each in ("NSM", "BN") and ways:
            ways.append(ways[-1])
        elif each in ("ES", "ET", "CS") and classes[place + 1 : place + 2] in (["EN"], ["AN"]):
            number = "L" if strong == "L" else "N"
            ways.append(number if each != "CS" or ways[-1:] == [number] else "")
        else:
            ways.append("")
    after = base
    for place in range(len(ways) - 1, -1, -1):
        if ways[place]:
            after = ways[place].replace("N", "R")
        else:
            before = next((way.replace("N", "R") for way in reversed(ways[:place]) if way), base)
            ways[place] = after if before == after else base
    return zip(ways, text, strict=True)


def _way(directed: tuple[str, str]) -> str:
    return directed[0]
