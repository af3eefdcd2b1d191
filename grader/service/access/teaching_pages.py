"""Pages of the teacher's desk and of the lecture hall, and who may see them: a part of the table in `roles`."""

from __future__ import annotations

from grader.service.access.who import Who

DESK: dict[tuple[str, str], Who] = {}
"""Running a course, seeing the class, deciding."""

WRITING: dict[tuple[str, str], Who] = {}
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
