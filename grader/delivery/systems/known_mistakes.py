"""What known mistakes lead to, box by box, with the hint for a student who writes it."""

from __future__ import annotations

from collections.abc import Iterator

from grader.mistakes.behaviour import key_behaviour, mistake_of
from grader.mistakes.cells import cells_of
from grader.mistakes.diagnosis import Class, classes_of
from grader.mistakes.registry import MODELS
from grader.mistakes.words import CROSSED, ENTRY, EXIT, PLAYED, WORTH
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.registry import ask_of
from solver.languages import Language

FORESEEN = frozenset({WORTH, ENTRY, EXIT, CROSSED, PLAYED})
"""Cells in which a mistake is foreseen."""
MOST_WRONG = 6
"""Wrong answers that are foreseen in one box."""
MOST_NAMED = 2
"""Where more mistakes than this lead to the same answer, naming one would be a guess."""


class Known:
    def __init__(self, answer_key: AnswerKey, words: Language) -> None:
        self.answer_key, self.words = answer_key, words
        self._classes: dict[str, list[Class]] = {}

    def answers(self, question: KeyedQuestion, item: str) -> Iterator[tuple[str, str]]:
        """Wrong answers as they are written, each with its feedback: a line for each mistake."""
        found: dict[str, list[str]] = {}
        for each in self._of(question):
            text = ask_of(question).written_with(question, item, each.different)
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

    def _of(self, question: KeyedQuestion) -> list[Class]:
        if question.id not in self._classes:
            ask, convention = ask_of(question), self.answer_key.convention
            asked = set(ask.compared(question)) & FORESEEN
            self._classes[question.id] = []
            if asked:
                solution = ask.compared_by(question)
                key = key_behaviour(solution)
                cells = {
                    name: cells_of(behaviour, key, solution.tree, asked)
                    for name, model in MODELS.items()
                    if (behaviour := model.run(self.answer_key.tree, convention, solution)) is not None
                }
                self._classes[question.id] = classes_of(cells_of(key, key, solution.tree, asked), cells)
        return self._classes[question.id]
