"""`ucb`: the UCB1 value of every child, and the child that is selected.

UCB1 values are irrational. A number is right if it is no further from the true one than rounding to the digits asked
can be, which enclosures decide exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.answers import extended
from grader.kernel.verdicts import FOLLOW_THROUGH, WRONG, is_near
from grader.mistakes.words import SELECTED, UCB1
from grader.questions.aids import child_named
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import NODES, Ask, Given, Parameter
from grader.questions.conditions import root_chooses, statistics
from grader.questions.following import Following
from grader.questions.items import Marked
from grader.questions.items import marked as put_together
from grader.questions.presentation import NUMBER, STATISTICS
from grader.questions.shown import either
from solver.game import ROOT, Bound, Node, Tree
from solver.kernel import decimal_text, number_text
from solver.languages import Fact, Formula, Items, Limit, Sentence
from solver.search import choice_at

SELECT = "select"
DIGITS = 3
"""Where the question declares none: no number that can be written is an irrational one exactly."""
BITS = 128
TIMES = Sentence("sign.times")


@dataclass(frozen=True, slots=True)
class Selection:
    """The children of one node with their UCB1 values, and those that may be selected."""

    node: Node
    values: Mapping[Node, Any]
    """A solver's enclosed number, or "inf"."""
    best: frozenset[Node]


class Ucb(Ask):
    name = "ucb"
    conditions = (root_chooses, statistics)
    parameters = (Parameter("exploration", "number"),)
    takes = ("nodes",)
    items_are = NODES
    other_items = (SELECT,)
    algorithms = ("mcts",)
    on_the_tree = frozenset({STATISTICS})
    paper_box = NUMBER
    follows_itself = True
    usual_algorithm = "mcts"
    unreadable = "unreadable.whole.ucb"

    def key(self, question: KeyedQuestion) -> Mapping[str, Any]:
        tree, selection = question.tree, _selection(question)
        asked = None if question.nodes is None else set(question.nodes)
        found: dict[str, Any] = {
            str(tree.ids[child]): value
            for child, value in selection.values.items()
            if asked is None or tree.ids[child] in asked
        }
        return {**found, SELECT: selection.best}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Bound | int:
        if item != SELECT:
            return extended(raw, comma=question.decimal_comma, rounded=True)
        called = question.names(question.tree)
        return child_named(called, _selection(question).node, raw)

    def agrees(self, question: KeyedQuestion, item: str, value: Any, expected: Any) -> bool:
        if item == SELECT:
            return value in expected
        return rounds_to(value, expected, digits_of(question))

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        """A child that is selected rightly by the student's own values is not charged again."""
        by_key = super().mark(question, given, own, follow_through)
        chosen = given.get(SELECT)
        if not follow_through or chosen is None or not chosen.read:
            return by_key
        followed = chosen.value in _own_best(question, given)
        items = [
            replace(item, verdict=FOLLOW_THROUGH, share=follow_through)
            if item.name == SELECT and item.verdict == WRONG and followed
            else item
            for item in by_key.items
        ]
        return put_together(items, by_key.worth, by_key.refused)

    def perfect(self, question: KeyedQuestion) -> Any:
        return {item: each.partition(" / ")[0] for item, each in self.shown(question).items()}

    def fact(self, question: KeyedQuestion, item: str, expected: Any) -> Fact:
        if item == SELECT:
            return either(str(question.tree.ids[child]) for child in sorted(expected))
        return Limit("inf") if expected == "inf" else Decimal(decimal_text(expected, digits_of(question)))

    def beside_numbers(self, question: KeyedQuestion, item: str) -> Sequence[str]:
        tree = question.tree
        return [str(tree.ids[child]) for child in tree.children[ROOT]] if item == SELECT else []

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        tree, selection = question.tree, _selection(question)
        if item == SELECT:
            if "inf" in selection.values.values():
                return (Sentence("why.ucb.unvisited"),)
            values = tuple(
                Formula((str(tree.ids[child]), " = ", Decimal(decimal_text(value, digits_of(question)))))
                for child, value in selection.values.items()
            )
            return (Sentence("why.ucb.largest", None, {"values": Items(values[:12], len(values))}),)
        node: Node = tree.index[item]  # type: ignore[index]
        visits, totals = tree.visits or {}, tree.totals or {}
        if not visits.get(node):
            return (Sentence("why.ucb.infinite", None, {"node": item}),)
        own, above = Limit(visits[node]), Limit(visits[selection.node])
        constant: tuple[Any, ...] = (
            ("√2",) if _exploration(question, tree) is None else (Limit(_exploration(question, tree)),)
        )
        formula = Formula(
            (Limit(totals.get(node, 0)), "/", own, " + ", *constant, TIMES, "√(ln ", above, " / ", own, ")")
        )
        return (Sentence("why.ucb", None, {"node": item, "formula": formula}),)

    def cell_digits(self, question: KeyedQuestion) -> int:
        return digits_of(question)

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (UCB1, SELECTED)

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        tree, found = question.tree, {}
        for item, here in given.items():
            if here.read and item == SELECT:
                found[SELECTED, _selection(question).node] = here.value
            elif here.read:
                value: Any = here.value
                expected = self.keyed(question)[item]
                if self.agrees(question, item, value, expected):
                    value = expected
                cell = value if isinstance(value, str) else decimal_text(value, digits_of(question))
                found[UCB1, tree.index[item]] = cell  # type: ignore[index]
        return found

    def wording(self, question: KeyedQuestion) -> Sentence:
        constant = question.parameters.get("exploration", question.tree.exploration)
        return Sentence("ask.ucb", None, {"c": Formula(("C = ", "√2" if constant is None else constant))})

    def own_remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        yield Sentence("paper.ucb", None, {"formula": Formula(("w/n + C √(ln N / n)",))})

    def options(self, question: KeyedQuestion, item: str) -> Sequence[str]:
        return tuple(name for name in self.keyed(question) if name != SELECT) if item == SELECT else ()

    def within(self, question: KeyedQuestion, item: str, expected: Any) -> tuple[str, str] | None:
        if item == SELECT or expected is None or isinstance(expected, str):
            return None
        digits = digits_of(question)
        return decimal_text(expected, digits + 9), number_text(Fraction(1, 2 * 10**digits))

    def label(self, item: str) -> Sentence | None:
        return Sentence("paper.item.select") if item == SELECT else None


