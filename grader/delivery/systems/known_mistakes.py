"""What known mistakes lead to, box by box, with the hint for a student who writes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.marking.mark import ask_of
from grader.mistakes.behaviour import key_behaviour, mistake_of
from grader.mistakes.diagnosis import Class, cells_of, classes_of
from grader.mistakes.registry import MODELS
from grader.questions.answer_key import Setting
from grader.questions.exercise import Question
from grader.questions.shown import window_text
from solver.languages import Language
from solver.render import value_text

MOST_WRONG = 6
"""Wrong answers that are foreseen in one box."""
MOST_NAMED = 2
"""Where more mistakes than this lead to the same answer, naming one would be a guess."""


class Known:
    def __init__(self, setting: Setting, words: Language) -> None:
        self.setting, self.words = setting, words
        self._classes: dict[str, list[Class]] = {}

    def answers(self, question: Question, item: str) -> Iterator[tuple[str, str]]:
        """Wrong answers as they are written, each with its feedback: a line for each mistake."""
        found: dict[str, list[str]] = {}
        for each in self._of(question):
            text = self._written(question, item, each)
            if text is not None:
                found.setdefault(text, []).extend(map(mistake_of, each.models))
        told = ((text, list(dict.fromkeys(mistakes))) for text, mistakes in found.items())
        few = [(text, mistakes) for text, mistakes in told if len(mistakes) <= MOST_NAMED]
        yield from ((text, self._feedback(mistakes)) for text, mistakes in few[:MOST_WRONG])

    def _feedback(self, mistakes: list[str]) -> str:
        return "\n".join(map(self._told, mistakes))

    def _told(self, mistake: str) -> str:
        texts = (self.words.say(f"mistake.{mistake}.{part}") for part in ("title", "remedy"))
        return " ".join(text if text.endswith((".", "!", "?", "؟")) else f"{text}." for text in texts)

    def _of(self, question: Question) -> list[Class]:
        if question.id not in self._classes:
            ask, convention = ask_of(question), self.setting.convention
            asked = set(ask.compared(question, self.setting)) & {"values", "entry", "exit", "pruned", "move"}
            self._classes[question.id] = []
            if asked:
                solution = ask.compared_by(question, self.setting)
                key = key_behaviour(solution)
                cells = {
                    name: cells_of(behaviour, key, solution.tree, asked)
                    for name, model in MODELS.items()
                    if (behaviour := model.run(self.setting.exercise.game.tree, convention, solution)) is not None
                }
                self._classes[question.id] = classes_of(cells_of(key, key, solution.tree, asked), cells)
        return self._classes[question.id]

    def _written(self, question: Question, item: str, of: Class) -> str | None:
        """What somebody with this mistake writes into a box; None if it is the key, or cannot be determined."""
        solution: Any = ask_of(question).compared_by(question, self.setting)
        tree, different = solution.tree, of.different
        match question.ask:
            case "values" | "vectors":
                value: Any = different.get(("value", tree.index[item]))
                return value if value is None or isinstance(value, str) else value_text(value)
            case "windows":
                window: Any = different.get(("window", tree.index[item]))
                return window if window is None or isinstance(window, str) else window_text(window)
            case "move":
                child: Any = different.get(("move",))
                return None if child is None else str(tree.move[child])
            case "pruned":
                return self._pruned(tree, different, solution)
        return None

    def _pruned(self, tree: Any, different: Any, solution: Any) -> str | None:
        if not any(cell[0] == "pruned" for cell in different):
            return None
        pruned = {node for node in solution.pruned if tree.turn[node] is None}
        crossed = [leaf for leaf in tree.leaves if different.get(("pruned", leaf), leaf in pruned)]
        return ", ".join(str(tree.ids[leaf]) for leaf in crossed) or "none"
