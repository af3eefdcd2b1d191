"""A service as people find it: a process, a course with an exercise, and browsers that look at its pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx

from grader.service.run.demo import EXERCISE
from tests.grader.service.served import Running
from tests.support.browser import PATIENCE

ZONE = "Europe/Lisbon"
HEARING = """
window.heard = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.heard.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


@dataclass
class Site:
    """What is made here is made by the teacher over the API."""

    running: Running
    teacher: httpx.Client
    course: str = ""
    code: str = ""
    exercise: str = ""
    students: int = 0

    @property
    def url(self) -> str:
        return self.running.url

    def call(self, method: str, path: str, **more: Any) -> Any:
        answer = self.teacher.request(method, path, **more)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def put_exercise(self, document: Mapping[str, Any]) -> str:
        return str(self.call("POST", f"/api/courses/{self.course}/exercises", json=document)["id"])

    def assign(self, exercise: str = "", **fields: Any) -> str:
        """An assignment's id; of the usual exercise unless another is given."""
        wanted = {"exercise": exercise or self.exercise, **fields}
        return str(self.call("POST", f"/api/courses/{self.course}/assignments", json=wanted)["id"])

    def change(self, assignment: str, **fields: Any) -> None:
        self.call("PATCH", f"/api/assignments/{assignment}", json=fields)

    def new_student(self, name: str = "") -> Student:
        self.students += 1
        code = f"s{self.students:03}"
        wanted = {"id": code, "name": name or f"Student {self.students}"}
        made = self.call("POST", f"/api/courses/{self.course}/members", json={"members": [wanted]})["members"]
        return Student(self, code, wanted["name"], made[0]["link"])


@dataclass
class Student:
    site: Site
    code: str
    name: str
    link: str

    @property
    def token(self) -> str:
        return self.link.rpartition("/")[2]

    def client(self) -> httpx.Client:
        return self.site.running.client(self.token)


def open_site(running: Running) -> Site:
    """Signs in by the teacher's link, which works once, and makes a course."""
    assert running.link is not None
    origin = running.url.removesuffix(urlsplit(running.url).path)
    client = httpx.Client(base_url=running.url, timeout=300, headers={"Origin": origin})
    begun = client.post("/api/session", json={"link": running.link})
    assert begun.status_code == 201, begun.text
    client.headers["X-CSRF-Token"] = begun.json()["csrf"]
    site = Site(running, client)
    fields = {"title": "Adversarial search", "zone": ZONE, "language": "en"}
    site.course = site.call("POST", "/api/courses", json=fields)["id"]
    site.code = site.call("GET", f"/api/courses/{site.course}")["join"]
    site.exercise = site.put_exercise(EXERCISE)
    return site


@dataclass
class Visit:
    """A browser's context at a site, and all that it asked for and got."""

    site: Site
    context: Any
    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    responses: list[Any] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.site.url}{path}")

    def sign_in(self, student: Student) -> None:
        self.page.goto(student.link)
        self.page.locator("main button").click()
        self.page.wait_for_url(f"{self.site.url}/")


@contextmanager
def visit(browser: Any, site: Site, **options: Any) -> Iterator[Visit]:
    """At its end nothing may have been asked of another host, no policy broken, no error logged."""
    context = browser.new_context(**{"locale": "en-GB", "timezone_id": ZONE, "service_workers": "block", **options})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    found = Visit(site, context, page)
    if options.get("java_script_enabled", True):
        context.add_init_script(HEARING)
    page.on("console", lambda said: _hear(found, said))
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on("request", lambda request: found.requests.append(request.url))
    page.on("response", lambda response: found.responses.append(response))  # noqa: PLW0108 - it must take attributes
    try:
        yield found
        assert found.complaints == []
        assert [url for url in found.requests if not url.startswith((site.url + "/", "data:"))] == []
    finally:
        context.close()


def _hear(found: Visit, said: Any) -> None:
    """The browser notes each answer that is no success, which a test may have wanted; all else is a complaint."""
    if said.type in ("error", "warning") and "Failed to load resource" not in said.text:
        found.complaints.append(f"{said.type}: {said.text}")
