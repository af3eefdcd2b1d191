"""What a picture is to show: the names that options choose from, and which nodes of a large tree are drawn: the upper
part and the line in full, the rest folded and counted.

It loads nothing of what the options choose, so that a command line can list them at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.game.game_tree import CHANCE, ROOT, Node, Tree
from solver.kernel.errors import UsageError, nearest

PICTURES = ("svg", "png", "pdf", "tex", "txt", "html")
"""The kinds of pictures, as the names of their files end."""

SHOWN = ("names", "moves", "probabilities", "values", "windows", "intervals", "cuts", "line")
"""What a picture can show."""

THEMES = ("auto", "light", "dark")
"""The paper of a picture."""

SIZES = ("a4", "letter", "slides")
"""The pages of a PDF; slides can be SVG and PNG, too."""

LEAST_PICTURE = 120
"""CSS pixels: no picture is asked to be narrower."""

MOST_LEAVES = 120
"""A picture folds more leaves than these unless told otherwise."""

FINISHED = frozenset({"names", "moves", "probabilities", "values", "windows", "cuts", "line"})
PRUNING = frozenset({"windows", "intervals"})
"""What only searches that prune have."""


@dataclass(frozen=True, slots=True)
class View:
    show: frozenset[str] = FINISHED
    blank: bool = False
    """Boxes to fill in, in place of what the search finds out."""
    most_leaves: int | None = MOST_LEAVES
    """More are folded and counted; None draws everything."""
    alternating: bool = False
    """Whether windows and intervals share a place, for a page that shows one of them at a time."""


def shown_from(text: str | None) -> frozenset[str] | None:
    """The choice of `--show`: names from SHOWN with commas between; None for what is usual."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        require_shown(name)
    return frozenset(names)


def require_shown(name: str) -> None:
    """UsageError for what no picture shows."""
    if name not in SHOWN:
        meant = nearest(name, SHOWN)
        advice = "choose from" if meant is None else f"did you mean {meant}? The choices are"
        raise UsageError(f"cannot show {name!r}; {advice} {', '.join(SHOWN)}")


def stages_from(text: str, count: int) -> Sequence[int]:
    """The choice of `--stage`: 3, or 1-5,7; 0 is before the first leaf."""
    chosen: list[int] = []
    for part in text.split(","):
        first, dash, last = (each.strip() for each in part.partition("-"))
        ends = (first, last) if dash else (first, first)
        if not all(end.isascii() and end.isdigit() and len(end) < 10 for end in ends):
            raise UsageError(f"--stage takes numbers such as 3 or 1-5,7, not {text!r}")
        low, high = map(int, ends)
        if low > high or high > count:
            raise UsageError(f"--stage {part.strip()}: this search has the stages 0 to {count:,}")
        chosen.extend(range(low, high + 1))
    return sorted(set(chosen))


DEEPEST = 40
"""Levels below this are folded: nobody can read a picture so tall."""
FEWEST_SHOWN, MOST_SHOWN = 3, 11
"""Of a node's children, where a tree is too large to draw them all."""
LONGEST_COLUMN = 12
"""This many leaves of one node may be in a column below it."""
WIDEST = 2_400
"""CSS pixels, roughly, for a folded tree; whoever asks for more leaves than usual gets a wider one."""
LEAF_WIDTH, COLUMN_WIDTH, FOLDED_WIDTH = 40, 105, 150
"""What a leaf takes across, a column of leaves, and a line that counts what is folded."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What is left of a tree to draw."""

    nodes: Sequence[Node]
    """In document order."""
    children: dict[Node, Sequence[Node]]
    """Of the drawn nodes that have any."""
    hidden: dict[Node, int]
    """How many leaves are folded away below a drawn node, where there are any."""


def fold_nothing(tree: Tree) -> Fold:
    return Fold(tree.nodes, {node: tree.children[node] for node in tree.inner}, {})


def fold_tree(tree: Tree, line: Sequence[Node], most: int) -> Fold:
    """A tree of more than this many leaves, or than DEEPEST levels, as far as it finds room in a picture's width; the
    line is drawn first, then level by level, and a node whose children do not all find room shows some of them."""
    if len(tree.leaves) <= most and max(tree.depth) <= DEEPEST:
        return fold_nothing(tree)
    on_line = {ROOT, *line}
    room = _Room(tree, most, on_line)
    children: dict[Node, Sequence[Node]] = {}
    for node in _by_rank(tree, on_line, children):
        if tree.depth[node] < DEEPEST and (below := room.shown(node)):
            children[node] = below
    return _counted(tree, children)


