"""Game → analysis: every question about a tree that one search does not answer, on one page.

A question that does not arise (no unknowns, no estimates, …) is left out; one that this tree is not for, or is too
large for, is answered by its refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from solver.analysis.analysis_request import NO_REQUEST, AnalysisRequest
from solver.analysis.horizon_effect import Horizon, horizon
from solver.analysis.leaf_transformations import (
    Invariance,
    Transformation,
    increasing_changes,
    read_formula,
    transform_compared,
)
from solver.analysis.move_ordering import Extreme, order_with_fewest, order_with_most, reordered
from solver.analysis.opponent_model import MODELS, Against, Mistakes, against_mistakes, opponent_mistakes
from solver.analysis.piecewise import Range
from solver.analysis.sound_pruning import Soundness, soundness
from solver.analysis.tree_shape import Growth, MinimalTree, TreeShape, growth, minimal_tree, prunable, shape
from solver.analysis.unknowns import (
    OneUnknown,
    SeveralUnknowns,
    one_unknown,
    pruned_ranges,
    several_unknowns,
    unknown_names,
)
from solver.game.convention import DEFAULT, Convention, initial_window
from solver.game.game_builder import Game
from solver.game.game_tree import CHANCE, MAX, MIN, NodeId
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number
from solver.search.algorithms.alpha_beta import pruned_nodes, rules_of
from solver.search.algorithms.shallow import Shallow, shallow_pruning


@dataclass(frozen=True, slots=True)
class Pruning:
    """How the search of this tree compares with the best and the worst order of its children."""

    growth: Growth | None
    fewest: Extreme
    most: Extreme | Refusal
    minimal: MinimalTree
    """In the order that evaluates fewest."""
    prunable: Mapping[NodeId, bool]


@dataclass(frozen=True, slots=True)
class OneUnknownAnalysis:
    found: OneUnknown
    pruned: Mapping[NodeId, Range] | None
    """None with chance nodes, below which alpha-beta prunes nothing."""


@dataclass(frozen=True, slots=True)
class Opponent:
    models: Mapping[str, Mistakes | Refusal]
    given: Mapping[str, Against]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Each part is there, or None if the question does not arise, or the refusal that answers it."""

    game: Game
    convention: Convention
    shape: TreeShape
    pruning: Pruning | Refusal | None
    soundness: Soundness | Refusal | None
    unknowns: OneUnknownAnalysis | SeveralUnknowns | Refusal | None
    opponent: Opponent | Refusal | None
    transforms: Invariance | Refusal | None
    transform: Transformation | Refusal | None
    depths: Horizon | Refusal | None
    shallow: Shallow | Refusal | None


def analyse(game: Game, convention: Convention = DEFAULT, asked: AnalysisRequest = NO_REQUEST) -> Analysis:
    """Every analysis that makes sense for a game."""
    tree = game.tree
    plain_turns = tree.turns <= {MAX, MIN}
    numbers = tree.only_numbers and tree.turns <= {MAX, MIN, CHANCE} and not tree.players
    unknowns = unknown_names(tree)
    return Analysis(
        game=game,
        convention=convention,
        shape=shape(tree),
        pruning=_or_refusal(lambda: _pruning(game, convention, asked.digits)) if plain_turns and numbers else None,
        soundness=_or_refusal(lambda: soundness(tree, asked.pruned or (), convention, initial_window(tree, convention)))
        if asked.pruned is not None
        else None,
        unknowns=_or_refusal(lambda: _unknowns(game, convention, unknowns)) if unknowns else None,
        opponent=_or_refusal(lambda: _opponent(game, asked.errs))
        if asked.errs is not None or (numbers and MIN in tree.turns)
        else None,
        transforms=_or_refusal(lambda: increasing_changes(tree, convention)) if numbers and tree.inner else None,
        transform=_or_refusal(lambda: transform_compared(tree, read_formula(str(asked.transform)), convention))
        if asked.transform is not None
        else None,
        depths=_or_refusal(lambda: horizon(game, convention)) if tree.estimates else None,
        shallow=_or_refusal(lambda: _shallow(game, convention)) if len(tree.sides) > 1 else None,
    )


def _or_refusal(find: Callable[[], Any]) -> Any:
    try:
        return find()
    except Refusal as refusal:
        return refusal


def _pruning(game: Game, convention: Convention, digits: int) -> Pruning:
    tree = game.tree
    rules = rules_of(convention)
    pruned = set(pruned_nodes(tree, convention))
    evaluated = sum(leaf not in pruned for leaf in tree.leaves)
    best = order_with_fewest(tree, rules)
    return Pruning(
        growth=growth(shape(tree), evaluated, digits),
        fewest=best,
        most=_or_refusal(lambda: order_with_most(tree, rules)),
        minimal=minimal_tree(reordered(tree, best.order), rules.right_to_left),
        prunable=prunable(tree, rules.right_to_left),
    )


def _unknowns(game: Game, convention: Convention, names: Sequence[str]) -> OneUnknownAnalysis | SeveralUnknowns:
    tree = game.tree
    if len(names) > 1:
        return several_unknowns(tree)
    ranges = None if CHANCE in tree.turns else pruned_ranges(tree, convention)
    return OneUnknownAnalysis(one_unknown(tree), ranges)


def _shallow(game: Game, convention: Convention) -> Shallow:
    leaves: Any = game.tree.leaf
    return shallow_pruning(game.tree, leaves, convention.cut == "past-bound", convention.order == "right-to-left")


def _opponent(game: Game, errs: Number | None) -> Opponent:
    tree = game.tree
    given = {} if errs is None else {model: against_mistakes(tree, errs, model) for model in MODELS}
    return Opponent({model: _or_refusal(partial(opponent_mistakes, tree, model)) for model in MODELS}, given)
