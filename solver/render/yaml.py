"""Plain data as YAML that people can read: blocks outside, one line for each node, cut, stage and question inside."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

# Strings that no YAML reader, of version 1.1 or 1.2, takes for anything else.
_SAFE = re.compile(r"[A-Za-z_][A-Za-z0-9_/-]*\Z").match
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z|\d+/\d+\Z").match


def yaml_bytes(data: dict[str, Any], as_read: bool = False) -> bytes:
    """`as_read`: all of it is text, as a document's reader gives it, and what was a number is written as one."""
    scalar = _scalar_as_read if as_read else _scalar
    return "".join(f"{line}\n" for line in _lines(data, scalar)).encode()


_Scalar = Callable[[Any], str]


def _lines(data: dict[str, Any], scalar: _Scalar) -> Iterator[str]:
    for key, value in data.items():
        if isinstance(value, dict) and any(isinstance(item, dict) for item in value.values()):
            yield f"{scalar(key)}:"
            for name, item in value.items():
                if _is_tree(item):
                    yield f"  {scalar(name)}:"
                    yield from _tree_lines(item, scalar)
                else:
                    yield f"  {scalar(name)}: {_flow(item, scalar)}"
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{scalar(key)}:"
            yield from (f"  - {_flow(item, scalar)}" for item in value)
        else:
            yield f"{scalar(key)}: {_flow(value, scalar)}"


def _is_tree(value: Any) -> bool:
    """Whether it is a node whose children are written inside it."""
    children = value.get("children") if isinstance(value, dict) else None
    return isinstance(children, list) and bool(children) and all(isinstance(child, dict) for child in children)


def _tree_lines(tree: dict[str, Any], scalar: _Scalar) -> Iterator[str]:
    """One line for each node that has only leaves below it."""
    pending: list[tuple[dict[str, Any], str, bool]] = [(tree, "    ", False)]
    while pending:
        node, space, listed = pending.pop()
        dash = f"{space[:-2]}- " if listed else space
        below = node.get("children", ())
        if not any("children" in child for child in below):
            yield dash + _flow(node, scalar)
            continue
        first = True
        for key, value in node.items():
            if key != "children":
                yield f"{dash if first else space}{scalar(key)}: {_flow(value, scalar)}"
                first = False
        yield f"{space}children:"
        pending.extend((child, f"{space}    ", True) for child in reversed(below))


def _flow(value: Any, scalar: _Scalar) -> str:
    """Recursive, but what is on one line is never nested deeper than a stage, a question or a node above leaves."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {_flow(item, scalar)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(item, scalar) for item in value) + "]"
    return scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, str):
        if _SAFE(value) and value.lower() not in _WORDS:
            return value
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def _scalar_as_read(value: Any) -> str:
    text = str(value)
    return text if _NUMBER(text) or text in ("true", "false") else _scalar(text)
