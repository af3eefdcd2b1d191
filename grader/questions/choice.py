"""`choice`: whether a statement of the catalogue is true of this tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.answers import boolean
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Ask, Parameter
from grader.questions.claims import Judgement, claim_known, judge, statement
from grader.questions.shown import word
from solver.languages import Fact, Sentence


class ChoiceAsk(Ask):
    name = "choice"
    conditions = (claim_known,)
    parameters = (Parameter("claim", "word", required=True),)
    about_alpha_beta = True
    words = ("true", "false")
    own_items = ("choice",)

    def key(self, question: KeyedQuestion) -> Mapping[str, bool]:
        return {"choice": _judged(question).truth}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> bool:
        return boolean(raw)

    def fact(self, question: KeyedQuestion, item: str, expected: bool) -> Fact:
        return word("true" if expected else "false")

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return _judged(question).why

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence("ask.choice", None, {"claim": statement(str(question.parameters["claim"]))})


def _judged(question: KeyedQuestion) -> Judgement:
    claim = str(question.parameters["claim"])
    return question.once("choice", lambda: judge(claim, question.answer_key))
