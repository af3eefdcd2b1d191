"""The quality card of an exercise: what holds, which mistakes it shows, how hard it is, and how to make it again."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grader.generating.finding import Found
from grader.generating.judging import NEED_TIES, move_position, wanted_mistakes
from grader.generating.labels import Labels
from grader.generating.measures import ROOT_MISTAKES, other_key, ucb_gap
from grader.generating.recipe import PROOF_KEYS, Recipe
from solver import CHANCE, MAX, MIN, number_text, value_text


def quality_card(recipe: Recipe, found: Found, own: Labels, name: str, seed: object, number: int) -> dict[str, Any]:
    """Plain data, in a fixed order."""
    near, shown = found.quick, found.thorough.exposure
    off = {**near.off, **found.thorough.off}
    counted, solution = near.counted, near.solution
    exposed = shown.exposed
    gap = ucb_gap(solution)
    card: dict[str, Any] = {
        "exercise": name,
        "recipe": recipe.id,
        "seed": str(seed),
        "number": number,
        "holds": {key: not distance for key, distance in off.items()},
        "criteria": criteria(recipe, found),
        "key": {
            # What MCTS says of a root is no value, and the line is not what it samples.
            "value": value_text(solution.value) if solution.sampled is None else None,
            "best_move": move_position(solution),
            "line": [own.moves[node] for node in solution.line] if solution.sampled is None else [],
        },
        "mistakes": {
            "exposed": list(exposed),
            "invisible": [each for each in shown.made if each not in exposed],
            "different_wrong_answers": len(shown.classes),
            "look_alike": [list(each.models) for each in shown.classes if len(each.models) > 1],
        },
        "difficulty": {
            "nodes": len(solution.tree),
            "leaves": counted.leaves,
            "depth": max(solution.tree.depth),
            "steps": counted.visits,
            "window_updates": counted.updates,
            "pruned": counted.pruned,
            "pruned_share": number_text(counted.pruned_share),
            "alpha_cuts": counted.alpha_cuts,
            "beta_cuts": counted.beta_cuts,
            "deep_cuts": counted.deep_cuts,
            "inner_cuts": counted.inner_cuts,
            "near_misses": counted.tempting_non_cut,
            "cuts": [{"kind": kind, "depth": depth, "nodes": size} for kind, depth, size in counted.events],
        },
    }
    if gap is not None:
        card["difficulty"]["ucb_gap"] = number_text(gap)
    return card


def criteria(recipe: Recipe, found: Found) -> dict[str, bool | None]:
    """What makes a good exam tree, whether required or not; None where it has no meaning."""
    solution, counted = found.quick.solution, found.quick.counted
    shown, tree = found.thorough.exposure, found.quick.solution.tree
    numbers = tree.only_numbers and not tree.players and solution.sampled is None
    pruning = solution.search is not None and not recipe.players and tree.turns <= {MAX, MIN}
    exposed = set(shown.exposed)
    visible = [each for each in shown.made if each not in NEED_TIES]
    roots = [shown.roots[each] for each in ROOT_MISTAKES if each in shown.roots]
    value: Any = solution.value
    proof_known = "convention_proof" in found.thorough.off and set(recipe.require.proof) >= set(PROOF_KEYS)
    same_key = proof_known or other_key(found.quick.setting.exercise, PROOF_KEYS) is None
    wanted = wanted_mistakes(recipe, shown)
    return {
        "leaves_distinct": len(set(found.fill.leaf)) == len(found.fill.leaf) if numbers else None,
        "unique_best_move": len(solution.best[0]) == 1 if tree.turn[0] != CHANCE and not solution.sampled else None,
        "both_kinds_of_cut": counted.alpha_cuts > 0 < counted.beta_cuts if pruning else None,
        "cut_of_an_inner_node": counted.inner_cuts > 0 if pruning else None,
        "quarter_to_half_pruned": Fraction(1, 4) <= counted.pruned_share <= Fraction(11, 20) if pruning else None,
        "deep_cut": counted.deep_cuts > 0 if pruning and max(tree.depth) > 3 else None,
        "every_wanted_mistake_shows": set(wanted) <= exposed if wanted else None,
        "every_mistake_shows": set(visible) <= exposed if visible else None,
        "wrong_roots_differ": len({value, *roots}) == len(roots) + 1 if roots else None,
        "same_key_under_conventions": same_key,
        "no_cut_on_last_child": counted.last_child_cuts == 0 if pruning else None,
        "denominators_up_to_12": all(each.denominator <= 12 for each in found.fill.probability.values())
        if found.fill.probability
        else None,
    }
