"""`transform`: whether a change of all leaves keeps the best move, and what alpha-beta prunes: same or different."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.answers import folded, move
from grader.questions.aids import unreadable
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask
from grader.questions.exercise import Question
from solver.analysis import read_formula, transform_compared
from solver.languages import Items, Sentence

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

    def key(self, question: Question, setting: Setting) -> Mapping[str, frozenset[str]]:
        """For each part the answers that are right; with chance nothing is pruned, and that is not asked."""
        found = _compared(question, setting)
        key = {"move": _move(found, setting)}
        if found.same_pruned is not None:
            key["pruned"] = frozenset({SAME if found.same_pruned else DIFFERENT})
        return key

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> str:
        meaning = _MEANING.get(folded(move(raw).rstrip(".")))
        if meaning is None:
            raise unreadable("unreadable.same", raw)
        return meaning

    def agrees(self, question: Question, setting: Setting, item: str, value: str, expected: frozenset[str]) -> bool:
        return value in expected

    def perfect(self, question: Question, setting: Setting) -> Any:
        return {item: max(right) for item, right in self.keyed(question, setting).items()}

    def show(self, question: Question, setting: Setting, item: str, expected: frozenset[str]) -> str:
        return " / ".join(word for word in (SAME, DIFFERENT) if word in expected)

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        found = _compared(question, setting)
        kind = Sentence(f"why.transform.{found.kind.replace(' ', '-')}", None, {"formula": found.by})
        before, after = found.moves if item == "move" else found.pruned
        if item == "pruned" and not before and not after:
            return (kind, Sentence("why.transform.nothing"))
        listed = [Items(tuple(map(str, names[:12])) or ("∅",), max(1, len(names))) for names in (before, after)]
        return (kind, Sentence(f"why.transform.{item}", None, {"before": listed[0], "after": listed[1]}))


def _compared(question: Question, setting: Setting) -> Any:
    def compared() -> Any:
        formula = read_formula(question.parameters["by"])
        return transform_compared(setting.solution(question).tree, formula, setting.convention)

    return setting.once(("transform", question.id), compared)


def _move(found: Any, setting: Setting) -> frozenset[str]:
    before, after = found.moves
    convention = setting.convention
    if "ties" in setting.exercise.printed and convention.ties != "any":
        place = -1 if (convention.ties == "last") != (convention.order == "right-to-left") else 0
        return frozenset({SAME if before[place] == after[place] else DIFFERENT})
    if before == after:
        return frozenset({SAME})
    # A tie that appears or is broken: the same move can be played, and need not.
    return frozenset({SAME, DIFFERENT} if set(before) & set(after) else {DIFFERENT})
