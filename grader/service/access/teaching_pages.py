"""Pages of the teacher's desk and of the lecture hall, and who may see them: a part of the table in `roles`."""

from __future__ import annotations

from grader.service.access.who import Who

DESK: dict[tuple[str, str], Who] = {}
"""Running a course, seeing the class, deciding."""

WRITING: dict[tuple[str, str], Who] = {}
"""Writing games, exercises and recipes."""

HALL: dict[tuple[str, str], Who] = {}
"""Live exercises."""
