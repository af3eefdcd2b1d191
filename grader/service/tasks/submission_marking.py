"""A submission marked: what it earned, and what each level of feedback tells of it, in no language."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from grader.documents.answer_file import Answer
from grader.kernel.option_values import LEVELS
from grader.kernel.verdicts import rounded
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.marking.overrides import EVERYBODY, OverrideLine, Overrides
from grader.marking.report import Override, Report, ReportedQuestion
from grader.marking.review import review_rows
from grader.reports.feedback_facts import (
    FULL,
    MARKS,
    NONE,
    ExamFeedbackFacts,
    FeedbackFacts,
    QuestionFacts,
    combine_part_facts,
    facts_at_levels,
)
from grader.reports.report_formats import facts_data
from grader.service.rules.grade_counting import apart, in_part
from grader.service.tasks.feedback_codec import decode_feedback, encode_feedback
from grader.service.tasks.task_input import NOBODY, answer_to, grader_of, part_of, refusing
from grader.service.workers.task_results import (
    ItemMarks,
    MarkingResult,
    QuestionMarks,
    ReviewEntry,
    StoredReport,
    message,
    question_marks,
)
from grader.service.workers.work_problems import UNREADABLE, Refused
from solver.kernel import DocumentError, UsageError
from solver.languages import DECIMAL_COMMA
from solver.render import json_bytes


@message
class ExamHeading:
    id: str
    title: str | None
    odd: tuple[str, ...]
    """What of the answer belongs to no part."""


ByHand = Mapping[str, str]
"""`{question, item, marks, reason}`; with `given` it is about every answer that is equal to that text."""
LONGEST_KEY = 200


def mark(
    variant_raw: bytes, submission_raw: bytes, language: str | None = None, overrides: Sequence[ByHand] = ()
) -> MarkingResult:
    """The language is that of the answer: whether it has decimal commas. What no document may hold, such as hidden
    characters, and what cannot be read as answers at all is marked like an empty answer."""
    with refusing():
        grader = grader_of(variant_raw)
        answer, problems = _answer(variant_raw, submission_raw, language)
        part = part_of(variant_raw)
        marked = _marked(*_applied(grader, answer, _own(overrides, part)), part)
        return replace(marked, canonical_sha256=canonical_sha256(answer), problems=tuple(problems))


def report_of(
    variant_raw: bytes, submission_raw: bytes, language: str | None, overrides: Sequence[ByHand]
) -> tuple[Report, Overrides]:
    """The report itself, and what became of the marks that were given by hand."""
    own = _own(overrides, part_of(variant_raw))
    return _applied(grader_of(variant_raw), _answer(variant_raw, submission_raw, language)[0], own)


def _answer(variant_raw: bytes, submission_raw: bytes, language: str | None) -> tuple[Answer, list[str]]:
    """The answer, or an empty one and why it could not be read."""
    nothing = Answer(grader_of(variant_raw).exercise.id, NOBODY, {}, language=language)
    try:
        return answer_to(variant_raw, submission_raw, language), []
    except DocumentError as error:
        return nothing, [each.message for each in error.problems]
    except (Refused, UsageError) as error:
        return nothing, [str(error)]


def _own(overrides: Sequence[ByHand], part: str) -> list[ByHand]:
    """Those of a part, as its own questions are called; of an exercise all of them."""
    if not part:
        return list(overrides)
    found = [(apart(each.get("question") or ""), each) for each in overrides]
    return [{**each, "question": question} for (number, question), each in found if str(number) == part]


def _applied(grader: Grader, answer: Answer, overrides: Sequence[ByHand]) -> tuple[Report, Overrides]:
    by_hand = Overrides(_lines(overrides))
    return by_hand.apply(grader.grade(answer)), by_hand


def _marked(report: Report, by_hand: Overrides, part: str) -> MarkingResult:
    return MarkingResult(
        readable=any(here.read for given in report.best.given.values() for here in given.values()),
        marks=str(report.exact_marks),
        out_of=str(report.exercise.out_of),
        convention=report.counted.convention.name,
        mistake=report.diagnosis[0].mistake if report.diagnosis else None,
        questions=tuple(_question(each, part) for each in report.questions()),
        review=_review(report, part),
        not_applied=tuple(each.message for each in by_hand.problems()),
        feedback=encode_feedback(facts_at_levels(report, LEVELS)),
    )


def mark_many(jobs: Sequence[tuple[bytes, bytes, str, Sequence[ByHand]]]) -> list[MarkingResult]:
    """`mark` for each list of its arguments."""
    return [mark(*job) for job in jobs]


def word(
    parts: Sequence[tuple[str, StoredReport]],
    level: str,
    language: str,
    who: Mapping[str, str | None],
    exam: ExamHeading | None = None,
) -> bytes:
    """report/1 as JSON, from the name and the report of an exercise, or of each part of an exam. `who` has the student
    and, if known, name, submitted and variant."""
    with _wording():
        whole: FeedbackFacts | ExamFeedbackFacts
        told = [(name, _with_stored_marks(report, level, who)) for name, report in parts]
        if exam is None:
            ((_, whole),) = told
        else:
            marks = sum((Fraction(report.marks) for _, report in parts), Fraction(0))
            about = Answer(exam.id, who["student"] or "", {})
            whole = combine_part_facts(about, exam.title, level, marks, told, exam.odd)
        return json_bytes(facts_data(whole, words_of(language)))


@contextmanager
def _wording() -> Iterator[None]:
    """Refused as UNREADABLE if that is because of what was stored."""
    try:
        with refusing():
            yield
    except (Refused, MemoryError, RecursionError):
        raise
    except Exception as error:
        raise Refused(500, UNREADABLE, f"a report cannot be worded ({type(error).__name__})") from error


def _with_stored_marks(report: StoredReport, level: str, who: Mapping[str, str | None]) -> FeedbackFacts:
    """What is told, with the marks that were given: marking again by other rules explains them, but changes none."""
    told = decode_feedback(report.feedback, level, who)
    given = {apart(each.id)[1]: each for each in question_marks(report.questions)}
    asked = tuple(_with_given(each, given.get(each.question.id), level) for each in told.questions)
    return replace(told, marks=rounded(Fraction(report.marks)), questions=asked)


def _with_given(told: QuestionFacts, given: QuestionMarks | None, level: str) -> QuestionFacts:
    if given is None:
        return told
    marks = Fraction(given.marks)
    if told.marks in (marks, rounded(marks)):
        return told
    items = {each.item: Fraction(each.marks) for each in given.items} if level == FULL else {}
    changed = tuple(replace(each, marks=items.get(each.name, each.marks)) for each in told.items)
    return replace(told, marks=rounded(marks) if level in (NONE, MARKS) else marks, items=changed)


def canonical_sha256(answer: Answer) -> str:
    written = json.dumps([answer.answers, answer.language in DECIMAL_COMMA], sort_keys=True)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def _lines(overrides: Sequence[ByHand]) -> list[OverrideLine]:
    return [
        OverrideLine(
            line=number,
            student=EVERYBODY if each.get("given") is not None else NOBODY,
            question=each.get("question") or "",
            item=each.get("item") or "",
            override=Override(Fraction(each["marks"]), each.get("reason") or ""),
            given=each.get("given") or "",
        )
        for number, each in enumerate(overrides, start=1)
    ]


def _question(found: ReportedQuestion, part: str) -> QuestionMarks:
    items = (ItemMarks(each.item.name, str(each.marks), str(each.out_of), str(each.verdict)) for each in found.items)
    return QuestionMarks(in_part(part, found.question.id), str(found.marks), str(found.question.marks), tuple(items))


def _review(report: Report, part: str) -> tuple[ReviewEntry, ...]:
    return tuple(
        ReviewEntry(
            question=in_part(part, row.question),
            item=row.item,
            given=row.given,
            why=row.why,
            out_of=row.out_of,
            expected=_expected(report, row.question, row.item),
        )
        for row in review_rows(report)
    )


def _expected(report: Report, question: str, item: str) -> str:
    """The key beside an answer that a person should look at; of a question as a whole, that of all its items."""
    words = words_of("en")
    items = [each.item for found in report.questions() if found.question.id == question for each in found.items]
    keys = {each.name: words.show(each.expected) for each in items if each.expected is not None}
    if item:
        return keys.get(item, "")
    return "; ".join(f"{name}: {key}" for name, key in keys.items())[:LONGEST_KEY]
