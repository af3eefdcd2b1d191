"""One report in each of its forms: report/1 as plain data, text for a terminal, and Gradescope's results.json.

Gradescope gets a test for each question, all of it plain text, none of it markup.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.kernel.display_text import (
    aligned_columns,
    directed_lines,
    fact_cell,
    marks_shown,
    marks_text,
    terminal_text,
)
from grader.kernel.display_text import terminal_sentence as safe
from grader.kernel.verdicts import rounded
from grader.marking.exam_report import AnyReport
from grader.marking.report import Override
from grader.questions.shown import spelt
from grader.reports.feedback_facts import (
    AnyFeedbackFacts,
    ExamFeedbackFacts,
    FeedbackFacts,
    ItemFacts,
    QuestionFacts,
    any_facts_at_level,
)
from grader.reports.feedback_sentences import VERDICT_KEYS, override_sentence
from grader.reports.output_options import OutputOptions
from solver.kernel import plain
from solver.languages import Amount, Fact, Language
from solver.render import json_bytes


def report_data(report: AnyReport, level: str, words: Language) -> dict[str, Any]:
    """What a level of feedback tells; its sentences are in the language, all else is spelt in one way."""
    return facts_data(any_facts_at_level(report, level), words)


def facts_data(facts: AnyFeedbackFacts, words: Language) -> dict[str, Any]:
    answer = facts.answer
    data: dict[str, Any] = {"plymark": "report/1", "exercise": facts.exercise, "student": answer.student}
    data |= {key: value for key in ("name", "submitted", "variant") if (value := getattr(answer, key)) is not None}
    data |= {"language": words.code, **_marks_data(facts)}
    if isinstance(facts, FeedbackFacts):
        data |= _judged_data(facts, words)
        ignored = [*answer.ignored, *(each.text for each in facts.ignored)]
    else:
        data["parts"] = [
            {"exercise": each.exercise, **_marks_data(each), **_part_data(each, words)} for each in facts.parts
        ]
        ignored = list(facts.ignored)
    data["feedback"] = [words.tell(sentence) for sentence in facts.feedback]
    data["feedback_level"] = facts.level
    if facts.chosen is not None:
        data["duplicates"] = {"answers": facts.chosen.among, "counted": facts.chosen.by}
    data["ignored"] = ignored
    return data


def _marks_data(facts: AnyFeedbackFacts) -> dict[str, Any]:
    return {"marks": plain(facts.marks), "out_of": plain(facts.out_of), **_override_data(facts.overridden)}


def _part_data(facts: FeedbackFacts, words: Language) -> dict[str, Any]:
    return _judged_data(facts, words) | {"feedback": [words.tell(sentence) for sentence in facts.feedback]}


def _judged_data(facts: FeedbackFacts, words: Language) -> dict[str, Any]:
    """What is told of an exercise besides its marks."""
    data: dict[str, Any] = {}
    if facts.convention is not None:
        data["convention"] = facts.convention.as_data()
    data["questions"] = [_question_data(question, facts.level, words) for question in facts.questions]
    if facts.diagnosis is not None:
        data["diagnosis"] = [
            {
                "mistake": each.mistake,
                "explains": plain(each.explains),
                "same_here": list(each.same_here),
                "sure": each.sure,
            }
            for each in facts.diagnosis
        ]
    return data


def _question_data(facts: QuestionFacts, level: str, words: Language) -> dict[str, Any]:
    question = facts.question
    data: dict[str, Any] = {
        "id": question.id,
        "ask": question.ask,
        "marks": plain(facts.marks),
        "out_of": plain(question.marks),
        **_override_data(facts.overridden),
        "items": [_item_data(item, level, words) for item in facts.items],
    }
    if facts.note is not None:
        data["note"] = words.tell(facts.note)
    if facts.refused is not None:
        data["follow_through_refused"] = words.tell(facts.refused)
    return data


def _item_data(facts: ItemFacts, level: str, words: Language) -> dict[str, Any]:
    data: dict[str, Any] = {"item": facts.name, "given": None if facts.given is None else spelt(facts.given)}
    if level == "full":
        data["expected"] = "" if facts.expected is None else spelt(facts.expected)
    if facts.verdict is not None:
        data["verdict"] = facts.verdict
    data["marks"] = plain(facts.marks)
    data |= _override_data(facts.overridden)
    if facts.note:
        data["note"] = " ".join(map(words.tell, facts.note))
    return data


def _override_data(facts: Override | None) -> dict[str, Any]:
    return {} if facts is None else {"override": {"marks": plain(facts.marks), "reason": facts.reason}}


WIDTH = 100


def full_text(facts: AnyFeedbackFacts, words: Language) -> str:
    """Every item with what was given, expected and earned, and the sentences."""
    return "\n".join(directed_lines(_text_lines(facts, words), words)) + "\n"


def part_title(number: int, facts: FeedbackFacts, words: Language) -> str:
    """A part of an exam, by its number and title."""
    if facts.title:
        return str(
            words.say("paper.part", number=Amount(number), title=words.name(terminal_text(words.own(facts.title))))
        )
    return str(words.say("paper.part.untitled", number=Amount(number)))


def _text_lines(facts: AnyFeedbackFacts, words: Language) -> Iterator[str]:
    exercise = words.name(terminal_text(facts.exercise))
    yield f"{words.name(terminal_text(words.own(facts.title)))} ({exercise})" if facts.title else exercise
    names = [words.name(terminal_text(name, 60)) for name in (facts.answer.student, facts.answer.name) if name]
    yield f"{words.listed(names, 'then')}: {_of(facts.marks, facts.out_of, words)}"
    if isinstance(facts, FeedbackFacts):
        yield from _judged_lines(facts, words)
        return
    yield from _feedback_lines(facts, words)
    for number, part in enumerate(facts.parts, 1):
        title, name = part_title(number, part, words), words.name(terminal_text(part.exercise))
        yield ""
        yield f"{title} ({name}): {_of(part.marks, part.out_of, words)}"
        yield from _judged_lines(part, words)


def _judged_lines(facts: FeedbackFacts, words: Language) -> Iterator[str]:
    for question in facts.questions:
        yield ""
        name, marks = words.name(terminal_text(question.question.id)), question.question.marks
        yield f"{name}: {_of(question.marks, marks, words)}"
        yield from _item_lines(question, words)
    yield from _feedback_lines(facts, words)


def _feedback_lines(facts: AnyFeedbackFacts, words: Language) -> Iterator[str]:
    if facts.feedback:
        yield ""
        for sentence in facts.feedback:
            yield from _wrapped(words.tell(sentence))


def question_text(question: QuestionFacts, words: Language) -> str:
    """A question's marks, its items in columns, and below them what is to be said about some."""
    marks = f"{words.name(terminal_text(question.question.id))}: {_of(question.marks, question.question.marks, words)}"
    return "\n".join(directed_lines([marks, *_item_lines(question, words)], words))


