"""What the signs of some boards mean: one entry for each that occurs, in the words of their language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.drawing.boards import LEAF, PLAYER, PRUNED, UNSEEN, Board, BoardItem, current_key, without_marks
from solver.drawing.turns import TURNS
from solver.game.tree import NOWHERE

LINE, BOUND, WINDOW, INTERVAL, CHANGED = "line", "bound", "window", "interval", "changed"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    text: str
    item: BoardItem | None = None
    """A shape to be drawn,"""
    sign: str = ""
    """or one of LINE, BOUND, WINDOW, INTERVAL and CHANGED: but for a line, some letters as a sample."""
    sample: str = ""

    @property
    def fresh(self) -> bool:
        """Whether the sample is marked as changed."""
        return self.sign == CHANGED


def legend(boards: Sequence[Board]) -> list[LegendEntry]:
    """Of boards of one search; the stages of one have one legend."""
    say = boards[0].language.say
    items = [item for board in boards for item in board.items]
    made = [*_shapes(boards[0], items)]
    if any(item.cut or item.state == PRUNED for item in items):
        made.append(LegendEntry(say("picture.pruned"), BoardItem(NOWHERE, LEAF, state=PRUNED, cut=True)))
    if any(item.state == UNSEEN for item in items):
        made.append(LegendEntry(say("picture.unseen"), BoardItem(NOWHERE, LEAF, state=UNSEEN)))
    for item in {current_key(item): item for item in items if item.current}.values():
        kind = item.kind if current_key(item) == "picture.current-node" else LEAF
        shown = BoardItem(NOWHERE, kind, colour=item.colour, current=True)
        made.append(LegendEntry(say(current_key(item)), shown))
    signs = {
        LINE: ("picture.legend.line", any(item.best for item in items)),
        BOUND: ("picture.legend.bound", any(item.sign for item in items)),
        WINDOW: ("picture.legend.window", any(item.windows for item in items)),
        INTERVAL: ("picture.legend.interval", any(item.interval for item in items)),
        CHANGED: ("picture.changed", any(item.changed for item in items)),
    }
    samples = {
        BOUND: "≤ ≥",
        WINDOW: without_marks(say("window", low="α", high="β")),
        INTERVAL: without_marks(say("interval", low="a", high="b")),
        CHANGED: boards[0].language.number(3),
    }
    made += [
        LegendEntry(say(key), sign=sign, sample=samples.get(sign, ""))
        for sign, (key, occurs) in signs.items()
        if occurs
    ]
    return made


def _shapes(board: Board, items: Sequence[BoardItem]) -> Iterator[LegendEntry]:
    say = board.language.say
    kinds = {item.kind for item in items}
    for kind, key in TURNS.items():
        if kind in kinds:
            yield LegendEntry(say(key), BoardItem(NOWHERE, kind))
    for player, colour in sorted({(item.mover, item.colour) for item in items if item.kind == PLAYER}, key=_by_colour):
        yield LegendEntry(say("picture.player", player=player), BoardItem(NOWHERE, PLAYER, mover=player, colour=colour))
    if LEAF in kinds:
        yield LegendEntry(say("picture.leaf"), BoardItem(NOWHERE, LEAF))


def _by_colour(named: tuple[str, int]) -> int:
    return named[1]
