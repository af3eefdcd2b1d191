"""Questions about a tree that one search does not answer."""

from solver.analysis.analysis_request import AnalysisRequest
from solver.analysis.horizon_effect import horizon
from solver.analysis.leaf_transformations import increasing_changes, read_formula, transform_compared
from solver.analysis.move_ordering import leaves_evaluated, order_with_fewest, order_with_most, reordered
from solver.analysis.opponent_model import against_mistakes, opponent_mistakes
from solver.analysis.plan_simulation import simulate_plan
from solver.analysis.polynomials import Root
from solver.analysis.search_replay import replayed_windows
from solver.analysis.sound_pruning import (
    ByKey,
    ByReplay,
    Comparison,
    CrossedOutItem,
    KeySearch,
    KeyStop,
    Soundness,
    leaves_below,
    soundness,
)
from solver.analysis.tree_shape import prunable, shape, witness
from solver.analysis.unknowns import one_unknown, pruned_ranges, substituted

__all__ = [
    "AnalysisRequest",
    "ByKey",
    "ByReplay",
    "Comparison",
    "CrossedOutItem",
    "KeySearch",
    "KeyStop",
    "Root",
    "Soundness",
    "against_mistakes",
    "horizon",
    "increasing_changes",
    "leaves_below",
    "leaves_evaluated",
    "one_unknown",
    "opponent_mistakes",
    "order_with_fewest",
    "order_with_most",
    "prunable",
    "pruned_ranges",
    "read_formula",
    "reordered",
    "replayed_windows",
    "shape",
    "simulate_plan",
    "soundness",
    "substituted",
    "transform_compared",
    "witness",
]
