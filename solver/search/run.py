"""Alpha-beta as a search with all that it did; also with somebody's own values in place of what nodes return."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from solver.game.convention import Convention
from solver.game.tree import Tree
from solver.game.window import initial_window
from solver.kernel.exact import Number
from solver.search.algorithms.alpha_beta import alpha_beta
from solver.search.algorithms.minimax import minimax
from solver.search.pruning import rules_of
from solver.search.ranks import scale_of
from solver.search.trace import Search, retrace


def searched(tree: Tree, convention: Convention, handed_up: Mapping[int, Number] = MappingProxyType({})) -> Search:
    """A tree of MAX and MIN, from the convention's window; a node in `handed_up` returns what is said there."""
    bounds = initial_window(tree, convention)
    scale = scale_of(tree, [*bounds, *handed_up.values()])
    window = (scale.rank(bounds[0]), scale.rank(bounds[1]))
    own = {node: scale.rank(value) for node, value in handed_up.items()}
    events = alpha_beta(tree, scale.utility, window, scale.infinity, rules_of(convention), own)
    return retrace(tree, scale, minimax(tree, scale.utility), window, events)
