"""A solution as rows, one for each node, for tables and data frames: `pandas.DataFrame(rows(solution))`."""

from __future__ import annotations

from math import inf
from typing import Any

from solver.game.convention import Bound
from solver.game.tree import CHANCE, Node
from solver.kernel.exact import Number
from solver.search.solution import Solution
from solver.search.trace import Search


def rows(solution: Solution) -> list[dict[str, Any]]:
    """In document order. Numbers are int or Fraction, infinite bounds float; what does not apply is None."""
    tree, search = solution.tree, solution.search
    pruned, line, best = set(solution.pruned), {0, *solution.line}, solution.best
    found: list[dict[str, Any]] = []
    for node, name in zip(tree.nodes, tree.ids, strict=True):
        up = tree.parent[node]
        row: dict[str, Any] = {
            "node": name,
            "parent": tree.ids[up] if up >= 0 else None,
            "move": tree.move[node],
            "turn": tree.turn[node],
            "depth": tree.depth[node],
        }
        if CHANCE in tree.turns:
            row["probability"] = tree.probability[node]
        row |= {
            "value": solution.values[node],
            "best": tuple(tree.move[child] for child in best[node]),
            "on_line": node in line,
            "pruned": node in pruned,
        }
        if search is not None:
            row |= _searched(search, node)
        found.append(row)
    return found


def _searched(search: Search, node: Node) -> dict[str, Any]:
    """What is in the columns of a pruning search."""
    number = search.scale.number
    entry, leaving, returned = search.entry[node], search.exit[node], search.returned[node]
    low, high = search.interval(node)
    return {
        "returned": None if returned is None else _finite(number(returned)),
        "known": search.known(node),
        "entry_alpha": None if entry is None else _finite(number(entry[0])),
        "entry_beta": None if entry is None else _finite(number(entry[1])),
        "exit_alpha": None if leaving is None else _finite(number(leaving[0])),
        "exit_beta": None if leaving is None else _finite(number(leaving[1])),
        "interval_low": _finite(number(low)),
        "interval_high": _finite(number(high)),
    }


def _finite(bound: Bound) -> Number | float:
    return {"-inf": -inf, "inf": inf}[bound] if isinstance(bound, str) else bound
