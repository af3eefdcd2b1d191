"""One report in full, for a person who reads it in a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from fractions import Fraction

from grader.kernel.cells import columns, directed, fact_cell, marks_shown, terminal
from grader.kernel.cells import told as safe
from grader.kernel.numbers import rounded
from grader.reports.feedback import by_hand
from grader.reports.labels import VERDICT_KEYS
from grader.reports.told import Told, ToldItem, ToldQuestion
from grader.reports.told_exam import AnyTold
from solver.languages import Amount, Fact, Language

WIDTH = 100


def detail(found: AnyTold, words: Language) -> str:
    """Every item with what was given, expected and earned, and the sentences."""
    return "\n".join(directed(_lines(found, words), words)) + "\n"


def part_title(number: int, found: Told, words: Language) -> str:
    """A part of an exam, by its number and title."""
    if found.title:
        return str(words.say("paper.part", number=Amount(number), title=words.name(terminal(words.own(found.title)))))
    return str(words.say("paper.part.untitled", number=Amount(number)))


def _lines(found: AnyTold, words: Language) -> Iterator[str]:
    exercise = words.name(terminal(found.exercise))
    yield f"{words.name(terminal(words.own(found.title)))} ({exercise})" if found.title else exercise
    names = [words.name(terminal(name, 60)) for name in (found.answer.student, found.answer.name) if name]
    yield f"{words.listed(names, 'then')}: {_of(found.marks, found.out_of, words)}"
    if isinstance(found, Told):
        yield from _judged(found, words)
        return
    yield from _feedback(found, words)
    for number, part in enumerate(found.parts, 1):
        title, name = part_title(number, part, words), words.name(terminal(part.exercise))
        yield ""
        yield f"{title} ({name}): {_of(part.marks, part.out_of, words)}"
        yield from _judged(part, words)


def _judged(found: Told, words: Language) -> Iterator[str]:
    for question in found.questions:
        yield ""
        yield f"{words.name(terminal(question.question.id))}: {_of(question.marks, question.question.marks, words)}"
        yield from _item_lines(question, words)
    yield from _feedback(found, words)


def _feedback(found: AnyTold, words: Language) -> Iterator[str]:
    if found.feedback:
        yield ""
        for sentence in found.feedback:
            yield from _wrapped(words.tell(sentence))


def question_text(question: ToldQuestion, words: Language) -> str:
    """A question's marks, its items in columns, and below them what is to be said about some."""
    marks = f"{words.name(terminal(question.question.id))}: {_of(question.marks, question.question.marks, words)}"
    return "\n".join(directed([marks, *_item_lines(question, words)], words))


def _item_lines(question: ToldQuestion, words: Language) -> Iterator[str]:
    items = question.items
    if items:
        shown = [
            key for key in ("given", "expected", "verdict") if any(getattr(each, key) is not None for each in items)
        ]
        header = ["", *(words.say(f"output.{key}") for key in shown), words.say("output.marks")]
        rows = [
            [
                fact_cell(item.called, words),
                *(_column(item, key, words) for key in shown),
                marks_shown(item.marks, words),
            ]
            for item in items
        ]
        yield from columns([header, *rows], [False] * (len(shown) + 1) + [True], "  ")
    noted: dict[str, list[str]] = {}
    for item in items:
        if item.note:
            noted.setdefault(" ".join(map(words.tell, item.note)), []).append(fact_cell(item.called, words))
    for note, names in noted.items():
        yield from _wrapped(f"{words.listed(names, 'then')}: {note}", "  ")
    for item in items:
        if said := [words.tell(each) for each in by_hand(item.overridden, item.out_of)]:
            yield from _wrapped(f"{fact_cell(item.called, words)}: {' '.join(said)}", "  ")
    for sentence in (question.note, question.refused):
        if sentence is not None:
            yield from _wrapped(words.tell(sentence), "  ")
    if said := [words.tell(each) for each in by_hand(question.overridden, question.question.marks)]:
        yield from _wrapped(" ".join(said), "  ")


def _of(marks: Fraction, out_of: Fraction, words: Language) -> str:
    return str(words.say("output.of", marks=rounded(marks), out_of=out_of))


def _column(item: ToldItem, key: str, words: Language) -> str:
    if key == "verdict":
        return "—" if item.verdict is None else str(words.say(VERDICT_KEYS[item.verdict]))
    fact: Fact | None = getattr(item, key)
    return "—" if fact in (None, "") else fact_cell(fact, words)


def _wrapped(sentence: str, indent: str = "") -> list[str]:
    text = safe(sentence)
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
