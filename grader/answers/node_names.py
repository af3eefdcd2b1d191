"""What students call a node: its id, the move that leads to it, or, of a leaf, its value where no other has it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from grader.answers import Ambiguous, Unreadable, folded, number
from solver.game import Node, Tree

_APART = re.compile(r"(?<=[^\W\d_])\s+(?=\d)")


class NodeNames:
    """Names in any case; an id goes before a move, a move before a value, and as written before another case."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        ids = [(str(name), node) for node, name in zip(tree.nodes, tree.ids, strict=True)]
        moves = [(str(move), node) for node, move in zip(tree.nodes, tree.move, strict=True) if move is not None]
        self._tables = [
            _table(ids),
            _table((folded(name), node) for name, node in ids),
            _table(moves),
            _table((folded(name), node) for name, node in moves),
        ]
        self._place = {leaf: place for place, leaf in enumerate(tree.leaves)}
        self._values = _table((tree.leaf[leaf], leaf) for leaf in tree.leaves)

    def node(self, name: str) -> Node:
        """KeyError if nothing is called so, Ambiguous if several nodes are."""
        try:
            return self.named(name)
        except KeyError:
            return self.leaf_by_value(name)

    def named(self, name: str) -> Node:
        """By id or move, never by value; `L 5` is L5 if nothing is called `L 5`."""
        name = unicodedata.normalize("NFC", name.strip())
        for spelling in dict.fromkeys((name, _APART.sub("", name))):
            for table, wanted in zip(self._tables, (spelling, folded(spelling)) * 2, strict=True):
                if wanted in table:
                    return _only(table[wanted])
        raise KeyError(name)

    def between(self, first: Node, last: Node) -> Sequence[Node]:
        """The leaves from one to another, in document order or against it; KeyError if one is no leaf."""
        start, end = self._place[first], self._place[last]
        leaves = self.tree.leaves
        return leaves[start : end + 1] if start <= end else leaves[end : start + 1][::-1]

    def onwards(self, first: Node) -> Sequence[Node]:
        """A leaf and all after it in document order; KeyError if it is no leaf."""
        return self.tree.leaves[self._place[first] :]

    def leaf_by_value(self, text: str) -> Node:
        try:
            value = number(text, alone=False)
        except Unreadable:
            raise KeyError(text) from None
        return _only(self._values[value])

    def child(self, node: Node, name: str) -> Node:
        """The child that a move leads to, or that is called so itself; KeyError, or Ambiguous."""
        below = self.tree.children[node]
        written = unicodedata.normalize("NFC", name.strip())
        for spelling in dict.fromkeys((written, written.rstrip("."), _APART.sub("", written.rstrip(".")))):
            for called in (self.tree.move, self.tree.ids):
                found = [child for child in below if folded(str(called[child])) == folded(spelling)]
                if found:
                    exact = [child for child in found if str(called[child]) == spelling]
                    return _only(exact or found)
        raise KeyError(name)


def _table(pairs: Iterable[tuple[object, Node]]) -> dict[object, list[Node]]:
    table: dict[object, list[Node]] = {}
    for name, node in pairs:
        table.setdefault(name, []).append(node)
    return table


def _only(nodes: list[Node]) -> Node:
    if len(nodes) > 1:
        raise Ambiguous(len(nodes))
    return nodes[0]
