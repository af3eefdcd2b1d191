"""A solution as plain data: in the shape of solution/1, from which JSON and YAML are written, and as rows, one for each
node, for tables and data frames: `pandas.DataFrame(rows(solution))`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from solver.game.convention import Bound, plain_bound
from solver.game.game_tree import CHANCE, Node
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number, Plain, plain
from solver.search.solution import Solution, Value
from solver.search.trace import Ranks, Search, how_known, stages

MOST_STAGE_CHANGES = 1_000_000
"""Deep trees can change every ancestor at every leaf; past this many changes `stages` is null."""

ALL, CUTS, NONE = "all", "cuts", "none"
NODES = (ALL, CUTS, NONE)
"""Which nodes a solution is to tell about: every one, those where the search was cut, or none."""
_NOTHING: list[Any] = []
_NONE: dict[str, Any] = {}
"""Shared by all leaves: a fresh one for each would fill a memory."""


def solution_data(solution: Solution, nodes: str = ALL) -> dict[str, Any]:
    """All of it; but `stages` and `nodes` only as far as they are wanted."""
    data, items = solution_parts(solution, nodes)
    if nodes != NONE:
        data["nodes"] = dict(items)
    return data


def solution_parts(solution: Solution, nodes: str = ALL) -> tuple[dict[str, Any], Iterator[tuple[str, dict[str, Any]]]]:
    """The data without `nodes`, which come last; and those, by id and in document order, made one by one, since all at
    once they take much memory."""
    shown = None if solution.search is None else _Shown(solution.search)
    return _head(solution, shown, nodes), _node_items(solution, shown, nodes)


def _head(solution: Solution, shown: _Shown | None, nodes: str) -> dict[str, Any]:
    """`stages` tell about every node."""
    tree, search = solution.tree, solution.search
    ids = tree.ids
    fewest, most = solution.fewest_and_most
    pruned = solution.pruned
    pruned_leaves = [node for node in pruned if tree.turn[node] is None]
    leaves = len(tree.leaves)
    data: dict[str, Any] = {
        "plymark": "solution/1",
        "algorithm": solution.algorithm,
        "convention": solution.convention.as_data(),
        "value": _plain_value(solution.value),
        "move": solution.move,
        "moves": solution.moves,
        "line": [tree.move[node] for node in solution.line],
    }
    if tree.players:
        data["vectors"] = None if solution.vectors is None else [_plain_value(vector) for vector in solution.vectors]
    data |= _findings(solution)
    data["counts"] = {
        "nodes": len(tree),
        "leaves": leaves,
        "evaluated": leaves - len(pruned_leaves),
        "pruned": len(pruned_leaves),
        "fewest": fewest,
        "most": most,
    }
    data["visited"] = [ids[node] for node in solution.visited]
    data["pruned"] = {"leaves": [ids[node] for node in pruned_leaves], "nodes": [ids[node] for node in pruned]}
    if search is not None and shown is not None:
        data["cuts"] = _cuts(solution, search, shown)
        if nodes == ALL:
            data["stages"] = _stages(solution, search, shown)
    return data


def _node_items(solution: Solution, shown: _Shown | None, nodes: str) -> Iterator[tuple[str, dict[str, Any]]]:
    search = solution.search
    chosen: Iterable[Node] = solution.tree.nodes
    if nodes == CUTS:
        chosen = sorted({cut.node for cut in search.cuts}) if search is not None else ()
    if search is None or shown is None:
        return _nodes(solution, chosen)
    return _searched_nodes(solution, search, shown, chosen)


def _findings(solution: Solution) -> dict[str, Any]:
    """What AND-OR search and MCTS add; their modules are loaded only for them."""
    if solution.plan is None and solution.sampled is None:
        return {}
    from solver.render.findings import plan_data, sampled_data

    if solution.plan is not None:
        return plan_data(solution.plan)
    assert solution.sampled is not None
    return {"mcts": sampled_data(solution, solution.sampled)}


class _Shown:
    """Ranks and windows as they are printed, each made once."""

    def __init__(self, search: Search) -> None:
        # Python's index -1 is the last item: the rank of −∞.
        self.rank: list[Plain] = [*map(plain, search.scale.numbers), "inf", "-inf"]
        self.window = _Windows(self.rank)


class _Windows(dict[Ranks | None, list[Plain] | None]):
    """By the ranks of its bounds; None for a node that was not visited."""

    def __init__(self, rank: list[Plain]) -> None:
        super().__init__({None: None})
        self.rank = rank

    def __missing__(self, ranks: Ranks) -> list[Plain]:
        plain_window = self[ranks] = [self.rank[ranks[0]], self.rank[ranks[1]]]
        return plain_window


def _plain_value(value: Value) -> Plain | list[Plain] | bool:
    if isinstance(value, tuple):
        return [plain(number) for number in value]
    return value if isinstance(value, bool) else plain(value)


def _cuts(solution: Solution, search: Search, shown: _Shown) -> list[dict[str, Any]]:
    ids = solution.tree.ids
    return [
        {
            "node": ids[cut.node],
            "after": ids[cut.after],
            "kind": cut.kind,
            "value": shown.rank[cut.value],
            "bound": shown.rank[cut.bound],
            "set_by": None if cut.set_by is None else ids[cut.set_by],
            "deep": cut.deep,
            "skipped": [ids[node] for node in cut.skipped],
        }
        for cut in search.cuts
    ]


def _stages(solution: Solution, search: Search, shown: _Shown) -> list[dict[str, Any]] | None:
    ids, rank = solution.tree.ids, shown.rank
    rows, changes = [], 0
    if CHANCE in solution.tree.turns:
        return _chance_stages(solution, search)
    for leaf, changed in stages(solution.tree, search):
        changes += len(changed)
        if changes > MOST_STAGE_CHANGES:
            return None
        intervals = {ids[node]: [rank[low], rank[high]] for node, low, high in reversed(changed)} if changed else _NONE
        rows.append({"after": ids[leaf], "intervals": intervals})
    return rows


def _chance_stages(solution: Solution, search: Search) -> list[dict[str, Any]] | None:
    """The same where intervals go through means that appear nowhere else, and so have no ranks."""
    # Loaded only for Star1 and Star2.
    from solver.search.star_trace import star_stages

    ids = solution.tree.ids
    rows, changes = [], 0
    try:
        for leaf, changed in star_stages(solution.tree, search):
            changes += len(changed)
            if changes > MOST_STAGE_CHANGES:
                return None
            intervals = {ids[node]: [plain_bound(low), plain_bound(high)] for node, low, high in reversed(changed)}
            rows.append({"after": ids[leaf], "intervals": intervals})
    except Refusal:
        # An interval on the way has too many digits to print, though no value of the solution has.
        return None
    return rows


def _nodes(solution: Solution, chosen: Iterable[Node]) -> Iterator[tuple[str, dict[str, Any]]]:
    tree = solution.tree
    best, move, ids = solution.best, tree.move, tree.ids
    for node in chosen:
        up = tree.parent[node]
        facts: dict[str, Any] = {
            "turn": tree.turn[node],
            "parent": ids[up] if up >= 0 else None,
            "move": move[node],
            "depth": tree.depth[node],
        }
        chance = tree.probability[node]
        if chance is not None:
            facts["p"] = plain(chance)
        facts["value"] = _plain_value(solution.values[node])
        facts["best"] = [move[child] for child in best[node]]
        yield ids[node], facts


def _searched_nodes(
    solution: Solution, search: Search, shown: _Shown, chosen: Iterable[Node]
) -> Iterator[tuple[str, dict[str, Any]]]:
    tree = solution.tree
    best, move, ids, turn, parent, depth = solution.best, tree.move, tree.ids, tree.turn, tree.parent, tree.depth
    entry, windows, returned = search.entry, search.windows, search.returned
    rank, window, true, (low, high) = shown.rank, shown.window, search.true, search.ends
    has_chances = CHANCE in tree.turns
    for node in chosen:
        up, handed_up, inner = parent[node], returned[node], turn[node] is not None
        on_entry, interval = window[entry[node]], (low[node], high[node])
        passed = [window[each] for each in windows[node]] if inner else [] if on_entry is None else [on_entry]
        facts = {
            "turn": turn[node],
            "parent": ids[up] if up >= 0 else None,
            "move": move[node],
            "depth": depth[node],
            "value": rank[true[node]],
            "best": [move[child] for child in best[node]] if inner else _NOTHING,
            "returned": None if handed_up is None else rank[handed_up],
            "known": how_known(handed_up, interval),
            "entry": on_entry,
            "exit": passed[-1] if passed else None,
            "windows": passed,
            # A leaf's own number, seldom that of another: not worth remembering.
            "interval": window[interval] if inner or on_entry is None else [rank[interval[0]], rank[interval[1]]],
        }
        if has_chances and (chance := tree.probability[node]) is not None:
            facts["p"] = plain(chance)
        yield ids[node], facts


def rows(solution: Solution) -> list[dict[str, Any]]:
    """In document order. Numbers are int or Fraction, infinite bounds float; what does not apply is None."""
    tree, search = solution.tree, solution.search
    pruned, line, best = set(solution.pruned), {0, *solution.line}, solution.best
    table: list[dict[str, Any]] = []
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
        table.append(row)
    return table


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
