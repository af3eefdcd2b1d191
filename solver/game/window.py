"""The window that the search of a root starts with, as a convention says."""

from __future__ import annotations

from typing import Any

from solver.game.convention import Convention, Window
from solver.game.tree import Tree
from solver.kernel.errors import Refusal


def declared_window(tree: Tree, convention: Convention) -> Window | None:
    """The root's window as far as it does not depend on the leaves; None if it is that of the utilities."""
    if not isinstance(convention.window, str):
        return convention.window
    if convention.window == "utilities":
        return None
    if tree.bounds is None:
        message = "the window should be the game's bounds, but the game declares none"
        raise Refusal(tree.ids[0], "window", message, "add bounds: [L, U]")
    return tree.bounds


def initial_window(tree: Tree, convention: Convention) -> Window:
    """The root's window; that of the utilities is from the smallest leaf to the largest."""
    declared = declared_window(tree, convention)
    if declared is not None:
        return declared
    values: Any = [tree.leaf[node] for node in tree.leaves]
    return min(values), max(values)
