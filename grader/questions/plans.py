"""`plan`: a conditional plan of an AND-OR tree. It is executed on every outcome, never compared as text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from grader.answers import ELSE, folded, plan
from grader.mistakes.words import STRATEGY
from grader.questions.aids import hinted
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Ask, Given
from grader.questions.conditions import and_or, solved
from grader.questions.following import Following
from grader.questions.items import Marked
from grader.questions.presentation import STEPS, WHOLE_PLANS
from solver.analysis import simulate_plan
from solver.game import AND, OR, ROOT, Tree
from solver.languages import Fact, Sentence
from solver.story import plan_formula

Plan = list[Any]


class PlanAsk(Ask):
    name = "plan"
    conditions = (and_or, solved)
    algorithms = ("and-or",)
    many_right = True
    offers = WHOLE_PLANS
    open_ended = True
    key_is_names = True
    own_items = ("plan",)

    def key(self, question: KeyedQuestion) -> Mapping[str, Plan | None]:
        found = question.solution.plan
        assert found is not None, "an exercise is checked: its tree is one for plans"
        return {"plan": found.plan}

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        whole = raw["plan"] if isinstance(raw, dict) and list(raw) == ["plan"] else raw
        return {} if raw is None else {"plan": self._given(question, "plan", whole)}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Plan | None:
        """With the tree's own names; None says that there is no plan."""
        found = plan(raw)
        tree = question.solution.tree
        return None if found is None else question.once("plan names", lambda: _Named(tree)).plan(found)

    def agrees(self, question: KeyedQuestion, item: str, value: Plan | None, expected: Plan | None) -> bool:
        if value is None or expected is None:
            return value is expected
        return bool(simulate_plan(question.solution.tree, value).works)

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        tree = question.solution.tree

        def hint(_: str, value: Plan | None) -> Sentence | None:
            failed = None if value is None else simulate_plan(tree, value).failed
            if failed is None:
                return None
            facts = {"node": str(failed.path[-1])}
            if failed.fault.value == "unknown-move":
                facts["move"] = str(failed.step)
            return Sentence(f"hint.plan.{failed.fault.value}", None, facts)

        return hinted(super().mark(question, given, own, follow_through), given, hint)

    def perfect(self, question: KeyedQuestion) -> Any:
        found = self.keyed(question)["plan"]
        return "failure" if found is None else found

    def fact(self, question: KeyedQuestion, item: str, expected: Plan | None) -> Fact:
        return Sentence("word.failure") if expected is None else plan_formula(expected)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return question.reasons.of_value(ROOT)

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (STRATEGY,)

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        here = given.get("plan")
        if here is None or not here.read:
            return {}
        written: Any = here.value
        return {(STRATEGY,): None if written is None else as_made(question.solution.tree, written)}

    def longest(self, question: KeyedQuestion) -> tuple[int, str]:
        tree = question.tree
        return sum(len(tree.children[node]) > 1 for node in tree.inner), STEPS


class _Named:
    """The names that a plan may use, in any case: moves, and the outcomes of AND nodes by id or move."""

    def __init__(self, tree: Tree) -> None:
        outcomes = [child for node in tree.inner if tree.turn[node] == AND for child in tree.children[node]]
        made = [child for node in tree.inner if tree.turn[node] == OR for child in tree.children[node]]
        self.outcomes = [str(tree.ids[child]) for child in outcomes]
        self.moves = _spellings([(str(tree.move[child]),) * 2 for child in made])
        by_move = [(str(tree.move[child]), str(tree.ids[child])) for child in outcomes]
        self.states = _spellings(by_move) | _spellings([(str(name), str(name)) for name in tree.ids])

    def plan(self, steps: Plan) -> Plan:
        """It is at most as deep as a plan that can be read, so it may call itself."""
        return [self._states(step) if isinstance(step, dict) else self.moves.get(folded(step), step) for step in steps]

    def _states(self, states: Mapping[str, Plan]) -> dict[str, Plan]:
        named = {
            self.states.get(folded(name), name): self.plan(steps) for name, steps in states.items() if name != ELSE
        }
        if ELSE not in states:
            return named
        # One plan for all: written out for each outcome, plans within plans would grow without end.
        otherwise = self.plan(states[ELSE])
        return {**dict.fromkeys(self.outcomes, otherwise), **named}


def _spellings(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What each name stands for in any case, where that is one thing."""
    found: dict[str, set[str]] = {}
    for written, meant in pairs:
        found.setdefault(folded(written), set()).add(meant)
    return {name: meant.pop() for name, meant in found.items() if len(meant) == 1}


def as_made(tree: Tree, steps: Plan) -> Plan:
    """What a plan comes to when it is executed, in the form of the solver's plans: the moves that are made, and after
    several outcomes a mapping of those that it provides for."""
    made: Plan = []
    plays: list[tuple[int, list[Any], Plan]] = [(0, steps[::-1], made)]
    while plays:
        node, left, out = plays.pop()
        while tree.children[node]:
            while left and isinstance(left[-1], dict) and tree.ids[node] in left[-1]:
                left = left[:-1] + left[-1][tree.ids[node]][::-1]
            if tree.turn[node] == OR:
                move = left[-1] if left and isinstance(left[-1], str) else None
                child = next((each for each in tree.children[node] if tree.move[each] == move), None)
                if move is None or child is None:
                    break
                out.append(move)
                node, left = child, left[:-1]
            elif len(tree.children[node]) == 1:
                node = tree.children[node][0]
            else:
                covers = left[-1] if left and isinstance(left[-1], dict) else None
                outcomes = [each for each in tree.children[node] if covers is None or tree.ids[each] in covers]
                plans: dict[str, Plan] = {str(tree.ids[each]): [] for each in outcomes}
                out.append(plans)
                plays.extend((each, left, plans[str(tree.ids[each])]) for each in outcomes)
                break
    return made
