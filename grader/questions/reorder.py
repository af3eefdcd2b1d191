"""`reorder`: an order of the children in which alpha-beta prunes most, or least. Any order that does so is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers import Ambiguous, Unreadable, names, number
from grader.answers.item_names import ItemNames, mapping_of
from grader.answers.names import says_nothing
from grader.answers.node_names import NodeNames
from grader.questions.aids import hinted, unreadable
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import INNER, Ask, Given, Parameter
from grader.questions.conditions import ALPHA_BETA, PLAIN
from grader.questions.following import Following
from grader.questions.items import Marked
from grader.questions.presentation import ORDERS, by_name
from solver.analysis import leaves_evaluated, order_with_fewest, order_with_most
from solver.game import Node, NodeId, Tree
from solver.kernel import Number
from solver.languages import Amount, Fact, Formula, Sentence
from solver.search import rules_of

Order = Mapping[NodeId, tuple[NodeId, ...]]
"""For some nodes, by id, their children in the new order."""


@dataclass(frozen=True, slots=True)
class Best:
    leaves: int
    order: Order


class Reorder(Ask):
    name = "reorder"
    conditions = PLAIN
    parameters = (Parameter("goal", "condition", "most", choices=("most", "least")),)
    takes = ("nodes",)
    items_are = INNER
    algorithms = ALPHA_BETA
    about_alpha_beta = True
    unreadable = "unreadable.whole.reorder"
    many_right = True
    open_ended = True
    key_is_names = True
    own_items = ("order",)

    def key(self, question: KeyedQuestion) -> Mapping[str, Best]:
        return {"order": _best(question)}

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        return {} if raw is None or raw == {} else {"order": self._given(question, "order", raw)}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Order:
        tree, given = question.solution.tree, raw
        if (isinstance(raw, str) and says_nothing(raw.strip())) or raw == []:
            return {}
        inner = question.once("inner names", lambda: ItemNames(question.inner_names, self.label))
        raw = mapping_of(raw, inner)
        if raw is None:
            raise unreadable(self.unreadable, given)
        called = question.names(tree)
        order: dict[NodeId, tuple[NodeId, ...]] = {}
        for name, written in raw.items():
            node = _node(called, name)
            order[tree.ids[node]] = tuple(tree.ids[child] for child in _children(called, node, written))
        return order

    def agrees(self, question: KeyedQuestion, item: str, value: Order, expected: Best) -> bool:
        return _evaluated(question, value) == expected.leaves

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        def hint(_: str, value: Order) -> Sentence:
            count = _evaluated(question, value)
            return Sentence(f"hint.reorder.{_goal(question)}", count)

        return hinted(super().mark(question, given, own, follow_through), given, hint)

    def perfect(self, question: KeyedQuestion) -> Any:
        order = self.keyed(question)["order"].order
        return {node: list(children) for node, children in order.items()} or "none"

    def fact(self, question: KeyedQuestion, item: str, expected: Best) -> Fact:
        tree = question.solution.tree
        asked = _asked(question)
        first = next(node for node in tree.inner if asked is None or tree.ids[node] in asked)
        return _order_fact(
            expected.order or {tree.ids[first]: tuple(tree.ids[child] for child in tree.children[first])}
        )

    def read_fact(self, question: KeyedQuestion, item: str, value: Order) -> Fact | None:
        return _order_fact(value) if value else None

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        best, tree = self.keyed(question)["order"], question.solution.tree
        counts = {"leaves": Amount(len(tree.leaves)), "listed": Amount(_evaluated(question, {}))}
        return (Sentence(f"why.reorder.{_goal(question)}", best.leaves, counts),)

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence(f"ask.reorder.{question.parameters['goal']}")

    def assembled(self, written: Mapping[str, str]) -> Any:
        return by_name(written[""], ";") if list(written) == [""] else dict(written)

    def longest(self, question: KeyedQuestion) -> tuple[int, str]:
        tree, asked = question.tree, _asked(question)
        free = [node for node in tree.inner if asked is None or tree.ids[node] in asked]
        return sum(len(tree.children[node]) > 1 for node in free), ORDERS


def _order_fact(order: Order) -> Formula:
    parts: list[str] = []
    for node, children in order.items():
        parts += ["; ", node, ": "]
        parts += [part for child in children for part in (", ", child)][1:]
    return Formula(tuple(parts[1:]))


def _goal(question: KeyedQuestion) -> str:
    return str(question.parameters.get("goal", "most"))


def _best(question: KeyedQuestion) -> Best:
    find = order_with_fewest if _goal(question) == "most" else order_with_most
    found = find(question.solution.tree, rules_of(question.convention), _asked(question))
    return Best(found.leaves, {node: tuple(children) for node, children in found.order.items()})


def _asked(question: KeyedQuestion) -> frozenset[NodeId] | None:
    """The nodes whose children may be put in another order; None: all."""
    return None if question.nodes is None else frozenset(map(NodeId, question.nodes))


def _evaluated(question: KeyedQuestion, order: Order) -> int:
    """The leaves evaluated; nodes that are not asked about keep the order of their children."""
    asked = _asked(question)
    if asked is not None:
        order = {node: children for node, children in order.items() if node in asked}
    return len(leaves_evaluated(question.solution.tree, order, rules_of(question.convention)))


def _node(called: NodeNames, name: str) -> Node:
    try:
        node = called.node(name)
    except (KeyError, Ambiguous) as error:
        reason = "unreadable.name.ambiguous" if isinstance(error, Ambiguous) else "unreadable.name"
        raise unreadable(reason, name, name=name[:80]) from None
    if not called.tree.children[node]:
        raise unreadable("unreadable.order.leaf", name, node=str(called.tree.ids[node]))
    return node


def _children(called: NodeNames, node: Node, written: Any) -> Sequence[Node]:
    """All children of a node, each once, in the order written."""
    tree: Tree = called.tree
    found: list[Node] = []
    for child in _read(written, lambda name: _child(called, node, name)):
        if child in found:
            raise unreadable("unreadable.order.twice", written, name=str(tree.ids[child]), node=str(tree.ids[node]))
        found.append(child)
    left_out = next((child for child in tree.children[node] if child not in found), None)
    if left_out is not None:
        raise unreadable("unreadable.order.missing", written, name=str(tree.ids[left_out]), node=str(tree.ids[node]))
    return found


def _read(written: Any, resolve: Any) -> Sequence[Node]:
    found: list[Node] = []
    for child in names(written, resolve):
        if isinstance(child, Unreadable):
            raise child
        found.append(child)  # type: ignore[arg-type]
    return found


def _child(called: NodeNames, node: Node, name: str) -> Node:
    """A child by its name or move; a leaf also by its value, where no brother has it."""
    try:
        return called.child(node, name)
    except KeyError:
        value = _number(name)
        valued = [child for child in called.tree.children[node] if called.tree.leaf[child] == value]
        if len(valued) > 1:
            raise Ambiguous(name) from None
        if not valued:
            raise KeyError(name) from None
        return valued[0]


def _number(name: str) -> Number:
    try:
        return number(name)
    except Unreadable:
        raise KeyError(name) from None
