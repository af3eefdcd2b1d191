"""Being led through a search: questions made from its own events, in the order in which things happen.

Which node comes next, the window that it is entered with, whether the search goes on after a child, and what a node
returns. Whoever is led briefly is asked what comes next only where the search turns back, and about a cut only where
there is something to compare with. An answer to a step is judged at once; a hint does not tell the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from grader.answers import Bound, boolean, extended, missing, same_name, value
from grader.questions.answer_key import AnswerKey
from grader.questions.registry import ask_of
from solver.game import CHANCE, MAX, MIN, Unknown
from solver.kernel import Refusal
from solver.languages import Between, Fact, Sentence
from solver.search import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED, Solution

LED = ("alpha-beta", "minimax", "expectiminimax")
"""Algorithms whose searches one can be led through."""
MOST_STEPS = 400


class StepKind(StrEnum):
    NEXT = "next"
    WINDOW = "window"
    CUT = "cut"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class LedStep:
    kind: StepKind
    node: int
    """NEXT: where the search is, −1 before it begins. WINDOW and VALUE: the node asked about. CUT: the node that is
    left or not."""
    right: Any
    """A node, a window, whether the search of the node stops, a number."""
    child: int = -1
    """CUT: the child that has just returned; NEXT: the node that returned last, if the search goes up."""
    bound: str | None = None
    """VALUE: `at-most` or `at-least` where the number is only a bound, else None."""


def led_solution(answer_key: AnswerKey) -> Solution:
    """Of the searches that an exercise asks about, the first that prunes, or else the first; Refusal if there is none
    that one can be led through."""
    attempts: list[Solution] = []
    if not any(isinstance(leaf, Unknown) for leaf in answer_key.tree.leaf):
        for question in answer_key.questions:
            searches = not ask_of(question).of_values or question.algorithm is not None
            attempt = question.attempt() if searches else answer_key.attempt("expectiminimax", question.depth)
            if not isinstance(attempt, Refusal) and _can_lead(attempt):
                attempts.append(attempt)
    if not attempts:
        raise Refusal("", "algorithm", "nobody can be led through this search step by step")
    return next((each for each in attempts if each.search is not None), attempts[0])


def _can_lead(solution: Solution) -> bool:
    tree = solution.tree
    return solution.algorithm in LED and bool(tree.inner) and tree.turns <= {MAX, MIN, CHANCE} and tree.only_numbers


def steps_of(solution: Solution, brief: bool = True) -> list[LedStep]:
    """The first of them, in a very long search."""
    steps = _pruning_steps(solution) if solution.search is not None else _plain_steps(solution)
    return list(islice((step for step in steps if not brief or _matters(solution, step)), MOST_STEPS))


def _matters(solution: Solution, step: LedStep) -> bool:
    if step.kind == StepKind.NEXT:
        return step.child >= 0 and solution.tree.turn[step.child] is not None
    return step.kind != StepKind.CUT or _something_to_compare(solution, step.node)


def _something_to_compare(solution: Solution, node: int) -> bool:
    search = solution.search
    entry = None if search is None else search.entry[node]
    if search is None or entry is None:
        return False
    low, high = (search.scale.number(each) for each in entry)
    return not isinstance(high if solution.tree.turn[node] == MAX else low, str)


def _pruning_steps(solution: Solution) -> Iterator[LedStep]:
    search, tree = solution.search, solution.tree
    assert search is not None
    number, events = search.scale.number, search.events
    at, returned = -1, -1
    what: Any
    for place, (kind, node, what) in enumerate(events):
        if kind in (ENTERED, EVALUATED):
            yield LedStep(StepKind.NEXT, at, node, returned)
            at, returned = node, -1
        if kind == ENTERED:
            low, high = what
            yield LedStep(StepKind.WINDOW, node, (number(low), number(high)))
        elif kind == BACKED_UP:
            known = search.known(node)
            bound = known if known in ("at-most", "at-least") else None
            yield LedStep(StepKind.VALUE, node, number(what), bound=bound)
        if kind in (EVALUATED, BACKED_UP) and tree.parent[node] >= 0:
            parent = tree.parent[node]
            at, returned = parent, node
            if node != _last_child(solution, parent):
                yield LedStep(StepKind.CUT, parent, _is_cut(events[place + 1 : place + 3], parent), node)


def _is_cut(following: Sequence[Any], parent: int) -> bool:
    """Whether what happens next is that the node is left, perhaps after its window moved."""
    for kind, node, _ in following:
        if node != parent or kind not in (MOVED, CUT):
            return False
        if kind == CUT:
            return True
    return False


def _last_child(solution: Solution, node: int) -> int:
    children = solution.tree.children[node]
    return children[0] if solution.convention.order == "right-to-left" else children[-1]


def _plain_steps(solution: Solution) -> Iterator[LedStep]:
    """A search that visits everything: which node comes next, and what each is worth."""
    tree, backwards = solution.tree, solution.convention.order == "right-to-left"
    yield LedStep(StepKind.NEXT, -1, 0)
    open_nodes = [(0, iter(tree.children[0][::-1] if backwards else tree.children[0]))]
    returned = -1
    while open_nodes:
        node, below = open_nodes[-1]
        child = next(below, None)
        if child is None:
            open_nodes.pop()
            yield LedStep(StepKind.VALUE, node, solution.values[node])
            returned = node
            continue
        yield LedStep(StepKind.NEXT, node, child, returned)
        returned = -1
        if tree.turn[child] is None:
            returned = child
        else:
            open_nodes.append((child, iter(tree.children[child][::-1] if backwards else tree.children[child])))


ANSWER, LOW, HIGH = "answer", "low", "high"
"""The boxes of a step: a window has two."""
_SIGNS = {"<=": "at-most", ">=": "at-least"}


def step_fields(step: LedStep) -> tuple[str, ...]:
    return (LOW, HIGH) if step.kind == StepKind.WINDOW else (ANSWER,)


def is_blank(step: LedStep, given: Mapping[str, str]) -> bool:
    return any(missing(given.get(name)) for name in step_fields(step))


def is_right(solution: Solution, step: LedStep, given: Mapping[str, str], comma: bool = False) -> bool:
    """Unreadable where nothing can be made of what was written."""
    match step.kind:
        case StepKind.NEXT:
            return same_name(given[ANSWER].strip(), _name(solution, step.right))
        case StepKind.WINDOW:
            return bool((extended(given[LOW], comma=comma), extended(given[HIGH], comma=comma)) == step.right)
        case StepKind.CUT:
            return bool(boolean(given[ANSWER]) == step.right)
    answer = value(given[ANSWER], comma=comma)
    if isinstance(answer, Bound):
        return answer.number == step.right and step.bound is not None and _SIGNS.get(answer.sign) == step.bound
    return bool(answer == step.right)


def question_sentence(solution: Solution, step: LedStep) -> Sentence:
    match step.kind:
        case StepKind.NEXT if step.node < 0:
            return Sentence("step.begin")
        case StepKind.CUT:
            return Sentence("step.cut", None, _facts(solution, step))
    return Sentence(f"step.{step.kind}", None, {"node": _name(solution, step.node)})


def step_hints(solution: Solution, step: LedStep) -> Iterator[Sentence]:
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


def solution_sentence(solution: Solution, step: LedStep) -> Sentence:
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
