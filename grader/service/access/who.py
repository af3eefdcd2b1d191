"""Roles in a course, and the groups of people that a route or page is for."""

from __future__ import annotations

from enum import Enum

STUDENT, ASSISTANT, TEACHER = "student", "assistant", "teacher"
ROLES = (STUDENT, ASSISTANT, TEACHER)


class Who(Enum):
    """Whoever is allowed; what belongs to a course is for its members, and unknown to everybody else."""

    EVERYBODY = "everybody"
    SOLVERS = "everybody who is in no timed attempt"
    SIGNED_IN = "whoever is signed in"
    TEACHERS = "whoever teaches a course, or may make one"
    MEMBERS = "students, assistants and teachers of the course"
    PLAYERS = "students and teachers of the course"
    STAFF = "assistants and teachers of the course"
    TEACHER = "teachers of the course"
    OWNER = "the member whose attempt it is"
    OWNER_OR_STAFF = "the member whose submission it is, assistants and teachers of the course"

    @property
    def roles(self) -> tuple[str, ...]:
        """In the course, of those who are allowed whosever it is."""
        return _ROLES.get(self, ())

    @property
    def signed_in(self) -> bool:
        """Whether one must be."""
        return self not in (Who.EVERYBODY, Who.SOLVERS)

    @property
    def owner(self) -> bool:
        return self in (Who.OWNER, Who.OWNER_OR_STAFF)


_ROLES = {
    Who.MEMBERS: ROLES,
    Who.PLAYERS: (STUDENT, TEACHER),
    Who.STAFF: (ASSISTANT, TEACHER),
    Who.TEACHER: (TEACHER,),
    Who.OWNER_OR_STAFF: (ASSISTANT, TEACHER),
}
