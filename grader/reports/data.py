"""A report as plain data in the shape of report/1."""

from __future__ import annotations

from typing import Any

from grader.marking.exam_report import AnyReport
from grader.marking.report import Override
from grader.questions.shown import spelt
from grader.reports.told import Told, ToldItem, ToldQuestion
from grader.reports.told_exam import AnyTold, told_any
from solver.kernel import plain
from solver.languages import Language


def report_data(report: AnyReport, level: str, words: Language) -> dict[str, Any]:
    """What a level of feedback tells; its sentences are in the language, all else is spelt in one way."""
    return told_data(told_any(report, level), words)


def told_data(found: AnyTold, words: Language) -> dict[str, Any]:
    answer = found.answer
    data: dict[str, Any] = {"plymark": "report/1", "exercise": found.exercise, "student": answer.student}
    data |= {key: value for key in ("name", "submitted", "variant") if (value := getattr(answer, key)) is not None}
    data |= {"language": words.code, **_marks(found)}
    if isinstance(found, Told):
        data |= _judged(found, words)
        ignored = [*answer.ignored, *(each.text for each in found.ignored)]
    else:
        data["parts"] = [{"exercise": each.exercise, **_marks(each), **_part(each, words)} for each in found.parts]
        ignored = list(found.ignored)
    data["feedback"] = [words.tell(sentence) for sentence in found.feedback]
    data["feedback_level"] = found.level
    if found.chosen is not None:
        data["duplicates"] = {"answers": found.chosen.among, "counted": found.chosen.by}
    data["ignored"] = ignored
    return data


def _marks(found: AnyTold) -> dict[str, Any]:
    return {"marks": plain(found.marks), "out_of": plain(found.out_of), **_override(found.overridden)}


def _part(found: Told, words: Language) -> dict[str, Any]:
    return _judged(found, words) | {"feedback": [words.tell(sentence) for sentence in found.feedback]}


def _judged(found: Told, words: Language) -> dict[str, Any]:
    """What is told of an exercise besides its marks."""
    data: dict[str, Any] = {}
    if found.convention is not None:
        data["convention"] = found.convention.as_data()
    data["questions"] = [_question(question, found.level, words) for question in found.questions]
    if found.diagnosis is not None:
        data["diagnosis"] = [
            {
                "mistake": each.mistake,
                "explains": plain(each.explains),
                "same_here": list(each.same_here),
                "sure": each.sure,
            }
            for each in found.diagnosis
        ]
    return data


def _question(found: ToldQuestion, level: str, words: Language) -> dict[str, Any]:
    question = found.question
    data: dict[str, Any] = {
        "id": question.id,
        "ask": question.ask,
        "marks": plain(found.marks),
        "out_of": plain(question.marks),
        **_override(found.overridden),
        "items": [_item(item, level, words) for item in found.items],
    }
    if found.note is not None:
        data["note"] = words.tell(found.note)
    if found.refused is not None:
        data["follow_through_refused"] = words.tell(found.refused)
    return data


def _item(found: ToldItem, level: str, words: Language) -> dict[str, Any]:
    data: dict[str, Any] = {"item": found.name, "given": None if found.given is None else spelt(found.given)}
    if level == "full":
        data["expected"] = "" if found.expected is None else spelt(found.expected)
    if found.verdict is not None:
        data["verdict"] = found.verdict
    data["marks"] = plain(found.marks)
    data |= _override(found.overridden)
    if found.note:
        data["note"] = " ".join(map(words.tell, found.note))
    return data


def _override(found: Override | None) -> dict[str, Any]:
    return {} if found is None else {"override": {"marks": plain(found.marks), "reason": found.reason}}
