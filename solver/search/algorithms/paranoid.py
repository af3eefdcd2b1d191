"""Paranoid search (Sturtevant & Korf 2000): a game of several players as one player against all the others.

The side of the player who moves at the root is MAX, its partners included; everybody else is MIN. Numbers are that
side's own. What is left is a tree of max, min and chance: alpha-beta or expectiminimax solves it as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solver.game.convention import Convention
from solver.game.game_tree import CHANCE, MAX, MIN, PLAYER_TREES, ROOT, Tree
from solver.kernel.errors import Refusal
from solver.search.algorithms.alpha_beta import solve_by_alpha_beta
from solver.search.algorithms.expectiminimax import solve_by_expectiminimax
from solver.search.solution import Algorithm, Sampling, Solution


def paranoid_tree(tree: Tree) -> Tree:
    """The same nodes, seen by the root's side; Refusal, naming the node, where there is no such side."""
    side_of = tree.side_of or {}
    own = _root_side(tree)
    leaf: Any = list(tree.leaf)
    for node in tree.leaves:
        if not isinstance(leaf[node], tuple):
            raise Refusal(
                tree.ids[node], "algorithm", f"paranoid needs a vector at every leaf, not at {tree.name(node)}"
            )
        leaf[node] = leaf[node][own]
    turn = {player: MAX if side == own else MIN for player, side in side_of.items()}
    return replace(
        tree,
        turn=tuple(turn.get(each, each) if each is not None else None for each in tree.turn),
        leaf=tuple(leaf),
        players=(),
        sides=(),
        side_of=None,
        movers=tuple(each if each in turn else None for each in tree.turn),
        sum=None,
    )


def _root_side(tree: Tree) -> int:
    """The side of the root's mover; at a chance root, that of the players who move next if they are all on one side."""
    side_of = tree.side_of or {}
    found: int | None = None
    first = [ROOT]
    while first:
        node = first.pop()
        turn = tree.turn[node]
        if turn == CHANCE:
            first.extend(reversed(tree.children[node]))
        elif turn is not None:
            if turn not in side_of:
                hint = "declare players, or use minimax or alpha-beta"
                raise Refusal(
                    tree.ids[node], "algorithm", f"paranoid accepts players and chance; this is {tree.name(node)}", hint
                )
            if found is not None and side_of[turn] != found:
                message = (
                    f"paranoid takes the side of who moves first: after the chance root that is not {tree.name(node)}"
                )
                raise Refusal(tree.ids[node], "algorithm", f"{message} alone", "use --algorithm maxn")
            found = side_of[turn]
    if found is None:
        message = f"paranoid takes the side of the player who moves first: nobody moves from {tree.name(ROOT)} on"
        raise Refusal(tree.ids[0], "algorithm", message, "use --algorithm maxn")
    return found


def _solve(tree: Tree, convention: Convention, sampling: Sampling) -> Solution:
    seen = paranoid_tree(tree)
    solve = solve_by_expectiminimax if CHANCE in seen.turns else solve_by_alpha_beta
    return replace(solve(seen, convention, sampling), algorithm=PARANOID.name)


PARANOID = Algorithm("paranoid", PLAYER_TREES, _solve, prunes=True, another_game=True, opening="open.paranoid")
