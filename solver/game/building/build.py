"""Document → game: the stages of building, on one page."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, cast

from solver.documents.document import Document
from solver.game.building.columns import Columns, Origin, TooManyNodes, origin_place
from solver.game.building.declarations import read_declarations
from solver.game.building.flat import grow_flat
from solver.game.building.meaning import check_claims, check_leaves, settle_chances
from solver.game.building.names import name_moves, name_nodes
from solver.game.building.nested import grow_nested
from solver.game.tree import CHANCE, Move, Node, NodeId, Tree
from solver.kernel.authored import own_text
from solver.kernel.exact import Number
from solver.kernel.limits import Limits
from solver.kernel.notebook import Pictured
from solver.kernel.problems import Place, ProblemLog, quoted


@dataclass(frozen=True, slots=True, repr=False)
class Game(Pictured):
    """A tree with what its document says about it, and where each node is in the text."""

    tree: Tree
    title: str | None
    source: str | None
    document: Document
    origins: list[Origin]
    """Of every node, unless the document has no places."""

    def __repr__(self) -> str:
        return f"<Game {self.title or 'without a title'}: {len(self.tree)} nodes, {len(self.tree.leaves)} leaves>"

    def place(self, node: str) -> Place:
        """Where the node with this id is written; a document that was read without places is read again."""
        if self.document.reread is None or (again := self.document.reread()) is None:
            return origin_place(self.document, self.origins[self.tree.index[NodeId(node)]])
        game = build(again, Limits(nodes=sys.maxsize), ProblemLog(0))
        assert game is not None
        return game.place(node)


def build(document: Document, limits: Limits, problems: ProblemLog) -> Game | None:
    """The game of a document that conforms to its schema or was repaired; None if no tree could be grown."""
    data: Any = document.data
    if not isinstance(data, dict):
        return None
    columns = Columns(document, read_declarations(document, problems), limits, problems)
    try:
        if "tree" in data:
            grow_nested(columns, data)
        elif isinstance(data.get("nodes"), dict):
            grow_flat(columns, data)
    except TooManyNodes:
        return None
    if not columns.turn:
        return None
    return Game(_finished(columns), own_text(data.get("title")), data.get("source"), document, columns.origins)


def _finished(columns: Columns) -> Tree:
    def duplicate_id(node: int, first: int) -> None:
        raw = _raw(columns.origin(node))
        origin = (raw, "id") if isinstance(raw, dict) else columns.origin(node)
        columns.report(
            origin, "duplicate-id", f"id {quoted(columns.ids[node])} is taken by the node at line {_line(first)}"
        )

    def duplicate_move(node: int, first: int) -> None:
        raw = _raw(columns.origin(node))
        if isinstance(raw, dict) and "move" in raw:
            columns.edges[node] = (raw, "move")
        line = columns.place(columns.edge(first)).line
        message = f"move {quoted(columns.move[node])} is taken by the sibling at line {line}"
        columns.report_edge(node, "duplicate-move", message)

    def _line(node: int) -> int:
        return columns.place(columns.origin(node)).line

    name_nodes(columns.ids, columns.turn, columns.children, duplicate_id)
    name_moves(columns.ids, columns.move, columns.children, duplicate_move)
    if CHANCE in columns.turn:
        settle_chances(columns)
    statistics = cast("dict[str, dict[Node, Number]]", columns.statistics)
    tree = Tree(
        ids=cast("tuple[NodeId, ...]", tuple(columns.ids)),
        turn=tuple(columns.turn),
        parent=cast("tuple[Node, ...]", tuple(columns.parent)),
        children=tuple(map(tuple, columns.children)),
        depth=tuple(columns.depth),
        move=cast("tuple[Move | None, ...]", (None, *columns.move[1:])),
        probability=tuple(map(columns.probability.get, range(len(columns.turn)))),
        leaf=tuple(columns.leaf),
        estimates=statistics["estimate"],
        visits=statistics["visits"],
        totals=statistics["total"],
        **columns.declared.for_tree(),
    )
    check_leaves(tree, columns.report_node)
    check_claims(tree, columns.report_node)
    return tree


def _raw(origin: Origin) -> Any:
    container, key = origin
    return container[key]
