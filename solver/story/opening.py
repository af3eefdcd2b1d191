"""How a story begins: the algorithm, who moves, and the convention in words."""

from __future__ import annotations

from collections.abc import Iterator

from solver.game.tree import CHANCE, MAX, MIN, ROOT
from solver.languages.conventions import convention_name
from solver.languages.facts import MOST_ITEMS, Between, Fact, Formula, Items, Sentence
from solver.search.algorithms.registry import ALGORITHMS
from solver.story.about import About
from solver.story.steps import Step

_ROOT = {MAX: "root.max", MIN: "root.min", CHANCE: "root.chance"}
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
    return Step(0, ROOT, tuple(_sentences(about)))


def _sentences(about: About) -> Iterator[Sentence]:
    yield _algorithm(about)
    root = about.tree.turn[0]
    if about.tree.movers is not None:
        yield Sentence("open.sides", None, {"max": _players(about, MAX), "min": _players(about, MIN)})
    player = about.mover(ROOT) or root
    if player in _ROOT:
        yield Sentence(_ROOT[player], None, {"node": about.name(ROOT)})
    elif player is not None and (about.tree.players or about.tree.movers):
        yield Sentence("root.player", None, {"node": about.name(ROOT), "player": player})
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