def _item_lines(question: QuestionFacts, words: Language) -> Iterator[str]:
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
        yield from aligned_columns([header, *rows], [False] * (len(shown) + 1) + [True], "  ")
    noted: dict[str, list[str]] = {}
    for item in items:
        if item.note:
            noted.setdefault(" ".join(map(words.tell, item.note)), []).append(fact_cell(item.called, words))
    for note, names in noted.items():
        yield from _wrapped(f"{words.listed(names, 'then')}: {note}", "  ")
    for item in items:
        if said := [words.tell(each) for each in override_sentence(item.overridden, item.out_of)]:
            yield from _wrapped(f"{fact_cell(item.called, words)}: {' '.join(said)}", "  ")
    for sentence in (question.note, question.refused):
        if sentence is not None:
            yield from _wrapped(words.tell(sentence), "  ")
    if said := [words.tell(each) for each in override_sentence(question.overridden, question.question.marks)]:
        yield from _wrapped(" ".join(said), "  ")


def _of(marks: Fraction, out_of: Fraction, words: Language) -> str:
    return str(words.say("output.of", marks=rounded(marks), out_of=out_of))


def _column(item: ItemFacts, key: str, words: Language) -> str:
    if key == "verdict":
        return "—" if item.verdict is None else str(words.say(VERDICT_KEYS[item.verdict]))
    fact: Fact | None = getattr(item, key)
    return "—" if fact in (None, "") else fact_cell(fact, words)


def _wrapped(sentence: str, indent: str = "") -> list[str]:
    text = safe(sentence)
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)


MOST_OUTPUT = 100_000
"""Characters of one text: what a page still shows."""


def gradescope_results(facts: AnyFeedbackFacts, words: Language, options: OutputOptions) -> bytes:
    results = {
        "score": _number(facts.marks),
        "output": _cut_text("\n".join(directed_lines(map(safe, _gradescope_feedback(facts, words)), words))),
        "output_format": "text",
        "visibility": options.visibility,
        "stdout_visibility": "hidden",
        "tests": list(_gradescope_tests(facts, words, options)),
    }
    return bytes(json_bytes(results))


def _gradescope_feedback(facts: AnyFeedbackFacts, words: Language) -> Iterator[str]:
    yield from map(words.tell, facts.feedback)
    if isinstance(facts, ExamFeedbackFacts):
        for number, part in enumerate(facts.parts, 1):
            yield ""
            yield part_title(number, part, words)
            yield from map(words.tell, part.feedback)


def _gradescope_tests(facts: AnyFeedbackFacts, words: Language, options: OutputOptions) -> Iterator[dict[str, Any]]:
    """One for each question. Of an exam, a part is named before its questions; a blank one is a test as it stands."""
    if isinstance(facts, FeedbackFacts):
        yield from (_gradescope_test(question, question.question.id, words, options) for question in facts.questions)
        return
    for part in facts.parts:
        for question in part.questions:
            yield _gradescope_test(question, f"{part.exercise}: {question.question.id}", words, options)
        if not part.questions:
            yield _scored_test(part.exercise, part.marks, part.out_of, "", options)


def _gradescope_test(facts: QuestionFacts, name: str, words: Language, options: OutputOptions) -> dict[str, Any]:
    return _scored_test(name, facts.marks, facts.question.marks, question_text(facts, words), options)


def _scored_test(name: str, marks: Fraction, out_of: Fraction, output: str, options: OutputOptions) -> dict[str, Any]:
    return {
        "name": terminal_text(name),
        "score": _number(marks),
        "max_score": _number(out_of),
        "status": "passed" if marks == out_of else "failed",
        "output": _cut_text(output),
        "output_format": "text",
        "visibility": options.visibility,
    }


def _number(marks: Fraction) -> int | Decimal:
    number = Decimal(marks_text(marks))
    return int(number) if number == int(number) else number


def _cut_text(text: str) -> str:
    return text if len(text) <= MOST_OUTPUT else f"{text[:MOST_OUTPUT]}…"
