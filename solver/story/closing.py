"""How a story ends: the value, the move, the line, and how many leaves it took."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.game.tree import CHANCE, ROOT
from solver.languages.facts import MOST_ITEMS, Amount, Fact, Formula, Items, Sentence
from solver.search.solution import Planned
from solver.story.about import About, fact
from solver.story.steps import Step

_MISFIT = {"at-most": "close.at-most", "at-least": "close.at-least"}


def result(about: About) -> list[Sentence]:
    """What the search found, in a sentence or two."""
    if about.solution.plan is not None:
        return [_plan(about.solution.plan)]
    return [next(_outcome(about)), *_misfit(about)]


def closing(about: About) -> Step:
    evaluated = len(about.tree.leaves) - _pruned_leaves(about).total
    stage = 0 if about.solution.sampled is not None else evaluated
    return Step(stage, ROOT, tuple(_sentences(about, evaluated)))


def _sentences(about: About, evaluated: int) -> Iterator[Sentence]:
    solution = about.solution
    if solution.sampled is not None:
        yield from _sampled(about, solution.sampled.found)
        yield from _outcome(about)
        return
    if solution.plan is not None:
        yield _plan(solution.plan)
    else:
        yield from _outcome(about)
    if about.tree.players:
        yield from _equilibria(about)
    yield from _misfit(about)
    yield Sentence("close.effort", len(about.tree.leaves), {"evaluated": Amount(evaluated)})
    pruned = _pruned_leaves(about)
    if pruned.total:
        yield Sentence("close.pruned", pruned.total, {"leaves": pruned})
    elif about.search is not None:
        yield Sentence("close.no-cut")


def _pruned_leaves(about: About) -> Items:
    tree = about.tree
    leaves = [node for node in about.solution.pruned if tree.turn[node] is None]
    return about.names(leaves)


def _outcome(about: About) -> Iterator[Sentence]:
    solution, tree = about.solution, about.tree
    value = fact(solution.value)
    if tree.turn[0] is None:
        yield Sentence("close.leaf", None, {"value": value})
        return
    if tree.turn[0] == CHANCE:
        yield Sentence("close.chance", None, {"value": value})
        return
    facts: dict[str, Fact] = {"player": about.side(ROOT), "move": str(solution.move), "value": value}
    yield Sentence("close.move" if solution.sampled is None else "close.exact", None, facts)
    if len(solution.line) > 1:
        yield Sentence("close.line", None, {"moves": about.moves(solution.line, "then")})
    others = [child for child in solution.best[0] if child != solution.line[0]]
    if others:
        yield Sentence("close.ties", len(others), {"moves": about.moves(others)})


def _equilibria(about: About) -> Iterator[Sentence]:
    vectors = about.solution.vectors
    if vectors is None:
        yield Sentence("close.vectors.many")
    elif len(vectors) > 1:
        outcomes = Items(tuple(vectors[:MOST_ITEMS]), len(vectors), "or")
        yield Sentence("close.vectors", None, {"vectors": outcomes})


def _misfit(about: About) -> Iterator[Sentence]:
    """Where the initial window misses the value, the search could only bound it."""
    known = about.known(ROOT)
    if known != "exact":
        yield Sentence(_MISFIT[known], None, {"value": fact(about.returned(ROOT))})


def _sampled(about: About, found: Any) -> Iterator[Sentence]:
    if found.by_visits is not None and found.by_value is not None:
        moves = about.tree.move
        visited, best = str(moves[found.by_visits]), str(moves[found.by_value])
        if visited == best:
            yield Sentence("close.sampled.same", None, {"best": best})
        else:
            yield Sentence("close.sampled", None, {"visited": visited, "best": best})


def _plan(found: Planned) -> Sentence:
    if found.plan is None:
        return Sentence("close.no-plan")
    if not found.plan:
        return Sentence("close.empty-plan")
    return Sentence("close.plan", None, {"plan": plan_formula(found.plan)})


def plan_formula(plan: Any) -> Formula:
    """A conditional plan as it is written in any language."""
    return Formula(tuple(_plan_parts(plan)))


def _plan_parts(plan: Any) -> Iterator[Fact]:
    """The notation of AIMA's Figure 4.11, with its three words translated."""
    waiting: list[Any] = [plan]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str | Sentence):
            yield part
            continue
        pieces: list[Any] = ["["]
        for position, step in enumerate(part):
            pieces.append(", " if position else "")
            pieces.extend(_branches(step) if isinstance(step, dict) else [step])
        waiting.extend(reversed([*pieces, "]"]))


def _branches(plans: dict[str, Any]) -> Iterator[Any]:
    last = len(plans) - 1
    for place, (outcome, plan) in enumerate(plans.items()):
        if place:
            yield from (" ", Sentence("plan.else"), " ")
        if place < last or not last:
            yield from (Sentence("plan.if"), " ", outcome, " ", Sentence("plan.then"), " ")
        yield plan
