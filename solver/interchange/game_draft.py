"""A game while it is read from elsewhere, and then as the text of a game/1 document.

A draft has a column for each property, nodes in document order. Labels of other programs are made into names of
ours: valid, short and unique. The text is the flat form, a line for each node, written as it is grown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from solver.game.game_builder import name_nodes
from solver.game.game_tree import TURN_WORDS
from solver.game.tree_growth import NO_NAME
from solver.kernel.errors import DEFAULT_LIMITS, WHOLE_FILE, DocumentError, Limits, Problem, UsageError
from solver.kernel.exact import Number, Plain, number_text, parse_number, plain
from solver.render.writers import json_bytes
from solver.render.yaml import yaml_bytes

TITLE_LENGTH = 400
MOVE_LENGTH = 100
ID_LENGTH = 50
"""Leaves room for the number of a repeated name: an id has 64 characters at most."""

_JOINERS = "\u200c\u200d"
_NOT_IN_IDS = re.compile(r"[\s/\\]+")


def as_text(label: str, longest: int) -> str:
    """A label on one line, of characters that a document may hold; perhaps nothing is left of it."""
    if label.isascii() and label.isprintable():
        return " ".join(label.split())[:longest].strip()
    # Cut first: normalizing a long run of combining marks takes quadratic time.
    signs = (sign if sign.isprintable() or sign in _JOINERS else " " for sign in label[: 2 * longest])
    return unicodedata.normalize("NFC", " ".join("".join(signs).split()))[:longest].strip()


def as_id(label: str) -> str:
    """A label without white space and path separators: `2 left` becomes `2_left`."""
    bare = label[: 2 * ID_LENGTH].translate({ord(sign): None for sign in _JOINERS})
    return _NOT_IN_IDS.sub("_", as_text(bare, ID_LENGTH))


def as_player(label: str, number: int) -> str:
    """A player's name: never empty, a number or a turn word."""
    name = as_text(label, MOVE_LENGTH)
    return f"P{number}" if not name or parse_number(name) is not None or name.lower() in TURN_WORDS else name


class UniqueNames:
    """Lets every name pass once; a name that is taken gets a number: a, a_2, a_3."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        free = name
        number = self._next.get(name, 2)
        while free in self._taken:
            free = f"{name}_{number}"
            number += 1
        self._next[name] = number
        self._taken.add(free)
        return free


Entry: TypeAlias = tuple[str, dict[str, Any]]
"""A node of the flat form: its id, and its description as plain data."""

FORMATS = ("yaml", "json")
MANY_NODES = 20_000
"""A game of more is written as JSON unless YAML is asked for: JSON is read many times faster, and more of it."""


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A game of another program; `entries` gives its nodes, as often as it is called."""

    head: Mapping[str, Any]
    """What is above the nodes: title, source, players, claims, root."""
    size: int
    """How many nodes there are, leaves included."""
    entries: Callable[[], Iterator[Entry]]
    limits: Limits = DEFAULT_LIMITS

    def format(self, wanted: str | None = None) -> str:
        """`yaml` or `json`; without a wish, YAML unless the game is large."""
        if wanted is None:
            return "json" if self.size > MANY_NODES else "yaml"
        if wanted not in FORMATS:
            raise UsageError(f"unknown format {wanted!r}; choose one of {', '.join(FORMATS)}")
        return wanted

    def chunks(self, format: str | None = None) -> Iterator[bytes]:
        """The document, a node at a time."""
        head = {"plymark": "game/1", **self.head}
        return _json(head, self.entries()) if self.format(format) == "json" else _yaml(head, self.entries())

    def text(self, format: str | None = None) -> str:
        """The whole document; DocumentError if it is larger than Plymark itself would read."""
        chosen = self.format(format)
        largest = self.limits.json_bytes if chosen == "json" else self.limits.yaml_bytes
        written = b"".join(self.chunks(chosen))
        if len(written) > largest:
            message = f"the game has {self.size:,} nodes and {len(written):,} bytes as {chosen.upper()}; at most"
            hint = "use --format json" if chosen == "yaml" else "start from a later position, or give a depth"
            raise DocumentError([Problem(WHOLE_FILE, "too-large", f"{message} {largest:,} are read", hint)])
        return written.decode()


def _yaml(head: dict[str, Any], entries: Iterator[Entry]) -> Iterator[bytes]:
    yield yaml_bytes(head) + b"nodes:\n"
    for name, described in entries:
        yield b"  " + yaml_bytes({name: described})


def _json(head: dict[str, Any], entries: Iterator[Entry]) -> Iterator[bytes]:
    yield json_bytes(head)[:-2] + b',"nodes":{'
    before = b"\n"
    for name, described in entries:
        # Without the braces and the line break around a mapping of one node.
        yield before + json_bytes({name: described})[1:-2]
        before = b",\n"
    yield b"\n}}\n"


def plain_number(number: Number) -> Plain | None:
    """A number as a document may hold it; None if it has too many digits for any way of writing it."""
    if parse_number(number_text(number)) is not None:
        return plain(number)
    ratio = f"{number.numerator}/{number.denominator}"
    return ratio if parse_number(ratio) is not None else None


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
