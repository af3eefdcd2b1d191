"""A live exercise over HTTP: guests, limits, streams, the key, and a server that is killed."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx
import pytest

from tests.grader.service.hall.lecture import Lecture, events, start_lecture
from tests.grader.service.served import served, start
from tests.grader.service.web.site import Site, open_site
from tests.grader.service.web.test_key import PLANTED, planted

pytestmark = pytest.mark.slow


def until_answered(lecture: Lecture, count: int) -> str:
    """The projector's page part once so many answers are counted."""
    for state in events(lecture.site.teacher, f"/teach/live/{lecture.code}/events"):
        if state["answered"] >= count:
            return str(state["html"])
    raise AssertionError("the stream ended")


def test_equal_answers_are_counted_together_and_a_changed_one_once(lecture: Lecture) -> None:
    with lecture.guest() as one, lecture.guest() as other:
        assert lecture.answer(one, values_A="2,5", name="Amal").status_code == 303
        assert lecture.answer(other, values_A="5/2").status_code == 303
        shown = until_answered(lecture, 2)
        assert '<bdi dir="ltr">5/2</bdi></span> <span class="count">2</span>' in shown
        assert "Amal" not in shown, "nobody is named"
        assert lecture.answer(one, values_A="7").status_code == 303
        for state in events(lecture.site.teacher, f"/teach/live/{lecture.code}/events"):
            if '<bdi dir="ltr">7</bdi>' in state["html"]:
                break
        assert state["answered"] == 2
        assert '<bdi dir="ltr">5/2</bdi></span> <span class="count">1</span>' in state["html"]


def test_right_and_wrong_are_shown_only_when_the_teacher_says_so(lecture: Lecture) -> None:
    with lecture.guest() as guest:
        lecture.answer(guest, values_A="3", values_B="4")
        shown = until_answered(lecture, 1)
        assert 'class="right"' not in shown and "judged" not in shown
        lecture.do("judge")
        shown = until_answered(lecture, 1)
        assert shown.count('class="right"') == 1 and shown.count('class="wrong"') == 1


def test_a_closed_round_takes_no_answer_and_an_open_one_does(lecture: Lecture) -> None:
    with lecture.guest() as guest:
        lecture.do("close")
        refused = lecture.answer(guest, values_A="3")
        assert refused.status_code == 409 and "no longer taken" in refused.text
        lecture.do("open")
        assert lecture.answer(guest, values_A="3").status_code == 303
        lecture.do("end")
        assert "over" in guest.get(f"/live/{lecture.code}").text
        assert lecture.answer(guest, values_A="4").status_code == 409


def test_a_guest_is_who_their_cookie_says_and_a_member_is_a_member(lecture: Lecture) -> None:
    with lecture.guest() as one, lecture.guest() as other:
        lecture.answer(one, values_A="77")
        assert 'value="77"' in one.get(f"/live/{lecture.code}").text
        assert 'value="77"' not in other.get(f"/live/{lecture.code}").text
    with lecture.site.new_student().client() as member:
        assert lecture.answer(member, values_A="88").status_code == 303
        assert 'value="88"' in member.get(f"/live/{lecture.code}").text
        assert not member.cookies, "a member needs none"


def test_one_who_keeps_no_cookie_or_sends_too_much_is_refused(lecture: Lecture) -> None:
    with httpx.Client(base_url=lecture.site.url, headers={"Origin": lecture.site.url}) as nobody:
        assert lecture.answer(nobody, values_A="3").status_code == 422
    with lecture.guest() as guest:
        assert lecture.answer(guest, values_A="3" * 70_000).status_code == 413
        said = [lecture.answer(guest, values_A=str(number)).status_code for number in range(60)]
        assert said[0] == 303 and 429 in said, "and one guest cannot flood"
        guest.headers["Origin"] = "http://elsewhere.example"
        assert lecture.answer(guest, values_A="3").status_code == 403


def test_a_code_is_found_however_it_is_written(lecture: Lecture) -> None:
    with lecture.guest() as guest:
        written = f" {lecture.code[:3].upper()} {lecture.code[3:]} "
        assert guest.get("/live", params={"code": written}).headers["location"] == f"/live/{lecture.code}"
        assert guest.get("/live", params={"code": "aaaaaa"}).status_code == 404
        assert guest.get("/live/aaaaaa").status_code == 404
        assert guest.get(f"/teach/live/{lecture.code}").status_code == 303, "to sign in"
    with lecture.site.new_student().client() as student:
        assert student.get(f"/teach/live/{lecture.code}").status_code == 403


def test_the_headers_of_a_stream(lecture: Lecture) -> None:
    with lecture.guest() as guest:
        path = f"/live/{lecture.code}/events"
        with guest.stream("GET", path) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.headers["cache-control"] == "no-store, no-transform"
            assert answer.headers["x-accel-buffering"] == "no"
            lines = answer.iter_lines()
            assert next(lines).startswith("retry: ")
            number = next(line for line in lines if line.startswith("id: ")).removeprefix("id: ")
        with guest.stream("GET", path, headers={"Last-Event-ID": number}) as answer:
            lecture.do("next")
            told = next(line for line in answer.iter_lines() if line.startswith("id: "))
            assert told != f"id: {number}", "what was seen is not told again"


def test_nobody_holds_more_than_a_few_streams(lecture: Lecture) -> None:
    with lecture.guest() as guest:
        held = [events(guest, f"/live/{lecture.code}/events") for _ in range(4)]
        for each in held:
            assert next(each)["open"] is True
        assert guest.get(f"/live/{lecture.code}/events").status_code == 503
        for each in held:
            each.close()


def test_no_key_before_it_is_shown(site: Site) -> None:
    lecture = start_lecture(site, site.put_exercise(planted()))
    with lecture.guest() as guest:
        path = f"/live/{lecture.code}"
        said = [guest.get(path), lecture.answer(guest, values_A="12"), guest.get(f"{path}?sent=1")]
        lecture.do("judge")
        lecture.do("close")
        said.append(guest.get(path))
        told = "".join(f"{each.headers}{each.text}" for each in said)
        told += next(events(guest, f"{path}/events"))["html"]
        assert "6919/3" in told, "the leaves are there"
        assert [each for each in PLANTED if each in told] == []
        lecture.do("everything")
        assert any(each in next(events(guest, f"{path}/events"))["html"] for each in PLANTED), "then it is"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_class_goes_on_where_it_was(tmp_path: Path, number: int) -> None:
    data = tmp_path / "data"
    running = start(data)
    site = open_site(running)
    lecture = start_lecture(site)
    with lecture.guest() as guest:
        lecture.answer(guest, values_A="77")
        lecture.do("next")
        before = events(guest, f"/live/{lecture.code}/events")
        assert "Stage 0" in next(before)["html"]
        code = running.end(number)
        assert code == (0 if number == signal.SIGTERM else -number), "a stream does not hold up the end"
        running.process.communicate(timeout=300)
        with served(data, "--port", str(running.port), link=False):
            assert "Stage 0" in next(events(guest, f"/live/{lecture.code}/events"))["html"]
            assert 'value="77"' in guest.get(f"/live/{lecture.code}").text
            assert "77" in until_answered(lecture, 1)
    site.teacher.close()
