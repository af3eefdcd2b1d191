"""Recipes that cannot be satisfied, as far as this is easy to prove."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from grader.generating.recipe_parts import CUTS, NEED_TIES, Recipe
from grader.questions.registry import ASKS
from solver.game import AND, CHANCE, MAX, MIN, OR
from solver.kernel import DocumentError, Problem, number_text
from solver.search import ALGORITHMS

DEEP_PLIES = 4
OF_UNKNOWNS = ("unknown_width", "unknown_parts")


def check_possible(recipe: Recipe) -> None:
    """DocumentError with every contradiction that was found."""
    problems = [Problem(recipe.place(key), "impossible", message) for key, message in _contradictions(recipe)]
    if problems:
        raise DocumentError(sorted(problems))


def _contradictions(recipe: Recipe) -> Iterator[tuple[str, str]]:
    yield from _numbers(recipe)
    yield from _chances(recipe)
    yield from _unknowns(recipe)
    yield from _asked(recipe)
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
        most = recipe.most_leaves - len(recipe.unknowns)
        side = min(sum(each < 0 for each in pool), sum(each > 0 for each in pool))
        enough = 2 * side if leaves.style == "signs" else len(pool)
        if most > enough:
            yield "leaves", f"{most} leaves cannot all be different: the range has {enough} numbers for them"
    wanted = recipe.require.ranges.get("value")
    if wanted is not None and (wanted.low > leaves.high or wanted.high < leaves.low):
        ends = f"{number_text(leaves.low)} to {number_text(leaves.high)}"
        yield "require.value", f"no leaf is worth {wanted}: the leaves are {ends}"
    if leaves.sum is not None and pool and not recipe.sides * pool[0] <= leaves.sum <= recipe.sides * pool[-1]:
        ends = f"{number_text(recipe.sides * pool[0])} to {number_text(recipe.sides * pool[-1])}"
        yield "leaves", f"vectors of {recipe.sides} numbers add up to {ends}, not to {number_text(leaves.sum)}"
    if recipe.estimates is not None and not recipe.estimates.pool:
        yield "estimates", "there is no whole number in the range of the estimates"


def _chances(recipe: Recipe) -> Iterator[tuple[str, str]]:
    outcomes = max((level.most for level in recipe.levels if level.turn == CHANCE), default=0)
    if outcomes > recipe.denominator:
        yield "probabilities", f"{outcomes} outcomes need a denominator of at least {outcomes}"
    elif outcomes == recipe.denominator and not recipe.equal:
        yield "probabilities", f"{outcomes} outcomes with a denominator of {outcomes} are equally likely"


def _unknowns(recipe: Recipe) -> Iterator[tuple[str, str]]:
    for name, leaves in recipe.unknowns.items():
        if min(leaves, default=1) > recipe.most_leaves:
            yield f"unknowns.{name}", f"there is no leaf L{min(leaves)}: the tree has at most {recipe.most_leaves}"
    if recipe.regular and len(recipe.unknowns) >= recipe.most_leaves:
        yield "unknowns", "no leaf is left with a number"
    if recipe.unknowns:
        require = recipe.require
        about_search = [*require.ranges, *require.switches]
        about_search += [key for key in ("move_at", "exposes", "ucb_gap", "plan") if getattr(require, key) is not None]
        for key in about_search:
            if key not in OF_UNKNOWNS:
                name = next(iter(recipe.unknowns))
                yield f"require.{key}", f"no search has a result while {name} is unknown; require unknown_width"


def _asked(recipe: Recipe) -> Iterator[tuple[str, str]]:
    """Requirements about answers that no question asks for."""
    ranges, asks = recipe.require.ranges, [ASKS.get(str(question.get("ask"))) for question in recipe.questions]
    for ask in ASKS.values():
        for key in ask.required_by if ask not in asks else ():
            if key in ranges:
                yield f"require.{key}", f"it is about `ask: {ask.name}`, but no question asks that"
    if "threshold" in ranges:
        if not any(question.get("errs") == "threshold" for question in recipe.questions):
            yield "require.threshold", "it is about `ask: opponent, errs: threshold`, but no question asks that"
        elif ranges["threshold"].distance(0) > 1 or ranges["threshold"].high < 0:
            yield "require.threshold", "a probability lies between 0 and 1"
    leaves, wide = recipe.leaves, ranges.get("unknown_width")
    if wide is not None and leaves.bounds and wide.low > leaves.high - leaves.low:
        message = f"x lies within the bounds, which are {number_text(leaves.high - leaves.low)} wide"
        yield "require.unknown_width", message.replace("x", next(iter(recipe.unknowns), "x"), 1)
    endless = any({"move", "value"} & set(question.get("when") or ()) for question in recipe.questions)
    if wide is not None and wide.low > 0 and not leaves.bounds and endless:
        # What a root is worth never falls while a leaf rises, so a move is best from some value on, or up to one.
        yield "require.unknown_width", "without bounds such a range has no end; declare leaves: {bounds: true}"
    if "depth_moves" in ranges:
        depths = max((len(question.get("depths", ())) for question in recipe.questions), default=0)
        most = min(depths, recipe.levels[0].most)
        if depths and ranges["depth_moves"].low > most:
            yield "require.depth_moves", f"{depths} depths and {recipe.levels[0].most} moves give at most {most}"
    if recipe.require.ucb_gap is not None and recipe.statistics is None:
        yield "require.ucb_gap", "UCB1 needs visits: the recipe has no statistics"
    if recipe.require.plan is not None and not recipe.turns & {OR, AND}:
        yield "require.plan", "a plan is for trees of `or` and `and` nodes"


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
    cuts = require.least("alpha_cuts") + require.least("beta_cuts")
    if "pruned" in require.ranges and require.ranges["pruned"].high < cuts:
        yield "require.pruned", f"{number_text(cuts)} cuts prune at least {number_text(cuts)} leaves"
    if any(require.least(name) > 0 for name in CUTS) and all(
        algorithm is not None and not algorithm.prunes
        for algorithm in (ALGORITHMS.get(str(question.get("algorithm"))) for question in recipe.questions)
    ):
        key = next(name for name in CUTS if require.least(name) > 0)
        yield f"require.{key}", "no question is about a search that prunes"
    # The cuts of both kinds are the cuts there are.
    for name in ("deep_cuts", "inner_cuts"):
        highest = [require.ranges[kind].high for kind in ("alpha_cuts", "beta_cuts") if kind in require.ranges]
        if len(highest) == 2 and require.least(name) > sum(highest):
            yield f"require.{name}", f"there are at most {number_text(sum(highest))} cuts"


def _can_cut(recipe: Recipe, depth: int, turn: str) -> bool:
    """Whether a node at this depth has children to skip and, above it, a node that can have set a bound."""
    here = recipe.levels[depth]
    above = recipe.levels[:depth]
    return here.turn == turn and here.most > 1 and any(each.turn != turn and each.most > 1 for each in above)


def _pruned(recipe: Recipe) -> Iterator[tuple[str, str]]:
    """No order of the children prunes more than the best one (Knuth & Moore 1975)."""
    levels, require = recipe.levels, recipe.require
    if any(one.turn == other.turn for one, other in pairwise(levels)):
        return
    # Leaves that must be evaluated below a node of type 1, 2 or 3.
    first = second = third = 1
    for level in reversed(levels):
        first, second, third = first + (level.most - 1) * second, third, level.most * second
    leaves = recipe.most_leaves
    if require.least("pruned") > leaves - first:
        yield "require.pruned", f"at least {first} of {leaves} leaves are evaluated, whatever the order"
    if recipe.regular and require.least("pruned_share") * leaves > leaves - first:
        yield "require.pruned_share", f"at least {first} of {leaves} leaves are evaluated, whatever the order"


def _conventions(recipe: Recipe) -> Iterator[tuple[str, str]]:
    require = recipe.require
    cuts = any(require.least(name) > 0 for name in CUTS)
    if not cuts or not {"cut", "returns"} <= set(require.proof):
        return
    asked = [(question, ask) for question in recipe.questions if (ask := ASKS.get(str(question.get("ask"))))]
    about_search = any(ask.about_search for _, ask in asked)
    for question, ask in asked:
        problem = ask.proof_problem(question, require.proof, about_search)
        if problem is not None and "nodes" not in question:
            yield "require.convention_proof", problem


def _mistakes(recipe: Recipe) -> Iterator[tuple[str, str]]:
    listed = recipe.require.exposes
    if not isinstance(listed, tuple):
        return
    for mistake in NEED_TIES:
        if mistake in listed and (recipe.require.proof or recipe.leaves.style != "small"):
            yield "require.exposes", f"{mistake} shows only where values are equal"
