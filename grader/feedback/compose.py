"""From a report to a page of feedback. Everything comes from what the level of feedback tells, and the key's own tree
and search are shown in full feedback only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.delivery.exercise_wording import question_wording
from grader.delivery.papers.paper_figures import solved_figures
from grader.feedback.content import FeedbackFigure, FeedbackPage, FeedbackPart, FeedbackQuestion, FeedbackRow
from grader.feedback.own_tree import Verdicts, has_places, own_board
from grader.feedback.stages import first_difference, searched
from grader.kernel.display_text import fact_cell, marks_shown, terminal_text
from grader.kernel.display_text import terminal_sentence as safe
from grader.kernel.verdicts import SIGNS, VERDICTS, rounded
from grader.marking.exam_report import AnyReport, ExamReport
from grader.marking.report import Report
from grader.questions.answer_key import KeyedQuestion
from grader.reports.feedback_facts import (
    FULL,
    AnyFeedbackFacts,
    ExamFeedbackFacts,
    FeedbackFacts,
    ItemFacts,
    QuestionFacts,
    any_facts_at_level,
)
from grader.reports.feedback_sentences import VERDICT_KEYS, override_sentence
from grader.reports.report_formats import part_title
from solver.languages import Language, Sentence
from solver.story import captions, story_of

WIDEST_ANSWER = 160
"""Letters of an answer that a row has room for."""
MOST_STEPS = 60
STUDY = ("feedback.mistake", "feedback.same-here", "mistake.")
"""How the names of sentences begin that say which mistake it was and what to do about it."""
SAID_ALREADY = "feedback.total"
LABELS = {
    "question": "class.questions.first",
    "marks": "output.marks",
    "total": "output.total",
    "given": "output.given",
    "expected": "output.expected",
    "verdict": "output.verdict",
    "questions": "kept.questions",
    "study": "kept.study",
    "marking": "kept.marking",
    "steps": "kept.steps",
    "page": "paper.page",
}


def feedback_page(report: AnyReport, level: str, words: Language, name_variant: bool = False) -> FeedbackPage:
    """`name_variant`: whether students had different exercises, so that the page says which it is about. Of an exam it
    has a part for each."""
    found = any_facts_at_level(report, level)
    title = safe(words.own(found.title or found.exercise))
    parts = tuple(_parts(report, found, words, name_variant))
    is_exam = isinstance(found, ExamFeedbackFacts)
    return FeedbackPage(
        words,
        title,
        words.say("kept.title", title=title, student=terminal_text(found.answer.student)),
        tuple(_fields(found, words, name_variant and not is_exam)),
        _of(found.marks, found.out_of, words),
        tuple(safe(words.tell(each)) for each in found.feedback if is_exam and each.key != SAID_ALREADY),
        parts,
        labels(words),
    )


def _parts(report: AnyReport, found: AnyFeedbackFacts, words: Language, name_variant: bool) -> Iterator[FeedbackPart]:
    if isinstance(found, FeedbackFacts):
        assert isinstance(report, Report)
        yield _Part(report, found, words).made()
        return
    assert isinstance(report, ExamReport)
    for number, (part, here) in enumerate(zip(report.parts, found.parts, strict=True), 1):
        title = part_title(number, here, words)
        if name_variant:
            title = f"{title} ({words.name(terminal_text(here.exercise))})"
        yield _Part(part.report, here, words, title, part.known).made()


def labels(words: Language) -> dict[str, str]:
    """The words that a page is laid out with; in that of pages, {page} and {pages} stay to be filled in."""
    return {
        name: words.say(key, page="{page}", pages="{pages}") if name == "page" else words.say(key)
        for name, key in LABELS.items()
    }


def _fields(found: AnyFeedbackFacts, words: Language, name_variant: bool) -> Iterator[tuple[str, str]]:
    answer = found.answer
    if answer.name:
        yield words.say("paper.name"), terminal_text(answer.name)
    yield words.say("output.student"), terminal_text(answer.student)
    if name_variant:
        yield words.say("output.variant"), terminal_text(found.exercise)


def _of(marks: Fraction, out_of: Fraction, words: Language) -> str:
    return str(words.say("output.of", marks=rounded(marks), out_of=out_of))


def _legend(verdicts: Verdicts, words: Language) -> Iterator[str]:
    """The signs of these verdicts, each with the words that it stands for."""
    seen = {each for judged in verdicts.values() for each in judged.values()}
    by_sign: dict[str, list[str]] = {}
    for each in (each for each in VERDICTS if each in seen):
        by_sign.setdefault(SIGNS[each], []).append(words.say(VERDICT_KEYS[each]))
    for sign, names in by_sign.items():
        yield words.say("kept.sign", sign=sign, verdict=words.listed(names, "then"))


@dataclass(frozen=True, slots=True)
class _Part:
    report: Report
    found: FeedbackFacts
    words: Language
    title: str = ""
    known: bool = True
    """Whether the report is on the exercise that the student had; else it has marks and nothing more."""

    def made(self) -> FeedbackPart:
        found, words = self.found, self.words
        study = [each for each in found.feedback if each.key.startswith(STUDY)]
        marking = [each for each in found.feedback if each not in study and each.key != SAID_ALREADY]
        steps, more = self._steps() if self.known and found.level == FULL else ((), "")
        return FeedbackPart(
            self.title,
            _of(found.marks, found.out_of, words),
            tuple(self._told(study)),
            tuple(self._told(marking)),
            tuple(self._figures()) if self.known else (),
            tuple(self._questions()),
            steps,
            more,
        )

    def _told(self, sentences: list[Sentence]) -> Iterator[str]:
        return (safe(self.words.tell(each)) for each in sentences)

    def _verdicts(self) -> Verdicts:
        return {
            each.question.id: {item.name: item.verdict for item in each.items if item.verdict is not None}
            for each in self.found.questions
        }

    def _figures(self) -> Iterator[FeedbackFigure]:
        report, words, verdicts = self.report, self.words, self._verdicts()
        best = report.best
        drawn = own_board(report.exercise, best.answer_key.questions, best.given, words, verdicts)
        if has_places(best.answer_key.questions):
            legend = tuple(_legend(verdicts, words))
            yield FeedbackFigure(drawn, words.say("kept.own"), words.say("kept.own.how"), legend)
        else:
            yield FeedbackFigure(drawn, words.say("picture.title"), "")
        if self.found.level == FULL and searched(best.answer_key) is not None:
            for figure in solved_figures(best.answer_key, words):
                yield FeedbackFigure(figure.board, words.say("kept.key"), figure.caption)

    def _questions(self) -> Iterator[FeedbackQuestion]:
        keyed = {each.id: each for each in self.report.best.answer_key.questions}
        for number, each in enumerate(self.found.questions, 1):
            yield FeedbackQuestion(
                self.words.count(number),
                self._asked(keyed[each.question.id]),
                _of(each.marks, each.question.marks, self.words),
                tuple(self._row(item) for item in each.items),
                tuple(self._remarks(each)),
            )

    def _asked(self, question: KeyedQuestion) -> str:
        text = question_wording(question)
        return safe(text) if isinstance(text, str) else self.words.tell(text)

    def _remarks(self, found: QuestionFacts) -> Iterator[str]:
        sentences = [each for each in (found.note, found.refused) if each is not None]
        yield from self._told([*sentences, *override_sentence(found.overridden, found.question.marks)])

    def _row(self, item: ItemFacts) -> FeedbackRow:
        words, verdict = self.words, item.verdict
        given = "–" if item.given in (None, "") else fact_cell(item.given, words, WIDEST_ANSWER)
        expected = "–" if item.expected in (None, "") else fact_cell(item.expected, words, WIDEST_ANSWER)
        notes = self._told([*item.note, *override_sentence(item.overridden, item.out_of)])
        return FeedbackRow(
            fact_cell(item.called, words, WIDEST_ANSWER),
            given,
            expected if self.found.level == FULL else None,
            None if verdict is None else SIGNS[verdict],
            None if verdict is None else words.say(VERDICT_KEYS[verdict]),
            verdict or "",
            marks_shown(item.marks, words),
            " ".join(notes),
        )

    def _steps(self) -> tuple[tuple[tuple[str, str], ...], str]:
        """The search from the first difference on, and how much of it is left out."""
        answer_key, words = self.report.best.answer_key, self.words
        question = searched(answer_key)
        if question is None:
            return (), ""
        solution, verdicts = question.solution, self._verdicts()
        first = first_difference(solution, answer_key.questions, verdicts)
        if first is None:
            return (), ""
        if solution.sampled is None:
            numbered = list(enumerate(captions(solution, words)))[first:]
        else:
            told_steps = (words.tell(each) for step in story_of(solution, "brief") for each in step.sentences)
            numbered = list(enumerate(told_steps, 1))
        steps = tuple((words.count(number), text) for number, text in numbered[:MOST_STEPS])
        left = len(numbered) - len(steps)
        return steps, words.say("kept.steps.more", left) if left else ""
