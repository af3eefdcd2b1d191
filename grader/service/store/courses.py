"""Courses and who is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from grader.service.clock import now
from grader.service.ids import hash_of, new_id, new_secret
from grader.service.problems import ServiceProblem
from grader.service.store.paging import Page, page_of
from grader.service.store.schema import course, credential, exercise, member, part, person, session, variant, version
from grader.service.store.transaction import Transaction

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike on a blackboard."""


def new_course(tx: Transaction, who: str, fields: Mapping[str, Any], code: str) -> str:
    """Made by somebody who becomes its first teacher."""
    course_id = new_id()
    tx.execute(course.insert(), {"id": course_id, **fields, "join_code": code, "created": tx.now, "deleted": None})
    tx.audit(who, "course.made", course_id, course_id)
    name = tx.execute(select(person.c.login).where(person.c.id == who)).scalar_one_or_none()
    _add(tx, course_id, who, name or who, "teacher")
    return course_id


def courses_of(connection: Connection, who: str, page: Page) -> dict[str, Any]:
    """Those in which somebody is a teacher."""
    statement = (
        select(course)
        .join(member, member.c.course == course.c.id)
        .where(
            member.c.person == who, member.c.role == "teacher", member.c.removed.is_(None), course.c.deleted.is_(None)
        )
    )
    return page_of(connection, statement, course.c.id, page, course_data)


def course_data(row: Row[Any]) -> dict[str, Any]:
    return {"id": row.id, "title": row.title, "zone": row.zone, "language": row.language, "join": row.join_code}


def change_course(tx: Transaction, who: str, course_id: str, fields: Mapping[str, Any]) -> None:
    if fields:
        tx.execute(update(course).where(course.c.id == course_id).values(**fields))
        tx.audit(who, "course.changed", course_id, course_id, fields=sorted(fields))


def delete_course(tx: Transaction, who: str, course_id: str) -> None:
    """Nobody reaches it any longer; what was handed in stays in the store and its backups."""
    tx.execute(update(course).where(course.c.id == course_id).values(deleted=tx.now, join_code=None))
    tx.audit(who, "course.deleted", course_id, course_id)


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


def new_person(
    tx: Transaction, name: str, email: str | None = None, teaches: bool = False, login: str | None = None
) -> str:
    person_id = new_id()
    row = {"id": person_id, "name": name, "email": email, "language": None, "login": login, "password": None}
    tx.execute(person.insert(), {**row, "teaches": teaches, "created": tx.now})
    return person_id


def new_link(tx: Transaction, person_id: str, kind: str = "link", expires: int | None = None) -> str:
    """The secret of a link, which is also a bearer token. The old ones of the kind are dead, and so are the sessions
    that they began."""
    if kind == "link":
        revoke(tx, person_id, "link")
    secret = new_secret()
    row = {"hash": hash_of(secret), "person": person_id, "kind": kind, "created": tx.now}
    tx.execute(credential.insert(), {**row, "expires": expires, "revoked": None})
    return secret


def revoke(tx: Transaction, person_id: str, kind: str | None = None) -> None:
    """Links or tokens, and every session."""
    dead = update(credential).where(credential.c.person == person_id, credential.c.revoked.is_(None))
    tx.execute((dead if kind is None else dead.where(credential.c.kind == kind)).values(revoked=tx.now))
    tx.execute(update(session).where(session.c.person == person_id, session.c.revoked.is_(None)).values(revoked=tx.now))


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


def copy_course(tx: Transaction, who: str, of: Row[Any], title: str, code: str) -> tuple[str, dict[str, str]]:
    """Exercises with their newest version, no people; the new ids of exercises by the old ones."""
    fields = {"title": title, "zone": of.zone, "language": of.language}
    copied = new_course(tx, who, fields, code)
    exercises: dict[str, str] = {}
    for each in tx.execute(select(exercise).where(exercise.c.course == of.id)).all():
        exercises[each.id] = new_id()
        row = {**each._asdict(), "id": exercises[each.id], "course": copied, "latest": 1, "created": tx.now}
        tx.execute(exercise.insert(), row)
        newest = select(version).where(version.c.exercise == each.id, version.c.number == each.latest)
        _copy_version(tx, tx.execute(newest).one(), exercises[each.id], who)
    tx.audit(who, "course.copied", copied, copied, of=of.id)
    return copied, exercises


def _copy_version(tx: Transaction, of: Row[Any], exercise_id: str, who: str) -> None:
    version_id = new_id()
    row = {**of._asdict(), "id": version_id, "exercise": exercise_id, "number": 1, "created_by": who}
    tx.execute(version.insert(), {**row, "created": tx.now})
    for each in tx.execute(select(part).where(part.c.version == of.id)).all():
        part_id = new_id()
        tx.execute(part.insert(), {**each._asdict(), "id": part_id, "version": version_id})
        for one in tx.execute(select(variant).where(variant.c.part == each.id)).all():
            tx.execute(variant.insert(), {**one._asdict(), "id": new_id(), "part": part_id})


def _add(tx: Transaction, course_id: str, person_id: str, code: str, role: str) -> str:
    """At the end of the roster, whose places are never given twice."""
    if tx.connection.dialect.name == "postgresql":
        tx.execute(select(course.c.id).where(course.c.id == course_id).with_for_update())
    last = tx.execute(select(func.max(member.c.position)).where(member.c.course == course_id)).scalar_one()
    member_id = new_id()
    row = {"id": member_id, "course": course_id, "person": person_id, "code": code, "role": role, "removed": None}
    tx.execute(member.insert(), {**row, "position": (last or 0) + 1, "created": now()})
    return member_id
