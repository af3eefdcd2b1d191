"""How a story begins and ends: the algorithm, who moves, and the convention in words; then the value, the move, the
line, and how many leaves it took.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.game.game_tree import CHANCE, MAX, MIN, ROOT
from solver.languages.facts import MOST_ITEMS, Amount, Between, Fact, Formula, Items, Sentence, convention_name
from solver.search.algorithms.algorithm_registry import ALGORITHMS
from solver.search.solution import PlanResult
from solver.story.search_facts import About, Step, fact

_ROOT = {MAX: "root.max", MIN: "root.min", CHANCE: "root.chance"}
_PLAIN_ROOT = {MAX: "root.plain.max", MIN: "root.plain.min", CHANCE: "root.plain.chance"}
_PLAIN = frozenset(("root", "raiz", "raíz", "ریشه"))
"""Names that say no more than that the node is the root, in any of the languages."""
_RULES = {
    ("order", "left-to-right"): "rule.left-to-right",
    ("order", "right-to-left"): "rule.right-to-left",
    ("cut", "at-bound"): "rule.at-bound",
    ("cut", "past-bound"): "rule.past-bound",
    ("update", "after-test"): "rule.after-test",
    ("update", "before-test"): "rule.before-test",
    ("returns", "fail-soft"): "rule.fail-soft",
    ("returns", "fail-hard"): "rule.fail-hard",
    ("ties", "first"): "rule.ties.first",
    ("ties", "last"): "rule.ties.last",
    ("ties", "any"): "rule.ties.any",
}


def opening(about: About) -> Step:
    return Step(0, ROOT, tuple(_opening_sentences(about)))


def _opening_sentences(about: About) -> Iterator[Sentence]:
    yield _algorithm(about)
    root = about.tree.turn[0]
    if about.tree.movers is not None:
        yield Sentence("open.sides", None, {"max": _players(about, MAX), "min": _players(about, MIN)})
    player = about.mover(ROOT) or root
    name = about.name(ROOT)
    plain = name.casefold() in _PLAIN
    if player in _ROOT:
        yield Sentence(_PLAIN_ROOT[player]) if plain else Sentence(_ROOT[player], None, {"node": name})
    elif player is not None and (about.tree.players or about.tree.movers):
        told: dict[str, Fact] = {"player": player}
        yield (
            Sentence("root.plain.player", None, told)
            if plain
            else Sentence("root.player", None, {**told, "node": name})
        )
    estimates = sum(map(about.is_estimate, about.tree.leaves)) if about.tree.estimates else 0
    if estimates:
        yield Sentence("open.estimates", estimates)
    yield from _convention(about)


def _players(about: About, side: str) -> Fact:
    """Who is on a side, in the order in which they first move; nobody may be."""
    movers = dict.fromkeys(
        mover
        for mover, turn in zip(about.tree.movers or (), about.tree.turn, strict=True)
        if mover is not None and turn == side
    )
    return Items(tuple(movers)[:MOST_ITEMS], len(movers)) if movers else "–"


def _algorithm(about: About) -> Sentence:
    tree, sampled = about.tree, about.solution.sampled
    algorithm = ALGORITHMS[about.solution.algorithm]
    key = (tree.bounds is None and algorithm.opening_without_bounds) or algorithm.opening
    if not key:
        return Sentence("open.other", None, {"algorithm": algorithm.name})
    facts: dict[str, Fact] = {"sides": Items(tree.sides[:MOST_ITEMS], len(tree.sides))}
    if tree.bounds is not None:
        facts["interval"] = Between(tree.bounds, closed=True)
    if sampled is None:
        return Sentence(key, None, facts)
    return Sentence(key, sampled.found.steps, {**facts, "c": exploration(sampled.found.exploration)})


def exploration(constant: object) -> Fact:
    """`C = 1.4`; the default is a root."""
    of = getattr(constant, "of", None)
    return Formula(("C = √", of)) if of is not None else Formula(("C = ", constant))  # type: ignore[arg-type]


def _convention(about: About) -> Iterator[Sentence]:
    convention = about.solution.convention
    if about.solution.sampled is None:
        if convention.name is None:
            yield Sentence("rule.own")
        else:
            yield Sentence("rule.named", None, {"name": convention_name(convention)})
    yield Sentence(_RULES["order", convention.order])
    if about.search is not None and about.tree.turn[0] is not None:
        yield Sentence("rule.window", None, {"window": about.window(ROOT)})
        signs = (" > ", " < ") if about.past_bound else (" ≥ ", " ≤ ")
        tests: dict[str, Fact] = {
            "max_test": Formula(("v", signs[0], "β")),
            "min_test": Formula(("v", signs[1], "α")),
        }
        yield Sentence(_RULES["cut", convention.cut], None, tests)
        yield Sentence(_RULES["update", convention.update])
        yield Sentence(_RULES["returns", convention.returns])
    someone_moves = not about.tree.turns <= {CHANCE}
    if someone_moves and about.solution.plan is None and about.solution.sampled is None:
        yield Sentence(_RULES["ties", convention.ties])


_MISFIT = {"at-most": "close.at-most", "at-least": "close.at-least"}


def result(about: About) -> list[Sentence]:
    """What the search found, in a sentence or two."""
    if about.solution.plan is not None:
        return [_plan(about.solution.plan)]
    return [next(_outcome(about)), *_misfit(about)]


def closing(about: About) -> Step:
    evaluated = len(about.tree.leaves) - _pruned_leaves(about).total
    stage = 0 if about.solution.sampled is not None else evaluated
    return Step(stage, ROOT, tuple(_closing_sentences(about, evaluated)))


def _closing_sentences(about: About, evaluated: int) -> Iterator[Sentence]:
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


def _sampled(about: About, findings: Any) -> Iterator[Sentence]:
    if findings.by_visits is not None and findings.by_value is not None:
        moves = about.tree.move
        visited, best = str(moves[findings.by_visits]), str(moves[findings.by_value])
        if visited == best:
            yield Sentence("close.sampled.same", None, {"best": best})
        else:
            yield Sentence("close.sampled", None, {"visited": visited, "best": best})


def _plan(findings: PlanResult) -> Sentence:
    if findings.plan is None:
        return Sentence("close.no-plan")
    if not findings.plan:
        return Sentence("close.empty-plan")
    return Sentence("close.plan", None, {"plan": plan_formula(findings.plan)})


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
