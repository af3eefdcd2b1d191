"""`prunable`: whether a leaf can be pruned for some values of the leaves, as yes or no, or by values with which it is.

A witness is not compared with ours: alpha-beta is run on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.answers import Ambiguous, boolean, number
from grader.questions.aids import unreadable
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask
from grader.questions.exercise import Question
from solver.analysis import prunable, witness
from solver.game import MAX, NodeId, Unknown
from solver.kernel import Number
from solver.languages import Sentence
from solver.search import pruned_nodes

Values = Mapping[str, Number]


class Prunable(Ask):
    name = "prunable"

    def key(self, question: Question, setting: Setting) -> Mapping[str, bool]:
        return _key(question, setting)

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> bool | Values:
        if not isinstance(raw, dict):
            return boolean(raw)
        tree = setting.exercise.game.tree
        called = setting.names(tree)
        values: dict[str, Number] = {}
        for name, written in raw.items():
            try:
                leaf = called.node(name)
            except (KeyError, Ambiguous):
                raise unreadable("unreadable.name", raw, name=name[:80]) from None
            if tree.children[leaf]:
                raise unreadable("unreadable.witness.inner", raw, node=str(tree.ids[leaf]))
            values[str(tree.ids[leaf])] = number(written, comma=setting.decimal_comma)
        for leaf in tree.leaves:
            if isinstance(tree.leaf[leaf], Unknown) and tree.ids[leaf] not in values:
                raise unreadable("unreadable.witness.missing", raw, name=str(tree.ids[leaf]))
        return values

    def agrees(self, question: Question, setting: Setting, item: str, value: bool | Values, expected: bool) -> bool:
        return value is expected if isinstance(value, bool) else _is_pruned(setting, item, value)

    def show(self, question: Question, setting: Setting, item: str, expected: bool) -> str:
        return "yes" if expected else "no"

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        tree = setting.exercise.game.tree
        found = witness(tree, NodeId(item), _right_to_left(setting))
        if found is None:
            return (Sentence("why.prunable.no", None, {"leaf": item}),)
        pair = [found.upper, found.lower]
        if tree.turn[tree.index[found.upper]] != MAX:
            pair.reverse()
        return (Sentence("why.prunable.yes", None, {"leaf": item, "max": pair[0], "min": pair[1]}),)


def _key(question: Question, setting: Setting) -> dict[str, bool]:
    tree = setting.exercise.game.tree
    found = {str(leaf): can for leaf, can in prunable(tree, _right_to_left(setting)).items()}
    return found if question.nodes is None else {leaf: found[leaf] for leaf in question.nodes if leaf in found}


def _is_pruned(setting: Setting, leaf: str, values: Values) -> bool:
    """Whether alpha-beta, from the open window that the question is about, leaves out the leaf; leaves without a new
    value keep theirs."""
    tree = setting.exercise.game.tree
    changed: Any = tuple(
        values.get(name, old) if not tree.children[node] else None
        for node, (name, old) in enumerate(zip(tree.ids, tree.leaf, strict=True))
    )
    convention = replace(setting.convention, window=("-inf", "inf"))
    return tree.index[leaf] in pruned_nodes(replace(tree, leaf=changed, unknowns=()), convention)  # type: ignore[index]


def _right_to_left(setting: Setting) -> bool:
    return setting.convention.order == "right-to-left"
