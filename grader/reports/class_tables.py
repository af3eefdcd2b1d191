"""What a class summary says, in words, for every output that a person reads; and two of these: text for a terminal,
and CSV, one long table that any spreadsheet can filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.kernel.csv_sheets import csv_bytes
from grader.kernel.display_text import (
    aligned_columns,
    cut_off,
    directed_lines,
    marks_shown,
    marks_text,
    percent,
    terminal_sentence,
    terminal_text,
)
from grader.questions.registry import ask_of
from grader.reports.class_summary import BINS, ClassSummary, ExamSummary, Figures, PartSummary
from grader.reports.feedback_sentences import VERDICT_KEYS, mistake_title
from grader.reports.output_options import OutputOptions
from solver.languages import Amount, Language


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    cells: tuple[str, ...]
    share: Fraction
    """Of the bar beside it."""


@dataclass(frozen=True, slots=True)
class Table:
    key: str
    title: str
    header: tuple[str, ...]
    """Of the cells; that of the names is `first`."""
    first: str
    rows: tuple[Row, ...]
    relative: bool = False
    """Whether the longest bar stands for the largest share, not for the whole."""


@dataclass(frozen=True, slots=True)
class ClassSection:
    """What there is to say of the exercise or of the exam; then, of an exam, of each part."""

    title: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    summary: ClassSummary | None = None
    """None for an exam as a whole."""
    number: int = 0
    """Of a part, from 1."""


AnySummary = ClassSummary | ExamSummary
HARDEST = 10
"""Items that are shown without being asked for: a list of all tells nobody what to teach again."""


def sections(summary: AnySummary, words: Language, title: str, hardest: int | None = None) -> Iterator[ClassSection]:
    """Those of a class page; of the items only the hardest, if a number is given."""
    if isinstance(summary, ClassSummary):
        shown = words.say("class.title", exercise=title or summary.exercise.title or summary.exercise.id)
        yield ClassSection(shown, tuple(facts(summary, words)), tuple(tables(summary, words, hardest)), summary)
        return
    shown = words.say("class.title", exercise=title or summary.exam.title or summary.exam.id)
    over_all = (_distribution(summary, words), _parts(summary, words)) if summary.answers else ()
    yield ClassSection(shown, tuple(facts(summary, words)), over_all)
    for number, part in enumerate(summary.parts, 1):
        below = tuple(tables(part.summary, words, hardest))
        yield ClassSection(
            _part_name(number, part, words), tuple(facts(part.summary, words)), below, part.summary, number
        )


def _part_name(number: int, part: PartSummary, words: Language) -> str:
    name = terminal_sentence(words.own(part.title or part.name))
    return str(words.say("paper.part", number=Amount(number), title=words.name(name)))


def facts(summary: Figures, words: Language) -> Iterator[tuple[str, str]]:
    """The class in a few numbers."""
    say = words.say
    yield say("class.answers"), words.count(summary.answers)
    if summary.mean is not None and summary.median is not None and summary.quartiles is not None:
        assert summary.lowest is not None and summary.highest is not None
        out_of = summary.out_of
        yield say("class.mean"), say("class.marks-of", marks=_rounded(summary.mean), out_of=out_of)
        yield say("class.median"), marks_shown(summary.median, words)
        yield say("class.quartiles"), _between(*summary.quartiles, words)
        yield say("class.range"), _between(summary.lowest, summary.highest, words)
    if isinstance(summary, ClassSummary):
        yield say("class.convention"), words.show(summary.declared.called)
        if summary.unreadable_answers:
            yield say("class.unreadable"), words.count(summary.unreadable_answers)
    if summary.duplicates:
        yield say("class.duplicates"), words.count(summary.duplicates)
    if summary.broken:
        yield say("class.broken"), words.count(summary.broken)


def _rounded(marks: Fraction) -> Fraction:
    return Fraction((200 * marks + 1) // 2, 100)


def _between(low: Fraction, high: Fraction, words: Language) -> str:
    return str(words.say("class.between", low=_rounded(low), high=_rounded(high)))


def tables(summary: ClassSummary, words: Language, hardest: int | None = None) -> Iterator[Table]:
    """Those with something in them; of the items only the hardest, if a number is given."""
    if not summary.answers:
        return
    yield _distribution(summary, words)
    if summary.variants:
        yield _variants(summary, words)
    yield _questions(summary, words)
    if summary.items:
        yield _items(summary, words, hardest)
    if summary.mistakes:
        yield _mistakes(summary, words)
    if summary.verdicts:
        yield _verdicts(summary, words)
    if summary.conventions:
        yield _conventions(summary, words)


def _distribution(summary: Figures, words: Language) -> Table:
    out_of = summary.out_of
    rows = []
    for place, count in enumerate(summary.histogram):
        name = _between(out_of * place / BINS, out_of * (place + 1) / BINS, words)
        rows.append(_counted(name, count, summary.answers, words))
    return _table("distribution", rows, words, relative=True)


def _variants(summary: ClassSummary, words: Language) -> Table:
    """Variants are meant to be equally hard: here it shows whether they were."""
    out_of = summary.out_of
    rows = []
    for each in summary.variants:
        mean = words.say("class.marks-of", marks=_rounded(each.mean), out_of=out_of)
        cells = (words.count(each.answers), mean, percent(each.mean / out_of, words))
        rows.append(Row(words.name(each.id), cells, each.mean / out_of))
    header = tuple(words.say(key) for key in ("class.answers", "class.mean", "class.share"))
    return Table("variants", words.say("class.variants"), header, words.say("output.variant"), tuple(rows))


def _parts(summary: ExamSummary, words: Language) -> Table:
    rows = []
    for number, part in enumerate(summary.parts, 1):
        mean, out_of = part.summary.mean or Fraction(0), part.summary.out_of
        shown = words.say("class.marks-of", marks=_rounded(mean), out_of=out_of)
        cells = (shown, percent(mean / out_of, words), words.count(part.full), words.count(part.blank))
        rows.append(Row(_part_name(number, part, words), cells, mean / out_of))
    header = tuple(words.say(key) for key in ("class.mean", "class.share", "class.full", "class.blank"))
    return Table("parts", words.say("class.parts"), header, words.say("class.parts.first"), tuple(rows))


def _questions(summary: ClassSummary, words: Language) -> Table:
    rows = []
    for each in summary.questions:
        mean = words.say("class.marks-of", marks=_rounded(each.mean), out_of=each.out_of)
        cells = (mean, percent(each.mean_share, words), words.count(each.full), words.count(each.blank))
        rows.append(Row(words.name(each.id), cells, each.mean_share))
    header = tuple(words.say(key) for key in ("class.mean", "class.share", "class.full", "class.blank"))
    return Table("questions", words.say("class.questions"), header, words.say("class.questions.first"), tuple(rows))


def _items(summary: ClassSummary, words: Language, hardest: int | None) -> Table:
    rows = []
    asks = {question.id: ask_of(question) for question in summary.exercise.questions}
    for each in summary.items[:hardest]:
        called = cut_off(terminal_sentence(words.show(asks[each.question].called(each.item))), 40, words)
        item = "" if each.item == each.question else f": {called}"
        name = f"{words.name(each.question)}{item}"
        rows.append(_counted(name, each.share.right, each.share.total, words))
    header = (words.say("class.right"), words.say("class.share"))
    return Table("items", words.say("class.items"), header, words.say("class.items.first"), tuple(rows))


def _mistakes(summary: ClassSummary, words: Language) -> Table:
    rows = []
    for mistake, count in summary.mistakes.items():
        name = f"{mistake} {mistake_title(mistake, words)}" if mistake else words.say("class.not-explained")
        rows.append(_counted(name, count, summary.answers, words))
    return _table("mistakes", rows, words)


def _verdicts(summary: ClassSummary, words: Language) -> Table:
    total = sum(summary.verdicts.values())
    rows = [_counted(words.say(VERDICT_KEYS[each]), n, total, words) for each, n in summary.verdicts.items()]
    return _table("verdicts", rows, words)


def _conventions(summary: ClassSummary, words: Language) -> Table:
    rows = []
    for each, count in summary.conventions.items():
        declared = each == summary.declared
        shown = words.say("class.declared", name=each.called) if declared else words.show(each.called)
        rows.append(_counted(shown, count, summary.answers, words))
    return _table("conventions", rows, words)


def _counted(name: str, count: int, total: int, words: Language) -> Row:
    share = Fraction(count, total)
    return Row(name, (words.count(count), percent(share, words)), share)


_KEYS = {
    "distribution": ("class.distribution", "class.distribution.first", "class.answers"),
    "mistakes": ("class.mistakes", "class.mistakes.first", "class.answers"),
    "verdicts": ("class.verdicts", "class.verdicts.first", "class.verdicts.number"),
    "conventions": ("class.conventions", "class.conventions.first", "class.answers"),
}


def _table(key: str, rows: list[Row], words: Language, relative: bool = False) -> Table:
    title, first, number = _KEYS[key]
    header = (words.say(number), words.say("class.share"))
    return Table(key, words.say(title), header, words.say(first), tuple(rows), relative)


BAR = 30


def class_text(summary: AnySummary, options: OutputOptions) -> bytes:
    return ("\n".join(directed_lines(_text_lines(summary, options), options.words)) + "\n").encode("utf-8", "replace")


def _text_lines(summary: AnySummary, options: OutputOptions) -> Iterator[str]:
    for section in sections(summary, options.words, terminal_text(options.words.own(options.title), 80), HARDEST):
        yield from [""] if section.number else []
        yield section.title
        yield ""
        yield from aligned_columns([[name, value] for name, value in section.facts], [False, False])
        for table in section.tables:
            yield ""
            yield table.title
            yield from _text_table(table)
            yield from _rest_line(table, section, options.words)


def _text_table(table: Table) -> list[str]:
    most = max((row.share for row in table.rows), default=Fraction(0)) if table.relative else Fraction(1)
    rows: list[Sequence[str]] = [["", *table.header, ""]]
    for row in table.rows:
        rows.append([terminal_sentence(row.name), *row.cells, _bar(row.share / most if most else Fraction(0))])
    return aligned_columns(rows, [False, *[True] * len(table.header), False], "  ")


def _rest_line(table: Table, section: ClassSection, words: Language) -> list[str]:
    """How many items are only in the other outputs."""
    left = len(section.summary.items) - len(table.rows) if table.key == "items" and section.summary else 0
    return [f"  {words.say('class.items.more', left)}"] if left else []


def _bar(share: Fraction) -> str:
    return "█" * int(share * BAR + Fraction(1, 2))


SHEET_COLUMNS = ("Section", "Question", "Name", "Value", "Of", "Share")


def class_sheet(summary: AnySummary, _options: OutputOptions) -> bytes:
    """Columns: what the row is about, of which question, its name, its number, out of how many, and the share; of an
    exam, before these, which part, if the row is about one."""
    if isinstance(summary, ClassSummary):
        return csv_bytes([SHEET_COLUMNS, *_sheet_rows(summary)])
    rows = [("", *row) for row in _total_rows(summary)]
    for part in summary.parts:
        rows += [(part.name, *row) for row in _sheet_rows(part.summary)]
    return csv_bytes([("Part", *SHEET_COLUMNS), *rows])


def _total_rows(summary: Figures) -> Iterator[Sequence[str]]:
    out_of, n = summary.out_of, summary.answers
    yield from (
        ["class", "", "answers", str(n), "", ""],
        ["class", "", "broken", str(summary.broken), "", ""],
        ["class", "", "duplicates", str(summary.duplicates), "", ""],
    )
    if isinstance(summary, ClassSummary):
        yield ["class", "", "unreadable", *_of(summary.unreadable_answers, n)]
    if summary.mean is not None and summary.median is not None and summary.quartiles is not None:
        low, high = summary.quartiles
        figures = {"lowest": summary.lowest, "lower quartile": low, "median": summary.median}
        figures |= {"mean": summary.mean, "upper quartile": high, "highest": summary.highest}
        for name, marks in figures.items():
            assert marks is not None
            yield ["marks", "", name, marks_text(marks), marks_text(out_of), marks_text(marks / out_of)]
    for place, count in enumerate(summary.histogram):
        ends = f"{marks_text(out_of * place / BINS)} to {marks_text(out_of * (place + 1) / BINS)}"
        yield ["distribution", "", ends, *_of(count, n)]


def _sheet_rows(summary: ClassSummary) -> Iterator[Sequence[str]]:
    yield from _total_rows(summary)
    out_of, n = summary.out_of, summary.answers
    for variant in summary.variants:
        share = marks_text(variant.mean / out_of)
        yield ["variant", "", variant.id, *_of(variant.answers, n)]
        yield ["variant mean", "", variant.id, marks_text(variant.mean), marks_text(out_of), share]
    for question in summary.questions:
        share = marks_text(question.mean_share)
        yield ["question", question.id, "mean", marks_text(question.mean), marks_text(question.out_of), share]
        yield ["question", question.id, "full marks", *_of(question.full, n)]
        yield ["question", question.id, "blank", *_of(question.blank, n)]
    for item in summary.items:
        yield ["item", item.question, item.item, *_of(item.share.right, item.share.total)]
    items = sum(summary.verdicts.values())
    for verdict, count in summary.verdicts.items():
        yield ["verdict", "", verdict, *_of(count, items)]
    for mistake, count in summary.mistakes.items():
        yield ["mistake", "", mistake or "not explained", *_of(count, n)]
    for convention, count in summary.conventions.items():
        yield ["convention", "", convention.id, *_of(count, n)]


def _of(count: int, total: int) -> list[str]:
    return [str(count), str(total), marks_text(Fraction(count, total)) if total else ""]
