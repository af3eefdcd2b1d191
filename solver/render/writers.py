"""How everything is written: numbers, vectors and bounds as people read them, with a true minus sign and ∞; trees in a
terminal, as lines with stems, aligned in columns; and plain data as JSON, compact, without exponents, byte for byte
the same on every machine.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import orjson

from solver.game.convention import Bound
from solver.game.game_tree import AND, CHANCE, MAX, MIN, OR, Node, Tree, Vector
from solver.kernel.exact import Number, number_text


def number(value: Number) -> str:
    return number_text(value).replace("-", "−")


def value_text(value: Number | Vector | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"({', '.join(map(number, value))})" if isinstance(value, tuple) else number(value)


def bound_text(value: Bound) -> str:
    if isinstance(value, str):
        return "−∞" if value == "-inf" else "+∞"
    return number(value)


MOST_NAMES = 12


def listed(names: Sequence[str], joint: str = ", ") -> str:
    if len(names) <= MOST_NAMES:
        return joint.join(names)
    return joint.join(names[:MOST_NAMES]) + f", … ({len(names):,} in all)"


_SIGNS = {MAX: "▲", MIN: "▼", CHANCE: "○", OR: "◇", AND: "◆", None: "□"}
_PLAYER_SIGN = "●"

USUAL, BEST, UNREACHED = "──", "━━", "╌╌"
"""How the edge above a node is drawn: it is on the line of best play, or the search has not come to it yet."""

Place = TypeVar("Place")


class TreeRow(NamedTuple):
    """What is on the line of a node."""

    name: str
    sign: str = ""
    move: str = ""
    probability: str = ""
    mover: str = ""
    """Who moves, in words."""
    known: str = ""
    """=, ≤ or ≥ before the value, if a search found it."""
    value: str = ""
    notes: Sequence[str] = ()
    edge: str = USUAL
    pruned: bool = False
    best: bool = False


class Line(NamedTuple):
    stem: str
    row: TreeRow


def turn_sign(turn: str | None) -> str:
    """▲ and so on; None is a leaf."""
    return _SIGNS.get(turn, _PLAYER_SIGN)


def mover_at(tree: Tree, node: Node) -> str:
    """The player who moves at a node, by name, also where an algorithm sees it as MAX or MIN."""
    turn = tree.turn[node]
    if turn in tree.players:
        return str(turn)
    return (tree.movers[node] if tree.movers is not None else None) or ""


def tree_lines(
    root: Place, children: Callable[[Place], Sequence[Place]], row: Callable[[Place], TreeRow]
) -> Iterator[Line]:
    """A line for each place, a child after its parent."""
    # Each entry: the place, what its line and its children's start with, its corner, and what is below the corner.
    stack = [(root, "", "", "")]
    while stack:
        place, before, corner, below = stack.pop()
        found = row(place)
        if corner and found.edge == BEST:
            corner = "┕" if corner == "└" else "┝"
        yield Line(f"{before}{corner}{found.edge} " if corner else before, found)
        places = children(place)
        for child in reversed(places):
            last = child == places[-1]
            stack.append((child, before + below, "└" if last else "├", "    " if last else "│   "))


def aligned(lines: Sequence[Line], colour: bool = False) -> Iterator[str]:
    """Names, values and notes in columns."""
    no_sign = "  " if any(line.row.known for line in lines) else ""
    labels = [_label(line.row) for line in lines]
    values = [_value(line.row, no_sign) for line in lines]
    left = min(60, max(_width(line.stem + label) for line, label in zip(lines, labels, strict=True)))
    middle = min(30, max(map(_width, values)))
    for (stem, row), label, value in zip(lines, labels, values, strict=True):
        notes = "  ".join(row.notes)
        body = label + " " * max(0, left - _width(stem + label))
        if notes:
            body += f"  {value}{' ' * max(0, middle - _width(value))}  {notes}"
        elif value:
            body += f"  {value}"
        body = body.rstrip()
        if row.pruned:
            body = f"\x1b[2m{body}\x1b[0m" if colour else body
        elif row.best:
            body = bold(body, colour)
        yield stem + body


def bold(text: str, colour: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colour else text


def _label(row: TreeRow) -> str:
    probability = f"({row.probability})" if row.probability else ""
    mover = f"({row.mover})" if row.mover else ""
    return " ".join(filter(None, (row.move, probability, row.sign, row.name, mover)))


def _value(row: TreeRow, no_sign: str) -> str:
    return f"{row.known} {row.value}" if row.known else no_sign + row.value if row.value else ""


def _width(text: str) -> int:
    """Columns on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


_PIECE = 1_000


def json_bytes(data: dict[str, Any], indented: bool = False) -> bytes:
    option = orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if indented else 0)
    return orjson.dumps(data, default=_decimal, option=option)


def json_with(data: dict[str, Any], last: str, items: Iterable[tuple[str, Any]]) -> bytes:
    """The same as of `{**data, last: dict(items)}`, but only some items exist at a time: millions fill a memory."""
    # Its value is its own buffer: pieces that are joined would be there twice.
    out = BytesIO()
    out.write(orjson.dumps(data, default=_decimal)[:-1])
    out.write(f',"{last}":{{'.encode())
    rest, between = iter(items), b""
    while piece := dict(islice(rest, _PIECE)):
        out.write(between)
        out.write(orjson.dumps(piece, default=_decimal)[1:-1])
        between = b","
    out.write(b"}}\n")
    return out.getvalue()


def _decimal(number: Any) -> orjson.Fragment:
    assert isinstance(number, Decimal)
    return orjson.Fragment(format(number, "f"))
