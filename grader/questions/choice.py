"""`choice`: whether a statement of the catalogue is true of this tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.answers import boolean
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask
from grader.questions.claims import Judgement, judge
from grader.questions.exercise import Question
from solver.languages import Sentence


class Choice(Ask):
    name = "choice"

    def key(self, question: Question, setting: Setting) -> Mapping[str, bool]:
        return {"choice": _judged(question, setting).truth}

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> bool:
        return boolean(raw)

    def show(self, question: Question, setting: Setting, item: str, expected: bool) -> str:
        return "true" if expected else "false"

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        return _judged(question, setting).why


def _judged(question: Question, setting: Setting) -> Judgement:
    claim = str(question.parameters["claim"])
    return setting.once(("choice", question.id), lambda: judge(claim, setting.exercise.game, setting.convention))
