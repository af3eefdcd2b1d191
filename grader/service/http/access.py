"""Who is calling and what about: found in one reading of the store, and refused there if it is not theirs.

Every object is reached through its course and the caller's place in it, so that an id by itself opens nothing. What a
caller may not know of is unknown (404); what they may know of but not do is forbidden (403).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from sqlalchemy import BigInteger, Connection, Row, Table, bindparam, select
from starlette.requests import Request

from grader.service.base.clock import now
from grader.service.base.ids import hash_of
from grader.service.base.service_problems import ServiceProblem
from grader.service.rules.times import is_renewal_due
from grader.service.store.prepared_statements import PreparedStatement
from grader.service.store.tables import (
    assignment,
    attempt,
    course,
    credential,
    exercise,
    grade,
    job,
    live,
    member,
    person,
    regrade,
    session,
    submission,
)

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

COOKIE = "plymark_session"
CSRF_HEADER = "x-csrf-token"
LONGEST = 200
"""Characters of a secret."""


@dataclass(frozen=True, slots=True)
class PresentedCredential:
    """The hash of a secret, and whether the browser sent it by itself."""

    hash: str
    cookie: bool


def read_credential(request: Request) -> PresentedCredential | None:
    """401 for a header that is no bearer token: whoever sends one means to be somebody."""
    header = request.headers.get("authorization")
    if header is not None:
        kind, _, secret = header.partition(" ")
        secret = secret.strip()
        if kind.lower() != "bearer" or not secret or len(secret) > LONGEST:
            raise unknown_credential()
        return PresentedCredential(hash_of(secret), cookie=False)
    secret = request.cookies.get(COOKIE, "")
    return PresentedCredential(hash_of(secret), cookie=True) if 0 < len(secret) <= LONGEST else None


def unknown_credential() -> ServiceProblem:
    detail = "sign in first, or send a token that is valid"
    return ServiceProblem(401, "credential", detail, headers={"WWW-Authenticate": 'Bearer realm="plymark"'})


AnyRow = Row[Any]


@dataclass(slots=True)
class Scope:
    """Rows by what they are of; those that a route does not name are None."""

    person: AnyRow | None = None
    csrf: str | None = None
    """Of the session, where a cookie signed in."""
    session: str | None = None
    """Its hash."""
    is_renewal_due: bool = False
    """Whether the session is in use and should last longer."""
    course: AnyRow | None = None
    member: AnyRow | None = None
    """The caller's place in the course."""
    rows: dict[str, AnyRow] = field(default_factory=dict)
    """By path parameter: the assignment is `rows["a"]`."""


_now = bindparam("now", type_=BigInteger)
_by_credential = PreparedStatement(
    select(person)
    .join(credential, credential.c.person == person.c.id)
    .where(
        credential.c.hash == bindparam("hash"),
        credential.c.kind != "once",
        credential.c.revoked.is_(None),
        credential.c.expires.is_(None) | (credential.c.expires > _now),
    )
)
_by_session = PreparedStatement(
    select(
        person,
        session.c.csrf.label("csrf"),
        session.c.created.label("session_created"),
        session.c.expires.label("session_expires"),
    )
    .join(session, session.c.person == person.c.id)
    .where(session.c.hash == bindparam("hash"), session.c.revoked.is_(None), session.c.expires > _now)
)


def _row_class(table: Table) -> Any:
    """A row of a table alone; its fields are known only when this runs."""
    return namedtuple(table.name, table.c.keys())


