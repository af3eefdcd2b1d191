"""Every page of the service in the pseudo-language, as the server renders it: what is plain came from no catalogue."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from grader.service.base.settings import Settings
from grader.service.http.rates import Rates
from grader.service.run.service_assembly import make_service
from grader.service.store.store import open_store
from grader.service.workers.worker_pool import OUR_TASKS, Workers
from tests.grader.service.api.client import Api, Loop
from tests.grader.service.api.handing_in import begun
from tests.grader.service.api.test_exams import Sat, exam
from tests.grader.service.routes import PAGE_RIGHTS
from tests.support.pseudo import JOINTS, page_says, plain_words, pseudo_language

pytestmark = pytest.mark.slow

SAME = re.compile(
    r"<(textarea|pre|code|select id=\"(?:zone|algorithm|convention|ask)\").*?</(textarea|pre|code|select)>", re.DOTALL
)
"""Documents, digests, zones and ids, which are the same in every language."""
ADDRESS = re.compile(r"http://\S+|placeholder=\"[^\"]*\"|\b[0-9a-f]{16,}\b")
NAMES = {
    *("Plymark", "Moodle", "Canvas", "Gradescope", "PrairieLearn", "HTML", "PDF", "UTC"),
    *("English", "Espa", "ol", "Portugu"),
    *("Ada", "Search", "Name", "of", "ta", "two", "two-plie"),
}
"""Of programs and formats, of languages, and what people typed in this test."""


@pytest.fixture(scope="module")
def sat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sat]:
    """An exam that three students have sat, told in full; workers speak the pseudo-language, too."""
    with pseudo_language():
        settings = Settings(data=tmp_path_factory.mktemp("pseudo") / "data")
        loop, store = Loop(), open_store(settings.data)
        workers = Workers(1, tasks=("tests.support.pseudo_tasks", *OUR_TASKS))
        workers.start()
        api = Api(make_service(settings, store, workers, Rates()), loop)
        loop.run(api.service.start())
        yield Sat(api, api.new_teacher("ada"), feedback_before="full", attempts=2)
        loop.run(api.service.stop(grace=5))
        loop.run(workers.stop(grace=0))
        store.close()
        loop.close()


def names_in_routes(sat: Sat, student: str) -> dict[str, str]:
    course, path = sat.course, f"/api/assignments/{sat.assignment}"
    regrade = sat.api.post(f"{path}/regrades", course.teacher, json={"version": 1})
    return {
        "c": course.id,
        "a": sat.assignment,
        "e": course.exercise,
        "s": sat.submissions[student],
        "r": regrade.json()["id"],
        "g": sat.get("grades")["items"][0]["id"],
        "link": course[student],
        "recipe": "minimax-medium",
        "seed": "1",
    }


def test_pages(sat: Sat) -> None:
    """All that a teacher and a student who had everything wrong may see; a lecture is `test_in_browsers`' own."""
    course, today = sat.course, datetime.now(UTC)
    begun(course, sat.assignment, "s3")
    names = names_in_routes(sat, "s3")
    own = plain_words(json.dumps(exam())) | NAMES | JOINTS | {f"{today:%a}", f"{today:%b}"}
    seen, plain = 0, {}
    for route in [path for method, path in PAGE_RIGHTS if method == "GET" and "{code}" not in path]:
        for token in (course.teacher, course["s3"]):
            headers = {"accept": "text/html", "accept-language": "en"}
            answer = sat.api.get(route.format(**names), token, headers=headers)
            if answer.status_code == 422 or not answer.headers.get("content-type", "").startswith("text/html"):
                continue
            seen += answer.status_code == 200
            words = plain_words(page_says(ADDRESS.sub("", SAME.sub("", answer.text)))) - own
            words = {word for word in words if not re.fullmatch(r"[A-Za-z]{1,2}\d+", word)}
            if words:
                plain[route] = words
    assert seen > 40
    assert plain == {}
