"""Reports that another program has stored, or that are damaged: worked out again from the answer when somebody asks,
with the marks that were given, over the API, on pages and in what teachers download."""

from __future__ import annotations

import io
import json
import logging
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from grader.service.base.async_cache import AsyncCache
from grader.service.run import store_check
from grader.service.store.tables import report
from solver.languages import LANGUAGES
from tests.grader.service.api.client import RIGHT, WRONG, Api, Course
from tests.grader.service.api.handing_in import handed_in, until_settled
from tests.grader.service.api.test_exams import Sat
from tests.support.command import plymark_within

PACKED = b"\x78\x9c"
"""How what a report tells begins, after whoever wrote it."""


def without_facts(data: Any) -> Any:
    """Sentences as a program wrote them whose catalogues had other arguments."""
    if not isinstance(data, list):
        return {name: without_facts(each) for name, each in data.items()} if isinstance(data, dict) else data
    if data[:1] == ["Sentence"]:
        return [*data[:3], ["{}"]]
    return [without_facts(each) for each in data]


def lacks_arguments(raw: bytes) -> bytes:
    stamp, packed = raw[: raw.index(PACKED)], raw[raw.index(PACKED) :]
    return stamp + zlib.compress(json.dumps(without_facts(json.loads(zlib.decompress(packed)))).encode())


def is_truncated(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def is_empty(_raw: bytes) -> bytes:
    return b""


def is_of_another_program(raw: bytes) -> bytes:
    """Which would tell something else."""
    stamp, packed = raw[: raw.index(PACKED)], raw[raw.index(PACKED) :]
    return b"7" + stamp[1:] + zlib.compress(zlib.decompress(packed).replace(b"aima3", b"other"))


def is_of_an_unknown_form(raw: bytes) -> bytes:
    return b"\x02" + raw[raw.index(PACKED) :]


DAMAGES = [lacks_arguments, is_truncated, is_empty, is_of_another_program, is_of_an_unknown_form]


def damage(api: Api, how: Callable[[bytes], bytes], **values: Any) -> None:
    """All that is stored; a new server remembers nothing."""
    with api.service.store.engine.begin() as connection:
        for row in connection.execute(report.select()).all():
            this = report.c.told == row.told
            connection.execute(update(report).where(this).values(told=how(bytes(row.told)), **values))
    object.__setattr__(api.service, "worded", AsyncCache(100))
    object.__setattr__(api.service, "posed", AsyncCache(100))


def reports(api: Api, submission: str, token: str) -> list[httpx.Response]:
    return [api.get(f"/api/submissions/{submission}/report?language={each}", token) for each in LANGUAGES]


def archive(api: Api, assignment: str, token: str) -> dict[str, bytes]:
    answer = api.get(f"/teach/a/{assignment}/feedback.zip", token)
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as files:
        return {name: files.read(name) for name in files.namelist()}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_report_is_worked_out_again(running: Api, course: Course, how: Callable[[bytes], bytes]) -> None:
    assignment = course.put_assignment(released=True, feedback_before="full")
    submission = handed_in(course, assignment, "s1", WRONG)
    until_settled(running)
    before = [each.content for each in reports(running, submission, course["s1"])]
    shown = running.get(f"/s/{submission}", course["s1"])
    packed = archive(running, assignment, course.teacher)
    damage(running, how)
    again = reports(running, submission, course["s1"])
    assert [each.status_code for each in again] == [200] * len(LANGUAGES), again[0].text
    assert [each.content for each in again] == before
    damage(running, how)
    seen = running.get(f"/s/{submission}", course["s1"])
    assert (seen.status_code, len(seen.content)) == (200, len(shown.content))
    assert archive(running, assignment, course.teacher) == packed
    damage(running, lambda raw: raw)
    with running.service.store.engine.connect() as connection:
        stored = [bytes(row.told) for row in connection.execute(report.select())]
    assert [each.content for each in reports(running, submission, course["s1"])] == before
    with running.service.store.engine.connect() as connection:
        assert [bytes(row.told) for row in connection.execute(report.select())] == stored, "kept once worked out"


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_report_of_an_exam(running: Api, teacher: str, how: Callable[[bytes], bytes]) -> None:
    sat = Sat(running, teacher)
    before = {code: reports(running, of, teacher)[0].json() for code, of in sat.submissions.items()}
    damage(running, how)
    assert {code: reports(running, of, teacher)[0].json() for code, of in sat.submissions.items()} == before


def test_marks_by_hand_stay_in_a_report_that_is_worked_out_again(running: Api, course: Course) -> None:
    assignment = course.put_assignment(released=True)
    submission = handed_in(course, assignment, "s1", WRONG)
    until_settled(running)
    given = {"question": "values", "marks": 3, "reason": "seen on paper"}
    grades = running.get(f"/api/assignments/{assignment}/grades", course.teacher).json()["items"]
    path = f"/api/grades/{next(each['id'] for each in grades if each['member'] == 's1')}/override"
    answer = running.put(path, course.teacher, json=given)
    assert answer.status_code == 200, answer.text
    until_settled(running)
    before = reports(running, submission, course["s1"])[0].json()
    assert before["questions"][0]["marks"] == 3
    damage(running, is_truncated)
    assert reports(running, submission, course["s1"])[0].json() == before


def test_marks_that_were_given_by_other_rules_stay(
    running: Api, course: Course, caplog: pytest.LogCaptureFixture
) -> None:
    assignment = course.put_assignment(released=True, feedback_before="full")
    submission = handed_in(course, assignment, "s1", WRONG)
    until_settled(running)
    damage(running, is_of_another_program, marks="5/2")
    with caplog.at_level(logging.WARNING, "plymark.marking"):
        told = reports(running, submission, course["s1"])[0].json()
    assert told["marks"] == 2.5
    assert f"submission {submission}, part 1: by today's rules it earns 1/2; the marks that were given, 5/2, stay" in (
        caplog.text
    )
    grades = running.get(f"/api/assignments/{assignment}/grades", course.teacher).json()["items"]
    assert [each["marks"] for each in grades if each["member"] == "s1"] == [2.5]


@pytest.mark.parametrize("how", DAMAGES)
def test_the_check_words_every_report(
    running: Api, course: Course, how: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those too that are to be worked out again; and names where that gives other marks."""
    assignment = course.put_assignment(released=True, feedback_before="full")
    right, wrong = (handed_in(course, assignment, *each) for each in (("s1", RIGHT), ("s2", WRONG)))
    until_settled(running)

    def checked() -> tuple[int, str]:
        ran = plymark_within("admin", "check", "--data", running.service.settings.data)
        return ran.code, ran.stdout

    assert checked() == (0, "the store is whole\n")
    damage(running, how)
    assert checked() == (0, "the store is whole\n")
    with running.service.store.engine.begin() as connection:
        connection.execute(update(report).where(report.c.marks == "7").values(marks="3"))
    words = f"submission {right}, part 1: by today's rules it earns 7; the marks that were given, 3, stay\n"
    assert checked() == (0, "the store is whole\n" + words)
    with running.service.store.engine.begin() as connection:
        connection.execute(report.delete().where(report.c.marks == "3"))
    assert checked() == (1, f"submission {right}, part 1: its report is not there\n")
    monkeypatch.setattr(store_check, "LANGUAGES", ("en", "xx"))
    code, lines = checked()
    assert (code, f"submission {wrong}, part 1: in the language xx, " in lines) == (1, True)
