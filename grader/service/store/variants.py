"""Variants as attempts and marking need them. They never change, so that what was read once is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from grader.service.store.schema import part, variant, version
from solver.kernel import LruCache

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
    found = None if row is None else StoredVariant(*row)
    return None if found is None or not _may_replace(found, of) else found


def _may_replace(found: StoredVariant, of: StoredVariant) -> bool:
    return found.in_exam == of.in_exam and (not of.in_exam or found.name == of.name)


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
