"""Accounts: who signs in, and by what."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, or_, select, update

from grader.service.base.ids import hash_of, new_id, new_secret
from grader.service.rules.times import expiry
from grader.service.store.tables import course, credential, member, person, session
from grader.service.store.transaction import Transaction


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


FIRST_TEACHER = "Teacher"


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that has begun; the secret is the cookie, and nowhere else."""

    person: Row[Any]
    secret: str
    csrf: str


def login_name(written: str) -> str:
    """As it is stored and looked up: neither capitals nor the way of typing an accent matter."""
    return unicodedata.normalize("NFKC", written).strip().casefold()


def by_login(connection: Connection, login: str) -> Row[Any] | None:
    return connection.execute(select(person).where(person.c.login == login)).first()


def by_id(connection: Connection, person_id: str) -> Row[Any]:
    return connection.execute(select(person).where(person.c.id == person_id)).one()


def begin_session(tx: Transaction, person_id: str, replaced: str | None, how: str) -> NewSession:
    """A session with an id of its own; the one that the browser had before, by its hash, is over."""
    if replaced is not None:
        end_session(tx, replaced)
    tx.execute(delete(session).where(session.c.person == person_id, session.c.expires < tx.now))
    secret, csrf = new_secret(), new_secret()
    row = {"hash": hash_of(secret), "person": person_id, "csrf": csrf, "created": tx.now, "seen": tx.now}
    tx.execute(session.insert(), {**row, "expires": expiry(tx.now, tx.now), "revoked": None})
    tx.audit(person_id, "session.began", person_id, how=how)
    return NewSession(by_id(tx.connection, person_id), secret, csrf)


def enter_by_link(tx: Transaction, link: str, replaced: str | None) -> NewSession | None:
    """By the hash of a link, which is used up if it works once; None for one that does not work."""
    wanted = (credential.c.hash == link, credential.c.kind.in_(("link", "once")), credential.c.revoked.is_(None))
    in_time = or_(credential.c.expires.is_(None), credential.c.expires > tx.now)
    found = tx.execute(select(credential).where(*wanted, in_time)).first()
    if found is None:
        return None
    if found.kind == "once" and not tx.execute(update(credential).where(*wanted).values(revoked=tx.now)).rowcount:
        return None
    return begin_session(tx, found.person, replaced, found.kind)


def end_session(tx: Transaction, hash_: str) -> None:
    tx.execute(update(session).where(session.c.hash == hash_, session.c.revoked.is_(None)).values(revoked=tx.now))


def set_password(tx: Transaction, person_id: str, login: str, hashed: str, kept: str | None = None) -> bool:
    """Other sessions than the one that is kept are over; False if the login is another person's."""
    taken = tx.execute(select(person.c.id).where(person.c.login == login, person.c.id != person_id)).first()
    if taken is not None:
        return False
    tx.execute(update(person).where(person.c.id == person_id).values(login=login, password=hashed))
    if by_id(tx.connection, person_id).teaches:
        # Whoever added them to a course has seen their link.
        links = (credential.c.person == person_id, credential.c.kind == "link", credential.c.revoked.is_(None))
        tx.execute(update(credential).where(*links).values(revoked=tx.now))
    others = update(session).where(session.c.person == person_id, session.c.revoked.is_(None))
    tx.execute((others if kept is None else others.where(session.c.hash != kept)).values(revoked=tx.now))
    tx.audit(person_id, "password.set", person_id)
    return True


def set_language(tx: Transaction, person_id: str, code: str) -> None:
    tx.execute(update(person).where(person.c.id == person_id).values(language=code))


def courses_and_roles(connection: Connection, person_id: str) -> list[dict[str, str]]:
    statement = (
        select(course.c.id, course.c.title, member.c.role)
        .join(member, member.c.course == course.c.id)
        .where(member.c.person == person_id, member.c.removed.is_(None), course.c.deleted.is_(None))
        .order_by(course.c.created, course.c.id)
    )
    return [{"id": row.id, "title": row.title, "role": row.role} for row in connection.execute(statement)]


def teachers(connection: Connection) -> list[Row[Any]]:
    return list(connection.execute(select(person).where(person.c.teaches).order_by(person.c.created, person.c.id)))


def teacher_named(tx: Transaction, name: str) -> str | None:
    """The teacher with this login or name, made if there is none; None if several have the name."""
    login = login_name(name)
    found = [each for each in teachers(tx.connection) if each.login == login] or [
        each for each in teachers(tx.connection) if each.name == name
    ]
    if found:
        return str(found[0].id) if len(found) == 1 else None
    taken = by_login(tx.connection, login) is not None
    return new_teacher(tx, name, None if taken else login)


def new_token(tx: Transaction, person_id: str) -> str:
    tx.audit(None, "token.made", person_id)
    return new_link(tx, person_id, "token")


def once_link(tx: Transaction, person_id: str) -> str:
    """A link that works once; those before it, if nobody has used them, are dead."""
    unused = update(credential).where(credential.c.person == person_id, credential.c.kind == "once")
    tx.execute(unused.where(credential.c.revoked.is_(None)).values(revoked=tx.now))
    tx.audit(None, "link.made", person_id)
    return new_link(tx, person_id, "once")


def first_link(tx: Transaction) -> str | None:
    """The link of a store in which no teacher has ever arrived; None once one has."""
    if any(_has_arrived(tx.connection, each) for each in teachers(tx.connection)):
        return None
    waiting = teachers(tx.connection)
    return once_link(tx, waiting[0].id if waiting else new_teacher(tx))


def new_teacher(tx: Transaction, name: str = FIRST_TEACHER, login: str | None = None) -> str:
    made = new_person(tx, name, teaches=True, login=login)
    tx.audit(None, "teacher.made", made)
    return made


def _has_arrived(connection: Connection, teacher: Row[Any]) -> bool:
    """Whether there is any other way in than a link that nobody has used yet."""
    theirs = credential.c.person == teacher.id
    other = select(exists().where(theirs, credential.c.kind != "once"))
    begun = select(exists().where(session.c.person == teacher.id))
    return teacher.password is not None or any(connection.execute(each).scalar_one() for each in (other, begun))
