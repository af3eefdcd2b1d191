"""One report in full, for a person who reads it in a terminal. It is made from report/1, and tells no more."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from grader.kernel.cells import WIDEST, columns, terminal, told
from grader.reports.labels import VERDICT_KEYS
from solver.languages import Language

WIDTH = 100


def detail(data: Mapping[str, Any], words: Language, title: str | None = None) -> str:
    """A report/1 as text: every item with what was given, expected and earned, and the sentences."""
    return "\n".join(_lines(data, words, title)) + "\n"


def _lines(data: Mapping[str, Any], words: Language, title: str | None) -> Iterator[str]:
    exercise = words.name(terminal(str(data["exercise"])))
    yield f"{words.name(terminal(title))} ({exercise})" if title else exercise
    names = [words.name(terminal(str(data[key]), 60)) for key in ("student", "name") if data.get(key)]
    yield f"{words.listed(names, 'then')}: {_of(data, words)}"
    for question in data["questions"]:
        yield ""
        yield from question_lines(question, words)
    if data["feedback"]:
        yield ""
        for sentence in data["feedback"]:
            yield from _wrapped(sentence)


def question_lines(question: Mapping[str, Any], words: Language) -> Iterator[str]:
    """A question's marks, its items in columns, and below them what is to be said about some."""
    yield f"{words.name(terminal(question['id']))}: {_of(question, words)}"
    items = question["items"]
    if items:
        shown = [key for key in ("given", "expected", "verdict") if key in items[0]]
        header = ["", *(words.say(_HEADINGS[key]) for key in shown), words.say("output.marks")]
        rows = [
            [_name(item, words), *(_cell(item, key, words) for key in shown), _marks(item, words)] for item in items
        ]
        yield from columns([header, *rows], [False] * (len(shown) + 1) + [True], "  ")
    for item in items:
        if item.get("note"):
            yield from _wrapped(f"{_name(item, words)}: {item['note']}", "  ")
    if refused := question.get("follow_through_refused"):
        yield from _wrapped(refused, "  ")


_HEADINGS = {"given": "output.given", "expected": "output.expected", "verdict": "output.verdict"}


def _of(data: Mapping[str, Any], words: Language) -> str:
    return str(words.say("output.of", marks=_number(data["marks"]), out_of=_number(data["out_of"])))


def _name(item: Mapping[str, Any], words: Language) -> str:
    return str(words.name(terminal(str(item["item"]), WIDEST)))


def _marks(item: Mapping[str, Any], words: Language) -> str:
    return str(words.number(_number(item["marks"])))


def _number(written: object) -> Fraction:
    return Fraction(str(written))


def _cell(item: Mapping[str, Any], key: str, words: Language) -> str:
    if key == "verdict":
        return str(words.say(VERDICT_KEYS[item[key]]))
    return "—" if item[key] in (None, "") else str(words.name(terminal(str(item[key]), WIDEST)))


def _wrapped(sentence: str, indent: str = "") -> list[str]:
    text = told(sentence)
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
