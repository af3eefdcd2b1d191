"""Whatever a report tells, its pages can show it; and what goes wrong on a page is told on a page."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from grader.kernel.verdicts import VERDICTS
from grader.service import tasks
from grader.service.http import rendering
from grader.service.http.logs import configure_logs
from grader.service.workers.task_results import allowed, members
from tests.grader.service.api.client import WRONG, Api, Course
from tests.grader.service.api.handing_in import handed_in, until_marked

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PRACTISED = {"tree": "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "values.A": "3", "values.B": "12", "move": "a1"}
"""An answer that is right in part."""
OTHER_VERDICTS = {"practice/steps.html", "hall/board.html"}
"""Templates with verdicts of another kind: on a step, and on a bar of equal answers."""


class Recorder:
    """In place of the templates' environment: keeps what every page was given."""

    def __init__(self) -> None:
        self.pages: dict[str, dict[str, Any]] = {}
        self._environment = rendering.environment()

    def get_template(self, name: str) -> Any:
        recorder, template = self, self._environment.get_template(name)

        class Recording:
            def render(self, context: dict[str, Any]) -> str:
                recorder.pages[name] = context
                return template.render(context)

        return Recording()


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    made = Recorder()
    monkeypatch.setattr(rendering, "environment", lambda: made)
    return made


def test_every_page_of_a_report_shows_every_verdict(running: Api, course: Course, recorder: Recorder) -> None:
    """Pages are given what they are given in use, but for the verdicts and the notes, which are replaced."""
    assignment = course.put_assignment(feedback_before="full")
    submitted = handed_in(course, assignment, "s1", {**WRONG, "pruned": "L5 L6"})
    until_marked(running, submitted, course.teacher)
    pages = {
        "practice/exercise.html": running.post("/practice/tree", data={**PRACTISED, "show": "full"}),
        "submissions/submission.html": running.get(f"/s/{submitted}", course["s1"]),
        "classes/answers.html": running.get(f"/teach/a/{assignment}/answers?question=values", course.teacher),
    }
    sources = rendering.TEMPLATES.rglob("*.html")
    showing = {
        str(each.relative_to(rendering.TEMPLATES)) for each in sources if re.search(r"\.verdict\b", each.read_text())
    }
    assert showing - OTHER_VERDICTS == set(pages), "a page that shows verdicts is to be tried here"
    for name, answer in pages.items():
        assert answer.status_code == 200, (name, answer.text)
        given = recorder.pages[name]
        for verdict in VERDICTS:
            for note in (None, "why it is so"):
                replaced, count = _replaced(given, verdict, note)
                assert count, f"{name} was given no items"
                html = rendering.environment().get_template(name).render(replaced)
                assert re.search(rf'class="(verdict|row-of) {verdict}"', html), (name, verdict)


def _replaced(given: Any, verdict: str, note: str | None) -> tuple[Any, int]:
    """The same data with another verdict at every item, and how many there are."""
    if allowed(type(given).__module__, type(given).__qualname__):
        given = members(given)
    if isinstance(given, dict):
        items = [_replaced(value, verdict, note) for value in given.values()]
        made = dict(zip(given, (each for each, _ in items), strict=True))
        count = sum(each for _, each in items)
        if "verdict" in given and "item" in given:
            made |= {"verdict": verdict}
            made.pop("note", None)
            made |= {} if note is None else {"note": note}
            count += 1
        return made, count
    if isinstance(given, list | tuple) and type(given) in (list, tuple):
        pairs = [_replaced(each, verdict, note) for each in given]
        return type(given)(each for each, _ in pairs), sum(each for _, each in pairs)
    return copy.copy(given) if isinstance(given, set) else given, 0


def test_the_solution_is_shown_where_something_is_right(running: Api) -> None:
    for show in ("hints", "full"):
        answer = running.post("/practice/tree", data={**PRACTISED, "show": show}, headers=BROWSER)
        assert answer.status_code == 200, answer.text


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged, by lines."""
    written = io.StringIO()
    configure_logs(written, human=False)
    yield written
    configure_logs(human=False)


@pytest.mark.parametrize("accept", [BROWSER, {}])
@pytest.mark.parametrize("language", ["en", "fa"])
def test_what_nobody_foresaw_is_a_page_and_a_line_in_the_log(
    api: Api, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, accept: dict[str, str], language: str
) -> None:
    broken = Recorder()
    monkeypatch.setattr(rendering, "environment", lambda: broken)
    told = broken.get_template

    def get_template(name: str) -> Any:
        if name == "accounts/home.html":
            raise RuntimeError("planted-4711")
        return told(name)

    monkeypatch.setattr(broken, "get_template", get_template)
    answer = api.get("/", headers={**accept, "Accept-Language": language})
    assert answer.status_code == 500
    assert answer.headers["content-type"].startswith("text/html") and f'lang="{language}"' in answer.text
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    (crash,) = [line for line in lines if line["event"] == "crash"]
    assert crash["error"] == "RuntimeError" and crash["at"][-1].endswith("in get_template")
    assert any("accounts/pages.py" in place for place in crash["at"]), crash
    assert crash["request"] == answer.headers["x-request-id"] and crash["request"] in answer.text
    assert "planted-4711" not in log.getvalue() + answer.text


def test_a_crash_of_the_api_is_a_problem_and_a_line_in_the_log(
    api: Api, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("planted-4711")

    monkeypatch.setattr(api.service.rates, "address", broken)
    answer = api.get("/api/openapi.json")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal") and "planted" not in answer.text
    (crash,) = [json.loads(line) for line in log.getvalue().splitlines() if '"crash"' in line]
    assert crash["request"] == answer.json()["request"] == answer.headers["x-request-id"]
    assert crash["at"][-1].endswith("in broken")


def test_a_failed_task_says_in_the_log_where(running: Api, log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    run = running.service.workers.run

    async def failing(*_: Any) -> Any:
        wrong: Any = None
        return await run(tasks.practice_step, *[wrong] * 6)

    monkeypatch.setattr(running.service.workers, "run", failing)
    answer = running.get("/practice", headers=BROWSER)
    assert answer.status_code == 500 and answer.headers["content-type"].startswith("text/html")
    (failed,) = [line for line in log.getvalue().splitlines() if "a task failed" in line]
    assert "practice_exercises.py:" in failed and " in practice_step" in failed


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("POST", "/nowhere", 404),
        ("GET", "/practice/-x/?", 404),
        ("POST", "/practice", 405),
        ("PUT", "/try", 405),
        ("GET", "/teach/c/x/links", 405),
        ("GET", "/s/x", 404),
        ("GET", "/practice/new?recipe=%00", 422),
    ],
)
def test_a_browser_is_answered_with_a_page(course: Course, method: str, path: str, status: int) -> None:
    answer = course.api.call(method, path, course["s1"], headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"][:9]) == (status, "text/html"), answer.text


def test_a_form_that_is_too_large_is_answered_with_a_page(api: Api) -> None:
    for path in ("/try", "/practice/tree"):
        answer = api.post(path, data={"tree": "x" * 300_000, "show": "full"}, headers=BROWSER)
        assert (answer.status_code, answer.headers["content-type"][:9]) == (413, "text/html"), answer.text
        assert answer.headers["connection"] == "close"
