"""A live exercise as a teacher runs it, with programs in place of phones."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.grader.service.web.site import Site, Visit, visit


@dataclass
class Lecture:
    site: Site
    code: str

    @property
    def csrf(self) -> str:
        return str(self.site.teacher.headers["X-CSRF-Token"])

    def do(self, what: str) -> None:
        answer = self.site.teacher.post(f"/teach/live/{self.code}", data={"do": what, "csrf": self.csrf})
        assert answer.status_code == 303, answer.text

    @contextmanager
    def guest(self) -> Iterator[httpx.Client]:
        """One who has opened the page."""
        with httpx.Client(base_url=self.site.url, headers={"Origin": self.site.url}, timeout=300) as opened:
            assert opened.get(f"/live/{self.code}").status_code == 200
            yield opened

    def answer(self, guest: httpx.Client, **fields: str) -> httpx.Response:
        named = {name.replace("_", "."): text for name, text in fields.items()}
        return guest.post(f"/live/{self.code}", data=named)

    @contextmanager
    def projector(self, browser: Any, **options: Any) -> Iterator[Visit]:
        with visit(browser, self.site, **options) as opened:
            kept = self.site.teacher.cookies.items()
            opened.context.add_cookies([{"name": name, "value": value, "url": self.site.url} for name, value in kept])
            opened.go(f"/teach/live/{self.code}")
            yield opened


def start_lecture(site: Site, exercise: str = "") -> Lecture:
    lecture = Lecture(site, "")
    wanted = {"exercise": exercise or site.exercise, "csrf": lecture.csrf}
    begun = site.teacher.post(f"/teach/c/{site.course}/live", data=wanted)
    assert begun.status_code == 303, begun.text
    lecture.code = begun.headers["location"].rpartition("/")[2]
    return lecture


def events(client: httpx.Client, path: str, **headers: str) -> Generator[dict[str, Any], None, None]:
    """What a stream tells, for as long as it is asked."""
    with client.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200
        for line in answer.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))
