"""What a chance node is worth: the exact mean of its outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from solver.game.tree import Node, Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import RESULT_DIGITS, Number, fits, simplest


def expected(tree: Tree, node: Node, values: Sequence[Number]) -> Number:
    """The mean of the children's values by their probabilities."""
    mean = Fraction(0)
    for child, value in zip(tree.children[node], values, strict=True):
        chance = tree.probability[child]
        assert chance is not None
        mean += chance * value
    if not fits(mean):
        raise Refusal(
            tree.ids[node], "result-size", f"{tree.name(node)}: its value has more than {RESULT_DIGITS:,} digits"
        )
    return simplest(mean)
