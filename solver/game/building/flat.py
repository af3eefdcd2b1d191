"""Grow the tree from the flat form: `root` and `nodes`, every node described once under its id."""

from __future__ import annotations

from typing import Any

from solver.documents.document import REPORTED
from solver.game.building.columns import Columns, Origin
from solver.game.building.declarations import nfc
from solver.game.tree import Leaf
from solver.kernel.exact import parse_number
from solver.kernel.problems import quoted

_LEAVING = object()


def grow_flat(columns: Columns, data: dict[str, Any]) -> None:
    nodes: dict[str, Any] = data["nodes"]
    root = nfc(data.get("root", REPORTED))
    if root not in nodes:
        if root != REPORTED:
            columns.report((data, "root"), "unknown-node", f"the root {quoted(root)} is not in `nodes`")
        return
    seen: set[str] = set()
    path: set[str] = set()
    stack: list[tuple[Any, int, Any, Any]] = [(root, -1, data, "root")]
    while stack:
        raw, up, container, key = stack.pop()
        if container is _LEAVING:
            path.discard(raw)
            continue
        edge = raw if type(raw) is dict else None
        target = raw if edge is None else edge.get("to", REPORTED)
        name = nfc(target) if type(target) is str else REPORTED
        if name in seen:
            if name in path:
                columns.report((container, key), "cycle", f"node {name} is its own ancestor", "a tree never leads back")
            else:
                columns.report(
                    (container, key), "shared-node", f"node {name} has two parents", "describe it twice, under two ids"
                )
            continue
        described = nodes.get(name) if name != REPORTED else None
        # The place of a node is where it is described; that of a number, where it is listed.
        node = columns.add(up, container, key) if described is None else columns.add(up, nodes, name)
        if columns.keeps_origins:
            columns.edges[node] = (container, key) if edge is None else (edge, "move")
        if edge is not None:
            _label(columns, node, edge)
        if described is None:
            columns.leaf[node] = _leaf(columns, target, (container, key) if edge is None else (edge, "to"))
            continue
        seen.add(name)
        _name(columns, node, name, nodes)
        below = described.get("children") if type(described) is dict else None
        turn = columns.describe(node, described) if type(described) is dict else REPORTED
        if type(below) is not list:
            continue
        columns.open(node, turn)
        path.add(name)
        stack.append((name, -1, _LEAVING, None))
        for position in range(len(below) - 1, -1, -1):
            stack.append((below[position], node, below, position))
    for name in nodes:
        if name not in seen:
            place = columns.document.key_place(nodes, name)
            columns.problems.add(place, "unreachable-node", f"node {quoted(name)} cannot be reached from the root")


def _label(columns: Columns, node: int, edge: dict[str, Any]) -> None:
    if "move" in edge:
        columns.move[node] = nfc(edge["move"])
    if "p" in edge:
        columns.read_probability(node, edge)


def _name(columns: Columns, node: int, name: str, nodes: dict[str, Any]) -> None:
    columns.ids[node] = name
    if len(name) > columns.limits.id_length:
        columns.report_long_id(name, columns.document.key_place(nodes, name))


def _leaf(columns: Columns, target: Any, origin: Origin) -> Leaf | None:
    if type(target) is not str:
        return columns.vector(target, origin)
    meant_as_leaf = nfc(target) in columns.unknown_names or target in ("true", "false", REPORTED)
    if not meant_as_leaf and parse_number(target) is None and (target[:1].isalpha() or target[:1] == "_"):
        columns.report(origin, "unknown-node", f"{quoted(target)} is neither in `nodes` nor a number")
        return None
    return columns.scalar_leaf(target, origin)
