"""Games as exams have them, drawn: the solved game, and the whole tree where the key stops at a depth limit."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from math import prod
from typing import Any

from grader.mistakes.words import COUNTS, PLAYED, SELECTED, STRATEGY, UCB1, WORTH
from solver.game import Tree
from solver.pipeline import load_bytes, load_tree, solve
from solver.search import Solution

Shapes = tuple[tuple[int, ...], ...]

SMALL: Shapes = ((2, 2, 2),)
LARGE: Shapes = ((3, 3, 2), (3, 2, 2), (2, 3, 2), (2, 2, 2, 2), (3, 2, 2, 2), (2, 2, 3, 2))
"""Children at each level: trees of 8 leaves, and of 12 to 24."""
LEAST_PRUNED, MOST_PRUNED = 0.25, 0.55

Exam = tuple[Solution, Tree]


def exam_tree(draw: random.Random, shapes: Shapes = LARGE) -> Exam:
    """Distinct leaves, a cut of each kind, one of an inner node, a quarter to just over half of the leaves pruned."""
    while True:
        shape = draw.choice(shapes)
        size = prod(shape)
        solution = solve(load_tree(json.dumps(_nested(draw.sample(range(1, 2 * size + 10), size), shape))))
        assert solution.search is not None
        tree, cuts = solution.tree, solution.search.cuts
        share = sum(tree.turn[node] is None for node in solution.pruned) / size
        inner = any(tree.children[child] for cut in cuts for child in cut.skipped)
        if {cut.kind for cut in cuts} == {"alpha", "beta"} and inner and LEAST_PRUNED <= share <= MOST_PRUNED:
            return solution, tree


def _nested(leaves: list[Any], shape: tuple[int, ...]) -> list[Any]:
    level = leaves
    for children in reversed(shape[1:]):
        level = [level[start : start + children] for start in range(0, len(level), children)]
    return level


def _loaded(data: dict[str, Any], **how: Any) -> Exam:
    game = load_bytes(json.dumps({"plymark": "game/1", **data}).encode(), "game.json")
    return solve(game, **how), game.tree


def _with_chance(draw: random.Random) -> Exam:
    """MAX, chance, MIN: chances in sixths that are not all equal."""

    def outcome(weight: int) -> dict[str, Any]:
        children = draw.sample(range(1, 40), 3)
        return {"p": f"{weight}/6", "turn": "min", "children": children}

    weights = [draw.sample((1, 2, 3), 3) for _ in range(3)]
    below = [{"turn": "chance", "children": [outcome(weight) for weight in each]} for each in weights]
    return _loaded({"tree": {"turn": "max", "children": below}})


def _with_players(draw: random.Random) -> Exam:
    leaves = [[draw.randint(0, 9) for _ in range(3)] for _ in range(12)]
    return _loaded({"players": ["A", "B", "C"], "tree": _nested(leaves, (3, 2, 2))})


def _with_opponents(draw: random.Random) -> Exam:
    """MAX, then MIN twice."""
    return _loaded({"levels": ["max", "min", "min"], "tree": _nested(draw.sample(range(1, 40), 18), (3, 3, 2))})


def _with_estimates(draw: random.Random) -> Exam:
    """Five plies with an estimate at every inner node; the search stops after three."""
    numbers = iter(draw.sample(range(1, 199), 63))

    def node(plies: int) -> Any:
        if not plies:
            return next(numbers)
        turn = "max" if plies % 2 else "min"
        return {"turn": turn, "estimate": next(numbers), "children": [node(plies - 1), node(plies - 1)]}

    return _loaded({"tree": node(5)}, depth=3)


def _with_statistics(draw: random.Random) -> Exam:
    """One step of MCTS: children with wins and visits, one of them sometimes never visited."""

    def node(turn: str, visits: int, plies: int) -> dict[str, Any]:
        counted = {"visits": visits, "total": draw.randint(0, visits)} if visits else {}
        if not plies:
            return {"turn": turn, "children": [0, 1], **counted}
        shares = sorted(draw.sample(range(1, visits), 2)) if visits > 2 else [0, 0]
        parts = [shares[0], shares[1] - shares[0], visits - shares[1]]
        if draw.random() < 0.3:
            parts[draw.randrange(3)] = 0
        other = "min" if turn == "max" else "max"
        return {"turn": turn, "children": [node(other, part, plies - 1) for part in parts], **counted}

    tree = node("max", draw.randint(20, 99), 2)
    return _loaded({"mcts": {"exploration": 1.4, "playouts": [draw.randint(0, 1)]}, "tree": tree}, algorithm="mcts")


def _with_plans(draw: random.Random) -> Exam:
    """An AND-OR tree that has a plan with several outcomes."""
    while True:
        tree = _or_node(draw, 2, [])
        if isinstance(tree, dict) and "children" in tree:
            found = _loaded({"tree": tree})
            if found[0].value is True and "{" in str(found[0].plan and found[0].plan.plan):
                return found


def _or_node(draw: random.Random, plies: int, path: list[str]) -> dict[str, Any]:
    if not plies or (path and draw.random() < 0.3):
        kind = draw.random()
        if kind < 0.25 and path:
            return {"loop": draw.choice(path)}
        return {"value": "true" if kind < 0.75 else "false"}
    name = f"s{draw.getrandbits(40)}"
    actions = [
        {"turn": "and", "children": [_or_node(draw, plies - 1, [*path, name]) for _ in range(2)]} for _ in range(3)
    ]
    return {"id": name, "turn": "or", "children": actions}


GAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...], Callable[[random.Random], Exam]]] = {
    "trees with chance": ((WORTH, PLAYED), ("C",), _with_chance),
    "games of three players": ((WORTH, PLAYED), ("V",), _with_players),
    "trees with MIN twice in a row": ((WORTH, PLAYED), ("M9",), _with_opponents),
    "trees with a depth limit": ((WORTH, PLAYED), ("M8", "M10"), _with_estimates),
    "steps of MCTS": ((UCB1, SELECTED, COUNTS), ("U",), _with_statistics),
    "AND-OR trees": ((WORTH, STRATEGY, PLAYED), ("O",), _with_plans),
}
"""What is asked, how the models judged on it begin, and how such a game is drawn."""
