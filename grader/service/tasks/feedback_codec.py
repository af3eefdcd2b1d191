"""What a report tells, at every level of feedback, as bytes in no language and without the student."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.answers.item_names import Ignored
from grader.documents.answer_file import Answer
from grader.marking.report import Chosen, Override
from grader.mistakes.diagnosis import Diagnosis
from grader.questions.exercise import Question
from grader.reports.feedback_facts import FeedbackFacts, ItemFacts, QuestionFacts
from solver.game import Convention
from solver.kernel import OwnText
from solver.languages import Amount, Between, Formula, Items, Limit, NameRun, Percent, Sentence

FRACTION, DECIMAL, TUPLE, LIST, MAPPING, TEXTS = "/", ".", "()", "[]", "{}", "aA"
CLASSES: dict[str, type[Any]] = {
    made.__name__: made
    for made in (
        Amount,
        Answer,
        Between,
        Chosen,
        Convention,
        Diagnosis,
        Formula,
        Ignored,
        Items,
        Limit,
        NameRun,
        Override,
        Percent,
        Question,
        Sentence,
        FeedbackFacts,
        ItemFacts,
        QuestionFacts,
    )
}
LEFT_OUT = {"Answer": {"place"}, "Question": {"rubric"}}
"""Fields that no report tells."""
FIELDS: dict[type[Any], tuple[str, ...]] = {
    made: tuple(each.name for each in fields(made) if each.name not in LEFT_OUT.get(name, ()))
    for name, made in CLASSES.items()
}


def encode_feedback(levels: Mapping[str, FeedbackFacts]) -> bytes:
    """By level; equal reports have equal bytes, whoever they are about."""
    data = {level: _plain(_impersonal(found)) for level, found in levels.items()}
    return zlib.compress(json.dumps(data, separators=(",", ":")).encode("ascii"))


def decode_feedback(raw: bytes, level: str, who: Mapping[str, str | None]) -> FeedbackFacts:
    """At a level, about the student whose `student`, `name`, `submitted` and `variant` are given."""
    found: FeedbackFacts = _made(json.loads(zlib.decompress(raw))[level])
    about = Answer(
        exercise=found.exercise,
        student=who["student"] or "",
        answers={},
        name=who.get("name"),
        submitted=who.get("submitted"),
        variant=who.get("variant"),
        ignored=found.answer.ignored,
    )
    return replace(found, answer=about)


def _impersonal(found: FeedbackFacts) -> FeedbackFacts:
    """Without what was answered, which the rows repeat, and without what only the question's marking needs."""
    asked = tuple(
        replace(each, question=Question(each.question.id, each.question.ask, each.question.marks))
        for each in found.questions
    )
    return replace(found, answer=Answer(found.exercise, "", {}, ignored=found.answer.ignored), questions=asked)


def _plain(thing: Any) -> Any:
    kind = type(thing)
    if kind is str or kind is int or thing is None or kind is bool:
        return thing
    known = FIELDS.get(kind)
    if known is not None:
        return [kind.__name__, *[_plain(getattr(thing, each)) for each in known]]
    match thing:
        case OwnText():
            return [TEXTS, *(part for each in thing.own_first().items() for part in each)]
        case Fraction():
            return [FRACTION, str(thing)]
        case Decimal():
            return [DECIMAL, str(thing)]
        case tuple():
            return [TUPLE, *map(_plain, thing)]
        case list():
            return [LIST, *map(_plain, thing)]
        case Mapping():
            return [MAPPING, *(part for name, item in thing.items() for part in (_plain(name), _plain(item)))]
    raise TypeError(f"a report does not hold a {kind.__name__}")


def _made(data: Any) -> Any:
    if not isinstance(data, list):
        return data
    what, parts = data[0], [_made(part) for part in data[1:]]
    match what:
        case "aA":
            return OwnText(dict(zip(parts[::2], parts[1::2], strict=True)))
        case "/":
            return Fraction(parts[0])
        case ".":
            return Decimal(parts[0])
        case "()":
            return tuple(parts)
        case "[]":
            return parts
        case "{}":
            return dict(zip(parts[::2], parts[1::2], strict=True))
    made = CLASSES[what]
    return made(**dict(zip(FIELDS[made], parts, strict=True)))
