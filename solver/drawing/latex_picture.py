"""Boards as a LaTeX document that the `forest` package lays out: to print, to edit, or to paste into a sheet.

Meaning never rests on colour: turns have shapes, pruned parts are dashed, cuts are crossed by //, the line is thick.
All text is escaped character by character and put in braces, so that none of it is read as TeX or forest syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from string import ascii_lowercase
from types import MappingProxyType
from typing import TypeAlias

from solver.drawing.boards import LEAF, PLAYER, PRUNED, REST, UNSEEN, Board, BoardItem
from solver.drawing.latex_preamble import (
    HOW_TO_COPY,
    LATEX_PLAIN,
    LATEX_STYLES,
    LATEX_UNICODE,
    latex_colours,
    latex_plain_characters,
    latex_takes,
    latex_unicode_characters,
    one_line,
)
from solver.drawing.picture_parts import (
    LINE,
    Arrangement,
    LegendEntry,
    arrangement,
    edge_label,
    fits_inside,
    notes_beside,
    rail_starts,
)
from solver.drawing.picture_style import LIGHT, text_width
from solver.drawing.tree_layout import picture
from solver.game.game_tree import AND, CHANCE, MAX, MIN, OR


def letters(count: int) -> list[str]:
    """As in the book; numbers where the alphabet is too short."""
    names = ascii_lowercase if count <= len(ascii_lowercase) else [str(number) for number in range(1, count + 1)]
    return [f"({names[place]})" for place in range(count)]


PAGE = 267.0, 180.0
"""Millimetres: an A4 page within its margins, the longer side first."""
MILLIMETRES = 0.235
"""How long a pixel of the laid out picture is in LaTeX, roughly: what is drawn there is a little smaller."""
LEAST_SCALE = 0.45
"""Smaller print is unreadable: stages go on to a next page."""

Write: TypeAlias = Callable[[str], str]


def latex(
    boards: Sequence[Board], captions: Sequence[str] = (), title: str = "", entries: Sequence[LegendEntry] = ()
) -> str:
    """A document of its own; several boards are in a grid and are lettered. Captions go with the boards in order; a
    title is above them all, and what signs mean below."""
    meanings = [text for entry in entries for text in (entry.text, entry.sample)]
    texts = [title, *meanings, *captions, *(text for board in boards for text in _texts(board))]
    unicode = any(board.language.direction == "rtl" for board in boards) or not all(map(latex_takes, texts))
    write = latex_unicode_characters if unicode else latex_plain_characters
    captions = [*captions, *[""] * (len(boards) - len(captions))]
    if len(boards) == 1:
        page, lines = "", list(_single(boards[0], captions[0], write))
    else:
        page, lines = _sheet(boards, captions, write, 0.98 if not (title or entries) else 0.86)
    if title or entries:
        rtl = boards[0].language.direction == "rtl"
        below = latex_legend(entries, write, rtl) if entries else ""
        width = max(60.0, MILLIMETRES * picture(boards[0]).width)
        lines = _surrounded(lines, write(title), below, width, alone=not page)
    engine = "lualatex" if unicode else "pdflatex"
    head = [f"% Compile with {engine}.", *(f"% {title}" for title in _titles(boards))]
    kind = rf"\documentclass[11pt]{{article}}{page}" if page else r"\documentclass[border=6pt]{standalone}"
    packages = LATEX_UNICODE if unicode else LATEX_PLAIN
    styles = [part.strip() for part in (HOW_TO_COPY, packages, latex_colours(), LATEX_STYLES)]
    return "\n".join([*head, kind, *styles, r"\begin{document}", *lines, r"\end{document}"]) + "\n"


def _surrounded(lines: list[str], title: str, below: str, width: float, alone: bool) -> list[str]:
    """With a title and a legend: around a picture that is `alone` in its document, or on its pages."""
    if not alone:
        above = [rf"\begin{{center}}\large {title}\end{{center}}"] if title else []
        return [*above, *lines, *([rf"\begin{{center}}{below}\end{{center}}"] if below else [])]
    above = [rf"\large {title} \\[3mm]"] if title else []
    under = [rf"\\[3mm] \parbox[t]{{{width:.0f}mm}}{{\centering {below}}}"] if below else []
    return [r"\begin{tabular}{@{}c@{}}", *above, *lines, *under, r"\end{tabular}"]


def _titles(boards: Sequence[Board]) -> Iterator[str]:
    for title, _ in groupby(board.title for board in boards):
        yield one_line(title)


def _texts(board: Board) -> Iterator[str]:
    yield from board.rows.values()
    for item in board.items:
        yield from (item.name, item.mover, item.sign, item.value, *item.notes, item.move, item.probability)


def _single(board: Board, caption: str, write: Write) -> Iterator[str]:
    if not caption:
        yield from latex_forest(board, write)
        return
    yield r"\begin{tabular}{@{}c@{}}"
    yield from latex_forest(board, write)
    width = max(60.0, MILLIMETRES * picture(board).width)
    yield rf"\\[3mm] \parbox[t]{{{width:.0f}mm}}{{\centering {write(caption)}}}"
    yield r"\end{tabular}"


def _sheet(boards: Sequence[Board], captions: Sequence[str], write: Write, share: float) -> tuple[str, list[str]]:
    """What belongs before the document, and the document: pages of pictures in a grid, as in Figure 5.5."""
    room = _rooms(boards)
    drawn = list(map(picture, boards))
    width = MILLIMETRES * max(each.width for each in drawn)
    height = MILLIMETRES * max(each.height for each in drawn) + (14 if any(captions) else 8)
    labels = letters(len(boards))
    landscape, on_page, columns = _grid(width, height, len(boards))
    sides = "a4paper, landscape" if landscape else "a4paper"
    page = f"\n\\usepackage[{sides}, margin=15mm]{{geometry}}\n\\usepackage{{adjustbox}}\n\\pagestyle{{empty}}"
    lines: list[str] = []
    for first in range(0, len(boards), on_page):
        lines += [r"\clearpage"] if first else []
        high = rf"max totalheight={share:g}\textheight"
        lines += [rf"\noindent\begin{{adjustbox}}{{max width=\textwidth, {high}, center}}"]
        lines += [rf"\begin{{tabular}}{{@{{}}*{{{columns}}}{{c}}@{{}}}}"]
        last = min(first + on_page, len(boards))
        for place in range(first, last):
            lines += [r"\begin{tabular}[t]{@{}c@{}}", *latex_forest(boards[place], write, room)]
            text = " ".join(filter(None, (labels[place], write(captions[place]))))
            if boards[place].language.direction == "rtl":
                text = text.replace(labels[place], rf"\plyltr{{{labels[place]}}}", 1)
                text = rf"\plyrtl{{{text}}}"
            lines += [rf"\\[2mm] \parbox[t]{{{width:.0f}mm}}{{\centering {text}\par\vspace*{{6mm}}}}", r"\end{tabular}"]
            ends_row = (place - first) % columns == columns - 1 or place == last - 1
            lines += [r"\\" if ends_row else "&"]
        lines += [r"\end{tabular}", r"\end{adjustbox}"]
    return page, lines


def _grid(width: float, height: float, count: int) -> tuple[bool, int, int]:
    """Whether the page lies on its side, how many pictures are on one and in how many columns: as large as can be."""
    on_page = count
    while True:
        best = (0.0, False, 1)
        for landscape in (False, True):
            across, down = PAGE if landscape else PAGE[::-1]
            for columns in range(1, on_page + 1):
                rows = -(-on_page // columns)
                scale = min(1.0, across / (columns * (width + 4)), down / (rows * (height + 6)))
                best = max(best, (scale, landscape, columns), key=lambda choice: choice[0])
        scale, landscape, columns = best
        if scale >= LEAST_SCALE or on_page == 1:
            return landscape, on_page, columns
        pages = -(-count // on_page) + 1
        on_page = min(on_page - 1, -(-count // pages))


def _rooms(boards: Sequence[Board]) -> dict[int, str]:
    """The widest note at each place, so that nothing moves from one stage of a search to the next."""
    widest: dict[int, str] = {}
    if any(board.tree is not boards[0].tree for board in boards):
        return widest
    for board in boards:
        for place, item in enumerate(board.items):
            notes = [*item.notes, widest.get(place, "")]
            widest[place] = max(notes, key=lambda note: text_width(note, 1.0))
    return {place: note for place, note in widest.items() if note}


def latex_forest(board: Board, write: Write, room: Mapping[int, str] = MappingProxyType({})) -> Iterator[str]:
    arranged = arrangement(board)
    rails = _rails(board, arranged)
    yield rf"\begin{{forest}} plymark={{{_edge_height(board, any(arranged.square))}mm}}"
    named: set[int] = set()
    # A place to open, or, as ~place, to close.
    stack = [0]
    while stack:
        place = stack.pop()
        depth = board.depth[max(place, ~place)]
        indent = "  " * min(depth + 1, 20)
        if place < 0:
            yield f"{indent}]"
            continue
        item, children = board.items[place], board.children[place]
        value, keys = _inside(board, item, len(children), arranged.stacked[place], write)
        if depth in board.rows and depth not in named and item.kind != REST:
            named.add(depth)
            keys.append(f"name=row {depth}")
        keys += _edge(item, arranged.square[place], arranged.stacked[place], write)
        keys += _states(item)
        keys += ["column"] if arranged.column[place] else []
        keys += [f"rail from={rails[place]}"] if place in rails else []
        keys += ["rest node"] if item.kind == REST else []
        keys += [f"room for note={{{write(room[place])}}}"] if place in room else []
        yield f"{indent}[{{{value}}}, {', '.join(keys)}{'' if children else ']'}"
        if children:
            stack += [~place, *reversed(children)]
    if named:
        yield r"  \plyrows"
    for depth, text in board.rows.items():
        if depth in named:
            yield rf"  \plyrow{{{depth}}}{{{write(text)}}}"
    yield r"\end{forest}"


def _rails(board: Board, arranged: Arrangement) -> dict[int, int]:
    """Which sibling, counted from 1, the rail of a cell starts at, where it does not start at the parent."""
    rails: dict[int, int] = {}
    for place, children in enumerate(board.children):
        if arranged.column[place]:
            starts = rail_starts([board.items[child] for child in children])
            rails |= {child: start + 1 for child, start in zip(children, starts, strict=True) if start >= 0}
    return rails


def _edge_height(board: Board, square: bool) -> int:
    """In millimetres: more below a wide tree, for labels of two lines, and for notes that reach below their shapes."""
    ends = sum(not children for children in board.children)
    lines = max(len(notes_beside(board, item)) for item in board.items if item.kind != REST)
    return min(30, 13 + ends // 6 + 6 * square) + 4 * max(0, lines - 3)


def _inside(board: Board, item: BoardItem, children: int, stacked: bool, write: Write) -> tuple[str, list[str]]:
    """What is in a shape, and the keys for the shape and what is around it."""
    value, name = write(item.sign + item.value), write(item.name)
    if item.kind == REST:
        return value, []
    if item.kind == LEAF:
        where = "beside" if stacked else "below"
        return value, ["leaf node", *([f"called {where}={{{name}}}"] if name else [])]
    keys = [_shape(item, children)]
    if item.fresh_value:
        value = rf"\plychanged{{{value}}}"
    if not fits_inside(item):
        name, value = rf"{name}\\\plyvalue{{{value}}}", ""
    if name:
        keys.append(f"called={{{name}}}")
    beside = notes_beside(board, item)
    notes = [rf"\plychanged{{{write(note.text)}}}" if note.fresh else write(note.text) for note in beside]
    if notes:
        keys.append(f"note={{{_BREAK.join(notes)}}}")
    if len(notes) > 1:
        keys.append("notes in lines")
    return value, keys


def _shape(item: BoardItem, children: int) -> str:
    if item.kind == PLAYER:
        return f"player node={item.colour % len(LIGHT.players)}"
    shade = {PRUNED: "=plygrey", UNSEEN: "=plyfaint"}.get(item.state, "") if item.kind == AND else ""
    return f"{item.kind} node{' of one' if item.kind == AND and children == 1 else ''}{shade}"


def _edge(item: BoardItem, square: bool, stacked: bool, write: Write) -> Iterator[str]:
    where = "square " if square else ""
    label = [] if stacked else [write(line) for line in edge_label(item, square)]
    if square:
        yield "square edge"
    if label:
        yield f"{where}move={{{_BREAK.join(label)}}}"
    if item.cut:
        yield f"{'column' if stacked else 'square' if square else 'slanting'} cut"


def _states(item: BoardItem) -> Iterator[str]:
    if item.best:
        yield "on the line"
    if item.state in _STATES:
        yield _STATES[item.state]
    if item.current:
        yield "just evaluated"
    if item.blank_value:
        yield "blank value"
    if item.blank_note:
        yield "blank note"


_BREAK = r"\\"
_STATES = {PRUNED: "pruned", UNSEEN: "not reached"}

_DIAMOND = "(-2.4mm,0) -- (0,1.7mm) -- (2.4mm,0) -- (0,-1.7mm) -- cycle"
_SHAPES = {
    MAX: ("plymax", "(-2.2mm,-1.4mm) -- (2.2mm,-1.4mm) -- (0,1.4mm) -- cycle"),
    MIN: ("plymin", "(-2.2mm,1.4mm) -- (2.2mm,1.4mm) -- (0,-1.4mm) -- cycle"),
    CHANCE: ("plychance", "(0,0) ellipse[x radius=2.2mm, y radius=1.4mm]"),
    OR: ("white", _DIAMOND),
    AND: ("plychance", _DIAMOND),
    LEAF: ("white", "(-2.2mm,-1.4mm) rectangle (2.2mm,1.4mm)"),
}
_STATE_STYLES = {PRUNED: "plygrey, dashed, ", UNSEEN: "plyfaint, dotted, "}


def latex_legend(entries: Sequence[LegendEntry], write: Callable[[str], str], rtl: bool) -> str:
    """Entries in a paragraph that is broken between them."""
    # A name in Latin letters, such as Max, runs from the left everywhere.
    meanings = [
        rf"\plyrtl{{{write(entry.text)}}}" if rtl and not entry.text.isascii() else write(entry.text)
        for entry in entries
    ]
    return r"\quad ".join(
        rf"\mbox{{{_sample(entry, write)}~{meaning}}}" for entry, meaning in zip(entries, meanings, strict=True)
    )


def _sample(entry: LegendEntry, write: Callable[[str], str]) -> str:
    item = entry.item
    if item is None and entry.sign == LINE:
        return r"\tikz[baseline=-.6ex]\draw[plyline, line width=2pt] (0,0) -- (6mm,0);"
    if item is None:
        text = write(entry.sample)
        return rf"\plychanged{{{text}}}" if entry.fresh else text
    if item.kind == PLAYER:
        path = "[rounded corners=1.3mm] (-2.4mm,-1.4mm) rectangle (2.4mm,1.4mm)"
        fill = f"plyplayer{item.colour % len(LIGHT.players)}"
    else:
        fill, path = _SHAPES[item.kind]
    state = _STATE_STYLES.get(item.state, "") + ("double, double distance=.8pt, " if item.current else "")
    edge = r" \draw[plygrey, dashed] (-8mm,0) -- (-2.2mm,0); \pic at (-5.4mm,0) {ply cut};" if item.cut else ""
    return rf"\tikz[baseline=-.6ex]{{\draw[{state}fill={fill}] {path};{edge}}}"
