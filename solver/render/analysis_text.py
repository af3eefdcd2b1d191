"""An analysis in lines that a person reads, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from solver.analysis.horizon_effect import Horizon
from solver.analysis.leaf_transformations import Invariance, Transformation
from solver.analysis.move_ordering import Extreme
from solver.analysis.sound_pruning import CrossedOutItem, Soundness
from solver.analysis.tree_analysis import Analysis, OneUnknownAnalysis, Opponent, Pruning
from solver.analysis.unknowns import SeveralUnknowns
from solver.game.game_tree import Tree
from solver.kernel.errors import Refusal
from solver.render.writers import bound_text, listed, number
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
        ("Shallow pruning in max^n", analysis.shallow, lambda part: _shallow(part, tree)),
    ]
    shown: list[str] = [analysis.game.title] if analysis.game.title else []
    for title, part, lines in parts:
        if part is not None:
            inside = [part.message] if isinstance(part, Refusal) else list(lines(part))
            if inside:
                shown.append("\n".join([title, *(f"  {line}" for line in inside)]))
    return "\n\n".join(shown) + "\n"


def _shape(analysis: Analysis) -> Iterator[str]:
    shape = analysis.shape
    yield f"{shape.nodes:,} nodes, {shape.leaves:,} leaves, depth {shape.depth:,}"
    if shape.branching is not None:
        low, high = shape.branching.smallest, shape.branching.largest
        every = f"{low}" if low == high else f"{low} to {high}, {number(shape.branching.mean)} on average"
        yield f"children of an inner node: {every}"


def _pruning(part: Pruning) -> Iterator[str]:
    growth = part.growth
    if growth is not None:
        yield (
            f"evaluates {growth.evaluated:,} leaves: as if every node had {growth.effective} children"
            f" (without pruning {growth.whole}; √b = {growth.root_of_branching})"
        )
    yield from _extreme("fewest", part.fewest)
    if isinstance(part.most, Refusal):
        yield part.most.message
    else:
        yield from _extreme("most", part.most)
    yield f"minimal tree in the best order: {listed(part.minimal.leaves)}"
    can = [leaf for leaf, whether in part.prunable.items() if whether]
    yield f"can be pruned for some values: {listed(can) or 'no leaf'}"


def _extreme(which: str, part: Extreme) -> Iterator[str]:
    order = "; ".join(f"{node}: {', '.join(children)}" for node, children in list(part.order.items())[:8])
    more = f"; … ({len(part.order):,} nodes in all)" if len(part.order) > 8 else ""
    where = f"with {order}{more}" if order else "in the order given"
    yield f"{which} leaves over all orders: {part.leaves:,}, {where}"


def _soundness(part: Soundness) -> Iterator[str]:
    survives = "does not depend" if part.survives else "depends"
    yield f"{part.verdict}; the root's value {survives} on the crossed-out leaves"
    for item in part.items:
        yield f"{_stop(item)}: {item.verdict}, since {_test(item)}"
    for each in part.key:
        if each.verdict == "missed":
            yield f"{_stop(each.stop)}: missed, though {_test(each.stop)}"


def _stop(item: CrossedOutItem) -> str:
    if not item.stop:
        return f"{', '.join(item.skipped)} at {item.node}, with a sibling visited after"
    return f"{item.node} after {item.after}" if item.after is not None else f"{item.node} before any child"


def _test(item: CrossedOutItem) -> str:
    test = item.comparison
    assert test is not None  # an analysis is of max and min nodes
    name = "α" if test.sign in "≤<" else "β"
    whose = f" from {test.set_by}" if test.set_by is not None else ""
    holds = "" if test.holds else " does not hold"
    return f"{bound_text(test.value)} {test.sign} {name} = {bound_text(test.bound)}{whose}{holds}"


def _unknowns(part: OneUnknownAnalysis | SeveralUnknowns) -> Iterator[str]:
    if isinstance(part, SeveralUnknowns):
        if not part.depends:
            yield f"the value is {bound_text(part.low)} whatever they are"
            return
        yield f"the value lies between {bound_text(part.low)} and {bound_text(part.high)}"
        for name, matters in part.matters.items():
            word = "is not decided here" if matters is None else "matters" if matters else "does not matter"
            yield f"{name} {word}"
        return
    one = part.found
    yield f"value: {one.value_text()}"
    if one.choices:
        yield f"best move: {one.choices_text()}"
    for node, where in (part.pruned or {}).items():
        if where:
            yield f"{node} is pruned: {where.text(one.name)}"


def _opponent(part: Opponent, digits: int) -> Iterator[str]:
    for model, each in part.models.items():
        worth = each.message if isinstance(each, Refusal) else each.text(digits) if each.stretches else ""
        if worth:
            yield f"and then {MODELS[model]}: {worth}"
    for model, against in part.given.items():
        moves = f", best move {' or '.join(against.moves)}" if against.moves else ""
        yield f"p = {number(against.errs)}, {MODELS[model]}: worth {number(against.value)}{moves}"


def _invariance(part: Invariance) -> Iterator[str]:
    yield f"increasing: {part.reason}"
    example = part.counterexample
    if example is not None:
        values = ", ".join(f"{number(old)} → {number(new)}" for old, new in example.values)
        yield f"for example {values}: {' or '.join(example.moves[0])} becomes {' or '.join(example.moves[1])}"
    yield "positive affine: the best moves stay the best"


def _comparison(part: Transformation) -> Iterator[str]:
    kind = "not increasing" if part.kind == "other" else part.kind
    yield f"{part.by} is {kind} on these leaves; the move is {'the same' if part.same_move else 'different'}"
    if part.same_pruned is not None:
        yield f"what is pruned is {'the same' if part.same_pruned else 'different'}"


def _depths(part: Horizon) -> Iterator[str]:
    for level in part.levels:
        what = f"{level.refused} has no estimate" if level.value is None else f"value {number(level.value)}"
        yield f"{part.unit} {level.depth}: {what}{f', move {level.move}' if level.move is not None else ''}"
    if part.changes:
        yield f"the move changes at {', '.join(map(str, part.changes))}: the horizon effect"


def _shallow(part: Shallow, tree: Tree) -> Iterator[str]:
    if not part.cuts:
        yield "no cut"
    for cut in part.cuts:
        skipped = listed([tree.ids[node] for node in cut.skipped])
        yield f"{tree.ids[cut.node]} after {tree.ids[cut.after]}: {cut.kind} cut of {skipped}"
