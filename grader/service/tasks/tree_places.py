"""The nodes of a tree as they stand in a text, valid or not: each with its place among its parent's children."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.service.work.messages import message
from grader.service.tasks.tree_text import Span
from solver.kernel import UsageError

Path = tuple[int, ...]
TREE, CHILDREN, TURN, VALUE = "tree", "children", "turn", "value"
CHANCE = "chance"
PLAIN_TURNS = ("max", "min", CHANCE, "or", "and")
ALTERNATE = {"max": "min", "min": "max", "or": "and", "and": "or"}
SAYS_VALUE = (VALUE, "loop", "features")


@dataclass(frozen=True, slots=True)
class Placed:
    path: Path
    span: Span
    parent: Placed | None
    turn: str | None
    """None of a leaf."""

    @property
    def children(self) -> Span | None:
        """The list of children; None of a leaf."""
        if self.turn is None:
            return None
        return self.span if self.span.kind == "list" else self.span.get(CHILDREN)

    def said(self, key: str) -> str | None:
        found = self.span.get(key) if self.span.kind == "mapping" else None
        return found.text if found is not None and found.kind == "scalar" else None


@dataclass(frozen=True, slots=True)
class TreeText:
    game: Span
    """The mapping that holds the tree."""
    players: tuple[str, ...]
    parties: int
    """How many numbers a leaf has, where players are declared."""
    levels: tuple[str, ...]
    root: Span

    def implied(self, depth: int) -> str:
        """Whose turn it is in a list at a depth."""
        if self.levels:
            return self.levels[depth] if depth < len(self.levels) else "max"
        return self.players[depth % len(self.players)] if self.players else ("max", "min")[depth % 2]

    def next_turn(self, node: Placed) -> str:
        """Of an inner node that takes the place of a leaf."""
        if node.parent is None:
            return self.implied(0)
        before = node.parent.turn or ""
        if self.players:
            return self.players[(self.players.index(before) + 1) % len(self.players) if before in self.players else 0]
        return ALTERNATE.get(before) or self.implied(len(node.path))

    def nodes(self) -> Iterator[Placed]:
        """In document order."""
        pending = [Placed((), self.root, None, self._turn(self.root, 0))]
        while pending:
            node = pending.pop()
            yield node
            children = node.children
            if children is not None and children.kind == "list":
                depth = len(node.path) + 1
                below = [
                    Placed((*node.path, place), item, node, self._turn(item, depth))
                    for place, item in enumerate(children.items)
                ]
                pending += reversed(below)

    def at(self, path: Path) -> Placed:
        for node in self.nodes():
            if node.path == path:
                return node
        raise UsageError("there is no such node in the tree any more")

    def _turn(self, span: Span, depth: int) -> str | None:
        if span.kind == "list":
            scalars = all(each.kind == "scalar" for each in span.items)
            return None if self.players and scalars and len(span.items) == self.parties else self.implied(depth)
        if span.kind == "mapping" and (CHILDREN in span.names or TURN in span.names):
            said = span.get(TURN)
            return said.text if said is not None else self.implied(depth)
        return None


def tree_text(document: Span) -> TreeText:
    """Of a game, or of an exercise with its game inside; UsageError in words for what has no such tree."""
    game: Span | None = document
    if document.kind == "mapping" and "game" in document.names:
        game = document.get("game")
    root = game.get(TREE) if game is not None and game.kind == "mapping" else None
    if game is None or game.kind != "mapping" or root is None:
        raise UsageError("there is no tree here to build on: write `tree:` in this document, not a path or `root:`")
    players = _texts(game.get("players"))
    teams = game.get("teams")
    return TreeText(game, players, len(teams.items) if teams else len(players), _texts(game.get("levels")), root)


def shares(count: int, taken: Fraction) -> Fraction:
    """What is left of 1, among so many."""
    return (1 - taken) / count if count else Fraction(0)


@message
class NodeOutline:
    """What a page needs to show a node."""

    path: Path
    turn: str | None
    """None of a leaf."""
    value: str | None
    """None of an inner node."""
    id: str | None
    move: str | None
    p: str | None


def node_outlines(tree: TreeText) -> tuple[NodeOutline, ...]:
    """In document order."""
    return tuple(
        NodeOutline(
            path=node.path,
            turn=node.turn,
            value=None if node.turn is not None else _value(node.span),
            id=node.said("id"),
            move=node.said("move"),
            p=node.said("p"),
        )
        for node in tree.nodes()
    )


def _value(span: Span) -> str:
    if span.kind == "mapping":
        found = next((each for key in SAYS_VALUE if (each := span.get(key)) is not None), None)
        return "?" if found is None else _value(found) if found.kind != "mapping" else "…"
    return span.text if span.kind == "scalar" else ", ".join(each.text for each in span.items)


def _texts(span: Span | None) -> tuple[str, ...]:
    return tuple(each.text for each in span.items if each.text) if span is not None and span.kind == "list" else ()
