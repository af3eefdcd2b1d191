"""A report as plain data in the shape of report/1, telling as much as it is allowed to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.marking.report import Report, ReportedItem, ReportedQuestion
from grader.reports.feedback import feedback, note
from solver.kernel import plain
from solver.languages import Language


def report_data(report: Report, level: str, words: Language) -> dict[str, Any]:
    """`none`: the total and each question's marks; `marks`: each item's too; `hints`: verdicts and what to study, but
    never the key; `full`: everything."""
    answer = report.answer
    data: dict[str, Any] = {"plymark": "report/1", "exercise": report.exercise.id, "student": answer.student}
    data |= {key: value for key in ("name", "submitted", "variant") if (value := getattr(answer, key)) is not None}
    data |= {
        "language": words.code,
        "marks": plain(report.marks),
        "out_of": plain(report.exercise.out_of),
        "convention": report.counted.convention.as_data(),
        "questions": [_question(question, level, words) for question in report.questions()],
    }
    if level in ("hints", "full"):
        data["diagnosis"] = [
            {"mistake": found.mistake, "explains": plain(found.explains), "same_here": list(found.same_here)}
            for found in report.diagnosis
        ]
    data["feedback"] = [words.tell(sentence) for sentence in feedback(report, level)]
    data["feedback_level"] = level
    data["ignored"] = list(answer.ignored)
    return data


def _question(found: ReportedQuestion, level: str, words: Language) -> dict[str, Any]:
    question = found.question
    data: dict[str, Any] = {
        "id": question.id,
        "ask": question.ask,
        "marks": plain(found.marks),
        "out_of": plain(question.marks),
        "items": [] if level == "none" else list(_items(found, level, words)),
    }
    if found.refused and level == "full":
        data["follow_through_refused"] = words.say("feedback.refused", question=question.id)
    return data


def _items(found: ReportedQuestion, level: str, words: Language) -> Iterator[dict[str, Any]]:
    for each in found.items:
        name = each.item.name if level == "full" else each.item.public_name
        if name is not None:
            yield _item(each, name, level, words)


def _item(each: ReportedItem, name: str, level: str, words: Language) -> dict[str, Any]:
    data: dict[str, Any] = {"item": name, "given": each.item.given}
    if level == "full":
        data["expected"] = each.item.expected
    if level in ("hints", "full"):
        data["verdict"] = each.verdict
    data["marks"] = plain(each.marks)
    told = " ".join(words.tell(sentence) for sentence in note(each, level))
    return {**data, "note": told} if told else data
