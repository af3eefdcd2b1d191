"""A board as a tree in plain text: the same symbols as the picture's, for terminals, e-mails and screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.drawing.boards import LEAF, PLAYER, PRUNED, REST, UNSEEN, Board, BoardItem, current_key, without_marks
from solver.drawing.picture_parts import LINE, LegendEntry
from solver.render.writers import BEST, UNREACHED, USUAL, TreeRow, aligned, tree_lines, turn_sign

TO_FILL_IN = "____"


def outline(board: Board) -> str:
    """Its title, then a line for every item."""
    items = board.items
    lines = list(tree_lines(0, board.children.__getitem__, lambda place: _row(board, items[place])))
    return "\n".join([board.title, "", *aligned(lines)]) + "\n"


def outlined_legend(entries: Sequence[LegendEntry], board: Board) -> str:
    """Below an outline; what is said there in words needs no sign."""
    lines = [f"{sign:6} {entry.text}" for entry in entries if (sign := _sign(entry))]
    return "\n".join(["", board.language.say("picture.legend"), *lines]) + "\n"


def _sign(entry: LegendEntry) -> str:
    item = entry.item
    if item is None:
        return BEST if entry.sign == LINE else "" if entry.fresh else entry.sample
    if item.current or item.state == PRUNED:
        return ""
    return UNREACHED if item.state == UNSEEN else _turn_sign(item)


def _row(board: Board, item: BoardItem) -> TreeRow:
    edge = BEST if item.best else UNREACHED if item.state == UNSEEN else USUAL
    if item.kind == REST:
        return TreeRow(item.value, edge=edge)
    mover = board.language.say("picture.player", player=item.mover) if item.mover else ""
    return TreeRow(
        item.name,
        _turn_sign(item),
        item.move,
        item.probability,
        without_marks(mover),
        known="=" if item.equals else item.sign,
        value=TO_FILL_IN if item.blank_value else item.value,
        notes=tuple(_notes(board, item)),
        edge=edge,
    )


def _turn_sign(item: BoardItem) -> str:
    return turn_sign(None if item.kind == LEAF else item.mover if item.kind == PLAYER else item.kind)


def _notes(board: Board, item: BoardItem) -> Iterator[str]:
    say = board.language.say
    if item.windows:
        yield " → ".join(item.windows)
    if item.interval:
        yield item.interval
    if item.blank_note:
        yield "(____, ____)"
    if item.because:
        yield f"✂ {item.because}"
    if item.state == PRUNED:
        yield say("picture.pruned")
    if item.current:
        yield say(current_key(item))
    if item.changed:
        yield say("picture.changed")
