"""A board as a tree in plain text: the same symbols as the picture's, for terminals, e-mails and screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.drawing.boards import LEAF, PLAYER, PRUNED, REST, SEEN, Board, BoardItem, current_key
from solver.drawing.legend import LINE, LegendEntry
from solver.render.lines import Line, aligned, turn_sign

TO_FILL_IN = "____"


def outline(board: Board) -> str:
    """Its title, then a line for every item; // crosses out the edge before which the search stopped."""
    return "\n".join([board.title, "", *aligned(list(_lines(board)), colour=False)]) + "\n"


def outlined_legend(entries: Sequence[LegendEntry], board: Board) -> str:
    """Below an outline; what is said there in words needs no sign."""
    lines = [f"{sign:6} {entry.text}" for entry in entries if (sign := _sign(entry))]
    return "\n".join(["", board.language.say("picture.legend"), *lines]) + "\n"


def _sign(entry: LegendEntry) -> str:
    item = entry.item
    if item is None:
        return "━━" if entry.sign == LINE else "" if entry.fresh else entry.sample
    if item.current:
        return ""
    if item.state != SEEN:
        return "//" if item.cut else "╌╌"
    return turn_sign(None if item.kind == LEAF else item.mover if item.kind == PLAYER else item.kind)


def _lines(board: Board) -> Iterator[Line]:
    # Each entry: the place, what its line and its children's start with, and whether it is the last child.
    stack: list[tuple[int, str, bool]] = [(0, "", True)]
    while stack:
        place, before, last = stack.pop()
        item = board.items[place]
        stem, below = before, before
        if place:
            stem += _stem(item, last)
            below += "    " if last else "│   "
        yield Line(stem, _label(item), _value(item), _notes(board, item))
        children = board.children[place]
        for child in reversed(children):
            stack.append((child, below, child == children[-1]))


def _stem(item: BoardItem, last: bool) -> str:
    corner = ("┕" if last else "┝") if item.best else ("└" if last else "├")
    if item.cut:
        return corner + "// "
    return corner + ("━━ " if item.best else "╌╌ " if item.state != SEEN else "── ")


def _label(item: BoardItem) -> str:
    edge = " ".join(filter(None, (item.move, f"({item.probability})" if item.probability else "")))
    if item.kind == REST:
        return item.value
    sign = turn_sign(None if item.kind == LEAF else item.mover if item.kind == PLAYER else item.kind)
    return " ".join(filter(None, (edge, sign, item.name)))


def _value(item: BoardItem) -> str:
    if item.kind == REST:
        return ""
    return TO_FILL_IN if item.blank_value else item.sign + item.value


def _notes(board: Board, item: BoardItem) -> str:
    say = board.language.say
    notes = [say("picture.player", player=item.mover)] if item.mover else []
    notes += [" → ".join(item.windows)] if item.windows else []
    notes += [item.interval] if item.interval else []
    notes += ["(____, ____)"] if item.blank_note else []
    notes += [f"✂ {item.stopped}"] if item.stopped else []
    notes += [say("picture.pruned")] if item.state == PRUNED else []
    notes += [say(current_key(item))] if item.current else []
    notes += [say("picture.changed")] if item.changed else []
    return "  ".join(notes)
