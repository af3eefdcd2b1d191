"""Sentences for the student: what was marked by which convention, what each error is, and what to study.

Beside them the short names of what a report found: verdicts, conventions, mistakes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from grader.kernel.verdicts import (
    FOLLOW_THROUGH,
    LATE,
    MISSING,
    OTHER_CONVENTION,
    RIGHT,
    UNJUSTIFIED,
    UNREADABLE,
    UNSOUND,
    WRONG,
    Verdict,
)
from grader.marking.exam_report import AnyReport
from grader.marking.report import Override, Report, ReportedItem
from grader.questions.registry import ask_of
from solver.game import Convention
from solver.kernel import Refusal
from solver.languages import Fact, Items, Language, Percent, Sentence, convention_name
from solver.search import Solution
from solver.story import story_of

VERDICT_KEYS = {
    RIGHT: "output.verdict.right",
    FOLLOW_THROUGH: "output.verdict.follow-through",
    OTHER_CONVENTION: "output.verdict.other-convention",
    LATE: "output.verdict.late",
    UNSOUND: "output.verdict.unsound",
    UNJUSTIFIED: "output.verdict.unjustified",
    WRONG: "output.verdict.wrong",
    MISSING: "output.verdict.missing",
    UNREADABLE: "output.verdict.unreadable",
}


@dataclass(frozen=True, slots=True)
class NamedConvention:
    """Equal where the ids are, so that answers can be counted by it."""

    id: str
    called: Fact = field(compare=False)

    @classmethod
    def of(cls, convention: Convention, changed: tuple[str, ...] = ()) -> NamedConvention:
        return cls(convention_id(convention, changed), convention_name(convention, changed))


def convention_id(convention: Convention, changed: tuple[str, ...] = ()) -> str:
    """A convention by its name, or by the choices that are not the declared ones; for data."""
    if convention.name:
        return convention.name
    data = convention.as_data()
    return ", ".join(f"{key}={_choice(data[key])}" for key in changed) or "own"


def _choice(value: object) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list | tuple) else str(value)


def counted_as(report: Report) -> NamedConvention:
    """The convention under which an answer was marked."""
    return NamedConvention.of(report.counted.convention, report.counted.changed)


def mistake_title(mistake: str, words: Language) -> str:
    """What a mistake is called; its id where the catalogue knows no more."""
    key = f"mistake.{mistake}.title"
    return words.say(key) if key in words.keys else mistake


_VERDICTS = {
    FOLLOW_THROUGH: "verdict.follow-through",
    OTHER_CONVENTION: "verdict.other-convention",
    LATE: "verdict.late",
    UNSOUND: "verdict.unsound",
    UNJUSTIFIED: "verdict.unjustified",
    WRONG: "verdict.wrong",
    MISSING: "verdict.missing",
}


def feedback_sentences(report: Report, level: str, verdicts: Collection[Verdict]) -> Iterator[Sentence]:
    """On the whole answer, some item of which has each of these verdicts. Below full feedback nothing is said that
    these, the marks, the diagnosis and the convention do not decide."""
    yield from exam_sentences(report, level)
    if level == "none":
        return
    yield from (each.sentence for each in report.declared.ignored)
    if level == "marks":
        return
    yield from convention_sentences(report, level)
    if report.other_convention:
        key = "feedback.convention.full" if report.counted.share == 1 else "feedback.convention.part"
        yield Sentence(key, None, {"name": counted_as(report).called, "share": Percent(100 * report.counted.share)})
    if level == "full" and any(question.refused for question in report.questions()):
        yield Sentence("feedback.refused.any")
    if report.answer.ignored:
        yield Sentence("feedback.ignored", None, {"names": ", ".join(report.answer.ignored)})
    yield from diagnosis_sentences(report, verdicts)


def exam_sentences(report: AnyReport, level: str) -> Iterator[Sentence]:
    """What is said first, of an exercise and of an exam: which answer counts, and what it comes to."""
    if report.chosen is not None:
        yield Sentence(f"feedback.chosen.{report.chosen.by}", None, {"count": report.chosen.among})
    yield from override_sentence(report.override, report.out_of, "feedback.override.total")
    if level != "none":
        yield total_sentence(report.marks, report.out_of)


def total_sentence(marks: Fraction, out_of: Fraction) -> Sentence:
    return Sentence("feedback.total", out_of, {"marks": marks})


def override_sentence(
    override: Override | None, out_of: Fraction, key: str = "feedback.override.marks"
) -> Iterator[Sentence]:
    """That marks were given by a person, and why."""
    if override is not None:
        yield Sentence(key, None, {"marks": override.marks, "out_of": out_of})
        if override.reason:
            yield Sentence("feedback.override.reason", None, {"reason": override.reason})


def convention_sentences(report: Report, level: str) -> Iterator[Sentence]:
    """What the marks go by, as the story of the search says it; once, however many questions there are."""
    sentences: dict[str, Sentence] = {}
    for question in report.best.answer_key.questions:
        try:
            solution = question.solution
        except Refusal:
            # A tree with unknown leaves is not searched as it stands.
            continue
        if solution.search is not None:
            sentences.update(question.once("rules", partial(_convention_rules, solution)))
    if "ties" not in report.exercise.printed:
        # Every optimal move is right.
        sentences = {key: each for key, each in sentences.items() if not key.startswith("rule.ties")}
    if level != "full" and report.counted.convention.window == "utilities":
        sentences.pop("rule.window", None)
    yield from sentences.values()


def _convention_rules(solution: Solution) -> dict[str, Sentence]:
    """What the story of a search says of its convention."""
    opening = next(iter(story_of(solution, "brief")))
    return {each.key: each for each in opening.sentences if each.key.startswith("rule.")}


def diagnosis_sentences(report: Report, verdicts: Collection[Verdict]) -> Iterator[Sentence]:
    """The mistake that explains the answer, and what to do about it; or that none does."""
    if report.exact_marks == report.exercise.out_of:
        return
    if not report.diagnosis:
        if not {WRONG, UNSOUND, UNJUSTIFIED}.isdisjoint(verdicts):
            yield Sentence("feedback.not-explained")
        return
    mistake = report.diagnosis[0]
    key = "feedback.mistake" if mistake.sure else "feedback.mistake.maybe"
    yield Sentence(key, None, {"title": Sentence(f"mistake.{mistake.mistake}.title")})
    yield Sentence(f"mistake.{mistake.mistake}.explanation")
    yield Sentence(f"mistake.{mistake.mistake}.remedy")
    for other in mistake.same_here[:3]:
        yield Sentence("feedback.same-here", None, {"title": Sentence(f"mistake.{other}.title")})


def _in_words(fact: Fact) -> Fact:
    """A list of leaves as a sentence has it."""
    return replace(fact, joint="and") if isinstance(fact, Items) else fact


def hint_sentence(verdict: Verdict) -> Sentence | None:
    """On one item, below full feedback."""
    return None if verdict in (RIGHT, UNREADABLE) else Sentence(f"hint.{verdict}")


def note_sentences(each: ReportedItem, answered: bool, unread: bool) -> Iterator[Sentence]:
    """On one item of a question, in full; `answered` says whether anything of that question was, `unread` whether it
    has been said already why nothing of it could be read."""
    item, verdict = each.item, each.verdict
    if verdict == RIGHT:
        return
    if item.hint is not None and not unread:
        yield item.hint
    facts: dict[str, Fact] = {"expected": item.expected or "—", "given": item.given or "—"}
    if ask_of(each.question).name == "pruned":
        facts = {name: _in_words(fact) for name, fact in facts.items()}
    if verdict == WRONG and item.expected is None and item.given is not None:
        yield Sentence("verdict.extra", None, {"given": facts["given"]})
    elif verdict == FOLLOW_THROUGH and item.expected is None:
        yield Sentence("verdict.follow-through.own")
    elif verdict == MISSING and answered:
        yield Sentence(ask_of(each.question).missing_key, None, facts)
    elif verdict != UNREADABLE:
        yield Sentence(_VERDICTS[verdict], None, facts)
    yield from each.why()
