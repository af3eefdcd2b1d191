"""An exercise's data as YAML that people can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_PLAIN = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_-]*|-?\d+(?:\.\d+)?|\d+/\d+|exercise/1)\Z").match
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "null", "nan", "inf"})


def yaml_bytes(data: dict[str, Any]) -> bytes:
    """One line for each node that has only leaves below it, and for each question."""
    return "".join(f"{line}\n" for line in _lines(data)).encode()


def _lines(data: dict[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        if key == "game":
            yield "game:"
            for name, item in value.items():
                if name == "tree":
                    yield "  tree:"
                    yield from _tree_lines(item)
                else:
                    yield f"  {name}: {_flow(item)}"
        elif key == "questions":
            yield "questions:"
            yield from (f"  - {_flow(item)}" for item in value)
        else:
            yield f"{key}: {_flow(value)}"


def _tree_lines(tree: dict[str, Any]) -> Iterator[str]:
    pending: list[tuple[dict[str, Any], str, bool]] = [(tree, "    ", False)]
    while pending:
        node, space, listed = pending.pop()
        dash = f"{space[:-2]}- " if listed else space
        below = node.get("children", ())
        if not any("children" in child for child in below):
            yield dash + _flow(node)
            continue
        first = True
        for key, value in node.items():
            if key != "children":
                yield f"{dash if first else space}{key}: {_flow(value)}"
                first = False
        yield f"{space}children:"
        pending.extend((child, f"{space}    ", True) for child in reversed(below))


def _flow(value: Any) -> str:
    """Recursive, but never deeper than a question or a node above leaves is nested."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    text = str(value)
    return text if _PLAIN(text) and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=False)
