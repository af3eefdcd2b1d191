"""A tree while it is read from elsewhere: a column for each property, nodes in document order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.game.building.names import NO_NAME, name_nodes
from solver.interchange.writing import Entry
from solver.kernel.exact import Plain

Value = Plain | list[Plain]
"""A leaf's number or vector, as a document holds it."""


class Draft:
    def __init__(self) -> None:
        self.ids: list[str] = []
        self.turn: list[str | None] = []
        self.children: list[list[int]] = []
        self.move: list[str] = []
        self.probability: list[Plain | None] = []
        self.leaf: list[Value | None] = []
        self.estimate: dict[int, Plain] = {}

    def __len__(self) -> int:
        return len(self.turn)

    def add(self, up: int, name: str = NO_NAME, move: str = NO_NAME, probability: Plain | None = None) -> int:
        """A new node below `up`, the last one there; -1 is above the root."""
        node = len(self.turn)
        self.ids.append(name)
        self.turn.append(None)
        self.children.append([])
        self.move.append(move)
        self.probability.append(probability)
        self.leaf.append(None)
        if up >= 0:
            self.children[up].append(node)
        return node

    def finish(self) -> Draft:
        """Give every inner node an id, and the root; other leaves without a label are written where they are listed."""
        ids = self.ids.copy()
        name_nodes(ids, self.turn, self.children, lambda _node, _first: None)
        self.ids = [
            name if turn is not None or node == 0 else written
            for node, (name, written, turn) in enumerate(zip(ids, self.ids, self.turn, strict=True))
        ]
        return self

    def entries(self) -> Iterator[Entry]:
        for node, name in enumerate(self.ids):
            if name == NO_NAME:
                continue
            described: dict[str, Any]
            if self.turn[node] is None:
                described = {"value": self.leaf[node]}
            else:
                described = {"turn": self.turn[node]}
                if node in self.estimate:
                    described["estimate"] = self.estimate[node]
                described["children"] = [self._edge(child) for child in self.children[node]]
            yield name, described

    def _edge(self, child: int) -> Any:
        edge: dict[str, Any] = {"move": self.move[child]} if self.move[child] != NO_NAME else {}
        if self.probability[child] is not None:
            edge["p"] = self.probability[child]
        edge["to"] = self.leaf[child] if self.ids[child] == NO_NAME else self.ids[child]
        return edge
