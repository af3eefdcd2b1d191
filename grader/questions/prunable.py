"""`prunable`: whether a leaf can be pruned for some values of the leaves, as yes or no, or by values with which it is.

A witness is not compared with ours: alpha-beta is run on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.answers import Ambiguous, boolean, number
from grader.questions.aids import unreadable
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import LEAVES, Ask
from grader.questions.conditions import ALPHA_BETA, only
from grader.questions.shown import word
from solver.analysis import prunable, witness
from solver.game import MAX, MIN, NodeId, Unknown
from solver.kernel import Number
from solver.languages import Fact, Formula, Items, Limit, Sentence
from solver.search import pruned_nodes

Values = Mapping[str, Number]


class Prunable(Ask):
    name = "prunable"
    conditions = (only(MAX, MIN),)
    takes = ("nodes",)
    items_are = LEAVES
    algorithms = ALPHA_BETA
    about_alpha_beta = True
    words = ("yes", "no")
    unreadable = "unreadable.whole.prunable"

    def key(self, question: KeyedQuestion) -> Mapping[str, bool]:
        return _key(question)

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> bool | Values:
        if not isinstance(raw, dict):
            return boolean(raw)
        tree = question.tree
        called = question.names(tree)
        values: dict[str, Number] = {}
        for name, written in raw.items():
            try:
                leaf = called.node(name)
            except (KeyError, Ambiguous):
                raise unreadable("unreadable.name", raw, name=name[:80]) from None
            if tree.children[leaf]:
                raise unreadable("unreadable.witness.inner", raw, node=str(tree.ids[leaf]))
            values[str(tree.ids[leaf])] = number(written, comma=question.decimal_comma)
        for leaf in tree.leaves:
            if isinstance(tree.leaf[leaf], Unknown) and tree.ids[leaf] not in values:
                raise unreadable("unreadable.witness.missing", raw, name=str(tree.ids[leaf]))
        return values

    def agrees(self, question: KeyedQuestion, item: str, value: bool | Values, expected: bool) -> bool:
        return value is expected if isinstance(value, bool) else _is_pruned(question, item, value)

    def fact(self, question: KeyedQuestion, item: str, expected: bool) -> Fact:
        return word("yes" if expected else "no")

    def read_fact(self, question: KeyedQuestion, item: str, value: bool | Values) -> Fact | None:
        if isinstance(value, bool) or not value:
            return None
        return Items(tuple(Formula((name, " = ", Limit(each))) for name, each in value.items()), len(value))

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        tree = question.tree
        found = witness(tree, NodeId(item), _right_to_left(question))
        if found is None:
            return (Sentence("why.prunable.no", None, {"leaf": item}),)
        pair = [found.upper, found.lower]
        if tree.turn[tree.index[found.upper]] != MAX:
            pair.reverse()
        return (Sentence("why.prunable.yes", None, {"leaf": item, "max": pair[0], "min": pair[1]}),)


def _key(question: KeyedQuestion) -> dict[str, bool]:
    tree = question.tree
    found = {str(leaf): can for leaf, can in prunable(tree, _right_to_left(question)).items()}
    return found if question.nodes is None else {leaf: found[leaf] for leaf in question.nodes if leaf in found}


def _is_pruned(question: KeyedQuestion, leaf: str, values: Values) -> bool:
    """Whether alpha-beta, from the open window that the question is about, leaves out the leaf; leaves without a new
    value keep theirs."""
    tree = question.tree
    changed: Any = tuple(
        values.get(name, old) if not tree.children[node] else None
        for node, (name, old) in enumerate(zip(tree.ids, tree.leaf, strict=True))
    )
    convention = replace(question.convention, window=("-inf", "inf"))
    return tree.index[leaf] in pruned_nodes(replace(tree, leaf=changed, unknowns=()), convention)  # type: ignore[index]


def _right_to_left(question: KeyedQuestion) -> bool:
    return question.convention.order == "right-to-left"
