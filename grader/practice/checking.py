"""An answer to a step, a hint that does not tell the key, and the solution in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grader.answers import Bound, boolean, extended, missing, same_name, value
from grader.practice.steps import LedStep, StepKind
from solver.game import MAX, MIN
from solver.languages import Between, Fact, Sentence
from solver.search import Solution

ANSWER, LOW, HIGH = "answer", "low", "high"
"""The boxes of a step: a window has two."""
_SIGNS = {"<=": "at-most", ">=": "at-least"}


def fields_of(step: LedStep) -> tuple[str, ...]:
    return (LOW, HIGH) if step.kind == StepKind.WINDOW else (ANSWER,)


def is_blank(step: LedStep, given: Mapping[str, str]) -> bool:
    return any(missing(given.get(name)) for name in fields_of(step))


def is_right(solution: Solution, step: LedStep, given: Mapping[str, str], comma: bool = False) -> bool:
    """Unreadable where nothing can be made of what was written."""
    match step.kind:
        case StepKind.NEXT:
            return same_name(given[ANSWER].strip(), _name(solution, step.right))
        case StepKind.WINDOW:
            return bool((extended(given[LOW], comma=comma), extended(given[HIGH], comma=comma)) == step.right)
        case StepKind.CUT:
            return bool(boolean(given[ANSWER]) == step.right)
    found = value(given[ANSWER], comma=comma)
    if isinstance(found, Bound):
        return found.number == step.right and step.bound is not None and _SIGNS.get(found.sign) == step.bound
    return bool(found == step.right)


def question_of(solution: Solution, step: LedStep) -> Sentence:
    match step.kind:
        case StepKind.NEXT if step.node < 0:
            return Sentence("step.begin")
        case StepKind.CUT:
            return Sentence("step.cut", None, _facts(solution, step))
    return Sentence(f"step.{step.kind}", None, {"node": _name(solution, step.node)})


def hints_of(solution: Solution, step: LedStep) -> Iterator[Sentence]:
    """The rule that decides, in the convention of the search: nothing in it depends on a number of the tree."""
    convention, turn = solution.convention, solution.tree.turn[max(step.node, 0)]
    match step.kind:
        case StepKind.NEXT:
            yield Sentence(f"step.hint.next.{convention.order}")
        case StepKind.WINDOW:
            yield Sentence("step.hint.window" if step.node else "step.hint.window.root")
        case StepKind.CUT:
            node: dict[str, Fact] = {"node": _name(solution, step.node)}
            yield Sentence(f"step.hint.cut.{turn}.{convention.cut}", None, node)
        case StepKind.VALUE:
            yield Sentence(f"step.hint.value.{turn if turn in (MAX, MIN) else 'chance'}")
            if solution.search is not None and convention.returns == "fail-hard":
                yield Sentence("step.hint.fail-hard")


def told_of(solution: Solution, step: LedStep) -> Sentence:
    """The solution of a step."""
    name = _name(solution, step.node) if step.node >= 0 else ""
    match step.kind:
        case StepKind.NEXT:
            return Sentence("step.told.next", None, {"node": _name(solution, step.right)})
        case StepKind.WINDOW:
            return Sentence("step.told.window", None, {"node": name, "window": Between(step.right)})
        case StepKind.CUT:
            return Sentence("step.told.stops" if step.right else "step.told.goes-on", None, _facts(solution, step))
    return Sentence("step.told.value", None, {"node": name, "value": step.right})


def _facts(solution: Solution, step: LedStep) -> dict[str, Fact]:
    return {
        "node": _name(solution, step.node),
        "child": _name(solution, step.child),
        "value": _returned(solution, step.child),
    }


def _returned(solution: Solution, node: int) -> Any:
    search = solution.search
    rank = None if search is None else search.returned[node]
    if search is None or rank is None:
        return solution.values[node]
    return search.scale.number(rank)


def _name(solution: Solution, node: int) -> str:
    return str(solution.tree.ids[node])
