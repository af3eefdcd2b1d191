"""The horizon: value and move at every depth to which the game can be searched (AIMA 3e, section 5.4.2).

A search that is cut off trusts its estimates; where a deeper one plays another move, the horizon has hidden something.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from solver.game.convention import Convention
from solver.game.game_builder import Game, cut_off, plies
from solver.game.game_tree import CHANCE, MAX, MIN, Move, NodeId, Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number
from solver.search.algorithms.expectiminimax import expectiminimax

MOST_WORK = 2_000_000
"""Depths times nodes: each depth is a search of its own."""


@dataclass(frozen=True, slots=True)
class Level:
    """What a search to one depth finds; a depth at which some node cannot be evaluated is refused by its name."""

    depth: int
    """In the unit of the convention: plies or rounds."""
    value: Number | None
    move: Move | None
    """The one that `ties` picks; None at depth 0, at a chance node and where refused."""
    moves: tuple[Move, ...]
    """All optimal ones, in document order."""
    refused: NodeId | None = None
    """The first node, in document order, that has no estimate; a leaf that is not a number."""


@dataclass(frozen=True, slots=True)
class Horizon:
    unit: str
    levels: tuple[Level, ...]
    """From depth 0 to the first that reaches every leaf."""

    @property
    def changes(self) -> tuple[int, ...]:
        """The depths at which the move of the depth before (of those that gave one) is no longer among the best."""
        chosen = [level for level in self.levels if level.move is not None]
        return tuple(later.depth for sooner, later in pairwise(chosen) if sooner.move not in later.moves)


def horizon(game: Game, convention: Convention) -> Horizon:
    """The table for a game of MAX, MIN and chance nodes; Refusal if it has too many depths for its size."""
    tree = game.tree
    for node in tree.inner:
        if tree.turn[node] not in (MAX, MIN, CHANCE):
            message = f"a table of depths is made for max, min and chance nodes; this is {tree.name(node)}"
            raise Refusal(tree.ids[node], "algorithm", message)
    deepest = max(tree.depth)
    round_of = plies(tree, 1, convention)
    depths = range(-(-deepest // round_of) + 1)
    stopped_by = _without_estimate(tree)
    searches = sum(stopped_by[min(plies(tree, depth, convention), deepest)] is None for depth in depths)
    if searches * len(tree) > MOST_WORK:
        message = f"a table of {searches:,} depths for {len(tree):,} nodes is too much work (at most {MOST_WORK:,})"
        raise Refusal(tree.ids[0], "too-hard", message, "solve with the depths you want")
    levels = []
    for depth in depths:
        limit = plies(tree, depth, convention)
        refused = stopped_by[min(limit, deepest)]
        if refused is not None:
            levels.append(Level(depth, None, None, (), tree.ids[refused]))
        else:
            levels.append(_level(depth, cut_off(game, limit).tree, convention))
    return Horizon(convention.depth_unit, tuple(levels))


def _level(depth: int, tree: Tree, convention: Convention) -> Level:
    leaves: Any = tree.leaf
    value = expectiminimax(tree, leaves)
    best = [] if tree.turn[0] == CHANCE else [child for child in tree.children[0] if value[child] == value[0]]
    moves = tuple(move for child in best if (move := tree.move[child]) is not None)
    last = (convention.ties == "last") != (convention.order == "right-to-left")
    return Level(depth, value[0], (moves[-1] if last else moves[0]) if moves else None, moves)


def _without_estimate(tree: Tree) -> list[int | None]:
    """For each depth, the first node at which a search to it has no number: an inner one at that depth itself without
    an estimate, or a leaf no deeper that is not a number."""
    estimates = tree.estimates or {}
    deepest = max(tree.depth)
    first: list[int | None] = [None] * (deepest + 1)
    symbols: list[int | None] = [None] * (deepest + 1)
    for node in reversed(range(len(tree))):
        depth = tree.depth[node]
        if tree.turn[node] is None:
            if not isinstance(tree.leaf[node], Number):
                symbols[depth] = node
        elif node not in estimates:
            first[depth] = node
    symbol: int | None = None
    for depth in range(deepest + 1):
        here = symbols[depth]
        symbol = here if symbol is None or (here is not None and here < symbol) else symbol
        if symbol is not None:
            inner = first[depth]
            first[depth] = symbol if inner is None else min(inner, symbol)
    return first
