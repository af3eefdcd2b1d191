"""An independent judge: the textbook's definitions, slow and plain, sharing no code with the solver.

A leaf is a number, or a list of numbers where there are several players; an inner node is a tuple of its turn, the list
of its children and, at chance nodes, the list of their probabilities. A node is named by its path from the root.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations, product
from math import inf
from typing import Any

Tree = Any
Path = tuple[int, ...]
Window = tuple[Any, Any]


def is_leaf(tree: Tree) -> bool:
    return not isinstance(tree, tuple)


def nodes(tree: Tree, path: Path = ()) -> Iterator[tuple[Path, Tree]]:
    """Every node with its path, depth first, children as listed."""
    yield path, tree
    if not is_leaf(tree):
        for place, child in enumerate(tree[1]):
            yield from nodes(child, (*path, place))


def leaves(tree: Tree) -> list[Path]:
    return [path for path, node in nodes(tree) if is_leaf(node)]


def minimax(tree: Tree) -> Any:
    """AIMA 3e, section 5.2; with chance nodes it is EXPECTIMINIMAX of section 5.5."""
    if is_leaf(tree):
        return tree
    values = [minimax(child) for child in tree[1]]
    if tree[0] == "chance":
        return sum((Fraction(p) * value for p, value in zip(tree[2], values, strict=True)), Fraction(0))
    return max(values) if tree[0] == "max" else min(values)


def maxn(tree: Tree, side_of: dict[str, int], last: bool = False) -> list[Any]:
    """The vector when every mover takes its first (or last) best child."""
    if is_leaf(tree):
        return list(tree)
    values = [maxn(child, side_of, last) for child in tree[1]]
    if tree[0] == "chance":
        return mean(values, tree[2])
    own = side_of[tree[0]]
    best = [value for value in values if value[own] == max(each[own] for each in values)]
    return best[-1 if last else 0]


def equilibria(tree: Tree, side_of: dict[str, int]) -> set[tuple[Any, ...]]:
    """The vectors of all ways of breaking all ties: for each outcome of all children, each best child."""
    if is_leaf(tree):
        return {tuple(tree)}
    found = set()
    for values in product(*(equilibria(child, side_of) for child in tree[1])):
        if tree[0] == "chance":
            found.add(tuple(mean(values, tree[2])))
        else:
            own = side_of[tree[0]]
            found |= {value for value in values if value[own] == max(each[own] for each in values)}
    return found


def mean(vectors: Any, chances: list[Any]) -> list[Any]:
    return [
        sum(Fraction(p) * number for p, number in zip(chances, side, strict=True))
        for side in zip(*vectors, strict=True)
    ]


@dataclass
class Record:
    """What alpha-beta did, by path."""

    visited: list[Path] = field(default_factory=list)
    windows: dict[Path, list[Window]] = field(default_factory=dict)
    returned: dict[Path, Any] = field(default_factory=dict)
    cuts: list[dict[str, Any]] = field(default_factory=list)


def alpha_beta(
    tree: Tree,
    cut: str = "at-bound",
    update: str = "after-test",
    returns: str = "fail-soft",
    order: str = "left-to-right",
    window: Window = (-inf, inf),
) -> Record:
    """AIMA Figure 5.7, recursive, with every convention written out where it matters."""
    record = Record()

    def clamped(value: Any, entry: Window) -> Any:
        return min(max(value, entry[0]), entry[1]) if returns == "fail-hard" else value

    def search(node: Tree, path: Path, alpha: Any, beta: Any, alpha_by: Path | None, beta_by: Path | None) -> Any:
        entry = (alpha, beta)
        record.visited.append(path)
        record.windows[path] = [entry]
        if is_leaf(node):
            record.returned[path] = clamped(node, entry)
            return record.returned[path]
        turn, children = node[0], node[1]
        places = list(range(len(children)))
        if order == "right-to-left":
            places.reverse()
        v = -inf if turn == "max" else inf
        while places:
            place = places.pop(0)
            value = search(children[place], (*path, place), alpha, beta, alpha_by, beta_by)
            if turn == "max":
                v = max(v, value)
                stop = v >= beta if cut == "at-bound" else v > beta
                if v > alpha and not (stop and update == "after-test"):
                    alpha, alpha_by = v, path
                    record.windows[path].append((alpha, beta))
            else:
                v = min(v, value)
                stop = v <= alpha if cut == "at-bound" else v < alpha
                if v < beta and not (stop and update == "after-test"):
                    beta, beta_by = v, path
                    record.windows[path].append((alpha, beta))
            if stop:
                break
        if places:
            set_by = beta_by if turn == "max" else alpha_by
            record.cuts.append(
                {
                    "node": path,
                    "after": (*path, place),
                    "kind": "beta" if turn == "max" else "alpha",
                    "value": v,
                    "bound": beta if turn == "max" else alpha,
                    "set_by": set_by,
                    "deep": set_by is not None and set_by != path[:-1],
                    "skipped": [(*path, place) for place in sorted(places)],
                }
            )
        record.returned[path] = clamped(v, entry)
        return record.returned[path]

    search(tree, (), *window, None, None)
    return record


def interval(tree: Tree, seen: set[Path], path: Path = ()) -> Window:
    """What the leaves seen imply about a node's value."""
    if is_leaf(tree):
        return (tree, tree) if path in seen else (-inf, inf)
    below = [interval(child, seen, (*path, place)) for place, child in enumerate(tree[1])]
    best = max if tree[0] == "max" else min
    return best(low for low, _ in below), best(high for _, high in below)


def intervals(tree: Tree, seen: set[Path]) -> dict[Path, Window]:
    return {
        path: interval(node, {leaf[len(path) :] for leaf in seen if leaf[: len(path)] == path})
        for path, node in nodes(tree)
    }


def stages(tree: Tree, visited: list[Path]) -> list[tuple[Path, dict[Path, Window]]]:
    """After each evaluated leaf, the intervals of inner nodes that are not what they were."""
    inner = {path for path, node in nodes(tree) if not is_leaf(node)}
    found = []
    seen: set[Path] = set()
    before = intervals(tree, seen)
    for leaf in (path for path in visited if path not in inner):
        seen.add(leaf)
        now = intervals(tree, seen)
        found.append((leaf, {path: now[path] for path in inner if now[path] != before[path]}))
        before = now
    return found


def orders(tree: Tree) -> Iterator[Tree]:
    """The tree with its children in every order, at every node."""
    if is_leaf(tree):
        yield tree
        return
    for children in permutations(tree[1]):
        for arranged in product(*(list(orders(child)) for child in children)):
            yield tree[0], list(arranged)


def fewest_and_most(tree: Tree) -> tuple[int, int]:
    """Leaves that alpha-beta evaluates in the best and in the worst of all orders."""
    counts = set()
    for arranged in orders(tree):
        below = set(leaves(arranged))
        counts.add(sum(path in below for path in alpha_beta(arranged).visited))
    return min(counts), max(counts)


def mirrored(tree: Tree) -> Tree:
    if is_leaf(tree):
        return tree
    return (tree[0], [mirrored(child) for child in reversed(tree[1])], *[chances[::-1] for chances in tree[2:]])


def replaced(tree: Tree, values: dict[Path, Any], path: Path = ()) -> Tree:
    """The tree with other values at some leaves."""
    if is_leaf(tree):
        return values.get(path, tree)
    return (tree[0], [replaced(child, values, (*path, place)) for place, child in enumerate(tree[1])], *tree[2:])
