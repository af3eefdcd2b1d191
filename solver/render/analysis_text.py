"""An analysis in lines that a person reads, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from solver.analysis.analyse import Analysis, OneUnknownFound, Opponent, Pruning
from solver.analysis.horizon_effect import Horizon
from solver.analysis.orders import Extreme
from solver.analysis.sound_pruning import Skipped, Soundness
from solver.analysis.transforms import Invariance, Transformation
from solver.analysis.unknowns import SeveralUnknowns
from solver.game.tree import Tree
from solver.kernel.errors import Refusal
from solver.render.numbers import bound_text, number
from solver.render.summary import listed
from solver.search.algorithms.shallow import Shallow

MODELS = {"worst": "plays its worst move", "random": "plays at random"}


def analysis_text(analysis: Analysis, digits: int) -> str:
    tree = analysis.game.tree
    parts: list[tuple[str, Any, Callable[[Any], Iterator[str]]]] = [
        ("Shape", analysis, _shape),
        ("Pruning", analysis.pruning, _pruning),
        ("Soundness", analysis.soundness, _soundness),
        ("Unknown leaves", analysis.unknowns, _unknowns),
        ("If MIN errs with probability p at each of its nodes", analysis.opponent, lambda it: _opponent(it, digits)),
        ("Changes of the leaves", analysis.transforms, _invariance),
        ("This change", analysis.transform, _comparison),
        ("Depths", analysis.depths, _depths),
        ("Shallow pruning in max^n", analysis.shallow, lambda found: _shallow(found, tree)),
    ]
    shown: list[str] = [analysis.game.title] if analysis.game.title else []
    for title, found, lines in parts:
        if found is not None:
            inside = [found.message] if isinstance(found, Refusal) else list(lines(found))
            if inside:
                shown.append("\n".join([title, *(f"  {line}" for line in inside)]))
    return "\n\n".join(shown) + "\n"


def _shape(analysis: Analysis) -> Iterator[str]:
    its = analysis.shape
    yield f"{its.nodes:,} nodes, {its.leaves:,} leaves, depth {its.depth:,}"
    if its.branching is not None:
        low, high = its.branching.smallest, its.branching.largest
        every = f"{low}" if low == high else f"{low} to {high}, {number(its.branching.mean)} on average"
        yield f"children of an inner node: {every}"


def _pruning(found: Pruning) -> Iterator[str]:
    growth = found.growth
    if growth is not None:
        yield (
            f"evaluates {growth.evaluated:,} leaves: as if every node had {growth.effective} children"
            f" (without pruning {growth.whole}; √b = {growth.root_of_branching})"
        )
    yield from _extreme("fewest", found.fewest)
    if isinstance(found.most, Refusal):
        yield found.most.message
    else:
        yield from _extreme("most", found.most)
    yield f"minimal tree in the best order: {listed(found.minimal.leaves)}"
    can = [leaf for leaf, whether in found.prunable.items() if whether]
    yield f"can be pruned for some values: {listed(can) or 'no leaf'}"


def _extreme(which: str, found: Extreme) -> Iterator[str]:
    order = "; ".join(f"{node}: {', '.join(children)}" for node, children in list(found.order.items())[:8])
    more = f"; … ({len(found.order):,} nodes in all)" if len(found.order) > 8 else ""
    where = f"with {order}{more}" if order else "in the order given"
    yield f"{which} leaves over all orders: {found.leaves:,}, {where}"


def _soundness(found: Soundness) -> Iterator[str]:
    survives = "does not depend" if found.survives else "depends"
    yield f"{found.verdict}; the root's value {survives} on the crossed-out leaves"
    for item in found.items:
        yield f"{_stop(item)}: {item.verdict}, since {_test(item)}"
    for each in found.key:
        if each.verdict == "missed":
            yield f"{_stop(each.stop)}: missed, though {_test(each.stop)}"


def _stop(item: Skipped) -> str:
    if not item.stop:
        return f"{', '.join(item.skipped)} at {item.node}, with a sibling visited after"
    return f"{item.node} after {item.after}" if item.after is not None else f"{item.node} before any child"


def _test(item: Skipped) -> str:
    test = item.comparison
    assert test is not None  # an analysis is of max and min nodes
    name = "α" if test.sign in "≤<" else "β"
    whose = f" from {test.set_by}" if test.set_by is not None else ""
    holds = "" if test.holds else " does not hold"
    return f"{bound_text(test.value)} {test.sign} {name} = {bound_text(test.bound)}{whose}{holds}"


def _unknowns(found: OneUnknownFound | SeveralUnknowns) -> Iterator[str]:
    if isinstance(found, SeveralUnknowns):
        if not found.depends:
            yield f"the value is {bound_text(found.low)} whatever they are"
            return
        yield f"the value lies between {bound_text(found.low)} and {bound_text(found.high)}"
        for name, matters in found.matters.items():
            word = "is not decided here" if matters is None else "matters" if matters else "does not matter"
            yield f"{name} {word}"
        return
    one = found.found
    yield f"value: {one.value_text()}"
    if one.choices:
        yield f"best move: {one.choices_text()}"
    for node, where in (found.pruned or {}).items():
        if where:
            yield f"{node} is pruned: {where.text(one.name)}"


def _opponent(found: Opponent, digits: int) -> Iterator[str]:
    for model, each in found.models.items():
        told = each.message if isinstance(each, Refusal) else each.text(digits) if each.stretches else ""
        if told:
            yield f"and then {MODELS[model]}: {told}"
    for model, against in found.given.items():
        moves = f", best move {' or '.join(against.moves)}" if against.moves else ""
        yield f"p = {number(against.errs)}, {MODELS[model]}: worth {number(against.value)}{moves}"


def _invariance(found: Invariance) -> Iterator[str]:
    yield f"increasing: {found.reason}"
    example = found.counterexample
    if example is not None:
        values = ", ".join(f"{number(old)} → {number(new)}" for old, new in example.values)
        yield f"for example {values}: {' or '.join(example.moves[0])} becomes {' or '.join(example.moves[1])}"
    yield "positive affine: the best moves stay the best"


def _comparison(found: Transformation) -> Iterator[str]:
    kind = "not increasing" if found.kind == "other" else found.kind
    yield f"{found.by} is {kind} on these leaves; the move is {'the same' if found.same_move else 'different'}"
    if found.same_pruned is not None:
        yield f"what is pruned is {'the same' if found.same_pruned else 'different'}"


def _depths(found: Horizon) -> Iterator[str]:
    for level in found.levels:
        what = f"{level.refused} has no estimate" if level.value is None else f"value {number(level.value)}"
        yield f"{found.unit} {level.depth}: {what}{f', move {level.move}' if level.move is not None else ''}"
    if found.changes:
        yield f"the move changes at {', '.join(map(str, found.changes))}: the horizon effect"


def _shallow(found: Shallow, tree: Tree) -> Iterator[str]:
    if not found.cuts:
        yield "no cut"
    for cut in found.cuts:
        skipped = listed([tree.ids[node] for node in cut.skipped])
        yield f"{tree.ids[cut.node]} after {tree.ids[cut.after]}: {cut.kind} cut of {skipped}"
