"""The exercises that were answered, kept with what was found out about them: marking the next answer is then fast."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from grader.documents.answer import Answer
from grader.documents.exercise import load_exercise_bytes
from grader.marking.from_data import answer_from
from grader.marking.grader import Grader
from grader.service.work.problems import Refused
from grader.service.work.tasks.bodies import read_body
from grader.service.work.tasks.refusing import WRONG

MOST_GRADERS = 64
NOBODY = "-"
"""In place of the student, of whom marking knows nothing."""

Made = TypeVar("Made")


class Recent(Generic[Made]):
    """The last things made, by what they were made from."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Any, Made] = OrderedDict()

    def get(self, key: Any, make: Callable[[], Made]) -> Made:
        if key in self._made:
            self._made.move_to_end(key)
            return self._made[key]
        made = self._made[key] = make()
        if len(self._made) > self._most:
            self._made.popitem(last=False)
        return made


_GRADERS: Recent[Grader] = Recent(MOST_GRADERS)


def grader_of(variant_raw: bytes) -> Grader:
    """For an exercise that was checked when it was taken in."""
    return _GRADERS.get(hashlib.sha256(variant_raw).digest(), lambda: Grader(load_exercise_bytes(variant_raw)))


def answer_of(body: bytes, exercise: str, language: str | None) -> Answer:
    """The answer in `{answers}`, as answer/1 has it; DocumentError for what no document may hold."""
    answers = read_body(body, ("answers",)).get("answers")
    if answers is not None and not isinstance(answers, dict):
        raise Refused(WRONG, "wrong-type", '"answers" must be a mapping from questions')
    document = {"plymark": "answer/1", "exercise": exercise, "student": NOBODY, "answers": answers or {}}
    # As text: of data, numbers would have to be spelt again.
    found = answer_from(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return replace(found, language=language)
