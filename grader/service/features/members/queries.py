"""Who is in a course, and the links by which they come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from grader.service.base.clock import now
from grader.service.base.ids import new_id
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.accounts.queries import new_link, new_person, revoke
from grader.service.store.prepared_statements import Page, page_of
from grader.service.store.tables import course, member, person
from grader.service.store.transaction import Transaction


def members_of(connection: Connection, course_id: str, page: Page) -> dict[str, Any]:
    statement = (
        select(member.c.code, member.c.role, member.c.position, person.c.name, person.c.email)
        .join(person, person.c.id == member.c.person)
        .where(member.c.course == course_id, member.c.removed.is_(None))
    )
    return page_of(connection, statement, member.c.position, page, _member_data, int)


def _member_data(row: Row[Any]) -> dict[str, Any]:
    return {"id": row.code, "name": row.name, "email": row.email, "role": row.role}


def put_members(
    tx: Transaction, who: str, course_id: str, wanted: Sequence[Mapping[str, Any]]
) -> list[tuple[str, str | None]]:
    """Each id with the secret of its new link; a known id is updated and has none."""
    return [_put_member(tx, who, course_id, each) for each in wanted]


def _put_member(tx: Transaction, who: str, course_id: str, wanted: Mapping[str, Any]) -> tuple[str, str | None]:
    code = wanted["id"]
    known = tx.execute(select(member).where(member.c.course == course_id, member.c.code == code)).first()
    about = {key: wanted[key] for key in ("name", "email") if wanted.get(key) is not None}
    if known is None:
        person_id = new_person(tx, wanted.get("name") or code, wanted.get("email"), wanted["role"] == "teacher")
        added = _add(tx, course_id, person_id, code, wanted["role"] or "student")
        tx.audit(who, "member.added", added, course_id, role=wanted["role"] or "student")
        return code, new_link(tx, person_id)
    further = reaches_further(tx.connection, known)
    if about:
        tx.execute(update(person).where(person.c.id == known.person).values(**about))
    role = wanted["role"] or known.role
    if role == "teacher":
        tx.execute(update(person).where(person.c.id == known.person).values(teaches=True))
    tx.execute(update(member).where(member.c.id == known.id).values(role=role, removed=None))
    tx.audit(who, "member.changed", known.id, course_id, role=role)
    return code, None if known.removed is None or further else new_link(tx, known.person)


def reaches_further(connection: Connection, of: Row[Any]) -> bool:
    """Whether a member's account opens more than their place in this course: then no teacher of it may have a link."""
    own = connection.execute(select(person).where(person.c.id == of.person)).one()
    elsewhere = select(member.c.id).where(
        member.c.person == of.person, member.c.course != of.course, member.c.removed.is_(None)
    )
    return own.password is not None or own.teaches or connection.execute(elsewhere).first() is not None


def renew_link(tx: Transaction, who: str, course_id: str, of: Row[Any]) -> str:
    if reaches_further(tx.connection, of):
        words = "this account has a password, teaches or is in another course: a link would open that as well"
        raise ServiceProblem(403, "reaches-further", words)
    tx.audit(who, "member.link", of.id, course_id)
    return new_link(tx, of.person)


def remove_member(tx: Transaction, who: str, course_id: str, of: Row[Any]) -> None:
    """What they handed in stays; their link is dead."""
    tx.execute(update(member).where(member.c.id == of.id).values(removed=tx.now))
    left = tx.execute(
        select(func.count()).select_from(member).where(member.c.person == of.person, member.c.removed.is_(None))
    ).scalar_one()
    if not left:
        revoke(tx, of.person)
    tx.audit(who, "member.removed", of.id, course_id)


def join(tx: Transaction, code: str, name: str) -> tuple[str, str, str] | None:
    """A new member by the course's code: the course, the id, the secret of the link; None if no course has the code."""
    found = tx.execute(select(course).where(course.c.join_code == code, course.c.deleted.is_(None))).first()
    if found is None:
        return None
    person_id = new_person(tx, name)
    taken = select(func.count()).select_from(member).where(member.c.course == found.id)
    member_code = f"j{tx.execute(taken).scalar_one() + 1:03}-{new_id()[:6]}"
    added = _add(tx, found.id, person_id, member_code, "student")
    tx.audit(person_id, "member.joined", added, found.id)
    return found.id, member_code, new_link(tx, person_id)


def joined_already(connection: Connection, code: str, person_id: str) -> str | None:
    """The course with this code, if the person is in it."""
    wanted = (course.c.join_code == code, course.c.deleted.is_(None), member.c.removed.is_(None))
    statement = select(course.c.id).join(member, member.c.course == course.c.id)
    return connection.execute(statement.where(*wanted, member.c.person == person_id)).scalar()


def _add(tx: Transaction, course_id: str, person_id: str, code: str, role: str) -> str:
    """At the end of the roster, whose places are never given twice."""
    if tx.connection.dialect.name == "postgresql":
        tx.execute(select(course.c.id).where(course.c.id == course_id).with_for_update())
    last = tx.execute(select(func.max(member.c.position)).where(member.c.course == course_id)).scalar_one()
    member_id = new_id()
    row = {"id": member_id, "course": course_id, "person": person_id, "code": code, "role": role, "removed": None}
    tx.execute(member.insert(), {**row, "position": (last or 0) + 1, "created": now()})
    return member_id


def member_code(connection: Connection, member_id: str) -> str:
    """The id that the teacher gave."""
    return str(connection.execute(select(member.c.code).where(member.c.id == member_id)).scalar_one())


def members_coded(connection: Connection, course_id: str, codes: Sequence[str]) -> dict[str, str]:
    """The ids of members by those that the teacher gave."""
    found: dict[str, str] = {}
    for at in range(0, len(codes), 500):
        these = member.c.code.in_(codes[at : at + 500])
        rows = connection.execute(select(member.c.code, member.c.id).where(member.c.course == course_id, these))
        found |= {row.code: row.id for row in rows}
    return found


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    code: str
    name: str
    email: str | None
    role: str


def people_of(connection: Connection, course_id: str) -> list[Person]:
    """Members in the order of the roster."""
    statement = (
        select(member.c.id, member.c.code, person.c.name, person.c.email, member.c.role)
        .join(person, person.c.id == member.c.person)
        .where(member.c.course == course_id, member.c.removed.is_(None))
        .order_by(member.c.position)
    )
    return [Person(*row) for row in connection.execute(statement)]


def names_of(connection: Connection, course_id: str) -> dict[str, str]:
    """Of everybody who is or was in a course, by the id that the teacher gave."""
    statement = (
        select(member.c.code, person.c.name)
        .join(person, person.c.id == member.c.person)
        .where(member.c.course == course_id)
    )
    return {row.code: row.name for row in connection.execute(statement)}
