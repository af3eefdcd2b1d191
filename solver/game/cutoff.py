"""Imperfect decisions: a tree cut off at a depth, with estimates in place of what lies below (AIMA 3e, section 5.4).

The cut-off test takes the place of the terminal test, and the evaluation that of the utility: what is left is a tree
like any other, and every algorithm solves it as it is.
"""

from __future__ import annotations

from dataclasses import replace

from solver.game.building.build import Game
from solver.game.convention import Convention
from solver.game.tree import NOWHERE, Tree
from solver.kernel.errors import Refusal


def plies(tree: Tree, depth: int, convention: Convention) -> int:
    """A depth in half-moves; a round is one move of every player."""
    return depth if convention.depth_unit == "ply" else depth * max(2, len(tree.players))


def cut_off(game: Game, depth: int) -> Game:
    """The game down to a depth; Refusal, naming the node, where the search would stop at one without an estimate."""
    tree = game.tree
    estimates = tree.estimates or {}
    kept = [node for node in tree.nodes if tree.depth[node] <= depth]
    new = dict(zip(kept, tree.nodes, strict=False))
    leaf = []
    for node in kept:
        stopped = tree.depth[node] == depth and tree.turn[node] is not None
        if stopped and node not in estimates:
            message = f"the depth limit stops at {tree.name(node)}, which has no estimate"
            raise Refusal(tree.ids[node], "no-estimate", message, "give it an estimate, or choose another depth")
        leaf.append(estimates[node] if stopped else tree.leaf[node])
    shorter = replace(
        tree,
        ids=tuple(tree.ids[node] for node in kept),
        turn=tuple(tree.turn[node] if tree.depth[node] < depth else None for node in kept),
        parent=tuple(new[tree.parent[node]] if node else NOWHERE for node in kept),
        children=tuple(
            tuple(new[child] for child in tree.children[node]) if tree.depth[node] < depth else () for node in kept
        ),
        depth=tuple(tree.depth[node] for node in kept),
        move=tuple(tree.move[node] for node in kept),
        probability=tuple(tree.probability[node] for node in kept),
        leaf=tuple(leaf),
        estimates={new[node]: estimate for node, estimate in estimates.items() if node in new},
        visits={new[node]: visits for node, visits in (tree.visits or {}).items() if node in new},
        totals={new[node]: total for node, total in (tree.totals or {}).items() if node in new},
    )
    return replace(game, tree=shorter, origins=[game.origins[node] for node in kept if game.origins])
