"""Grow the tree from nested mappings and lists: the nested and the compact form, mixed at will."""

from __future__ import annotations

from typing import Any

from solver.game.building.columns import Columns
from solver.kernel.exact import parse_number


def grow_nested(columns: Columns, data: dict[str, Any]) -> None:
    levels = columns.declared.levels
    written = columns.declared.levels_written
    several = bool(columns.sides)
    add, describe = columns.add, columns.describe
    leaf, numbers, turns, depths = columns.leaf, columns.numbers, columns.turn, columns.depth
    stack: list[tuple[Any, int, Any, Any]] = [(data["tree"], -1, data, "tree")]
    while stack:
        raw, up, container, key = stack.pop()
        node = add(up, container, key)
        if type(raw) is str:
            known = None if several else numbers.get(raw)
            leaf[node] = columns.scalar_leaf(raw, (container, key)) if known is None else known
            continue
        if type(raw) is dict:
            turn = describe(node, raw)
            below = raw.get("children")
            if type(below) is not list:
                continue
        else:
            if several and _is_vector(raw, len(columns.sides)):
                leaf[node] = columns.vector(raw, (container, key))
                continue
            below = raw
            depth = depths[node]
            if written and depth >= len(levels):
                message = f"`levels` ends at depth {len(levels) - 1}, but this list is at depth {depth}"
                columns.report((container, key), "levels", message, "add a turn to levels, or write turn in a mapping")
            turn = levels[depth % len(levels)]
        turns[node] = turn
        columns.children[node] = []
        # From the last to the first: what is put on the stack last comes first.
        position = len(below)
        for item in reversed(below):
            position -= 1
            stack.append((item, node, below, position))


def _is_vector(raw: list[Any], sides: int) -> bool:
    """A list of as many numbers as there are sides; with several sides a list of numbers can mean nothing else."""
    return (len(raw) == sides or sides > 1) and all(
        type(item) is str and parse_number(item) is not None for item in raw
    )
