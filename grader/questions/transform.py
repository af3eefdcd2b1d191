"""`transform`: whether a change of all leaves keeps the best move, and what alpha-beta prunes: same or different."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from grader.answers import folded, move
from grader.questions.aids import unreadable
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import PARTS, Ask, Parameter
from grader.questions.conditions import WITH_CHANCE, formula_computes, inner_root, moves_at_root
from grader.questions.shown import either, word
from solver.analysis import read_formula, transform_compared
from solver.languages import Fact, Formula, Items, Sentence

SAME, DIFFERENT = "same", "different"
_WORDS = {
    SAME: (
        "same; the same; unchanged; equal; identical; stays; igual; iguais; o mesmo; a mesma; os mesmos; as mesmas;"
        "mesmo; mesma; não muda; iguales; lo mismo; la misma; el mismo; los mismos; las mismas; mismo; misma;"
        "no cambia; همان; یکسان; بدون تغییر; ثابت"
    ),
    DIFFERENT: (
        "different; changed; changes; not the same; other; diferente; diferentes; muda; outro; outra; distinto;"
        "distinta; distintos; distintas; cambia; otro; otra; متفاوت; مختلف; تغییر می‌کند; عوض می‌شود"
    ),
}
_MEANING = {folded(word.strip()): meaning for meaning, words in _WORDS.items() for word in words.split(";")}


class Transform(Ask):
    name = "transform"
    conditions = (*WITH_CHANCE, inner_root, moves_at_root, formula_computes)
    parameters = (Parameter("by", "formula", required=True),)
    items_are = PARTS
    algorithms = ("minimax", "alpha-beta", "expectiminimax")
    about_alpha_beta = True
    words = (SAME, DIFFERENT)
    parts = ("move", "pruned")
    positional = True
    unreadable = "unreadable.whole.transform"

    def key(self, question: KeyedQuestion) -> Mapping[str, frozenset[str]]:
        """For each part the answers that are right; with chance nothing is pruned, and that is not asked."""
        found = _compared(question)
        key = {"move": _move(found, question)}
        if found.same_pruned is not None:
            key["pruned"] = frozenset({SAME if found.same_pruned else DIFFERENT})
        return key

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> str:
        meaning = _MEANING.get(folded(move(raw).rstrip(".")))
        if meaning is None:
            raise unreadable("unreadable.same", raw)
        return meaning

    def agrees(self, question: KeyedQuestion, item: str, value: str, expected: frozenset[str]) -> bool:
        return value in expected

    def perfect(self, question: KeyedQuestion) -> Any:
        return {item: max(right) for item, right in self.keyed(question).items()}

    def fact(self, question: KeyedQuestion, item: str, expected: frozenset[str]) -> Fact:
        return either(word(each) for each in (SAME, DIFFERENT) if each in expected)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        found = _compared(question)
        kind = Sentence(f"why.transform.{found.kind.replace(' ', '-')}", None, {"formula": written(found.by)})
        before, after = found.moves if item == "move" else found.pruned
        if item == "pruned" and not before and not after:
            return (kind, Sentence("why.transform.nothing"))
        listed = [Items(tuple(map(str, names[:12])) or ("∅",), max(1, len(names))) for names in (before, after)]
        return (kind, Sentence(f"why.transform.{item}", None, {"before": listed[0], "after": listed[1]}))

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence("ask.transform", None, {"formula": written(question.parameters["by"])})

    def label(self, item: str) -> Sentence | None:
        return Sentence(f"paper.item.{item}")


def _compared(question: KeyedQuestion) -> Any:
    def compared() -> Any:
        formula = read_formula(question.parameters["by"])
        return transform_compared(question.solution.tree, formula, question.convention)

    return question.once("transform", compared)


def _move(found: Any, question: KeyedQuestion) -> frozenset[str]:
    before, after = found.moves
    convention = question.convention
    if "ties" in question.exercise.printed and convention.ties != "any":
        place = -1 if (convention.ties == "last") != (convention.order == "right-to-left") else 0
        return frozenset({SAME if before[place] == after[place] else DIFFERENT})
    if before == after:
        return frozenset({SAME})
    # A tie that appears or is broken: the same move can be played, and need not.
    return frozenset({SAME, DIFFERENT} if set(before) & set(after) else {DIFFERENT})


def written(formula: str) -> Formula:
    """As people write it: with the language's digits, and its sign for a product."""
    parts = re.split(r"(\d+(?:\.\d+)?| ?\* ?)", str(formula))
    return Formula(tuple(_part(part) for part in parts if part))


def _part(part: str) -> Fact:
    if part[0].isdecimal():
        return Fraction(part)
    return Sentence("sign.times") if part.strip() == "*" else part
