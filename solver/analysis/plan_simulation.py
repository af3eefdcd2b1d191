"""A conditional plan, executed on every outcome: does it always reach a goal?

The plan is a program. A move is made where an or node has it. A mapping says what to do in each of several states:
it is looked up by the id of the node that the play has come to, and the plan goes on behind it, if there is more. A
plan without a mapping after several outcomes does the same in all of them. A goal ends the play; an outcome that a
mapping leaves out is an error even at a goal, where `[]` should be.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from solver.game.game_tree import AND, ROOT, Loop, Node, NodeId, Outcome, Tree
from solver.search.algorithms.and_or import Plan

Steps: TypeAlias = "tuple[Any, int, Steps] | None"
"""What is still to be done: a plan, the position in it, and what comes after it; None for nothing."""


class Fault(Enum):
    """Why a play of the plan does not reach a goal."""

    MISSING_OUTCOME = "missing-outcome"
    UNKNOWN_MOVE = "unknown-move"
    LOOP = "loop"
    FAILURE = "failure"
    ENDS_EARLY = "ends-early"


@dataclass(frozen=True, slots=True)
class FailedPlay:
    """One way in which the outcomes may fall so that the plan fails."""

    path: tuple[NodeId, ...]
    """From the root to the node at which it fails."""
    fault: Fault
    step: Any = None
    """The move that the node does not have, or the mapping that leaves it out."""


@dataclass(frozen=True, slots=True)
class Simulation:
    failed: FailedPlay | None
    """The first failing play in document order; None if the plan always reaches a goal."""
    goals: tuple[NodeId, ...]
    """The goals reached before that, in document order."""
    idle: tuple[NodeId, ...]
    """Those of the goals at which the plan had steps left that are never made."""

    @property
    def works(self) -> bool:
        return self.failed is None


def simulate_plan(tree: Tree, plan: Plan) -> Simulation:
    """Execute a plan on every outcome, in document order, up to the first play that does not reach a goal."""
    goals: list[NodeId] = []
    idle: list[NodeId] = []
    plays: list[tuple[Node, Steps]] = [(ROOT, _after(plan, 0, None))]
    while plays:
        node, steps = plays.pop()
        steps = _looked_up(tree, node, steps)
        step = None if steps is None else steps[0][steps[1]]
        leaf = tree.leaf[node]
        if tree.turn[node] == AND:
            plays.extend((outcome, steps) for outcome in reversed(tree.children[node]))
        elif isinstance(step, dict):
            return _failed(tree, node, Fault.MISSING_OUTCOME, goals, idle, step)
        elif leaf is Outcome.GOAL:
            goals.append(tree.ids[node])
            idle.extend([tree.ids[node]] if steps else [])
        elif leaf is not None:
            fault = Fault.LOOP if isinstance(leaf, Loop) else Fault.FAILURE
            return _failed(tree, node, fault, goals, idle)
        elif steps is None:
            return _failed(tree, node, Fault.ENDS_EARLY, goals, idle)
        else:
            successors = [child for child in tree.children[node] if tree.move[child] == step]
            if not successors:
                return _failed(tree, node, Fault.UNKNOWN_MOVE, goals, idle, step)
            plays.append((successors[0], _after(steps[0], steps[1] + 1, steps[2])))
    return Simulation(None, tuple(goals), tuple(idle))


def _looked_up(tree: Tree, node: Node, steps: Steps) -> Steps:
    """The steps with the mapping in front, if it names this node, replaced by what it says."""
    while steps is not None and isinstance(plans := steps[0][steps[1]], dict) and tree.ids[node] in plans:
        steps = _after(plans[tree.ids[node]], 0, _after(steps[0], steps[1] + 1, steps[2]))
    return steps


def _after(plan: Any, position: int, then: Steps) -> Steps:
    """The steps of a plan from a position on, and what follows; a single step needs no brackets."""
    steps = plan if isinstance(plan, list | tuple) else (plan,)
    return (steps, position, then) if position < len(steps) else then


def _failed(
    tree: Tree, node: Node, fault: Fault, goals: list[NodeId], idle: list[NodeId], step: Any = None
) -> Simulation:
    path = [tree.ids[node]]
    while node:
        node = tree.parent[node]
        path.append(tree.ids[node])
    return Simulation(FailedPlay(tuple(reversed(path)), fault, step), tuple(goals), tuple(idle))
