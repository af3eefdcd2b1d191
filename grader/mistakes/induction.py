"""Backward induction by any rule: mistakes in working out values are this with a wrong rule at some nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from grader.mistakes.behaviour import Behaviour
from solver.game import Convention, Node, Tree

Rule: TypeAlias = Callable[[Node, list[Any]], Any]
"""What an inner node is worth, from what its children are."""


def induced(tree: Tree, rule: Rule) -> list[Any]:
    """Every node's value by a rule, leaves as they are."""
    values: list[Any] = list(tree.leaf)
    for node in tree.bottom_up():
        values[node] = rule(node, [values[child] for child in tree.children[node]])
    return values


def written(tree: Tree, convention: Convention, values: Sequence[Any]) -> Behaviour:
    """The values of inner nodes, and the move to the child that is worth what the root is."""
    children = tree.children[0][:: -1 if convention.order == "right-to-left" else 1]
    best = [child for child in children if values[child] == values[0]]
    move = best[-1 if convention.ties == "last" else 0] if best else None
    return Behaviour(values={node: values[node] for node in tree.inner}, move=move)
