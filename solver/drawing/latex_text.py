"""Any text as TeX shows it: for pdflatex, which has few characters, and for lualatex, which has them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import bidirectional, category

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
