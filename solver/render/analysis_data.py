"""An analysis as plain data; a part that was refused says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.analysis.analyse import Analysis, OneUnknownFound, Opponent, Pruning
from solver.analysis.horizon_effect import Horizon
from solver.analysis.opponent import Mistakes
from solver.analysis.orders import Extreme
from solver.analysis.sound_pruning import Comparison, Skipped, Soundness
from solver.analysis.transforms import Invariance, Transformation
from solver.analysis.unknowns import SeveralUnknowns
from solver.game.convention import plain_bound
from solver.game.tree import Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import plain
from solver.search.algorithms.shallow import Shallow


def analysis_data(analysis: Analysis, digits: int) -> dict[str, Any]:
    tree = analysis.game.tree
    makers: dict[str, tuple[Any, Callable[[Any], Any]]] = {
        "pruning": (analysis.pruning, _pruning),
        "soundness": (analysis.soundness, _soundness),
        "unknowns": (analysis.unknowns, _unknowns),
        "opponent": (analysis.opponent, lambda found: _opponent(found, digits)),
        "increasing": (analysis.transforms, _invariance),
        "transform": (analysis.transform, _comparison),
        "depths": (analysis.depths, _depths),
        "shallow": (analysis.shallow, lambda found: _shallow(found, tree)),
    }
    data: dict[str, Any] = {"convention": analysis.convention.as_data(), "shape": _shape(analysis)}
    for name, (found, make) in makers.items():
        if found is not None:
            data[name] = _refused(found) if isinstance(found, Refusal) else make(found)
    return data


def _refused(refusal: Refusal) -> dict[str, Any]:
    return {"refused": refusal.message, "node": refusal.node, "code": refusal.code}


def _shape(analysis: Analysis) -> dict[str, Any]:
    its = analysis.shape
    branching = its.branching
    return {
        "nodes": its.nodes,
        "leaves": its.leaves,
        "depth": its.depth,
        "branching": None
        if branching is None
        else {"smallest": branching.smallest, "largest": branching.largest, "mean": plain(branching.mean)},
        "uniform": its.uniform,
        "alternating": its.alternating,
    }


def _pruning(found: Pruning) -> dict[str, Any]:
    growth = found.growth
    return {
        "growth": None
        if growth is None
        else {
            "evaluated": growth.evaluated,
            "effective_branching": str(growth.effective),
            "without_pruning": str(growth.whole),
            "root_of_branching": str(growth.root_of_branching),
        },
        "fewest": _extreme(found.fewest),
        "most": _refused(found.most) if isinstance(found.most, Refusal) else _extreme(found.most),
        "minimal_tree": {"types": dict(found.minimal.types), "leaves": list(found.minimal.leaves)},
        "prunable": dict(found.prunable),
    }


def _extreme(found: Extreme) -> dict[str, Any]:
    return {"leaves": found.leaves, "order": {node: list(children) for node, children in found.order.items()}}


def _soundness(found: Soundness) -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "value_survives": found.survives,
        "items": [{**_item(item), "verdict": item.verdict, "soundness": item.soundness} for item in found.items],
        "key": [{**_item(each.stop), "verdict": each.verdict} for each in found.key],
    }


def _item(item: Skipped) -> dict[str, Any]:
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


def _unknowns(found: OneUnknownFound | SeveralUnknowns) -> dict[str, Any]:
    if isinstance(found, SeveralUnknowns):
        return {
            "value_between": [plain_bound(found.low), plain_bound(found.high)],
            "depends": found.depends,
            "matters": dict(found.matters),
        }
    one = found.found
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
        if found.pruned is None
        else {
            node: {"where": where.text(one.name), "intervals": where.as_data()} for node, where in found.pruned.items()
        },
    }


def _opponent(found: Opponent, digits: int) -> dict[str, Any]:
    return {
        "models": {
            model: _refused(each) if isinstance(each, Refusal) else _mistakes(each, digits)
            for model, each in found.models.items()
        },
        "given": {
            model: {
                "errs": plain(each.errs),
                "value": plain(each.value),
                "minimax": plain(each.minimax),
                "gain": plain(each.gain),
                "moves": list(each.moves),
            }
            for model, each in found.given.items()
        },
    }


def _mistakes(found: Mistakes, digits: int) -> dict[str, Any]:
    return {
        "value": [
            {
                "from": piece.low.text(digits),
                "to": piece.high.text(digits),
                "coefficients": [plain(each) for each in piece.value],
            }
            for piece in found.pieces
        ],
        "moves": [{"where": each.text(digits), "moves": list(each.moves)} for each in found.stretches],
        "thresholds": [root.text(digits) for root in found.thresholds],
    }


def _invariance(found: Invariance) -> dict[str, Any]:
    example = found.counterexample
    return {
        "move": found.increasing,
        "reason": found.reason,
        "pruned_kept": found.pruned_kept,
        "positive_affine": "keeps",
        "counterexample": None
        if example is None
        else {
            "values": [[plain(old), plain(new)] for old, new in example.values],
            "moves_before": list(example.moves[0]),
            "moves_after": list(example.moves[1]),
        },
    }


def _comparison(found: Transformation) -> dict[str, Any]:
    return {
        "by": found.by,
        "kind": found.kind,
        "move": "same" if found.same_move else "different",
        "pruned": None if found.same_pruned is None else "same" if found.same_pruned else "different",
        "moves_before": list(found.moves[0]),
        "moves_after": list(found.moves[1]),
    }


def _depths(found: Horizon) -> dict[str, Any]:
    return {
        "unit": found.unit,
        "table": [
            {
                "depth": level.depth,
                "value": None if level.value is None else plain(level.value),
                "move": level.move,
                "moves": list(level.moves),
                "refused": level.refused,
            }
            for level in found.levels
        ],
        "move_changes_at": list(found.changes),
    }


def _shallow(found: Shallow, tree: Tree) -> dict[str, Any]:
    return {
        "pruned": [tree.ids[node] for node in found.pruned if tree.turn[node] is None],
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
            for cut in found.cuts
        ],
    }
