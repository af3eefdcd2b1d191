"""Exercises, their versions and variants, which never change once they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, select, update

from grader.service.base.ids import new_id, sha256
from grader.service.base.service_problems import ServiceProblem
from grader.service.rules.times import moment_text
from grader.service.store.prepared_statements import Page, page_of
from grader.service.store.tables import assignment, course, exercise, part, variant, version
from grader.service.store.transaction import Transaction
from grader.service.workers.task_results import ExerciseIntake, members
from solver.kernel import LruCache, plain

MOST_KEPT = 2_000
EXAM = "exam"


@dataclass(frozen=True, slots=True)
class StoredVariant:
    id: str
    part: int
    """The number of its part, from 1."""
    number: int
    """Among the part's variants, from 1."""
    name: str
    sha256: str
    version: str
    kind: str
    """Of what it is a variant."""

    @property
    def in_exam(self) -> bool:
        return self.kind == EXAM


_columns = (
    select(
        variant.c.id,
        part.c.number.label("part"),
        variant.c.number,
        variant.c.name,
        variant.c.sha256,
        part.c.version,
        version.c.kind,
    )
    .join(part, part.c.id == variant.c.part)
    .join(version, version.c.id == part.c.version)
)
_one = _columns.where(variant.c.id == bindparam("id"))
_alike = _columns.where(
    part.c.version == bindparam("version"),
    part.c.number == bindparam("part"),
    variant.c.number == bindparam("number"),
)
_of_version = _columns.where(part.c.version == bindparam("version")).order_by(part.c.number, variant.c.number)
_raw = select(variant.c.raw).where(variant.c.id == bindparam("id"))

_recent: LruCache[str, StoredVariant] = LruCache(MOST_KEPT)


def variant_of(connection: Connection, variant_id: str) -> StoredVariant:
    return _recent.get(variant_id, lambda: StoredVariant(*connection.execute(_one, {"id": variant_id}).one()))


def alike_in(connection: Connection, of: StoredVariant, version_id: str) -> StoredVariant | None:
    """The variant of another version that stands in the same place; of an exam, under the same name: answers to it
    stand under that."""
    if of.version == version_id:
        return of
    row = connection.execute(_alike, {"version": version_id, "part": of.part, "number": of.number}).first()
    stored = None if row is None else StoredVariant(*row)
    return None if stored is None or not _may_replace(stored, of) else stored


def _may_replace(stored: StoredVariant, of: StoredVariant) -> bool:
    return stored.in_exam == of.in_exam and (not of.in_exam or stored.name == of.name)


def variants_of_version(connection: Connection, version_id: str) -> list[Sequence[StoredVariant]]:
    """By part, each in order."""
    parts: dict[int, list[StoredVariant]] = {}
    for row in connection.execute(_of_version, {"version": version_id}):
        parts.setdefault(row.part, []).append(StoredVariant(*row))
    return [parts[number] for number in sorted(parts)]


def raw_of(connection: Connection, variant_id: str) -> bytes:
    return bytes(connection.execute(_raw, {"id": variant_id}).scalar_one())


def raw_reader(variant: StoredVariant) -> Callable[[Connection], bytes]:
    return lambda connection: raw_of(connection, variant.id)


@dataclass(frozen=True, slots=True)
class Upload:
    """What a teacher sent, and what became of it."""

    raw: bytes
    intake: ExerciseIntake
    guessable: bool = False
    """Whether a person chose the seed of the variants: whoever guesses it has the keys."""

    @property
    def variants(self) -> int:
        """Of its first part; all parts of an exam are dealt for themselves."""
        return len(self.intake.parts[0].variants)


def new_exercise(tx: Transaction, who: str, course_id: str, upload: Upload) -> str:
    """With its first version."""
    exercise_id = new_id()
    row = {"id": exercise_id, "course": course_id, "name": upload.intake.name, "title": upload.intake.title}
    tx.execute(exercise.insert(), {**row, "latest": 0, "created": tx.now})
    tx.audit(who, "exercise.made", exercise_id, course_id)
    add_version(tx, who, course_id, exercise_id, upload)
    return exercise_id


def add_version(
    tx: Transaction, who: str, course_id: str, exercise_id: str, upload: Upload, expected: int | None = None
) -> int:
    """The number of a new version; 412 where the newest is not the one that was expected."""
    statement = select(exercise.c.latest).where(exercise.c.id == exercise_id)
    if tx.connection.dialect.name == "postgresql":
        statement = statement.with_for_update()
    latest: int = tx.execute(statement).scalar_one()
    if expected is not None and expected != latest:
        raise changed_since(latest, expected)
    number = latest + 1
    about = {"latest": number, "name": upload.intake.name, "title": upload.intake.title}
    tx.execute(update(exercise).where(exercise.c.id == exercise_id).values(**about))
    _insert(tx, who, exercise_id, number, upload)
    tx.audit(who, "exercise.version", exercise_id, course_id, number=number, sha256=sha256(upload.raw))
    return number


