"""Alpha-beta search as the textbook prints it (Russell & Norvig, AIMA 3e, Figure 5.7; AIMA 4e, Figure 5.7).

The reference to which tests hold the loop of `solver/search/algorithms/alpha_beta.py`. It calls itself once for each
level, so it is for trees that are not deep. The figures name no convention; where they differ, and where courses
differ from both, `rules` says which line applies. Numbers are ranks of the utilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from solver.game.game_tree import MAX, Node, Tree
from solver.search.algorithms.alpha_beta import Rules
from solver.search.trace import LOWEST, Rank


@dataclass(slots=True)
class AlphaBetaSearch:
    tree: Tree
    utility: Sequence[Rank]
    infinity: Rank
    rules: Rules
    visited: list[Node] = field(default_factory=list)
    """States in the order in which the search came to them."""
    cuts: list[tuple[Node, Node]] = field(default_factory=list)
    """A state that was cut with actions left, and the result of the action after which it was."""

    def value(self, state: Node, alpha: Rank, beta: Rank) -> Rank:
        """What the search of a state returns; MAX and MIN need not alternate."""
        self.visited.append(state)
        if not self.tree.children[state]:
            v = self.utility[state]
        elif self.tree.turn[state] == MAX:
            v = self.max_value(state, alpha, beta)
        else:
            v = self.min_value(state, alpha, beta)
        return max(alpha, min(beta, v)) if self.rules.fail_hard else v

    def max_value(self, state: Node, alpha: Rank, beta: Rank) -> Rank:
        v = LOWEST
        for result in self.results(state):
            v = max(v, self.value(result, alpha, beta))
            if self.rules.update_before_test:
                alpha = max(alpha, v)
            if v > beta or (v == beta and not self.rules.past_bound):
                self.cut(state, result)
                return v
            alpha = max(alpha, v)
        return v

    def min_value(self, state: Node, alpha: Rank, beta: Rank) -> Rank:
        v = self.infinity
        for result in self.results(state):
            v = min(v, self.value(result, alpha, beta))
            if self.rules.update_before_test:
                beta = min(beta, v)
            if v < alpha or (v == alpha and not self.rules.past_bound):
                self.cut(state, result)
                return v
            beta = min(beta, v)
        return v

    def results(self, state: Node) -> Sequence[Node]:
        """Where the actions of a state lead, in the order in which they are tried."""
        return self.tree.children[state][:: -1 if self.rules.right_to_left else 1]

    def cut(self, state: Node, result: Node) -> None:
        if result != self.results(state)[-1]:
            self.cuts.append((state, result))
