"""What the analyses of MAX's and MIN's numbers accept; anything else is refused by naming the node."""

from __future__ import annotations

from solver.game.tree import CHANCE, MAX, MIN, Tree, Unknown
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number


def accept(tree: Tree, what: str, chance: bool = True, unknowns: bool = False) -> None:
    """Refuse a tree with other turns than max, min and (perhaps) chance, or with leaves that are not numbers (or,
    perhaps, unknowns)."""
    turns = {MAX, MIN, CHANCE} if chance else {MAX, MIN}
    if not tree.turns <= turns:
        node = next(node for node in tree.inner if tree.turn[node] not in turns)
        accepted = "max, min and chance" if chance else "max and min"
        raise Refusal(tree.ids[node], "algorithm", f"{what}: only for {accepted} nodes; this is {tree.name(node)}")
    if tree.only_numbers:
        return
    for node in tree.leaves:
        leaf = tree.leaf[node]
        if unknowns and isinstance(leaf, Unknown):
            continue
        if not isinstance(leaf, Number):
            found = f"the unknown {leaf.name}" if isinstance(leaf, Unknown) else "something else"
            raise Refusal(
                tree.ids[node], "algorithm", f"{what}: needs a number at every leaf; {tree.name(node)} has {found}"
            )
