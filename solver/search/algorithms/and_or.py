"""AND-OR search (Russell & Norvig, AIMA 3e, Figure 4.11; AIMA 4e, Figure 4.11).

    function OR-SEARCH(state, problem, path) returns a conditional plan, or failure
        if problem.GOAL-TEST(state) then return the empty plan
        if state is on path then return failure
        for each action in problem.ACTIONS(state) do
            plan ← AND-SEARCH(RESULTS(state, action), problem, [state | path])
            if plan ≠ failure then return [action | plan]
        return failure

    function AND-SEARCH(states, problem, path) returns a conditional plan, or failure
        for each sᵢ in states do
            planᵢ ← OR-SEARCH(sᵢ, problem, path)
            if planᵢ = failure then return failure
        return [if s₁ then plan₁ else if s₂ then plan₂ else … if sₙ₋₁ then planₙ₋₁ else planₙ]

An or node is a state, its moves the actions. An and node stands for RESULTS, its children the outcomes, known by their
ids; an action with one outcome may lead straight to it. A loop is a state on the path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from solver.game.convention import Convention
from solver.game.game_tree import AND, AND_OR_TREES, OR, ROOT, Loop, Node, Outcome, Tree
from solver.kernel.errors import Refusal
from solver.search.solution import Algorithm, Sampling, Solution

Plan: TypeAlias = "Sequence[str | dict[str, Plan]]"
"""Moves in order, and after several outcomes a mapping from each outcome's id to its plan: `[a, {s1: [b], s2: []}]`."""


@dataclass(frozen=True, slots=True)
class AndOr:
    success: tuple[bool, ...]
    """Whether there is a plan from each node on, visited or not."""
    visited: tuple[Node, ...]
    """The nodes that the search came to, in order."""
    chosen: tuple[Node | None, ...]
    """At each or node that succeeds the first child, in search order, that does."""
    plan: Plan | None
    """None is failure, [] the empty plan; outcomes in document order."""

    @property
    def text(self) -> str:
        """The plan in the notation of the figure, or `failure`."""
        return "failure" if self.plan is None else plan_text(self.plan)


def and_or(tree: Tree, right_to_left: bool = False) -> AndOr:
    """The conditional plan that the textbook's search finds, and what it knows of every node."""
    _refuse_misfits(tree)
    step = -1 if right_to_left else 1
    success = _success(tree)
    chosen = [
        next((child for child in tree.children[node][::step] if success[child]), None) if turn == OR else None
        for node, turn in enumerate(tree.turn)
    ]
    visited = tuple(_visited(tree, success, step))
    return AndOr(tuple(success), visited, tuple(chosen), _plan(tree, chosen) if success[0] else None)


def _success(tree: Tree) -> list[bool]:
    """A goal succeeds; a failure and a loop do not; an or node needs one child that does, an and node all."""
    success = [leaf is Outcome.GOAL for leaf in tree.leaf]
    for node in tree.bottom_up():
        enough = any if tree.turn[node] == OR else all
        success[node] = enough(success[child] for child in tree.children[node])
    return success


def _visited(tree: Tree, success: list[bool], step: int) -> Iterator[Node]:
    """The search of a child returns its success: an or node stops at the first that succeeds, an and node at the
    first that fails."""
    stack = [ROOT]
    while stack:
        node = stack.pop()
        yield node
        stop_at = tree.turn[node] == OR
        tried: list[Node] = []
        for child in tree.children[node][::step]:
            tried.append(child)
            if success[child] == stop_at:
                break
        stack.extend(reversed(tried))


def _plan(tree: Tree, chosen: Sequence[Node | None]) -> Plan:
    plan: list[Any] = []
    unfinished = [(ROOT, plan)]
    while unfinished:
        node, steps = unfinished.pop()
        while outcomes := tree.children[node]:
            child = chosen[node] if tree.turn[node] == OR else outcomes[0]
            assert child is not None
            if tree.turn[node] == OR:
                steps.append(tree.move[child])
            elif len(outcomes) > 1:
                plans: dict[str, list[Any]] = {tree.ids[outcome]: [] for outcome in outcomes}
                steps.append(plans)
                unfinished.extend((outcome, plans[tree.ids[outcome]]) for outcome in outcomes)
                break
            node = child
    return plan


def plan_text(plan: Plan) -> str:
    """`[Suck, if s5 then [Right, Suck] else []]`: as Figure 4.11 writes plans, the last outcome without its name."""
    written: list[str] = []
    waiting: list[Any] = [plan]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            written.append(part)
            continue
        pieces: list[Any] = ["["]
        for position, step in enumerate(part):
            pieces.append(", " if position else "")
            pieces.extend(_branches(step) if isinstance(step, dict) else [step])
        waiting.extend(reversed([*pieces, "]"]))
    return "".join(written)


def _branches(plans: dict[str, Plan]) -> Iterator[Any]:
    last = len(plans) - 1
    for place, (outcome, plan) in enumerate(plans.items()):
        yield " else " if place else ""
        yield f"if {outcome} then " if place < last or not last else ""
        yield plan


def _refuse_misfits(tree: Tree) -> None:
    for node, turn in zip(tree.nodes, tree.turn, strict=True):
        if turn not in (OR, AND, None):
            message = f"and-or accepts or and and nodes only; this is {tree.name(node)}"
            raise Refusal(tree.ids[node], "algorithm", message)
        if turn is None and not isinstance(tree.leaf[node], Outcome | Loop):
            message = f"and-or needs true, false or a loop at every leaf; {tree.name(node)} has another value"
            raise Refusal(tree.ids[node], "algorithm", message)


def _solve(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    result = and_or(tree, convention.order == "right-to-left")
    return Solution(tree, AND_OR.name, convention, result.success, plan=result)


AND_OR = Algorithm("and-or", AND_OR_TREES, _solve, natural=True, opening="open.and-or")
