"""The one table of who may call what. A route that is not in it cannot be added."""

from __future__ import annotations

from grader.service.access.teaching_pages import DESK, HALL, WRITING
from grader.service.access.who import ASSISTANT, ROLES, STUDENT, TEACHER, Who

__all__ = ["ALWAYS_OPEN", "ASSISTANT", "PAGES", "ROLES", "STUDENT", "TEACHER", "WHO", "Who"]

_COURSE, _ASSIGNMENT = "/api/courses/{c}", "/api/assignments/{a}"

WHO: dict[tuple[str, str], Who] = {
    ("POST", "/api/check"): Who.EVERYBODY,
    ("POST", "/api/solve"): Who.EVERYBODY,
    ("POST", "/api/analyse"): Who.EVERYBODY,
    ("POST", "/api/explain"): Who.EVERYBODY,
    ("POST", "/api/draw"): Who.EVERYBODY,
    ("POST", "/api/grade"): Who.TEACHERS,
    ("POST", "/api/generate"): Who.TEACHERS,
    ("POST", "/api/session"): Who.EVERYBODY,
    ("DELETE", "/api/session"): Who.SIGNED_IN,
    ("PUT", "/api/me/password"): Who.SIGNED_IN,
    ("POST", "/api/join"): Who.EVERYBODY,
    ("GET", "/api/courses"): Who.TEACHERS,
    ("POST", "/api/courses"): Who.TEACHERS,
    ("GET", _COURSE): Who.TEACHER,
    ("PATCH", _COURSE): Who.TEACHER,
    ("DELETE", _COURSE): Who.TEACHER,
    ("POST", f"{_COURSE}/copy"): Who.TEACHER,
    ("GET", f"{_COURSE}/members"): Who.TEACHER,
    ("POST", f"{_COURSE}/members"): Who.TEACHER,
    ("POST", f"{_COURSE}/members/{{m}}/link"): Who.TEACHER,
    ("DELETE", f"{_COURSE}/members/{{m}}"): Who.TEACHER,
    ("GET", f"{_COURSE}/exercises"): Who.TEACHER,
    ("POST", f"{_COURSE}/exercises"): Who.TEACHER,
    ("GET", f"{_COURSE}/exercises/{{e}}"): Who.TEACHER,
    ("POST", f"{_COURSE}/exercises/{{e}}/versions"): Who.TEACHER,
    ("GET", f"{_COURSE}/assignments"): Who.MEMBERS,
    ("POST", f"{_COURSE}/assignments"): Who.TEACHER,
    ("GET", f"{_COURSE}/audit"): Who.TEACHER,
    ("GET", _ASSIGNMENT): Who.MEMBERS,
    ("PATCH", _ASSIGNMENT): Who.TEACHER,
    ("PUT", f"{_ASSIGNMENT}/extensions/{{m}}"): Who.TEACHER,
    ("DELETE", f"{_ASSIGNMENT}/extensions/{{m}}"): Who.TEACHER,
    ("POST", f"{_ASSIGNMENT}/attempts"): Who.PLAYERS,
    ("GET", f"{_ASSIGNMENT}/submissions"): Who.STAFF,
    ("GET", f"{_ASSIGNMENT}/summary"): Who.STAFF,
    ("GET", f"{_ASSIGNMENT}/heat-map"): Who.STAFF,
    ("GET", f"{_ASSIGNMENT}/grades"): Who.STAFF,
    ("GET", f"{_ASSIGNMENT}/review"): Who.STAFF,
    ("POST", f"{_ASSIGNMENT}/review/{{id}}"): Who.STAFF,
    ("POST", f"{_ASSIGNMENT}/regrades"): Who.TEACHER,
    ("GET", f"{_ASSIGNMENT}/regrades/{{r}}"): Who.TEACHER,
    ("POST", f"{_ASSIGNMENT}/regrades/{{r}}/apply"): Who.TEACHER,
    ("GET", "/api/attempts/{t}"): Who.OWNER,
    ("PUT", "/api/attempts/{t}/draft"): Who.OWNER,
    ("POST", "/api/attempts/{t}/read"): Who.OWNER,
    ("POST", "/api/attempts/{t}/submissions"): Who.OWNER,
    ("POST", "/api/attempts/{t}/reopen"): Who.TEACHER,
    ("GET", "/api/submissions/{s}"): Who.OWNER_OR_STAFF,
    ("GET", "/api/submissions/{s}/report"): Who.OWNER_OR_STAFF,
    ("PUT", "/api/grades/{g}/override"): Who.TEACHER,
    ("DELETE", "/api/grades/{g}/override"): Who.TEACHER,
    ("GET", "/api/jobs/{j}"): Who.TEACHER,
    ("DELETE", "/api/jobs/{j}"): Who.TEACHER,
    ("GET", "/healthz"): Who.EVERYBODY,
    ("GET", "/readyz"): Who.EVERYBODY,
    ("GET", "/api/openapi.json"): Who.EVERYBODY,
    ("GET", "/api/docs"): Who.EVERYBODY,
    ("GET", "/metrics"): Who.EVERYBODY,
}
"""`/metrics` has a rule of its own: loopback, or a token of its own."""

