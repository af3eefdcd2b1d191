"""An analysis as plain data; a part that was refused says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.analysis.horizon_effect import Horizon
from solver.analysis.leaf_transformations import Invariance, Transformation
from solver.analysis.move_ordering import Extreme
from solver.analysis.opponent_model import Mistakes
from solver.analysis.sound_pruning import Comparison, CrossedOutItem, Soundness
from solver.analysis.tree_analysis import Analysis, OneUnknownAnalysis, Opponent, Pruning
from solver.analysis.unknowns import SeveralUnknowns
from solver.game.convention import plain_bound
from solver.game.game_tree import Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import plain
from solver.search.algorithms.shallow import Shallow


def analysis_data(analysis: Analysis, digits: int) -> dict[str, Any]:
    tree = analysis.game.tree
    makers: dict[str, tuple[Any, Callable[[Any], Any]]] = {
        "pruning": (analysis.pruning, _pruning),
        "soundness": (analysis.soundness, _soundness),
        "unknowns": (analysis.unknowns, _unknowns),
        "opponent": (analysis.opponent, lambda part: _opponent(part, digits)),
        "increasing": (analysis.transforms, _invariance),
        "transform": (analysis.transform, _comparison),
        "depths": (analysis.depths, _depths),
        "shallow": (analysis.shallow, lambda part: _shallow(part, tree)),
    }
    data: dict[str, Any] = {"convention": analysis.convention.as_data(), "shape": _shape(analysis)}
    for name, (part, make) in makers.items():
        if part is not None:
            data[name] = _refused(part) if isinstance(part, Refusal) else make(part)
    return data


def _refused(refusal: Refusal) -> dict[str, Any]:
    return {"refused": refusal.message, "node": refusal.node, "code": refusal.code}


def _shape(analysis: Analysis) -> dict[str, Any]:
    shape = analysis.shape
    branching = shape.branching
    return {
        "nodes": shape.nodes,
        "leaves": shape.leaves,
        "depth": shape.depth,
        "branching": None
        if branching is None
        else {"smallest": branching.smallest, "largest": branching.largest, "mean": plain(branching.mean)},
        "uniform": shape.uniform,
        "alternating": shape.alternating,
    }


def _pruning(part: Pruning) -> dict[str, Any]:
    growth = part.growth
    return {
        "growth": None
        if growth is None
        else {
            "evaluated": growth.evaluated,
            "effective_branching": str(growth.effective),
            "without_pruning": str(growth.whole),
            "root_of_branching": str(growth.root_of_branching),
        },
        "fewest": _extreme(part.fewest),
        "most": _refused(part.most) if isinstance(part.most, Refusal) else _extreme(part.most),
        "minimal_tree": {"types": dict(part.minimal.types), "leaves": list(part.minimal.leaves)},
        "prunable": dict(part.prunable),
    }


def _extreme(part: Extreme) -> dict[str, Any]:
    return {"leaves": part.leaves, "order": {node: list(children) for node, children in part.order.items()}}


def _soundness(part: Soundness) -> dict[str, Any]:
    return {
        "verdict": part.verdict,
        "value_survives": part.survives,
        "items": [{**_item(item), "verdict": item.verdict, "soundness": item.soundness} for item in part.items],
        "key": [{**_item(each.stop), "verdict": each.verdict} for each in part.key],
    }


def _item(item: CrossedOutItem) -> dict[str, Any]:
    return {
        "node": item.node,
        "after": item.after,
        "skipped": list(item.skipped),
        "leaves": list(item.leaves),
        "stop": item.stop,
        "test": None if item.comparison is None else _test(item.comparison),
    }


def _test(test: Comparison) -> dict[str, Any]:
    return {
        "node": test.node,
        "value": plain_bound(test.value),
        "sign": test.sign,
        "bound": plain_bound(test.bound),
        "set_by": test.set_by,
        "holds": test.holds,
    }


def _unknowns(part: OneUnknownAnalysis | SeveralUnknowns) -> dict[str, Any]:
    if isinstance(part, SeveralUnknowns):
        return {
            "value_between": [plain_bound(part.low), plain_bound(part.high)],
            "depends": part.depends,
            "matters": dict(part.matters),
        }
    one = part.found
    return {
        "name": one.name,
        "value": one.value_text(),
        "pieces": [
            {
                "from": "-inf" if low is None else plain(low),
                "to": "inf" if high is None else plain(high),
                "slope": plain(slope),
                "intercept": plain(intercept),
            }
            for low, high, slope, intercept in one.value.pieces
        ],
        "moves": {
            move: {"where": where.text(one.name), "intervals": where.as_data()} for move, where in one.moves.items()
        },
        "pruned": None
        if part.pruned is None
        else {
            node: {"where": where.text(one.name), "intervals": where.as_data()} for node, where in part.pruned.items()
        },
    }


def _opponent(part: Opponent, digits: int) -> dict[str, Any]:
    return {
        "models": {
            model: _refused(each) if isinstance(each, Refusal) else _mistakes(each, digits)
            for model, each in part.models.items()
        },
        "given": {
            model: {
                "errs": plain(each.errs),
                "value": plain(each.value),
                "minimax": plain(each.minimax),
                "gain": plain(each.gain),
                "moves": list(each.moves),
            }
            for model, each in part.given.items()
        },
    }


def _mistakes(part: Mistakes, digits: int) -> dict[str, Any]:
    return {
        "value": [
            {
                "from": piece.low.text(digits),
                "to": piece.high.text(digits),
                "coefficients": [plain(each) for each in piece.value],
            }
            for piece in part.pieces
        ],
        "moves": [{"where": each.text(digits), "moves": list(each.moves)} for each in part.stretches],
        "thresholds": [root.text(digits) for root in part.thresholds],
    }


def _invariance(part: Invariance) -> dict[str, Any]:
    example = part.counterexample
    return {
        "move": part.increasing,
        "reason": part.reason,
        "pruned_kept": part.pruned_kept,
        "positive_affine": "keeps",
        "counterexample": None
        if example is None
        else {
            "values": [[plain(old), plain(new)] for old, new in example.values],
            "moves_before": list(example.moves[0]),
            "moves_after": list(example.moves[1]),
        },
    }


def _comparison(part: Transformation) -> dict[str, Any]:
    return {
        "by": part.by,
        "kind": part.kind,
        "move": "same" if part.same_move else "different",
        "pruned": None if part.same_pruned is None else "same" if part.same_pruned else "different",
        "moves_before": list(part.moves[0]),
        "moves_after": list(part.moves[1]),
    }


def _depths(part: Horizon) -> dict[str, Any]:
    return {
        "unit": part.unit,
        "table": [
            {
                "depth": level.depth,
                "value": None if level.value is None else plain(level.value),
                "move": level.move,
                "moves": list(level.moves),
                "refused": level.refused,
            }
            for level in part.levels
        ],
        "move_changes_at": list(part.changes),
    }


def _shallow(part: Shallow, tree: Tree) -> dict[str, Any]:
    return {
        "pruned": [tree.ids[node] for node in part.pruned if tree.turn[node] is None],
        "cuts": [
            {
                "node": tree.ids[cut.node],
                "after": tree.ids[cut.after],
                "kind": cut.kind,
                "value": plain(cut.value),
                "limit": plain(cut.limit),
                "bound": plain(cut.bound),
                "skipped": [tree.ids[node] for node in cut.skipped],
            }
            for cut in part.cuts
        ],
    }
