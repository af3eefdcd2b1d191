"""What a report tells at one level of feedback. Every output is made from this, so none tells more.

Below full feedback the rows are the places that a question asks about, whatever the key, and all that is told of them
depends on the answer, on the rows' verdicts and on the questions' marks: two keys that give the same verdicts and
marks cannot be told apart. Of an exam each part's facts are told, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.answers import Unreadable
from grader.answers.item_names import Ignored
from grader.documents.answer_file import Answer
from grader.kernel.verdicts import (
    FOLLOW_THROUGH,
    LATE,
    MISSING,
    OTHER_CONVENTION,
    RIGHT,
    UNREADABLE,
    VERDICTS,
    Verdict,
    rounded,
)
from grader.marking.exam_report import AnyReport, ExamReport, PartReport
from grader.marking.report import Chosen, Override, Report, ReportedItem, ReportedQuestion
from grader.mistakes.diagnosis import Diagnosis
from grader.questions.ask import INNER, LEAVES, NODES, Given, in_document_order
from grader.questions.exercise import Question
from grader.questions.items import AnswerRow
from grader.questions.registry import ask_of
from grader.reports.feedback_sentences import (
    exam_sentences,
    feedback_sentences,
    hint_sentence,
    note_sentences,
    total_sentence,
)
from solver.game import Convention
from solver.languages import Fact, Items, Sentence

NONE, MARKS, HINTS, FULL = "none", "marks", "hints", "full"


@dataclass(frozen=True, slots=True)
class ItemFacts:
    name: str
    """As report/1 has it, whatever the language."""
    called: Fact
    """What it is called where people read of it."""
    given: Fact | None
    expected: Fact | None
    verdict: Verdict | None
    """None where it is not told."""
    marks: Fraction
    note: tuple[Sentence, ...]
    overridden: Override | None = None
    """Marks that were given by hand; so are those of questions and of the whole."""
    out_of: Fraction = Fraction(0)
    """Told only where marks were given by hand."""


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    question: Question
    marks: Fraction
    items: tuple[ItemFacts, ...]
    note: Sentence | None = None
    """Why nothing of the answer could be read."""
    refused: Sentence | None = None
    """Why follow-through was refused, where it was and may be told."""
    overridden: Override | None = None


@dataclass(frozen=True, slots=True)
class FeedbackFacts:
    exercise: str
    title: str | None
    answer: Answer
    level: str
    marks: Fraction
    """Rounded, as all totals are."""
    out_of: Fraction
    convention: Convention | None
    """This and the diagnosis are None where they are not told."""
    questions: tuple[QuestionFacts, ...]
    diagnosis: Sequence[Diagnosis] | None
    feedback: tuple[Sentence, ...]
    overridden: Override | None = None
    chosen: Chosen | None = None
    ignored: Sequence[Ignored] = ()
    """What was answered and nobody asked."""


def facts_at_level(report: Report, level: str) -> FeedbackFacts:
    """`none`: the total and each question's marks; `marks`: each item's too; `hints`: verdicts and what to study, but
    never the key; `full`: everything."""
    return _exercise_facts(report, level, [_judged(each, report, level) for each in report.questions()])


def facts_at_levels(report: Report, levels: Iterable[str]) -> dict[str, FeedbackFacts]:
    """The same at several levels; what they have in common is found out once."""
    questions = list(report.questions())
    judged: dict[bool, list[QuestionFacts]] = {}
    found: dict[str, FeedbackFacts] = {}
    for level in levels:
        in_full = level == FULL
        if in_full not in judged:
            judged[in_full] = [_judged(each, report, level) for each in questions]
        found[level] = _exercise_facts(report, level, judged[in_full])
    return found


def _judged(found: ReportedQuestion, report: Report, level: str) -> QuestionFacts:
    return _in_full(found) if level == FULL else _in_rows(found, report)


def _exercise_facts(report: Report, level: str, judged: Sequence[QuestionFacts]) -> FeedbackFacts:
    verdicts = frozenset(item.verdict for each in judged for item in each.items if item.verdict is not None)
    explained = level in (HINTS, FULL)
    return FeedbackFacts(
        report.exercise.id,
        report.exercise.title,
        report.answer,
        level,
        report.marks,
        report.exercise.out_of,
        report.counted.convention if explained else None,
        tuple(judged if explained else (_marks_only(each, level) for each in judged)),
        tuple(report.diagnosis) if explained else None,
        tuple(feedback_sentences(report, level, verdicts)),
        report.override,
        report.chosen,
        report.declared.ignored,
    )


def _marks_only(found: QuestionFacts, level: str) -> QuestionFacts:
    """Without verdicts; rounded, since an exact fraction tells how many items the key has."""
    items = tuple(
        replace(item, verdict=None, note=(), marks=rounded(item.marks)) for item in found.items if level == MARKS
    )
    return QuestionFacts(found.question, rounded(found.marks), items, overridden=found.overridden)


def _in_full(found: ReportedQuestion) -> QuestionFacts:
    refused = Sentence("feedback.refused", None, {"question": found.question.id}) if found.refused else None
    ask, items = ask_of(found.question), list(found.items)
    if ask.items_are in (INNER, LEAVES, NODES):
        places = {
            name: place for place, name in enumerate(in_document_order(found.keyed, [each.item.name for each in items]))
        }
        items.sort(key=lambda each: places[each.item.name])
    problem = _unread_as_a_whole(found.given, [each.item.name for each in items])
    shown = (_item_facts(each, found, problem is not None) for each in items)
    return QuestionFacts(found.question, found.marks, tuple(shown), _sentence(problem), refused, found.override)


def _item_facts(each: ReportedItem, found: ReportedQuestion, unread: bool) -> ItemFacts:
    item, notes = each.item, tuple(note_sentences(each, found.answered, unread))
    called = ask_of(found.question).called(item.name)
    return _by_hand(ItemFacts(item.name, called, item.given, item.expected, each.verdict, each.marks, notes), found)


def _in_rows(found: ReportedQuestion, report: Report) -> QuestionFacts:
    ask = ask_of(found.question)
    rows = ask.rows(found.keyed, found.given)
    verdicts = [_row_verdict(row, found) for row in rows]
    follow_through = report.exercise.marking.follow_through
    marks = list(_row_marks(rows, verdicts, found, follow_through))
    problem = _unread_as_a_whole(found.given, [row.name for row in rows])
    items = (
        ItemFacts(row.name, ask.called(row.name), row.given, None, verdict, earned, _hint(row, verdict, problem))
        for row, verdict, earned in zip(rows, verdicts, marks, strict=True)
    )
    told_items = tuple(_by_hand(each, found) for each in items)
    return QuestionFacts(found.question, found.marks, told_items, _sentence(problem), overridden=found.override)


def _by_hand(told_item: ItemFacts, found: ReportedQuestion) -> ItemFacts:
    """With the marks that were given by hand, if they were."""
    for each in found.items:
        if each.override is not None and each.item.name == told_item.name:
            return replace(told_item, marks=each.override.marks, overridden=each.override, out_of=each.out_of)
    return told_item


def _hint(row: AnswerRow, verdict: Verdict, problem: Unreadable | None) -> tuple[Sentence, ...]:
    """What is said of the whole question is not said of each row."""
    if problem is not None:
        return ()
    said = hint_sentence(verdict) if row.problem is None else _sentence(row.problem)
    return () if said is None else (said,)


def _row_verdict(row: AnswerRow, found: ReportedQuestion) -> Verdict:
    """A row that was left blank is missing, whether or not the key has something there, until all marks are earned."""
    if row.problem is not None:
        return UNREADABLE
    if row.blank:
        return RIGHT if found.marks == found.question.marks else MISSING
    if row.name in found.rows:
        return found.rows[row.name]
    judged = [each.verdict for each in found.items if each.item.name == row.name and each.item.given is not None]
    return max(judged, key=VERDICTS.index, default=RIGHT)


_WEIGHTS = {RIGHT: Fraction(1), OTHER_CONVENTION: Fraction(1), LATE: Fraction(1, 2)}


def _row_marks(
    rows: Sequence[AnswerRow], verdicts: Sequence[Verdict], found: ReportedQuestion, follow_through: Fraction
) -> Iterator[Fraction]:
    """What an item is worth, where that depends on the exercise alone. Where it depends on how many items the key has,
    the question's marks are shared out among the rows that earn something."""
    ask = ask_of(found.question)
    if not (ask.names_tell or ask.is_list):
        by_name = {each.item.name: each.marks for each in found.items}
        yield from (by_name.get(row.name, Fraction(0)) for row in rows)
        return
    by_hand = {each.item.name: each.override.marks for each in found.items if each.override is not None}
    weights = [
        Fraction(0)
        if row.blank or row.name in by_hand
        else follow_through
        if verdict == FOLLOW_THROUGH
        else _WEIGHTS.get(verdict, Fraction(0))
        for row, verdict in zip(rows, verdicts, strict=True)
    ]
    whole, shared = sum(weights), found.marks - sum(by_hand.values())
    yield from (shared * weight / whole if whole else Fraction(0) for weight in weights)


