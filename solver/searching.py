"""Alpha-beta as a search with all that it did; also with somebody's own values in place of what nodes return."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from solver.algorithms.alpha_beta import alpha_beta
from solver.algorithms.minimax import minimax
from solver.analysis.pruning import rules_of
from solver.convention import Convention
from solver.exact import Number
from solver.ranks import scale_of
from solver.search import Search, retrace
from solver.tree import Tree
from solver.window import initial_window


def searched(tree: Tree, convention: Convention, handed_up: Mapping[int, Number] = MappingProxyType({})) -> Search:
    """A tree of MAX and MIN, from the convention's window; a node in `handed_up` returns what is said there."""
    bounds = initial_window(tree, convention)
    scale = scale_of(tree, [*bounds, *handed_up.values()])
    window = (scale.rank(bounds[0]), scale.rank(bounds[1]))
    own = {node: scale.rank(value) for node, value in handed_up.items()}
    events = alpha_beta(tree, scale.utility, window, scale.infinity, rules_of(convention), own)
    return retrace(tree, scale, minimax(tree, scale.utility), window, events)
