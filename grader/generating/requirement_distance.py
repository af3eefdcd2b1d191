"""How far an exercise is from what its recipe requires: 0 for each requirement that holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.generating.exercise_measures import (
    ROOT_MISTAKES,
    Exposure,
    KeyFacts,
    SearchCounts,
    count_search,
    denominators,
    exposure,
    further_measures,
    key_facts,
    main_solution,
    other_key,
    set_width,
    ucb_gap,
    unlikeness,
)
from grader.generating.recipe_parts import COUNTS, NEED_TIES, Recipe
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from solver.game import ROOT
from solver.search import Solution

FAR_OFF = Fraction(20)
"""The distance of an infinite width from any required range."""


@dataclass(frozen=True, slots=True)
class QuickJudgement:
    """What can be judged from one solution."""

    answer_key: AnswerKey
    solution: Solution | None
    """None if a leaf is unknown."""
    counts: SearchCounts
    facts: KeyFacts
    off: Mapping[str, Fraction]
    """By requirement, how far the exercise is from meeting it."""

    @property
    def total(self) -> Fraction:
        return sum(self.off.values(), Fraction(0))


@dataclass(frozen=True, slots=True)
class ThoroughJudgement:
    """What takes many solutions to judge: mistakes, and other conventions."""

    exposure: Exposure
    off: Mapping[str, Fraction]

    @property
    def total(self) -> Fraction:
        return sum(self.off.values(), Fraction(0))


@dataclass(frozen=True, slots=True)
class ParallelTarget:
    """What a variant must have in common with the first exercise."""

    counts: SearchCounts
    elsewhere: frozenset[tuple[int, ...]] = frozenset()
    """Sets of pruned leaves, by position, that are not wanted again."""
    bounded: bool = False
    """Whether it is enough to be about as hard."""

    def distance(self, counts: SearchCounts) -> Fraction:
        if self.bounded:
            return Fraction(further_measures(counts, self.counts))
        return Fraction(unlikeness(counts, self.counts) + (counts.pruned_at in self.elsewhere))


def judge_quickly(recipe: Recipe, exercise: Exercise, target: ParallelTarget | None = None) -> QuickJudgement:
    answer_key = AnswerKey(exercise)
    solution = main_solution(answer_key)
    facts = key_facts(answer_key)
    tree = exercise.game.tree
    counts = SearchCounts(len(tree.leaves), 0, visits=len(tree)) if solution is None else count_search(solution)
    if facts.ranges:
        counts = replace(counts, forms=facts.forms)
    require = recipe.require
    off: dict[str, Fraction] = {}
    for name in COUNTS:
        if name in require.ranges:
            distance = require.ranges[name].distance(getattr(counts, name))
            # In leaves, so that a share weighs as much as a number of leaves.
            off[name] = distance * counts.leaves if name == "pruned_share" else distance
    if require.switches.get("cut_on_last_child") is False:
        off["cut_on_last_child"] = Fraction(counts.last_child_cuts)
    if solution is not None:
        off |= _of_solution(recipe, solution)
    off |= _of_facts(recipe, facts)
    if target is not None:
        off["parallel"] = target.distance(counts)
    return QuickJudgement(answer_key, solution, counts, facts, off)


def _of_solution(recipe: Recipe, solution: Solution) -> dict[str, Fraction]:
    require = recipe.require
    off: dict[str, Fraction] = {}
    if "value" in require.ranges:
        value: Any = solution.value
        # A vector, or a plan, has no place in a range of numbers.
        known = isinstance(value, int | Fraction) and not isinstance(value, bool)
        off["value"] = require.ranges["value"].distance(value) if known else Fraction(1)
    if "denominator" in require.ranges:
        asked = require.ranges["denominator"]
        off["denominator"] = Fraction(sum(bool(asked.distance(each)) for each in denominators(solution)))
    if "unique_move" in require.switches:
        off["unique_move"] = Fraction((len(solution.best[0]) == 1) != require.switches["unique_move"])
    if require.move_at is not None:
        off["move_at"] = Fraction(not move_fits(recipe, move_position(solution)))
    if require.ucb_gap is not None:
        gap = ucb_gap(solution)
        off["ucb_gap"] = Fraction(1) if gap is None else max(Fraction(0), require.ucb_gap - gap)
    if require.plan is not None:
        off["plan"] = Fraction(not _plan_fits(require.plan, solution))
    return off


def _of_facts(recipe: Recipe, facts: KeyFacts) -> dict[str, Fraction]:
    ranges = recipe.require.ranges
    off: dict[str, Fraction] = {}
    if "unknown_width" in ranges:
        widths = [set_width(each) for each in facts.ranges]
        off["unknown_width"] = sum(
            (FAR_OFF if each is None else ranges["unknown_width"].distance(each) for each in widths), Fraction(0)
        )
    if "unknown_parts" in ranges:
        parts = (ranges["unknown_parts"].distance(len(each.parts)) for each in facts.ranges)
        off["unknown_parts"] = sum(parts, Fraction(0))
    if "depth_moves" in ranges:
        off["depth_moves"] = ranges["depth_moves"].distance(facts.depth_moves or 0)
    if "threshold" in ranges:
        found = facts.thresholds
        off["threshold"] = sum(
            (Fraction(1) if each is None else ranges["threshold"].distance(each) for each in found), Fraction(0)
        )
    if facts.unanswered:
        off["questions"] = Fraction(facts.unanswered)
    return off


def judge_thoroughly(recipe: Recipe, found: QuickJudgement) -> ThoroughJudgement:
    require = recipe.require
    shown = exposure(found.answer_key)
    off: dict[str, Fraction] = {}
    if require.exposes is not None:
        exposed = set(shown.exposed)
        off["exposes"] = Fraction(sum(mistake not in exposed for mistake in wanted_mistakes(recipe, shown)))
    if "distinct_mistakes" in require.ranges:
        off["distinct_mistakes"] = require.ranges["distinct_mistakes"].distance(len(shown.classes))
    if require.switches.get("different_roots"):
        value: Any = None if found.solution is None else found.solution.value
        roots = [shown.roots[name] for name in ROOT_MISTAKES if name in shown.roots]
        off["different_roots"] = Fraction(len(roots) + 1 - len({value, *roots}))
    # The dearest question is asked last, and only of a tree that has everything else.
    if require.proof and not any(off.values()):
        off["convention_proof"] = Fraction(other_key(found.answer_key.exercise, require.proof) is not None)
    return ThoroughJudgement(shown, off)


def wanted_mistakes(recipe: Recipe, shown: Exposure) -> tuple[str, ...]:
    """The mistakes that the recipe lists, or all that can be made and seen in such a tree."""
    if isinstance(recipe.require.exposes, tuple):
        return recipe.require.exposes
    if recipe.require.exposes is None:
        return ()
    without_ties = bool(recipe.require.proof) or recipe.leaves.style != "small"
    return tuple(each for each in shown.made if not (without_ties and each in NEED_TIES))


def move_position(solution: Solution) -> int | None:
    """The position of the best move at the root, from 1; in MCTS, of the selected one. None at a chance node."""
    best = solution.choice(ROOT) if solution.sampled is None else _selected(solution)
    return None if best is None else solution.tree.children[0].index(best) + 1


def _selected(solution: Solution) -> int | None:
    assert solution.sampled is not None
    trace = solution.sampled.found.trace
    chosen: int | None = trace[0].choices[0].chosen if trace and trace[0].choices else None
    return chosen


def move_fits(recipe: Recipe, position: int | None) -> bool:
    wanted = recipe.require.move_at
    if position is None:
        return False
    return position > 1 if wanted == "not-first" else wanted is None or position in wanted


def _plan_fits(wanted: str, solution: Solution) -> bool:
    if wanted == "none" or solution.plan is None or solution.value is not True:
        return wanted == "none" and solution.value is False
    return wanted == "any" or _is_contingent(solution.plan.plan)


def _is_contingent(plan: Any) -> bool:
    """Whether what to do next differs between the outcomes of some action."""
    pending = [plan]
    while pending:
        here = pending.pop()
        if isinstance(here, dict):
            branches = list(here.values())
            if any(branch != branches[0] for branch in branches):
                return True
            pending.extend(branches)
        elif isinstance(here, list):
            pending.extend(here)
    return False