def rounds_to(given: Any, value: Any, digits: int) -> bool:
    """Whether a number that was written is within half a unit of this many digits of an enclosed one."""
    if isinstance(given, str) or isinstance(value, str):
        return bool(given == value)
    if not value.factor:
        return is_near(given, value.start, digits)
    low, high = given - Fraction(1, 2 * 10**digits), given + Fraction(1, 2 * 10**digits)
    bits = BITS
    # It ends: the value is irrational, so it is neither of the two.
    while True:
        least, most = (Fraction(end, 1 << bits) for end in value.enclosure(bits))
        if low <= least and most <= high:
            return True
        if most < low or high < least:
            return False
        bits *= 2


def digits_of(question: KeyedQuestion) -> int:
    """To how many digits UCB1 values are asked."""
    return DIGITS if question.digits is None else question.digits


def _exploration(question: KeyedQuestion, tree: Tree) -> Any:
    return question.parameters.get("exploration", tree.exploration)


def _selection(question: KeyedQuestion) -> Selection:
    return question.once("ucb", lambda: _selected(question))


def _selected(question: KeyedQuestion) -> Selection:
    tree, convention = question.tree, question.convention
    index: Mapping[Any, Node] = tree.index
    # The nodes asked about, if any, are children of one node: there the selection is made.
    parents = {tree.parent[index[name]] for name in question.nodes or () if index[name]}
    node = parents.pop() if len(parents) == 1 else ROOT
    counted = replace(tree, exploration=_exploration(question, tree))
    choice = choice_at(counted, node, convention.order == "right-to-left")
    assert choice.ucb1 is not None  # somebody moves at the node, so UCB1 chooses
    values = dict(zip(choice.children, choice.ucb1, strict=True))
    strict = "ties" in question.exercise.printed and convention.ties != "any"
    equal = {child for child, value in values.items() if value == values[choice.chosen]}
    in_order = {child: values[child] for child in tree.children[node]}
    return Selection(node, in_order, frozenset({choice.chosen} if strict else equal))


def _own_best(question: KeyedQuestion, given: Mapping[str, Given]) -> set[Node]:
    """The children with the largest value by what the student wrote, the key's where nothing was."""
    tree, selection = question.tree, _selection(question)
    sizes: dict[Node, tuple[bool, Fraction]] = {}
    for child, value in selection.values.items():
        here = given.get(str(tree.ids[child]))
        stated: Any = here.value if here is not None and here.read else value
        if isinstance(stated, str):
            sizes[child] = (stated == "inf", Fraction(0))
        elif isinstance(stated, int | Fraction):
            sizes[child] = (False, Fraction(stated))
        else:
            sizes[child] = (False, Fraction(stated.enclosure(BITS)[0], 1 << BITS))
    largest = max(sizes.values())
    return {child for child, size in sizes.items() if size == largest}
