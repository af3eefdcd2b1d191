"""Pages of the teacher's desk and of the lecture hall, and who may see them: a part of the table in `roles`."""

from __future__ import annotations

from grader.service.access.who import Who

DESK: dict[tuple[str, str], Who] = {}
"""Running a course, seeing the class, deciding."""

WRITING: dict[tuple[str, str], Who] = {
    ("POST", "/teach/write/edit"): Who.TEACHERS,
    ("POST", "/teach/write/ask"): Who.TEACHERS,
    ("POST", "/teach/write/look"): Who.TEACHERS,
    ("POST", "/teach/write/preview"): Who.TEACHERS,
    ("GET", "/teach/c/{c}/exercises/new"): Who.TEACHER,
    ("POST", "/teach/c/{c}/exercises/new"): Who.TEACHER,
    ("GET", "/teach/c/{c}/exercises/{e}"): Who.TEACHER,
    ("POST", "/teach/c/{c}/exercises/{e}"): Who.TEACHER,
}
"""Writing games, exercises and recipes."""

HALL: dict[tuple[str, str], Who] = {}
"""Live exercises."""