def _unread_as_a_whole(given: Mapping[str, Given], names: Sequence[str]) -> Unreadable | None:
    """The one reason why nothing could be read, if that is so, and more was asked than the one item it is about."""
    problems = {id(here.problem): here.problem for here in given.values()}
    if len(given) == 1 and next(iter(given)) in names:
        return None
    return next(iter(problems.values())) if len(problems) == 1 else None


def _sentence(problem: Unreadable | None) -> Sentence | None:
    return None if problem is None else Sentence(problem.reason, None, dict(problem.facts))


@dataclass(frozen=True, slots=True)
class ExamFeedbackFacts:
    exercise: str
    """The exam's id."""
    title: str | None
    answer: Answer
    level: str
    marks: Fraction
    """Rounded, as all totals are."""
    out_of: Fraction
    names: tuple[str, ...]
    """Of the parts, whichever exercises they had."""
    parts: tuple[FeedbackFacts, ...]
    feedback: tuple[Sentence, ...]
    """On the whole; each part has its own."""
    overridden: Override | None = None
    chosen: Chosen | None = None
    ignored: tuple[str, ...] = ()
    """What was answered and nobody asked, of all parts, and which variants were not the student's."""


AnyFeedbackFacts = FeedbackFacts | ExamFeedbackFacts


