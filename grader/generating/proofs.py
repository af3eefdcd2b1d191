"""Recipes that nothing can satisfy, as far as that is easily proved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod

from grader.generating.judging import NEED_TIES
from grader.generating.recipe import Recipe
from solver import CHANCE, MAX, MIN, DocumentError, Problem, number_text

DEEP_PLIES = 4


def check_possible(recipe: Recipe) -> None:
    """DocumentError with every contradiction that was found."""
    problems = [Problem(recipe.place(key), "impossible", message) for key, message in _contradictions(recipe)]
    if problems:
        raise DocumentError(sorted(problems))


def _contradictions(recipe: Recipe) -> Iterator[tuple[str, str]]:
    yield from _numbers(recipe)
    yield from _chances(recipe)
    yield from _moves(recipe)
    if recipe.turns <= {MAX, MIN}:
        yield from _cuts(recipe)
        yield from _pruned(recipe)
    yield from _conventions(recipe)
    yield from _mistakes(recipe)


def _numbers(recipe: Recipe) -> Iterator[tuple[str, str]]:
    leaves, pool = recipe.leaves, recipe.leaves.pool
    numbers = recipe.statistics is None and not recipe.players and recipe.turns <= {MAX, MIN, CHANCE}
    if not pool:
        yield "leaves", "there is no number in the range of the leaves"
    elif numbers and leaves.style != "small":
        most = prod(level.most for level in recipe.levels)
        side = min(sum(each < 0 for each in pool), sum(each > 0 for each in pool))
        enough = 2 * side if leaves.style == "signs" else len(pool)
        if most > enough:
            yield "leaves", f"{most} leaves cannot all be different: the range has {enough} numbers for them"
    wanted = recipe.require.ranges.get("value")
    if wanted is not None and (wanted.low > leaves.high or wanted.high < leaves.low):
        ends = f"{number_text(leaves.low)} to {number_text(leaves.high)}"
        yield "require.value", f"no leaf is worth {wanted}: the leaves are {ends}"


def _chances(recipe: Recipe) -> Iterator[tuple[str, str]]:
    outcomes = max((level.most for level in recipe.levels if level.turn == CHANCE), default=0)
    if outcomes > recipe.denominator:
        yield "probabilities", f"{outcomes} outcomes need a denominator of at least {outcomes}"
    elif outcomes == recipe.denominator and not recipe.equal:
        yield "probabilities", f"{outcomes} outcomes with a denominator of {outcomes} are equally likely"


def _moves(recipe: Recipe) -> Iterator[tuple[str, str]]:
    root, wanted = recipe.levels[0], recipe.require.move_at
    about_move = wanted is not None or recipe.require.switches.get("unique_move")
    if root.turn == CHANCE and about_move:
        yield "require", "nobody moves at a chance node, and the root is one"
        return
    if wanted == "not-first" and root.most < 2:
        yield "require.move_at", "the root has a single move, and it is the first"
    elif isinstance(wanted, tuple) and not any(1 <= place <= root.most for place in wanted):
        yield "require.move_at", f"the root has at most {root.most} moves"


def _cuts(recipe: Recipe) -> Iterator[tuple[str, str]]:
    require, levels = recipe.require, recipe.levels
    if require.least("deep_cuts") > 0 and len(levels) < DEEP_PLIES:
        yield "require.deep_cuts", f"a deep cut needs {DEEP_PLIES} plies; the tree has {len(levels)}"
    for name, kind, turn in (("alpha_cuts", "an alpha cut", MIN), ("beta_cuts", "a beta cut", MAX)):
        if require.least(name) > 0 and not any(_can_cut(recipe, depth, turn) for depth in range(len(levels))):
            other = MAX if turn == MIN else MIN
            yield (
                f"require.{name}",
                f"{kind} needs a {turn} node with two children somewhere below a {other} node with two",
            )
    if require.least("inner_cuts") > 0:
        inner = any(_can_cut(recipe, depth, levels[depth].turn) for depth in range(len(levels) - 1))
        if not inner:
            yield "require.inner_cuts", "no node that can be cut has inner nodes below it: one more ply is needed"
    # The cuts of both kinds are the cuts there are.
    for name in ("deep_cuts", "inner_cuts"):
        highest = [require.ranges[kind].high for kind in ("alpha_cuts", "beta_cuts") if kind in require.ranges]
        if len(highest) == 2 and require.least(name) > sum(highest):
            yield f"require.{name}", f"there are at most {number_text(sum(highest))} cuts"


def _can_cut(recipe: Recipe, depth: int, turn: str) -> bool:
    """Whether a node at this depth has something to skip, and above it a node that can have set a bound."""
    here = recipe.levels[depth]
    above = recipe.levels[:depth]
    return here.turn == turn and here.most > 1 and any(each.turn != turn and each.most > 1 for each in above)


def _pruned(recipe: Recipe) -> Iterator[tuple[str, str]]:
    """No order prunes more than the best one leaves over (Knuth & Moore 1975)."""
    levels, require = recipe.levels, recipe.require
    if any(one.turn == other.turn for one, other in pairwise(levels)):
        return
    # Leaves that must be evaluated below a node of type 1, 2 or 3.
    first = second = third = 1
    for level in reversed(levels):
        first, second, third = first + (level.most - 1) * second, third, level.most * second
    leaves = prod(level.most for level in levels)
    if require.least("pruned") > leaves - first:
        yield "require.pruned", f"of {leaves} leaves at least {first} are evaluated, in whatever order"
    regular = recipe.leaf_above == 0 and all(level.fewest == level.most for level in levels)
    if regular and require.least("pruned_share") * leaves > leaves - first:
        yield "require.pruned_share", f"of {leaves} leaves at least {first} are evaluated, in whatever order"


def _conventions(recipe: Recipe) -> Iterator[tuple[str, str]]:
    require = recipe.require
    cuts = any(require.least(name) > 0 for name in ("pruned", "pruned_share", "alpha_cuts", "beta_cuts", "deep_cuts"))
    if not cuts or not {"cut", "returns"} <= set(require.proof):
        return
    asks_search = any(question.get("ask") in ("pruned", "windows") for question in recipe.questions)
    for question in recipe.questions:
        handed_up = question.get("of", "search" if asks_search else "minimax") == "search"
        if question.get("ask") == "values" and handed_up and "nodes" not in question:
            yield (
                "require.convention_proof",
                "what a cut node hands up depends on returns or, at the bound, on cut; ask values with of: minimax",
            )
        leaving = question.get("ask") == "windows" and question.get("at") in ("exit", "all")
        if leaving and "update" in require.proof and "nodes" not in question:
            yield "require.convention_proof", "the window on leaving a cut node depends on update; ask for at: entry"


def _mistakes(recipe: Recipe) -> Iterator[tuple[str, str]]:
    listed = recipe.require.exposes
    if not isinstance(listed, tuple):
        return
    for mistake in NEED_TIES:
        if mistake in listed and (recipe.require.proof or recipe.leaves.style != "small"):
            yield "require.exposes", f"{mistake} shows only where values are equal"
