"""Submissions marked in workers: as `plymark grade` marks them, equal answers alike, and worded afterwards."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.kernel.option_values import LEVELS
from grader.languages import words_of
from grader.marking.from_data import answer_from, exercise_from
from grader.marking.grader import Grader
from grader.reports.report_formats import report_data
from grader.service import tasks
from grader.service.tasks import task_input
from grader.service.workers.lanes import MARKING
from grader.service.workers.task_results import ClassAnswer, GradebookEntry, MarkingResult, StoredReport, members
from grader.service.workers.work_problems import Refused
from grader.service.workers.worker_pool import Workers
from solver.kernel import LruCache
from solver.languages import LANGUAGES
from solver.render import json_bytes
from tests.grader.service.work.answers import EXERCISES, WRITTEN, answers_to, body, perfect, variant, written
from tests.support.command import plymark_within
from tests.support.paths import ROOT

mark, word = tasks.mark, tasks.word


def stored(result: MarkingResult) -> list[tuple[str, StoredReport]]:
    """What `mark` gives, as the store hands it to `word`."""
    return [("", StoredReport(result.feedback, result.marks, json.dumps(result.questions, default=members)))]


@pytest.mark.parametrize("answer", WRITTEN)
def test_worded_as_the_command_line_does(answer: str) -> None:
    path = ROOT / "exercises" / "answers" / f"two-ply-{answer}.yaml"
    found = mark(variant("two-ply"), body(written(answer)))
    student = answer_from(path.read_bytes())
    who = {"student": student.student, "name": student.name, "submitted": student.submitted, "variant": student.variant}
    for level, language in zip(LEVELS, LANGUAGES, strict=True):
        options = ("--format", "json", "--feedback", level, "--language", language)
        ran = plymark_within("grade", "exercises/two-ply.yaml", path, *options)
        assert word(stored(found), level, language, who).decode() == ran.stdout


@pytest.mark.parametrize("name", EXERCISES)
def test_worded_as_reports_are_at_every_level_and_in_every_language(name: str) -> None:
    exercise = exercise_from(variant(name))
    grader = Grader(exercise)
    for answers in answers_to(name):
        document = {"plymark": "answer/1", "exercise": exercise.id, "student": "s1", "answers": answers}
        report = grader.grade(answer_from(document))
        found = mark(variant(name), body(answers))
        assert (Fraction(found.marks), Fraction(found.out_of)) == (report.exact_marks, exercise.out_of)
        for level in LEVELS:
            for language in LANGUAGES:
                expected = json_bytes(report_data(report, level, words_of(language)))
                assert word(stored(found), level, language, {"student": "s1"}) == expected


@pytest.mark.parametrize("name", EXERCISES)
def test_right_and_blank_answers(name: str) -> None:
    right, blank = mark(variant(name), body(perfect(name))), mark(variant(name), b"{}")
    assert right.readable and right.marks == right.out_of
    assert not blank.readable and blank.marks == "0"
    for found in (right, blank):
        assert sum(Fraction(each.out_of) for each in found.questions) == Fraction(found.out_of)
        assert sum(Fraction(each.marks) for each in found.questions) == Fraction(found.marks)


def test_equal_answers_are_equal_whatever_their_order_and_spacing() -> None:
    answers = written("wrong")
    turned = {name: dict(reversed(each.items())) if isinstance(each, dict) else each for name, each in answers.items()}
    other = json.dumps({"answers": dict(reversed(turned.items()))}, indent=3).encode()
    one, same = mark(variant("two-ply"), body(answers)), mark(variant("two-ply"), other)
    assert one == same
    comma = mark(variant("two-ply"), body(answers), "pt")
    assert comma.canonical_sha256 != one.canonical_sha256
    assert mark(variant("two-ply"), body(answers), "es").canonical_sha256 == comma.canonical_sha256
    assert mark(variant("two-ply"), body({**answers, "move": "a3"})).canonical_sha256 != one.canonical_sha256


def test_numbers_keep_their_spelling() -> None:
    raw = b'{"answers": {"values": {"A": 3.0, "B": 1234567890123456789012345678901234567890}}}'
    report = json.loads(word(stored(mark(variant("two-ply"), raw)), "full", "en", {"student": "s"}))
    assert [each["given"] for each in report["questions"][0]["items"]][:2] == [
        "3.0",
        "1234567890123456789012345678901234567890",
    ]


def test_what_no_document_may_hold_is_nothing_at_all() -> None:
    for raw in (b'{"answers": {"move": "a\\u202e1"}}', body({"move": [[[["a1"]]]] * 2} | {"x": _deep(200)})):
        found = mark(variant("two-ply"), raw)
        assert not found.readable and found.problems and found.marks == "0"
    isolated = mark(variant("two-ply"), body({"move": "\u2067a1\u2069"}))
    assert (
        isolated.readable
        and isolated.canonical_sha256 == mark(variant("two-ply"), body({"move": "a1"})).canonical_sha256
    )


def _deep(levels: int) -> Any:
    return [] if not levels else [_deep(levels - 1)]


@pytest.mark.parametrize("raw", [b"[]", b"{", b'{"answers": []}', b'{"answers": {}, "student": "s"}', b"\xff"])
def test_bodies_that_are_wrong_are_marked_as_nothing(raw: bytes) -> None:
    result, nothing = mark(variant("two-ply"), raw), mark(variant("two-ply"), body({}))
    assert result.problems and replace(result, problems=()) == nothing


def test_marks_given_by_hand() -> None:
    answers = body(written("wrong"))
    plain = mark(variant("two-ply"), answers)
    looked_at = plain.review[0]
    assert (looked_at.question, looked_at.item, looked_at.given) == ("windows", "D", "three")
    by_hand = {"question": "windows", "item": "D", "marks": "1/2", "reason": "3 is meant"}
    one = mark(variant("two-ply"), answers, None, [by_hand])
    everybody = mark(variant("two-ply"), answers, None, [{**by_hand, "given": "three"}])
    assert one.feedback == everybody.feedback
    assert Fraction(one.marks) == Fraction(plain.marks) + Fraction(1, 2)
    other = mark(variant("two-ply"), answers, None, [{**by_hand, "given": "four"}])
    assert other.marks == plain.marks and other.not_applied
    assert mark(variant("two-ply"), answers, None, [{**by_hand, "marks": "12"}]).not_applied
    assert mark(variant("two-ply"), answers) == plain


def test_many_at_once() -> None:
    raws = [*(body(written(name)) for name in WRITTEN), b"["]
    assert tasks.mark_many([(variant("two-ply"), raw, "en", []) for raw in raws]) == [
        mark(variant("two-ply"), raw, "en") for raw in raws
    ]


def test_marking_is_repeatable_in_another_order() -> None:
    jobs = [(variant(name), body(answers)) for name in EXERCISES for answers in answers_to(name)]
    first = {job: mark(*job) for job in jobs}
    random.Random(5).shuffle(jobs)
    script = tasks.mark_many([(*job, "en", []) for job in jobs])
    assert script == [first[job] for job in jobs]


def test_a_summary_and_a_heat_map_as_the_command_line_writes_them(tmp_path: Path) -> None:
    folder = ROOT / "exercises" / "answers"
    entries = [
        ClassAnswer(
            (variant("two-ply"),),
            body(written(name)),
            None,
            (),
            answer_from((folder / f"two-ply-{name}.yaml").read_bytes()).student,
            None,
        )
        for name in sorted(WRITTEN)
    ]
    for ending, format in ((".txt", "text"), (".csv", "csv"), (".html", "html")):
        out = tmp_path / f"summary{ending}"
        assert plymark_within("grade", "exercises/two-ply.yaml", folder, "--summary", out).code == 0
        assert tasks.summary(entries, [variant("two-ply")], "en", "full", format)[1] == out.read_bytes()
    data = json.loads(tasks.summary(entries, [variant("two-ply")], "en")[1])
    assert data["answers"] == 4 and sum(data["histogram"]) == 4 and data["heat"]["C"]
    drawn = tasks.heat_map(entries, [variant("two-ply")], "en")
    assert drawn.startswith(b"<svg") and b'class="node h' in drawn and drawn.count(b"<style>") == 1
    nobody = json.loads(tasks.summary([], [variant("two-ply")], "en")[1])
    assert nobody["answers"] == 0 and nobody["mean"] is None


@pytest.mark.parametrize("kind", ["plain", "canvas", "moodle"])
def test_a_gradebook_as_the_command_line_writes_it(kind: str) -> None:
    folder = ROOT / "exercises" / "answers"
    ran = plymark_within("grade", "exercises/two-ply.yaml", folder, "--format", "csv", "--gradebook", kind)
    rows = []
    for name in WRITTEN:
        found, answer = (
            mark(variant("two-ply"), body(written(name))),
            answer_from((folder / f"two-ply-{name}.yaml").read_bytes()),
        )
        marks = tuple(each.marks for each in found.questions)
        rows.append(GradebookEntry(answer.student, answer.name, found.marks, marks))
    exercise = exercise_from(variant("two-ply"))
    questions = [each.id for each in exercise.questions]
    assert tasks.gradebook(kind, exercise.title or "", "11", questions, rows).decode() == ran.stdout


@pytest.mark.parametrize("name", EXERCISES)
def test_the_order_of_keys_changes_nothing_that_is_marked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing is remembered of the equal answer before."""
    for answers in answers_to(name):
        turned = {question: answers[question] for question in reversed(answers)}
        found = mark(variant(name), body(answers))
        monkeypatch.setattr(task_input, "_GRADERS", LruCache(1))
        assert mark(variant(name), body(turned)) == found


