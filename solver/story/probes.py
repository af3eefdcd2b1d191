"""Star2's probes: which outcomes have been looked at with one child only."""

from __future__ import annotations

from solver.game.tree import CHANCE, MAX, MIN, Node
from solver.search.algorithms.registry import ALGORITHMS
from solver.search.events import ENTERED
from solver.story.about import About
from solver.story.happenings import Happening


class Probes:
    """Follows the happenings; `left_open` has the outcomes whose probe did not finish them."""

    def __init__(self, about: About) -> None:
        self.about = about
        self.probing = ALGORITHMS[about.solution.algorithm].probes
        self.left_open: set[Node] = set()

    def reenters(self, happening: Happening) -> bool:
        """Take in a happening; whether a probed node is entered to be searched on."""
        tree, node = self.about.tree, happening.node
        if not self.probing or happening.kind != ENTERED or tree.turn[node] not in (MAX, MIN):
            return False
        if node in self.left_open:
            self.left_open.remove(node)
            return True
        if node and tree.turn[tree.parent[node]] == CHANCE and len(tree.children[node]) > 1:
            self.left_open.add(node)
        return False

    def cut(self, node: Node) -> None:
        """A node was cut, and its cut reported: it is finished, and so are its outcomes."""
        self.left_open.discard(node)
        if self.probing:
            self.left_open.difference_update(self.about.tree.children[node])
