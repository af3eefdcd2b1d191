"""A class as its teacher looks at it: numbers, tables, the tree with shares of right answers, and who is behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.documents.variants import variants_of
from grader.languages.words import words_of
from grader.marking.report import Report
from grader.questions.registry import ask_of
from grader.reports.class_rows import facts, tables
from grader.reports.class_summary import NOT_EXPLAINED, Tally
from grader.reports.heat_map import heat_map, heat_style
from grader.reports.labels import counted_as, mistake_title
from grader.service.work.tasks.classes import Entry, reports_of
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.variants import grader_of
from solver.drawing import style_sheet
from solver.languages import Language

SHOWN_APART = ("items", "mistakes", "conventions")
"""Tables that the page makes itself, since their rows lead to answers."""


def class_seen(entries: Sequence[Entry], variants: Sequence[bytes], language: str) -> dict[str, Any]:
    """Words in a language, and a picture with its style; `nodes` has the questions that ask about each node, and people
    are in the order of entries."""
    with refusing():
        words = words_of(language)
        exercise = grader_of(variants[0]).exercise
        tally, people = Tally(exercise), []
        for report in reports_of(entries):
            tally.add(report)
            people.append(_person(report, words))
        summary = tally.summary()
        called = {question.id: ask_of(question) for question in exercise.questions}
        return {
            "title": variants_of([grader_of(raw).exercise for raw in variants]).title,
            "facts": [[str(name), str(value)] for name, value in facts(summary, words)],
            "tables": [_table(each) for each in tables(summary, words) if each.key not in SHOWN_APART],
            "picture": heat_map(summary, words) if summary.heat else "",
            "style": style_sheet("auto") + heat_style(),
            "nodes": {node: list(shares) for node, shares in summary.heat.items()},
            "items": [
                {
                    "question": each.question,
                    "item": each.item,
                    "called": words.show(called[each.question].called(each.item)),
                    "right": each.share.right,
                    "total": each.share.total,
                }
                for each in summary.items
            ],
            "mistakes": [
                {"id": name, "title": mistake_title(name, words) if name else "", "answers": count}
                for name, count in summary.mistakes.items()
            ],
            "conventions": [
                {
                    "id": each.id,
                    "title": words.show(each.called),
                    "answers": count,
                    "declared": each == summary.declared,
                }
                for each, count in summary.conventions.items()
            ],
            "people": people,
        }


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