def test_workers_give_what_the_tasks_give() -> None:
    jobs = [(variant(name), body(answers)) for name in EXERCISES for answers in answers_to(name)]

    async def story() -> list[MarkingResult]:
        workers = Workers(2)
        workers.start()
        try:
            kinds = await asyncio.gather(*(workers.run(tasks.check, raw) for raw, _ in jobs))
            assert {each.kind for each in kinds} == {"exercise/1"}
            with pytest.raises(Refused, match="not YAML"):
                await workers.run(tasks.solve, b"tree: [", {})
            return [*await asyncio.gather(*(workers.lane(MARKING).run(mark, *job) for job in jobs))]
        finally:
            await workers.stop(grace=0)

    assert asyncio.run(story()) == [mark(*job) for job in jobs]


def test_a_language_that_nobody_speaks_is_refused_with_words() -> None:
    found = mark(variant("two-ply"), body({}))
    for task, args in (
        ("word", (stored(found), "full", "xx", {"student": "s"})),
        ("pose", (variant("two-ply"), "xx")),
        ("read", (variant("two-ply"), body({}), "xx")),
        ("summary", ([], [variant("two-ply")], "xx", "full", "text")),
    ):
        with pytest.raises(Refused, match="xx"):
            getattr(tasks, task)(*args)


@pytest.mark.parametrize("level", LEVELS)
def test_marks_that_were_given_stay_where_other_rules_give_others(level: str) -> None:
    found = mark(variant("two-ply"), body(perfect("two-ply")))
    ((_, usual),) = stored(found)
    given = json.loads(usual.questions)
    given[0]["marks"] = given[0]["items"][0]["marks"] = "1/3"
    report = json.loads(
        word([("", StoredReport(usual.feedback, "10/3", json.dumps(given)))], level, "en", {"student": "s"})
    )
    expected = json.loads(word(stored(found), level, "en", {"student": "s"}))
    assert (report["marks"], expected["marks"]) == (3.33, 11)
    assert report["questions"][0]["marks"] == ("1/3" if level in ("hints", "full") else 0.33)
    assert report["questions"][1:] == expected["questions"][1:]
