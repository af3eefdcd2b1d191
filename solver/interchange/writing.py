"""An imported game as the text of a game/1 document: the flat form, a line for each node, written as it is grown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from solver.kernel.errors import DocumentError, UsageError
from solver.kernel.exact import Number, Plain, number_text, parse_number, plain
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.kernel.problems import WHOLE_FILE, Problem
from solver.render.json import json_bytes
from solver.render.yaml import yaml_bytes

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


def written(number: Number) -> Plain | None:
    """A number as a document may hold it; None if it has too many digits for any way of writing it."""
    if parse_number(number_text(number)) is not None:
        return plain(number)
    ratio = f"{number.numerator}/{number.denominator}"
    return ratio if parse_number(ratio) is not None else None