def any_facts_at_level(report: AnyReport, level: str) -> AnyFeedbackFacts:
    return any_facts_at_levels(report, [level])[level]


def any_facts_at_levels(report: AnyReport, levels: Iterable[str]) -> dict[str, AnyFeedbackFacts]:
    """What is told at each of several levels."""
    listed = list(levels)
    if isinstance(report, Report):
        return dict(facts_at_levels(report, listed))
    parts = [_part_at(part, listed) for part in report.parts]
    return {level: _exam_facts(report, level, tuple(part[level] for part in parts)) for level in listed}


def combine_part_facts(
    about: Answer,
    title: str | None,
    level: str,
    marks: Fraction,
    parts: Iterable[tuple[str, FeedbackFacts]],
    odd: Sequence[str],
) -> ExamFeedbackFacts:
    """What is told of an exam whose parts were marked each by itself, all at one level; `odd` is what of the answer
    belongs to none of them."""
    names, facts = zip(*parts, strict=True)
    total, out_of = rounded(marks), sum((part.out_of for part in facts), Fraction(0))
    said = () if level == NONE else (total_sentence(total, out_of), *_ignored_sentence(odd))
    ignored = (*odd, *_ignored_in_parts(facts))
    return ExamFeedbackFacts(about.exercise, title, about, level, total, out_of, names, facts, said, ignored=ignored)


def _part_at(part: PartReport, levels: Iterable[str]) -> dict[str, FeedbackFacts]:
    by_level = facts_at_levels(part.report, levels)
    if part.known:
        return by_level
    # Which exercise it was is not known: of the one that stands in for it nothing is told but what it is worth.
    return {
        level: replace(each, exercise=part.name, title=None, convention=None, questions=(), diagnosis=None, feedback=())
        for level, each in by_level.items()
    }


def _exam_facts(report: ExamReport, level: str, parts: tuple[FeedbackFacts, ...]) -> ExamFeedbackFacts:
    return ExamFeedbackFacts(
        report.id,
        report.title,
        report.answer,
        level,
        report.marks,
        report.out_of,
        tuple(part.name for part in report.parts),
        parts,
        tuple(_exam_sentences(report, level)),
        report.override,
        report.chosen,
        (*report.ignored, *_ignored_in_parts(parts)),
    )


def _exam_sentences(report: ExamReport, level: str) -> Iterator[Sentence]:
    yield from exam_sentences(report, level)
    if level == NONE:
        return
    for name in report.not_theirs:
        yield Sentence("feedback.not-theirs", None, {"name": name})
    yield from _ignored_sentence(report.exam.left_aside(report.answer))


def _ignored_sentence(names: Sequence[str]) -> Iterator[Sentence]:
    if names:
        yield Sentence("feedback.ignored", None, {"names": Items(tuple(names), len(names))})


def _ignored_in_parts(parts: Iterable[FeedbackFacts]) -> Iterator[str]:
    """What the parts left aside, each with the part's name."""
    return (f"{part.exercise}.{each.text}" for part in parts for each in part.ignored)
