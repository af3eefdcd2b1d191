"""Who is calling and what about: found in one reading of the store, and refused there if it is not theirs.

Every object is reached through its course and the caller's place in it, so that an id by itself opens nothing. What a
caller may not know of is unknown (404); what they may know of but not do is forbidden (403).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import BigInteger, Connection, Row, Table, bindparam, select

from grader.service.access.credentials import Shown, unknown_credential
from grader.service.access.who import Who
from grader.service.clock import now
from grader.service.problems import ServiceProblem
from grader.service.rules.lifetimes import is_renewal_due
from grader.service.store.prepared import Prepared
from grader.service.store.schema import (
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
_by_credential = Prepared(
    select(person)
    .join(credential, credential.c.person == person.c.id)
    .where(
        credential.c.hash == bindparam("hash"),
        credential.c.kind != "once",
        credential.c.revoked.is_(None),
        credential.c.expires.is_(None) | (credential.c.expires > _now),
    )
)
_by_session = Prepared(
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


_place = Prepared(
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
    name: Prepared(statement)
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
    name: Prepared(statement)
    for name, statement in {
        "e": select(exercise).where(exercise.c.id == bindparam("id"), exercise.c.course == bindparam("course")),
        "m": select(member).where(
            member.c.code == bindparam("id"), member.c.course == bindparam("course"), member.c.removed.is_(None)
        ),
        "r": select(regrade).where(regrade.c.id == bindparam("id"), regrade.c.assignment == bindparam("inside")),
    }.items()
}


def resolve(connection: Connection, shown: Shown | None, who: Who, params: Mapping[str, str], closed: bool) -> Scope:
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


def _sign_in(connection: Connection, shown: Shown, scope: Scope) -> None:
    statement = _by_session if shown.cookie else _by_credential
    found = statement.first(connection, hash=shown.hash, now=now())
    if found is not None:
        scope.person = found
        if shown.cookie:
            scope.csrf, scope.session = found.csrf, shown.hash
            scope.is_renewal_due = is_renewal_due(found.session_created, found.session_expires, now())


def _enter(connection: Connection, scope: Scope, who: Who, params: Mapping[str, str]) -> None:
    assert scope.person is not None
    owner: str | None = None
    course_id = params.get("c")
    for name, statement in _objects.items():
        if name in params:
            found = statement.first(connection, id=params[name])
            if found is None:
                raise unknown()
            scope.rows[name] = found
            course_id = found.course
            owner = found.member if who.owner else None
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
            found = statement.first(connection, **values)
            if found is None:
                raise unknown()
            scope.rows[name] = found
