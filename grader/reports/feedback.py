"""Sentences for the student: what was marked by which convention, what each error is, and what to study."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
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
from grader.reports.labels import counted_as
from solver.kernel import Refusal
from solver.languages import Fact, Items, Percent, Sentence
from solver.search import Solution
from solver.story import story_of

_VERDICTS = {
    FOLLOW_THROUGH: "verdict.follow-through",
    OTHER_CONVENTION: "verdict.other-convention",
    LATE: "verdict.late",
    UNSOUND: "verdict.unsound",
    UNJUSTIFIED: "verdict.unjustified",
    WRONG: "verdict.wrong",
    MISSING: "verdict.missing",
}


def feedback(report: Report, level: str, verdicts: Collection[Verdict]) -> Iterator[Sentence]:
    """On the whole answer, some item of which has each of these verdicts. Below full feedback nothing is said that
    these, the marks, the diagnosis and the convention do not decide."""
    yield from over_all(report, level)
    if level == "none":
        return
    yield from (each.sentence for each in report.declared.ignored)
    if level == "marks":
        return
    yield from convention(report, level)
    if report.other_convention:
        key = "feedback.convention.full" if report.counted.share == 1 else "feedback.convention.part"
        yield Sentence(key, None, {"name": counted_as(report).called, "share": Percent(100 * report.counted.share)})
    if level == "full" and any(question.refused for question in report.questions()):
        yield Sentence("feedback.refused.any")
    if report.answer.ignored:
        yield Sentence("feedback.ignored", None, {"names": ", ".join(report.answer.ignored)})
    yield from diagnosis(report, verdicts)


def over_all(report: AnyReport, level: str) -> Iterator[Sentence]:
    """What is said first, of an exercise and of an exam: which answer counts, and what it comes to."""
    if report.chosen is not None:
        yield Sentence(f"feedback.chosen.{report.chosen.by}", None, {"count": report.chosen.among})
    yield from by_hand(report.override, report.out_of, "feedback.override.total")
    if level != "none":
        yield total_said(report.marks, report.out_of)


def total_said(marks: Fraction, out_of: Fraction) -> Sentence:
    return Sentence("feedback.total", out_of, {"marks": marks})


def by_hand(override: Override | None, out_of: Fraction, key: str = "feedback.override.marks") -> Iterator[Sentence]:
    """That marks were given by a person, and why."""
    if override is not None:
        yield Sentence(key, None, {"marks": override.marks, "out_of": out_of})
        if override.reason:
            yield Sentence("feedback.override.reason", None, {"reason": override.reason})


def convention(report: Report, level: str) -> Iterator[Sentence]:
    """What the marks go by, as the story of the search says it; once, however many questions there are."""
    told: dict[str, Sentence] = {}
    for question in report.best.answer_key.questions:
        try:
            solution = question.solution
        except Refusal:
            # A tree with unknown leaves is not searched as it stands.
            continue
        if solution.search is not None:
            told.update(question.once("rules", partial(_rules, solution)))
    if "ties" not in report.exercise.printed:
        # Every optimal move is right.
        told = {key: each for key, each in told.items() if not key.startswith("rule.ties")}
    if level != "full" and report.counted.convention.window == "utilities":
        told.pop("rule.window", None)
    yield from told.values()


def _rules(solution: Solution) -> dict[str, Sentence]:
    """What the story of a search says of its convention."""
    opening = next(iter(story_of(solution, "brief")))
    return {each.key: each for each in opening.sentences if each.key.startswith("rule.")}


def diagnosis(report: Report, verdicts: Collection[Verdict]) -> Iterator[Sentence]:
    """The mistake that explains the answer, and what to do about it; or that none does."""
    if report.exact_marks == report.exercise.out_of:
        return
    if not report.diagnosis:
        if not {WRONG, UNSOUND, UNJUSTIFIED}.isdisjoint(verdicts):
            yield Sentence("feedback.not-explained")
        return
    found = report.diagnosis[0]
    key = "feedback.mistake" if found.sure else "feedback.mistake.maybe"
    yield Sentence(key, None, {"title": Sentence(f"mistake.{found.mistake}.title")})
    yield Sentence(f"mistake.{found.mistake}.explanation")
    yield Sentence(f"mistake.{found.mistake}.remedy")
    for other in found.same_here[:3]:
        yield Sentence("feedback.same-here", None, {"title": Sentence(f"mistake.{other}.title")})


def _in_words(fact: Fact) -> Fact:
    """A list of leaves as a sentence has it."""
    return replace(fact, joint="and") if isinstance(fact, Items) else fact


def hint(verdict: Verdict) -> Sentence | None:
    """On one item, below full feedback."""
    return None if verdict in (RIGHT, UNREADABLE) else Sentence(f"hint.{verdict}")


def note(each: ReportedItem, answered: bool, unread: bool) -> Iterator[Sentence]:
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
