"""Pages of the teacher's desk and of the lecture hall, and who may see them: a part of the table in `roles`."""

from __future__ import annotations

from grader.service.access.who import Who

DESK: dict[tuple[str, str], Who] = {
    ("GET", "/teach"): Who.TEACHERS,
    ("POST", "/teach"): Who.TEACHERS,
    ("POST", "/teach/names"): Who.SIGNED_IN,
    ("GET", "/teach/c/{c}"): Who.STAFF,
    ("GET", "/teach/c/{c}/settings"): Who.TEACHER,
    ("POST", "/teach/c/{c}/settings"): Who.TEACHER,
    ("POST", "/teach/c/{c}/copy"): Who.TEACHER,
    ("POST", "/teach/c/{c}/delete"): Who.TEACHER,
    ("GET", "/teach/c/{c}/audit"): Who.TEACHER,
    ("GET", "/teach/c/{c}/members"): Who.TEACHER,
    ("POST", "/teach/c/{c}/members"): Who.TEACHER,
    ("POST", "/teach/c/{c}/links"): Who.TEACHER,
    ("POST", "/teach/c/{c}/members/{m}/role"): Who.TEACHER,
    ("POST", "/teach/c/{c}/members/{m}/link"): Who.TEACHER,
    ("POST", "/teach/c/{c}/members/{m}/remove"): Who.TEACHER,
    ("GET", "/teach/c/{c}/exercises"): Who.TEACHER,
    ("POST", "/teach/c/{c}/exercises"): Who.TEACHER,
    ("POST", "/teach/c/{c}/exams"): Who.TEACHER,
    ("GET", "/teach/c/{c}/assign"): Who.TEACHER,
    ("POST", "/teach/c/{c}/assign"): Who.TEACHER,
    ("GET", "/teach/a/{a}"): Who.STAFF,
    ("GET", "/teach/a/{a}/edit"): Who.TEACHER,
    ("POST", "/teach/a/{a}/edit"): Who.TEACHER,
    ("POST", "/teach/a/{a}/now"): Who.TEACHER,
    ("GET", "/teach/a/{a}/extensions"): Who.TEACHER,
    ("POST", "/teach/a/{a}/extensions"): Who.TEACHER,
    ("GET", "/teach/a/{a}/class"): Who.STAFF,
    ("GET", "/teach/a/{a}/answers"): Who.STAFF,
    ("GET", "/teach/a/{a}/review"): Who.STAFF,
    ("POST", "/teach/a/{a}/review/{id}"): Who.STAFF,
    ("GET", "/teach/g/{g}"): Who.TEACHER,
    ("POST", "/teach/g/{g}"): Who.TEACHER,
    ("POST", "/teach/g/{g}/remove"): Who.TEACHER,
    ("POST", "/teach/g/{g}/reopen"): Who.TEACHER,
    ("GET", "/teach/a/{a}/regrades"): Who.TEACHER,
    ("POST", "/teach/a/{a}/regrades"): Who.TEACHER,
    ("GET", "/teach/a/{a}/regrades/{r}"): Who.TEACHER,
    ("POST", "/teach/a/{a}/regrades/{r}"): Who.TEACHER,
    ("GET", "/teach/a/{a}/grades.csv"): Who.STAFF,
    ("GET", "/teach/a/{a}/answers.jsonl"): Who.STAFF,
    ("GET", "/teach/a/{a}/feedback.zip"): Who.TEACHER,
    ("GET", "/teach/a/{a}/paper"): Who.TEACHER,
}
"""Running a course, seeing the class, deciding."""

WRITING: dict[tuple[str, str], Who] = {
    ("GET", "/teach/write/offers"): Who.TEACHERS,
    ("POST", "/teach/write/edit"): Who.TEACHERS,
    ("POST", "/teach/write/ask"): Who.TEACHERS,
    ("POST", "/teach/write/question"): Who.TEACHERS,
    ("POST", "/teach/write/look"): Who.TEACHERS,
    ("POST", "/teach/write/preview"): Who.TEACHERS,
    ("GET", "/teach/c/{c}/exercises/new"): Who.TEACHER,
    ("POST", "/teach/c/{c}/exercises/new"): Who.TEACHER,
    ("GET", "/teach/c/{c}/recipes/new"): Who.TEACHER,
    ("POST", "/teach/c/{c}/recipes/new"): Who.TEACHER,
    ("GET", "/teach/c/{c}/exercises/{e}"): Who.TEACHER,
    ("POST", "/teach/c/{c}/exercises/{e}"): Who.TEACHER,
}
"""Writing games, exercises and recipes."""

HALL: dict[tuple[str, str], Who] = {
    ("GET", "/live"): Who.EVERYBODY,
    ("GET", "/live/{code}"): Who.EVERYBODY,
    ("POST", "/live/{code}"): Who.EVERYBODY,
    ("GET", "/live/{code}/events"): Who.EVERYBODY,
    ("GET", "/teach/c/{c}/live"): Who.TEACHER,
    ("POST", "/teach/c/{c}/live"): Who.TEACHER,
    ("GET", "/teach/live/{code}"): Who.TEACHER,
    ("POST", "/teach/live/{code}"): Who.TEACHER,
    ("GET", "/teach/live/{code}/events"): Who.TEACHER,
}
"""Live exercises."""
