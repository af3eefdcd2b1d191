"""What a corrected exercise changes, as text and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from grader.documents.exam import Exam
from grader.kernel.cells import WIDEST, columns, cut_off, directed, marks_shown, marks_text, terminal
from grader.kernel.cells import told as safe
from grader.kernel.sheets import sheet
from grader.marking.graders import HandedOut
from grader.questions.ask import Ask
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from grader.reports.labels import VERDICT_KEYS
from grader.reports.options import Options
from grader.reports.regrade import Change, ItemChange, Regraded
from solver.languages import Language

MOST_ITEMS = 4
"""Of one student, in text; CSV has them all."""
_HEADINGS = ("regrade.student", "regrade.before", "regrade.after", "regrade.difference", "regrade.why")


def changes_text(found: Regraded, options: Options) -> bytes:
    """Those whose marks change, and how many do not."""
    return ("\n".join(directed(_lines(found, options.words), options.words)) + "\n").encode("utf-8", "replace")


def _lines(found: Regraded, words: Language) -> Iterator[str]:
    if found.old.out_of != found.new.out_of:
        yield words.say("regrade.out-of", before=found.old.out_of, after=found.new.out_of)
        yield ""
    changed = [each for each in found.changes if each.difference]
    if changed:
        header = [words.say(key) for key in _HEADINGS]
        asks = {
            (part, question.id): ask_of(question)
            for handed_out in (found.old, found.new)
            for part, exercise in _by_part(handed_out)
            for question in exercise.questions
        }
        rows = [header, *([*_marks(each, words), _why(each, asks, words)] for each in changed)]
        yield from columns(rows, [False, True, True, True, False])
        yield ""
    yield words.say("regrade.up", found.up)
    yield words.say("regrade.down", found.down)
    yield words.say("regrade.same", found.same)


def _marks(each: Change, words: Language) -> list[str]:
    difference = marks_shown(each.difference, words)
    return [
        words.name(terminal(each.student, WIDEST)),
        marks_shown(each.before, words),
        marks_shown(each.after, words),
        f"+{difference}" if each.difference > 0 else difference,
    ]


def _why(each: Change, asks: Mapping[tuple[str, str], Ask], words: Language) -> str:
    """The items whose marks change; those with another verdict, where a rubric does not go by items."""
    items = [item for item in each.items if item.marks_before != item.marks_after] or list(each.items)
    told = [_item(item, asks[item.part, item.question], words) for item in items[:MOST_ITEMS]]
    return "; ".join(told + (["…"] if len(items) > MOST_ITEMS else []))


def _item(item: ItemChange, ask: Ask, words: Language) -> str:
    where = " ".join(terminal(name, 16) for name in (item.part, item.question) if name)
    if item.item != item.question:
        where += f" {cut_off(safe(words.show(ask.called(item.item))), WIDEST, words)}"
    if item.before == item.after:
        return f"{where}: {_amount(item.marks_before, words)} → {_amount(item.marks_after, words)}"
    return f"{where}: {_verdict(item.before, words)} → {_verdict(item.after, words)}"


def _verdict(verdict: str | None, words: Language) -> str:
    return "—" if verdict is None else words.say(VERDICT_KEYS[verdict])


def _amount(marks: Fraction | None, words: Language) -> str:
    return "—" if marks is None else marks_shown(marks, words)


def changes_sheet(found: Regraded, _options: Options) -> bytes:
    """A row for each answer, changed or not; a question's cell is empty where its marks stay."""
    names = list(dict.fromkeys((*_columns(found.new), *_columns(found.old))))
    header = ["Student", "Name", "Before", "After", "Difference", *names, "Items"]
    return sheet([header, *(_row(each, names) for each in found.changes)])


def _by_part(handed_out: HandedOut) -> list[tuple[str, Exercise]]:
    """An exercise of each part, all of whose variants ask the same."""
    if isinstance(handed_out, Exam):
        return [(name, part.first) for name, part in handed_out.parts.items()]
    return [("", handed_out.first)]


def _columns(handed_out: HandedOut) -> list[str]:
    if isinstance(handed_out, Exam):
        return list(handed_out.parts)
    return [question.id for question in handed_out.first.questions]


def _row(each: Change, names: list[str]) -> list[str]:
    questions = {change.id: f"{_plain(change.before)} → {_plain(change.after)}" for change in each.questions}
    items = "; ".join(f"{_named(item)}: {_was_and_is(item)}" for item in each.items)
    marks = [marks_text(number) for number in (each.before, each.after, each.difference)]
    return [each.student, each.name or "", *marks, *(questions.get(name, "") for name in names), items]


def _named(item: ItemChange) -> str:
    return " ".join(filter(None, (item.part, item.question, item.item)))


def _was_and_is(item: ItemChange) -> str:
    """Its verdicts; its marks, where verdicts are not told."""
    if item.before is None and item.after is None:
        return f"{_plain(item.marks_before)} → {_plain(item.marks_after)}"
    return f"{item.before or '—'} → {item.after or '—'}"


def _plain(marks: Fraction | None) -> str:
    return "—" if marks is None else marks_text(marks)
