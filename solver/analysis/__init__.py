"""Questions about a tree that one search does not answer."""

from solver.analysis.asked import Asked
from solver.analysis.formula import read_formula
from solver.analysis.horizon_effect import horizon
from solver.analysis.opponent import against_mistakes, opponent_mistakes
from solver.analysis.orders import leaves_evaluated, order_with_fewest, order_with_most, reordered
from solver.analysis.own_search import replayed_windows
from solver.analysis.plans import simulate_plan
from solver.analysis.polynomials import Root
from solver.analysis.prunable_leaves import prunable, witness
from solver.analysis.sound_pruning import (
    ByKey,
    ByReplay,
    Comparison,
    KeySearch,
    KeyStop,
    Skipped,
    Soundness,
    leaves_below,
    soundness,
)
from solver.analysis.transforms import increasing_changes, transform_compared
from solver.analysis.tree_shape import shape
from solver.analysis.unknowns import one_unknown, pruned_ranges, substituted

__all__ = [
    "Asked",
    "ByKey",
    "ByReplay",
    "Comparison",
    "KeySearch",
    "KeyStop",
    "Root",
    "Skipped",
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
