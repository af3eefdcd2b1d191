"""What AND-OR search and MCTS find beside values: plans and statistics, as data and in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.kernel.exact import Plain, plain
from solver.kernel.irrational import SquareRoot, decimal_text
from solver.render.writers import number
from solver.search.algorithms.mcts import Count, Iteration, UcbChoice
from solver.search.solution import PlanResult, SamplingResult, Solution

DEEPEST_PLAN = 100
"""A plan nested deeper is given as text only: many JSON readers stop there."""


def plan_data(result: PlanResult) -> dict[str, Any]:
    return {"plan": result.plan if _levels(result.plan) <= DEEPEST_PLAN else None, "plan_text": result.text}


def _levels(plan: Any) -> int:
    """How deep the plan's lists and mappings are nested."""
    levels, here = 0, [plan]
    while here := [item for item in here if isinstance(item, dict | list | tuple)]:
        levels += 1
        here = [inside for item in here for inside in (item.values() if isinstance(item, dict) else item)]
    return levels


def sampled_data(solution: Solution, sampled: SamplingResult) -> dict[str, Any]:
    result, sampling, tree = sampled.found, sampled.sampling, solution.tree
    children = tree.children[0]
    return {
        "exploration": exploration(sampled),
        "steps": result.steps,
        "seed": sampling.seed,
        "by_visits": None if result.by_visits is None else tree.move[result.by_visits],
        "by_value": None if result.by_value is None else tree.move[result.by_value],
        "counts": {name: [plain(result.totals[node]), result.visits[node]] for node, name in enumerate(tree.ids)},
        "trace": [_step_data(solution, step, sampling.digits) for step in result.trace],
        "checkpoints": [
            {
                "step": point.step,
                "visits": {tree.ids[child]: visits for child, visits in zip(children, point.visits, strict=True)},
                "shares": {
                    tree.ids[child]: decimal_text(share, sampling.digits)
                    for child, share in zip(children, point.shares, strict=True)
                },
                "estimate": decimal_text(point.estimate, sampling.digits),
            }
            for point in result.checkpoints
        ],
    }


def exploration(sampled: SamplingResult) -> Plain:
    constant = sampled.found.exploration
    return f"sqrt({constant.of})" if isinstance(constant, SquareRoot) else plain(constant)


def _step_data(solution: Solution, step: Iteration, digits: int) -> dict[str, Any]:
    ids = solution.tree.ids
    return {
        "choices": [
            {"node": ids[choice.node], "ucb1": _ucb1(solution, choice, digits), "chosen": ids[choice.chosen]}
            for choice in step.choices
        ],
        "path": [ids[node] for node in step.path],
        "expanded": None if step.expanded is None else ids[step.expanded],
        "listed": step.listed,
        "playout": [ids[node] for node in step.playout],
        "result": plain(step.result),
        "after": {ids[count.node]: [plain(count.total), count.visits] for count in step.after},
    }


def _ucb1(solution: Solution, choice: UcbChoice, digits: int) -> dict[str, str] | None:
    if choice.ucb1 is None:
        return None
    return {
        solution.tree.ids[child]: value if isinstance(value, str) else decimal_text(value, digits)
        for child, value in zip(choice.children, choice.ucb1, strict=True)
    }


def plan_lines(result: PlanResult) -> Iterator[str]:
    if result.plan is None:
        yield "There is no plan that reaches a goal whatever happens: failure."
    else:
        yield f"The plan is {result.text}."


def sampled_lines(solution: Solution, sampled: SamplingResult) -> Iterator[str]:
    """The first step stage by stage, then how the visits and the estimate went on."""
    result, digits, tree = sampled.found, sampled.sampling.digits, solution.tree
    ids = tree.ids
    if result.trace:
        step = result.trace[0]
        yield f"Step 1, with C = {exploration(sampled)}"
        for choice in step.choices:
            values = _ucb1(solution, choice, digits)
            if values is None:
                yield f"  select    {ids[choice.node]}: chance gives {ids[choice.chosen]}"
            else:
                marked = [f"{name} {text}{'*' if name == ids[choice.chosen] else ''}" for name, text in values.items()]
                yield f"  select    {ids[choice.node]}: {'  '.join(marked)}".replace(" inf", " ∞")
        yield f"  expand    {'nothing: a leaf' if step.expanded is None else ids[step.expanded]}"
        yield f"  playout   {number(step.result)} ({'given' if step.listed else 'drawn'})"
        yield f"  back up   {'  '.join(_count(ids[count.node], count) for count in step.after)}"
    for point in result.checkpoints:
        if tree.children[0] and (point.step > 1 or result.steps == 1):
            shares = ", ".join(
                f"{tree.move[child]} {decimal_text(100 * share, 0)} %"
                for child, share in zip(tree.children[0], point.shares, strict=True)
            )
            yield f"After step {point.step:,}: {shares}; estimate {decimal_text(point.estimate, digits)}"
    if result.by_visits is not None and result.by_value is not None:
        yield f"By visits {tree.move[result.by_visits]} is played, by value {tree.move[result.by_value]}."


def _count(name: str, count: Count) -> str:
    return f"{name} {number(count.total)}/{count.visits}"
