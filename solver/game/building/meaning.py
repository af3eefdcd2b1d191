"""Checks that need the whole tree: probabilities, what kind of value each leaf has, and the claims of the document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from solver.game.building.columns import Columns
from solver.game.building.declarations import few
from solver.game.tree import AND, CHANCE, OR, Leaf, Loop, Node, Outcome, Tree, Unknown
from solver.kernel.exact import RESULT_DIGITS, Number, fits, number_text, simplest, total

Report = Callable[[int, str, str], None]


def settle_chances(columns: Columns) -> None:
    """Uniform where no probability is given; otherwise all are given and add up to exactly 1."""
    for node, turn in enumerate(columns.turn):
        if turn != CHANCE:
            continue
        below = columns.children[node]
        given = [child for child in below if child in columns.with_probability]
        if not given:
            for child in below:
                columns.probability[child] = simplest(Fraction(1, len(below)))
            continue
        if len(given) < len(below):
            for child in below:
                if child not in columns.with_probability:
                    message = (
                        f"chance node {columns.ids[node]}: no probability here, but there is one on other children"
                    )
                    columns.report_edge(child, "probability-missing", message, "give p on all children or on none")
            continue
        chances = [columns.probability[child] for child in below if child in columns.probability]
        if len(chances) == len(below) and (added := _sum(chances)) != 1:
            shown = f"more than {RESULT_DIGITS:,} digits" if added is None else str(added)
            message = f"chance node {columns.ids[node]}: probabilities add up to {shown}, not 1"
            columns.report_node(node, "probability-sum", message)


def _sum(chances: Sequence[Number]) -> Number | None:
    """None where the exact sum grows too long to be of use: adding on would take quadratic time."""
    added = Fraction(0)
    for chance in chances:
        added += chance
        if not fits(added):
            return None
    return simplest(added)


def check_leaves(tree: Tree, report: Report) -> None:
    """Numbers below MAX, MIN and chance; vectors below players; true, false and loops below or and and."""
    if tree.only_numbers and not tree.players and not tree.turns & {OR, AND}:
        return
    for node in tree.leaves:
        leaf = tree.leaf[node]
        above = tree.turn[tree.parent[node]] if node else None
        if leaf is None:
            continue
        logical = isinstance(leaf, Outcome | Loop)
        if above in (OR, AND) and not logical:
            report(node, "leaf-value", f"{tree.name(node)}: below `or` and `and` nodes a leaf is true, false or a loop")
        elif above not in (OR, AND, None) and logical:
            report(node, "leaf-value", f"{tree.name(node)}: true, false and loops belong below `or` and `and` nodes")
        elif tree.players and not isinstance(leaf, tuple):
            report(
                node,
                "vector",
                f"{tree.name(node)}: a vector is needed here, one number for each of {few(tree.sides)}",
            )
        if isinstance(leaf, Loop) and not _is_ancestor(tree, leaf, node):
            report(node, "loop", f"{tree.name(node)}: {leaf.target} is not an ancestor")


def _is_ancestor(tree: Tree, loop: Loop, node: Node) -> bool:
    target = tree.index.get(loop.target, -1)
    return 0 <= target < node <= tree.last[target]


def check_claims(tree: Tree, report: Report) -> None:
    """`sum` and `bounds`, at every leaf that is known."""
    if tree.sum is None and tree.bounds is None:
        return
    for node in tree.leaves:
        numbers = _numbers(tree.leaf[node])
        if not numbers:
            continue
        if tree.sum is not None and tree.players and (added := total(numbers)) != tree.sum:
            report(
                node,
                "sum-claim",
                f"{tree.name(node)}: the vector adds up to {number_text(added)}, not {number_text(tree.sum)}",
            )
        if tree.bounds is not None:
            low, high = tree.bounds
            claimed = f"{number_text(low)} to {number_text(high)}"
            for number in numbers:
                if not low <= number <= high:
                    message = f"{tree.name(node)}: {number_text(number)} lies outside the bounds {claimed}"
                    report(node, "bounds-claim", message)


def _numbers(leaf: Leaf | None) -> tuple[Number, ...]:
    if leaf is None or isinstance(leaf, Unknown | Loop | Outcome):
        return ()
    return leaf if isinstance(leaf, tuple) else (leaf,)
