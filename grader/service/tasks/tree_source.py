"""The tree as it stands in a text, valid or not: its nodes with their places, what each says, and who plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.service.tasks.document_text import Edit, Span, spelt_scalar
from grader.service.workers.task_results import message
from solver.game import turn_named
from solver.kernel import UsageError

Path = tuple[int, ...]
TREE, CHILDREN, TURN, VALUE = "tree", "children", "turn", "value"
CHANCE = "chance"
PLAIN_TURNS = ("max", "min", CHANCE, "or", "and")
ALTERNATE = {"max": "min", "min": "max", "or": "and", "and": "or"}
SAYS_VALUE = (VALUE, "loop", "features")


@dataclass(frozen=True, slots=True)
class PlacedNode:
    path: Path
    span: Span
    parent: PlacedNode | None
    turn: str | None
    """None of a leaf."""

    @property
    def children(self) -> Span | None:
        """The list of children; None of a leaf."""
        if self.turn is None:
            return None
        return self.span if self.span.kind == "list" else self.span.get(CHILDREN)

    def field(self, key: str) -> str | None:
        value = self.span.get(key)
        return value.text if value is not None and value.kind == "scalar" else None


@dataclass(frozen=True, slots=True)
class TreeText:
    game: Span
    """The mapping that holds the tree."""
    players: tuple[str, ...]
    parties: int
    """How many numbers a leaf has, where players are declared."""
    levels: tuple[str, ...]
    top: Span
    """The root, as it stands in the game."""

    def implied(self, depth: int) -> str:
        """Whose turn it is in a list at a depth."""
        if self.levels:
            return self.levels[depth] if depth < len(self.levels) else "max"
        return self.players[depth % len(self.players)] if self.players else ("max", "min")[depth % 2]

    def next_turn(self, node: PlacedNode) -> str:
        """Of an inner node that takes the place of a leaf."""
        if node.parent is None:
            return self.implied(0)
        before = node.parent.turn or ""
        if self.players:
            return self.players[(self.players.index(before) + 1) % len(self.players) if before in self.players else 0]
        return ALTERNATE.get(before) or self.implied(len(node.path))

    def nodes(self) -> Iterator[PlacedNode]:
        """In document order."""
        pending = [PlacedNode((), self.top, None, self._turn(self.top, 0))]
        while pending:
            node = pending.pop()
            yield node
            items = node.children.items if node.children is not None else []
            for place in reversed(range(len(items))):
                turn = self._turn(items[place], len(node.path) + 1)
                pending.append(PlacedNode((*node.path, place), items[place], node, turn))

    def at(self, path: Path) -> PlacedNode:
        for node in self.nodes():
            if node.path == path:
                return node
        raise UsageError("there is no such node in the tree any more")

    def declaring(self, key: str, names: list[str]) -> Edit:
        """With names declared before the tree."""
        return self.top.outset, self.top.outset, f"{key}: {listed(names)}{self.game.separator}"

    def _turn(self, span: Span, depth: int) -> str | None:
        if span.kind == "list":
            scalars = all(item.kind == "scalar" for item in span.items)
            return None if self.players and scalars and len(span.items) == self.parties else self.implied(depth)
        if turn := span.get(TURN):
            return turn_named(turn.text, self.players)
        return self.implied(depth) if span.get(CHILDREN) else None


def tree_text(document: Span) -> TreeText:
    """Of a game, or of an exercise with its game inside; UsageError in words for what has no such tree."""
    game = document.get("game") or document
    root = game.get(TREE)
    if root is None:
        raise UsageError("there is no tree here to build on: write `tree:` in this document, not a path or `root:`")
    players, teams = _texts(game.get("players")), game.get("teams")
    levels = tuple(turn_named(level, players) for level in _texts(game.get("levels")))
    return TreeText(game, players, len(teams.items) if teams else len(players), levels, root)


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
            id=node.field("id"),
            move=node.field("move"),
            p=node.field("p"),
        )
        for node in tree.nodes()
    )


def leaf_value(leaf: Span) -> Span | None:
    """What a leaf that is a mapping says instead of children."""
    return next((value for key in SAYS_VALUE if (value := leaf.get(key))), None)


def listed(names: list[str]) -> str:
    return f"[{', '.join(map(spelt_scalar, names))}]"


def _value(span: Span) -> str:
    if span.kind == "mapping":
        value = leaf_value(span)
        return "?" if value is None else _value(value) if value.kind != "mapping" else "…"
    return span.text if span.kind == "scalar" else ", ".join(item.text for item in span.items)


def _texts(names: Span | None) -> tuple[str, ...]:
    return tuple(name.text for name in names.items if name.text) if names is not None else ()