def changed_since(latest: int, expected: int) -> ServiceProblem:
    detail = f"the newest version is {latest}, not {expected}: somebody has changed the exercise since"
    return ServiceProblem(412, "changed", detail, headers={"ETag": etag(latest)})


def etag(number: int) -> str:
    return f'"{number}"'


def exercises_of(connection: Connection, course_id: str, page: Page) -> dict[str, Any]:
    statement = (
        select(exercise, version.c.kind, version.c.guessable, func.count(variant.c.id).label("variants"))
        .join(version, (version.c.exercise == exercise.c.id) & (version.c.number == exercise.c.latest))
        .join(part, (part.c.version == version.c.id) & (part.c.number == 1))
        .join(variant, variant.c.part == part.c.id)
        .where(exercise.c.course == course_id)
        .group_by(*exercise.c, version.c.kind, version.c.guessable)
    )
    return page_of(connection, statement, exercise.c.id, page, _listed)


def guessable_versions(connection: Connection) -> Sequence[Row[Any]]:
    """Versions whose seed a person chose, newest ones and those assigned, with the titles of their courses."""
    assigned = select(assignment.c.version)
    statement: Select[Any] = (
        select(version.c.number, exercise.c.id, exercise.c.name, course.c.title)
        .join(exercise, exercise.c.id == version.c.exercise)
        .join(course, course.c.id == exercise.c.course)
        .where(version.c.guessable, course.c.deleted.is_(None))
        .where((version.c.number == exercise.c.latest) | version.c.id.in_(assigned))
        .order_by(course.c.title, exercise.c.name, exercise.c.id, version.c.number)
    )
    return connection.execute(statement).all()


def version_of(connection: Connection, exercise_id: str, number: int) -> Row[Any] | None:
    statement = select(version).where(version.c.exercise == exercise_id, version.c.number == number)
    return connection.execute(statement).first()


def called(connection: Connection, version_id: str) -> tuple[str, str | None]:
    """The id of the exercise or exam that a version is of, and its title."""
    statement = select(exercise.c.name, exercise.c.title).join(version, version.c.exercise == exercise.c.id)
    name, title = connection.execute(statement.where(version.c.id == version_id)).one()
    return name, title


def version_data(connection: Connection, of: Row[Any], number: int) -> dict[str, Any] | None:
    """A version of an exercise with the document as it was sent; None if there is no such version."""
    found = version_of(connection, of.id, number)
    if found is None:
        return None
    statement = (
        select(part.c.number.label("part"), variant.c.number, variant.c.name, variant.c.sha256, variant.c.out_of)
        .join(variant, variant.c.part == part.c.id)
        .where(part.c.version == found.id)
        .order_by(part.c.number, variant.c.number)
    )
    return {
        "id": of.id,
        "name": of.name,
        "title": of.title,
        "version": number,
        "latest": of.latest,
        "kind": found.kind,
        "created": moment_text(found.created),
        "sha256": found.sha256,
        "seed": found.seed,
        "guessable": found.guessable,
        "document": found.raw.decode("utf-8-sig", "replace"),
        "variants": [
            {
                "part": each.part,
                "number": each.number,
                "name": each.name,
                "sha256": each.sha256,
                "out_of": plain(Fraction(each.out_of)),
            }
            for each in connection.execute(statement)
        ],
    }


def _listed(row: Row[Any]) -> dict[str, Any]:
    about = {"id": row.id, "name": row.name, "title": row.title, "version": row.latest, "kind": row.kind}
    return {**about, "variants": row.variants, "guessable": row.guessable, "created": moment_text(row.created)}


def _insert(tx: Transaction, who: str, exercise_id: str, number: int, upload: Upload) -> None:
    version_id = new_id()
    row = {"id": version_id, "exercise": exercise_id, "number": number, "kind": upload.intake.kind}
    kept = {"raw": upload.raw, "sha256": sha256(upload.raw)}
    variants = {"seed": upload.intake.seed, "guessable": upload.guessable}
    tx.execute(version.insert(), {**row, **kept, **variants, "created_by": who, "created": tx.now})
    for place, each in enumerate(upload.intake.parts, start=1):
        part_id = new_id()
        tx.execute(part.insert(), {"id": part_id, "version": version_id, "number": place, "marks": each.marks})
        title = upload.intake.title
        rows = [
            {"id": new_id(), "part": part_id, "number": order, "title": title, **members(one)}
            for order, one in enumerate(each.variants, start=1)
        ]
        tx.execute(variant.insert(), rows)


EVERY = Page(100_000)


def all_exercises(connection: Connection, course_id: str) -> list[dict[str, Any]]:
    """The newest first."""
    found: list[dict[str, Any]] = exercises_of(connection, course_id, EVERY)["items"]
    return sorted(found, key=lambda each: str(each["created"]), reverse=True)
