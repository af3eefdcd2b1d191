"""What a tree is, and what an algorithm needs; a mismatch is refused by naming the node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.game.tree import AND, CHANCE, MAX, MIN, OR, Leaf, Loop, Outcome, Tree, Unknown
from solver.kernel.errors import Refusal

PLAYER = "player"
"""In `Needs.turns`, stands for every declared player."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What an algorithm accepts: turns, and one kind of leaf."""

    turns: frozenset[str]
    leaves: str
    """number, vector or outcome"""


MINIMAX_TREES = Needs(frozenset({MAX, MIN}), "number")
CHANCE_TREES = Needs(frozenset({MAX, MIN, CHANCE}), "number")
AND_OR_TREES = Needs(frozenset({OR, AND}), "outcome")
PLAYER_TREES = Needs(frozenset({PLAYER, CHANCE}), "vector")


def kind_of(tree: Tree) -> Needs:
    """What is needed for a tree of its kind."""
    if tree.players:
        return PLAYER_TREES
    if tree.turns & {OR, AND}:
        return AND_OR_TREES
    return CHANCE_TREES if CHANCE in tree.turns else MINIMAX_TREES


def require(tree: Tree, needs: Needs, algorithm: str, instead: Callable[[], str]) -> None:
    """Refuse a tree that the algorithm does not accept, naming the first node in document order that does not fit, and
    the algorithm to use instead."""
    fitting = frozenset(turn for turn in tree.turns if (PLAYER if turn in tree.players else turn) in needs.turns)
    if fitting != tree.turns:
        node = next(node for node in tree.inner if tree.turn[node] not in fitting)
        accepted = " and ".join(sorted(needs.turns, key=[MAX, MIN, OR, AND, PLAYER, CHANCE].index))
        raise Refusal(
            tree.ids[node],
            "algorithm",
            f"{algorithm} accepts {accepted} nodes only; this is {tree.name(node)}",
            f"use --algorithm {instead()}",
        )
    if needs.leaves == "number" and tree.only_numbers:
        return
    for node in tree.leaves:
        leaf = tree.leaf[node]
        if leaf_kind(leaf) != needs.leaves:
            raise Refusal(
                tree.ids[node],
                "algorithm",
                f"{algorithm} needs a {needs.leaves} at every leaf; {tree.name(node)} has {_shown(leaf)}",
            )


def leaf_kind(leaf: Leaf | None) -> str:
    if isinstance(leaf, tuple):
        return "vector"
    if isinstance(leaf, Outcome | Loop):
        return "outcome"
    return "unknown" if isinstance(leaf, Unknown) else "number"


def _shown(leaf: Leaf | None) -> str:
    match leaf:
        case Unknown():
            return f"the unknown {leaf.name}"
        case Loop():
            return f"a loop to {leaf.target}"
        case Outcome():
            return leaf.value
        case tuple():
            return "a vector"
    return "a number"
