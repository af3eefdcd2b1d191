"""A class as its teacher looks at it: numbers, tables, the tree with shares of right answers, and who is behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.languages.words import words_of
from grader.marking.exam_report import AnyReport
from grader.marking.report import Report
from grader.questions.registry import ask_of
from grader.reports.class_exam import tally_of
from grader.reports.class_rows import ClassSection, sections
from grader.reports.class_summary import NOT_EXPLAINED
from grader.reports.heat_map import heat_map, heat_style
from grader.reports.labels import counted_as, mistake_title
from grader.service.work.tasks.classes import Entry, HandedOut, reports_of
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.variants import handed_out_of
from solver.drawing import style_sheet
from solver.languages import Language

SHOWN_APART = ("items", "mistakes", "conventions")
"""Tables that the page makes itself, since their rows lead to answers."""


def class_overview(entries: Sequence[Entry], handed_out: HandedOut, language: str) -> dict[str, Any]:
    """Words in a language, and a picture with its style; `nodes` has the questions that ask about each node, and people
    are in the order of entries. An exam has `parts`, each of which is such a class, and no picture of its own."""
    with refusing():
        words, of = words_of(language), handed_out_of(handed_out)
        tally, reports = tally_of(of), list(reports_of(entries, of))
        for report in reports:
            tally.add(report)
        title = words.own(of.title) if of.title else of.id
        whole, *parts = sections(tally.summary(), words, title)
        seen = [_seen(each, [_of_part(report, each.number) for report in reports], words) for each in parts or (whole,)]
        style = style_sheet("auto") + heat_style()
        if not parts:
            return {**seen[0], "title": of.title and title, "style": style, "parts": []}
        people = [{"student": each.answer.student} for each in reports]
        return {
            "title": title,
            "style": style,
            "facts": _facts(whole),
            "tables": [_table(each) for each in whole.tables],
            "people": people,
            "parts": seen,
        }


def _of_part(report: AnyReport, number: int) -> Report:
    return report if isinstance(report, Report) else report.parts[number - 1].report


def _seen(section: ClassSection, reports: Sequence[Report], words: Language) -> dict[str, Any]:
    """An exercise, or a part of an exam."""
    summary = section.summary
    assert summary is not None
    called = {question.id: ask_of(question) for question in summary.exercise.questions}
    return {
        "number": section.number,
        "title": section.title,
        "facts": _facts(section),
        "tables": [_table(each) for each in section.tables if each.key not in SHOWN_APART],
        "picture": heat_map(summary, words, f"heat-{section.number}-") if summary.heat else "",
        "nodes": {node: list(shares) for node, shares in summary.heat.items()},
        "items": [
            {
                "question": each.question,
                "item": each.item,
                "called": words.show(called[each.question].called(each.item)),
                "right": each.share.right,
                "total": each.share.total,
                "missed": each.share.total - each.share.right,
            }
            for each in summary.items
        ],
        "mistakes": [
            {"id": name, "title": mistake_title(name, words) if name else "", "answers": count}
            for name, count in summary.mistakes.items()
        ],
        "conventions": [
            {"id": each.id, "title": words.show(each.called), "answers": count, "declared": each == summary.declared}
            for each, count in summary.conventions.items()
        ],
        "people": [_person(each, words) for each in reports],
    }


def _facts(section: ClassSection) -> list[list[str]]:
    return [[str(name), str(value)] for name, value in section.facts]


def _person(report: Report, words: Language) -> dict[str, Any]:
    mistake = report.diagnosis[0].mistake if report.diagnosis else NOT_EXPLAINED
    return {
        "student": report.answer.student,
        "name": report.answer.name,
        "marks": str(report.exact_marks),
        "mistake": mistake if report.exact_marks != report.exercise.out_of else None,
        "convention": counted_as(report).id,
        "items": [
            {
                "question": question.question.id,
                "item": each.item.name,
                "called": words.show(ask_of(question.question).called(each.item.name)),
                "given": "" if each.item.given is None else words.show(each.item.given),
                "expected": "" if each.item.expected is None else words.show(each.item.expected),
                "verdict": str(each.verdict),
            }
            for question in report.questions()
            for each in question.items
        ],
    }


def _table(each: Any) -> dict[str, Any]:
    return {
        "key": each.key,
        "title": str(each.title),
        "first": str(each.first),
        "header": [str(cell) for cell in each.header],
        "rows": [{"name": str(row.name), "cells": [str(cell) for cell in row.cells]} for row in each.rows],
    }
