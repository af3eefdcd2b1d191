"""A finished exercise: its YAML, which people can read, its key, and its quality card.

The card has the requirements met, mistakes exposed, difficulty, and how to make the exercise again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.generating.exercise_measures import (
    LARGEST_DENOMINATOR,
    ROOT_MISTAKES,
    denominators,
    other_key,
    set_width,
    ucb_gap,
)
from grader.generating.exercise_template import Labels
from grader.generating.hill_climbing import FoundExercise
from grader.generating.recipe_parts import NEED_TIES, PROOF_KEYS, Recipe
from grader.generating.requirement_distance import QuickJudgement, move_position, wanted_mistakes
from solver.game import CHANCE, MAX, MIN
from solver.kernel import number_text
from solver.render import value_text


@dataclass(frozen=True, slots=True)
class Generated:
    id: str
    data: dict[str, Any]
    """The exercise as data."""
    document: bytes
    """The same in YAML."""
    card: dict[str, Any]
    plain_key: Mapping[str, Mapping[str, str]]
    """By question, the printed answers in the recipe's own names."""
    examined: int
    """How many trees were examined for it."""


def quality_card(
    recipe: Recipe, found: FoundExercise, own: Labels, name: str, seed: str, number: int
) -> dict[str, Any]:
    """Plain data, in a fixed order."""
    quick, shown = found.quick, found.thorough.exposure
    off = {**quick.off, **found.thorough.off}
    exposed = shown.exposed
    return {
        "exercise": name,
        "recipe": recipe.id,
        "seed": seed,
        "number": number,
        "holds": {key: not distance for key, distance in off.items()},
        "criteria": criteria(recipe, found),
        "key": _key_data(quick, own),
        "mistakes": {
            "exposed": list(exposed),
            "invisible": [each for each in shown.made if each not in exposed],
            "different_wrong_answers": len(shown.classes),
            "look_alike": [list(each.models) for each in shown.classes if len(each.models) > 1],
        },
        "difficulty": _difficulty(quick),
    }


def _key_data(quick: QuickJudgement, own: Labels) -> dict[str, Any]:
    """The root's value, the position of the best move and the line, if they exist."""
    solution = quick.solution
    # What MCTS says of a root is not a value, and the line is not what it samples.
    if solution is None or solution.sampled is not None:
        known = {} if solution is None else {"algorithm": solution.algorithm, "best_move": move_position(solution)}
        return {"algorithm": None, "value": None, "best_move": None, "line": [], **known}
    whole, tree = quick.answer_key.tree, solution.tree
    line = [own.moves[whole.index[tree.ids[node]]] for node in solution.line]
    found = {"algorithm": solution.algorithm, "value": value_text(solution.value)}
    return {**found, "best_move": move_position(solution), "line": line}


def _difficulty(quick: QuickJudgement) -> dict[str, Any]:
    counts, facts = quick.counts, quick.facts
    tree = quick.answer_key.tree if quick.solution is None else quick.solution.tree
    found: dict[str, Any] = {
        "nodes": len(tree),
        "leaves": counts.leaves,
        "depth": max(tree.depth),
        "steps": counts.visits,
        "window_updates": counts.updates,
        "pruned": counts.pruned,
        "pruned_share": number_text(counts.pruned_share),
        "pruned_at": list(counts.pruned_at),
        "alpha_cuts": counts.alpha_cuts,
        "beta_cuts": counts.beta_cuts,
        "deep_cuts": counts.deep_cuts,
        "inner_cuts": counts.inner_cuts,
        "near_misses": counts.tempting_non_cut,
        "cuts": [{"kind": kind, "depth": depth, "nodes": size} for kind, depth, size in counts.events],
    }
    gap = None if quick.solution is None else ucb_gap(quick.solution)
    if gap is not None:
        found["ucb_gap"] = number_text(gap)
    if facts.ranges:
        widths = [set_width(each) for each in facts.ranges]
        found["unknown_widths"] = ["infinite" if each is None else number_text(each) for each in widths]
        found["unknown_parts"] = [len(each.parts) for each in facts.ranges]
    if facts.depth_moves is not None:
        found["depth_moves"] = facts.depth_moves
    if facts.thresholds:
        found["thresholds"] = [None if each is None else number_text(each) for each in facts.thresholds]
    return found


def criteria(recipe: Recipe, found: FoundExercise) -> dict[str, bool | None]:
    """What makes a good exam tree, required or not; None if it does not apply."""
    solution, counts, shown = found.quick.solution, found.quick.counts, found.thorough.exposure
    tree = found.quick.answer_key.tree if solution is None else solution.tree
    numbers = tree.turns <= {MAX, MIN, CHANCE} and not recipe.statistics
    pruning = solution is not None and solution.search is not None and tree.turns <= {MAX, MIN}
    exposed = set(shown.exposed)
    visible = [each for each in shown.made if each not in NEED_TIES]
    roots = [shown.roots[each] for each in ROOT_MISTAKES if each in shown.roots]
    value: Any = None if solution is None else solution.value
    moves = solution is not None and tree.turn[0] != CHANCE and not solution.sampled
    proof_known = "convention_proof" in found.thorough.off and set(recipe.require.proof) >= set(PROOF_KEYS)
    same_key = proof_known or other_key(found.quick.answer_key.exercise, PROOF_KEYS) is None
    wanted = wanted_mistakes(recipe, shown)
    likely = [each.denominator for each in found.fill.probability.values()]
    return {
        "leaves_distinct": len(set(found.fill.leaf)) == len(found.fill.leaf) if numbers else None,
        "unique_best_move": len(solution.best[0]) == 1 if solution is not None and moves else None,
        "both_kinds_of_cut": counts.alpha_cuts > 0 < counts.beta_cuts if pruning else None,
        "cut_of_an_inner_node": counts.inner_cuts > 0 if pruning else None,
        "quarter_to_half_pruned": Fraction(1, 4) <= counts.pruned_share <= Fraction(11, 20) if pruning else None,
        "deep_cut": counts.deep_cuts > 0 if pruning and max(tree.depth) > 3 else None,
        "every_wanted_mistake_shows": set(wanted) <= exposed if wanted else None,
        "every_mistake_shows": set(visible) <= exposed if visible else None,
        "wrong_roots_differ": len({value, *roots}) == len(roots) + 1 if roots else None,
        "same_key_under_conventions": same_key,
        "no_cut_on_last_child": counts.last_child_cuts == 0 if pruning else None,
        "denominators_up_to_12": all(each <= LARGEST_DENOMINATOR for each in (*denominators(solution), *likely))
        if likely and solution is not None
        else None,
    }