PAGES: dict[tuple[str, str], Who] = {
    ("GET", "/"): Who.EVERYBODY,
    ("GET", "/in/{link}"): Who.EVERYBODY,
    ("POST", "/in/{link}"): Who.EVERYBODY,
    ("GET", "/sign-in"): Who.EVERYBODY,
    ("POST", "/sign-in"): Who.EVERYBODY,
    ("POST", "/sign-out"): Who.EVERYBODY,
    ("GET", "/join"): Who.EVERYBODY,
    ("POST", "/join"): Who.EVERYBODY,
    ("POST", "/language"): Who.EVERYBODY,
    ("GET", "/c/{c}"): Who.MEMBERS,
    ("GET", "/a/{a}"): Who.PLAYERS,
    ("POST", "/a/{a}"): Who.PLAYERS,
    ("POST", "/a/{a}/draft"): Who.PLAYERS,
    ("GET", "/a/{a}/check"): Who.PLAYERS,
    ("POST", "/a/{a}/check"): Who.PLAYERS,
    ("POST", "/a/{a}/hand-in"): Who.PLAYERS,
    ("GET", "/s/{s}"): Who.OWNER_OR_STAFF,
    ("GET", "/s/{s}/steps"): Who.OWNER_OR_STAFF,
    ("GET", "/practice"): Who.EVERYBODY,
    ("GET", "/practice/new"): Who.EVERYBODY,
    ("GET", "/practice/next"): Who.EVERYBODY,
    ("GET", "/practice/progress"): Who.EVERYBODY,
    ("GET", "/practice/tree"): Who.EVERYBODY,
    ("POST", "/practice/tree"): Who.EVERYBODY,
    ("GET", "/practice/tree/steps"): Who.EVERYBODY,
    ("POST", "/practice/tree/steps"): Who.EVERYBODY,
    ("GET", "/practice/{recipe}/{seed}"): Who.EVERYBODY,
    ("POST", "/practice/{recipe}/{seed}"): Who.EVERYBODY,
    ("GET", "/practice/{recipe}/{seed}/steps"): Who.EVERYBODY,
    ("POST", "/practice/{recipe}/{seed}/steps"): Who.EVERYBODY,
    ("GET", "/try"): Who.EVERYBODY,
    ("POST", "/try"): Who.EVERYBODY,
    **DESK,
    **WRITING,
    **HALL,
}
"""The same for what people see. What a page asks for by script is in `WHO`."""

ALWAYS_OPEN = {
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("POST", "/api/session"),
    ("POST", "/api/join"),
    ("GET", "/metrics"),
    ("GET", "/in/{link}"),
    ("POST", "/in/{link}"),
    ("GET", "/sign-in"),
    ("POST", "/sign-in"),
    ("POST", "/sign-out"),
    ("GET", "/join"),
    ("POST", "/join"),
    ("POST", "/language"),
}
"""What a closed service answers to those who are not signed in: otherwise nobody could sign in."""

SOLVING = {("POST", f"/api/{each}") for each in ("solve", "analyse", "explain", "draw")} | {
    (method, path) for method, path in PAGES if path == "/try" or path.split("/")[1] == "practice"
}
"""What would answer an exam's questions: refused to whoever is in a timed attempt."""