_place = PreparedStatement(
    select(course, member)
    .join_from(member, course, course.c.id == member.c.course)
    .where(
        member.c.course == bindparam("course"),
        member.c.person == bindparam("person"),
        member.c.removed.is_(None),
        course.c.deleted.is_(None),
    )
)
"""A course together with the caller's place in it. Both tables have an `id`: rows are taken apart by position."""
_CourseRow, _MemberRow = _row_class(course), _row_class(member)
_COURSE_COLUMNS = len(course.c)
_objects = {
    name: PreparedStatement(statement)
    for name, statement in {
        "a": select(assignment).where(assignment.c.id == bindparam("id")),
        "t": select(attempt, assignment.c.course.label("course"))
        .join(assignment, assignment.c.id == attempt.c.assignment)
        .where(attempt.c.id == bindparam("id")),
        "s": select(submission, attempt.c.member.label("member"), assignment.c.course.label("course"))
        .join(attempt, attempt.c.id == submission.c.attempt)
        .join(assignment, assignment.c.id == attempt.c.assignment)
        .where(submission.c.id == bindparam("id")),
        "g": select(grade, assignment.c.course.label("course"))
        .join(assignment, assignment.c.id == grade.c.assignment)
        .where(grade.c.id == bindparam("id")),
        "j": select(job).where(job.c.id == bindparam("id")),
        "code": select(live).where(live.c.code == bindparam("id")),
    }.items()
}
_inside = {
    name: PreparedStatement(statement)
    for name, statement in {
        "e": select(exercise).where(exercise.c.id == bindparam("id"), exercise.c.course == bindparam("course")),
        "m": select(member).where(
            member.c.code == bindparam("id"), member.c.course == bindparam("course"), member.c.removed.is_(None)
        ),
        "r": select(regrade).where(regrade.c.id == bindparam("id"), regrade.c.assignment == bindparam("inside")),
    }.items()
}


def resolve(
    connection: Connection, shown: PresentedCredential | None, who: Who, params: Mapping[str, str], closed: bool
) -> Scope:
    """Raises 401, 403 or 404."""
    scope = Scope()
    if shown is not None:
        _sign_in(connection, shown, scope)
    if scope.person is None:
        # A cookie that has run out is no reason to refuse what everybody may do; a token that is wrong is.
        if who.signed_in or closed or (shown is not None and not shown.cookie):
            raise unknown_credential()
        return scope
    if who is Who.TEACHERS and not scope.person.teaches:
        raise forbidden(who)
    if who.roles or who.owner:
        _enter(connection, scope, who, params)
    return scope


def forbidden(who: Who) -> ServiceProblem:
    return ServiceProblem(403, "role", f"this is for {who.value}")


def unknown() -> ServiceProblem:
    return ServiceProblem(404, "unknown", "there is nothing here that you may know of")


def _sign_in(connection: Connection, shown: PresentedCredential, scope: Scope) -> None:
    statement = _by_session if shown.cookie else _by_credential
    row = statement.first(connection, hash=shown.hash, now=now())
    if row is not None:
        scope.person = row
        if shown.cookie:
            scope.csrf, scope.session = row.csrf, shown.hash
            scope.is_renewal_due = is_renewal_due(row.session_created, row.session_expires, now())


def _enter(connection: Connection, scope: Scope, who: Who, params: Mapping[str, str]) -> None:
    assert scope.person is not None
    owner: str | None = None
    course_id = params.get("c")
    for name, statement in _objects.items():
        if name in params:
            row = statement.first(connection, id=params[name])
            if row is None:
                raise unknown()
            scope.rows[name] = row
            course_id = row.course
            owner = row.member if who.owner else None
    if course_id is None:
        # Work that belongs to no course is for whoever asked for it.
        if "j" in scope.rows and scope.rows["j"].created_by == scope.person.id:
            return
        raise unknown()
    place = _place.first(connection, course=course_id, person=scope.person.id)
    if place is None:
        raise unknown()
    scope.course, caller = _CourseRow._make(place[:_COURSE_COLUMNS]), _MemberRow._make(place[_COURSE_COLUMNS:])
    scope.member = caller
    if not (owner == caller.id or caller.role in who.roles):
        raise unknown() if owner is not None and caller.role == "student" else forbidden(who)
    for name, statement in _inside.items():
        if name in params:
            values = {"id": params[name], **({"inside": params["a"]} if name == "r" else {"course": course_id})}
            row = statement.first(connection, **values)
            if row is None:
                raise unknown()
            scope.rows[name] = row