class _Room:
    """How much of the width and of the leaves is taken; a node that may still show its children counts as folded."""

    def __init__(self, tree: Tree, most: int, on_line: set[Node]) -> None:
        self.tree, self.on_line = tree, on_line
        self.width = max(WIDEST, WIDEST * most // MOST_LEAVES) - FOLDED_WIDTH
        # The line is drawn to its end, so what is in a column there has its room before all others.
        self.leaves = max(0, most - sum(len(tree.children[node]) for node in on_line if self._is_column(node)))
        self.kept = set[Node]()
        """Nodes whose leaves have their room already, in a column."""
        self.ahead = sum(bool(tree.children[node]) and tree.depth[node] < DEEPEST for node in on_line)
        """Nodes of the line that are still to come: two ends are kept for each, as far as half of the room goes."""

    def shown(self, node: Node) -> Sequence[Node]:
        """Which children of a folded node are drawn from now on."""
        below = self.tree.children[node]
        self.ahead -= node in self.on_line
        if node in self.kept:
            return below
        free = self.width + FOLDED_WIDTH
        free -= min(2 * FOLDED_WIDTH * self.ahead, max(0, free) // 2)
        if self._is_column(node):
            if node not in self.on_line and len(below) > self.leaves:
                return ()
            self.width += FOLDED_WIDTH - COLUMN_WIDTH
            self._take_leaves(node)
            return below
        if len(below) <= MOST_SHOWN + 1 and self._fits(below, free):
            return self._taken(below)
        some = self._some(below, free - FOLDED_WIDTH)
        if not some:
            return ()
        away = set(below).difference(some) if len(some) == len(below) - 1 else set[Node]()
        if any(self.tree.children[child] or self.leaves > len(some) for child in away):
            # A line that counts one child is as wide as the child.
            return self._taken(below)
        self.width -= FOLDED_WIDTH
        return self._taken(some)

    def _some(self, below: Sequence[Node], free: int) -> Sequence[Node]:
        """The first few that fit, and whichever is on the line; too few are not worth a line that counts the rest."""
        chosen = [child for child in below if child in self.on_line]
        fewest = 1 if chosen else FEWEST_SHOWN
        for child in below:
            if child in self.on_line:
                continue
            if len(chosen) >= MOST_SHOWN or not self._fits([*chosen, child], free):
                break
            chosen.append(child)
        return sorted(chosen) if len(chosen) >= fewest else ()

    def _fits(self, below: Sequence[Node], free: int) -> bool:
        leaves = sum(not self.tree.children[child] for child in below)
        return leaves <= max(0, self.leaves) and sum(self._cost(below)) <= free

    def _cost(self, below: Sequence[Node]) -> Iterator[int]:
        leaves = self.leaves - sum(not self.tree.children[child] for child in below)
        for child in below:
            if not self.tree.children[child]:
                yield LEAF_WIDTH
            elif self._is_column(child) and child in self.on_line:
                yield COLUMN_WIDTH
            elif self._is_column(child) and len(self.tree.children[child]) <= leaves:
                leaves -= len(self.tree.children[child])
                yield COLUMN_WIDTH
            else:
                yield FOLDED_WIDTH

    def _taken(self, below: Sequence[Node]) -> Sequence[Node]:
        self.width += FOLDED_WIDTH
        for child, cost in zip(below, list(self._cost(below)), strict=True):
            if cost == COLUMN_WIDTH:
                self.kept.add(child)
                self._take_leaves(child)
            self.leaves -= cost == LEAF_WIDTH
            self.width -= cost
        return below

    def _take_leaves(self, node: Node) -> None:
        if node not in self.on_line:
            self.leaves -= len(self.tree.children[node])

    def _is_column(self, node: Node) -> bool:
        tree = self.tree
        below = tree.children[node]
        short = tree.turn[node] != CHANCE and 2 <= len(below) <= LONGEST_COLUMN
        return short and all(tree.turn[child] is None for child in below)


def _by_rank(tree: Tree, on_line: set[Node], children: dict[Node, Sequence[Node]]) -> Iterator[Node]:
    """The inner nodes of the line from the root down, then all others whose parent shows them, level by level."""
    yield from sorted(node for node in on_line if tree.children[node])
    level = deque([ROOT])
    while level:
        node = level.popleft()
        if node not in on_line and tree.children[node]:
            yield node
        level.extend(children.get(node, ()))


def _counted(tree: Tree, children: dict[Node, Sequence[Node]]) -> Fold:
    nodes = sorted({ROOT, *(child for below in children.values() for child in below)})
    leaves_before = [0]
    for turn in tree.turn:
        leaves_before.append(leaves_before[-1] + (turn is None))
    hidden: dict[Node, int] = {}
    for node in nodes:
        shown = set(children.get(node, ()))
        away = sum(
            leaves_before[tree.last[child] + 1] - leaves_before[child]
            for child in tree.children[node]
            if child not in shown
        )
        if away:
            hidden[node] = away
    return Fold(nodes, children, hidden)
