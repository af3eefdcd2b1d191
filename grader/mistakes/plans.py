"""O: mistakes in AND-OR search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grader.mistakes.behaviour import Behaviour, Model
from solver.game import OR, Convention, Loop, Outcome, Tree
from solver.search import Solution

Run = Callable[[Tree, Convention, Solution], Behaviour | None]
Succeeds = Callable[[int, list[bool]], bool]
Covered = Callable[[int, list[bool]], Sequence[int]]
"""The outcomes of an and node that the plan provides for, from which nodes succeed."""


def _planning(
    succeeds_of: Callable[[Tree], Succeeds], goals: tuple[type, ...], covered_of: Callable[[Tree], Covered]
) -> Run:
    """AND-OR search with another idea of success at and nodes and leaves, or of what a plan has to cover."""

    def run(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        tree = solution.tree
        if solution.plan is None or not tree.inner:
            return None
        step = -1 if convention.order == "right-to-left" else 1
        succeeds = succeeds_of(tree)
        success = [leaf is Outcome.GOAL or isinstance(leaf, goals) for leaf in tree.leaf]
        for node in tree.bottom_up():
            below = [success[child] for child in tree.children[node]]
            success[node] = any(below) if tree.turn[node] == OR else succeeds(node, below)
        move = (
            next((child for child in tree.children[0][::step] if success[child]), None) if tree.turn[0] == OR else None
        )
        plan = _plan(tree, success, step, covered_of(tree)) if success[0] else None
        return Behaviour({node: success[node] for node in tree.inner}, move=move, facts={"plan": plan})

    return run


def _plan(tree: Tree, success: list[bool], step: int, covered: Covered) -> list[Any]:
    plan: list[Any] = []
    unfinished = [(0, plan)]
    while unfinished:
        node, steps = unfinished.pop()
        while children := tree.children[node]:
            if tree.turn[node] == OR:
                node = next(child for child in children[::step] if success[child])
                steps.append(tree.move[node])
            elif len(children) == 1:
                node = children[0]
            else:
                plans: dict[str, list[Any]] = {tree.ids[child]: [] for child in covered(node, success)}
                steps.append(plans)
                unfinished.extend((tree.index[outcome], plans[outcome]) for outcome in plans)  # type: ignore[index]
                break
    return plan


def _every(_: Tree) -> Succeeds:
    return lambda _, below: all(below)


def _one_is_enough(_: Tree) -> Succeeds:
    return lambda _, below: any(below)


def _all_outcomes(tree: Tree) -> Covered:
    return lambda node, _: tree.children[node]


def _first_success(tree: Tree) -> Covered:
    return lambda node, success: [next(child for child in tree.children[node] if success[child])]


def _all_but_the_last(tree: Tree) -> Covered:
    return lambda node, _: tree.children[node][:-1]


FAMILY = "plans"
MODELS = [
    Model("O1", FAMILY, _planning(_one_is_enough, (), _first_success)),
    Model("O2", FAMILY, _planning(_every, (Loop,), _all_outcomes)),
    Model("O3", FAMILY, _planning(_every, (), _all_but_the_last)),
]
