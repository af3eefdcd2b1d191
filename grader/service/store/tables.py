"""The tables. Times are microseconds since 1970 in UTC, ids opaque texts, marks exact texts such as `7/2`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id() -> Column[Any]:
    return Column("id", Text, primary_key=True)


def _text(name: str, **options: Any) -> Column[Any]:
    return Column(name, Text, **{"nullable": False, **options})


def _time(name: str, **options: Any) -> Column[Any]:
    return Column(name, BigInteger, **{"nullable": False, **options})


def _number(name: str, **options: Any) -> Column[Any]:
    return Column(name, Integer, **{"nullable": False, **options})


def _flag(name: str) -> Column[Any]:
    return Column(name, Boolean, nullable=False)


def _of(table: str, name: str = "", **options: Any) -> Column[Any]:
    return Column(name or table, Text, ForeignKey(f"{table}.id"), **{"nullable": False, **options})


meta = Table("meta", metadata, Column("name", Text, primary_key=True), _text("value"))
"""What the store knows of itself: its id, when it was made."""

person = Table(
    "person",
    metadata,
    _id(),
    _text("name"),
    _text("email", nullable=True),
    _text("language", nullable=True),
    _text("login", nullable=True, unique=True),
    _text("password", nullable=True),
    _flag("teaches"),
    _time("created"),
)
"""`login` and `password` (its argon2 hash) sign in; `teaches` allows making courses."""

credential = Table(
    "credential",
    metadata,
    _text("hash", primary_key=True),
    _of("person"),
    _text("kind"),
    _time("created"),
    _time("expires", nullable=True),
    _time("revoked", nullable=True),
    CheckConstraint("kind in ('link', 'once', 'token')", name="kind"),
    Index(None, "person"),
)
"""Secrets that sign in, by their hash: a member's link, a teacher's link that works once, a token."""

session = Table(
    "session",
    metadata,
    _text("hash", primary_key=True),
    _of("person"),
    _text("csrf"),
    _time("created"),
    _time("seen"),
    _time("expires"),
    _time("revoked", nullable=True),
    Index(None, "person"),
)

guess = Table("guess", metadata, Column("key", Text, primary_key=True), _time("until"))
"""How far guessing of passwords is ahead of its rate, by the hash of an account or an address: a limit that survives a
restart."""

course = Table(
    "course",
    metadata,
    _id(),
    _text("title"),
    _text("zone"),
    _text("language"),
    _text("join_code", nullable=True, unique=True),
    _time("created"),
    _time("deleted", nullable=True),
)

member = Table(
    "member",
    metadata,
    _id(),
    _of("course"),
    _of("person"),
    _text("code"),
    _text("role"),
    _number("position"),
    _time("created"),
    _time("removed", nullable=True),
    UniqueConstraint("course", "code"),
    UniqueConstraint("course", "position"),
    Index(None, "person"),
    CheckConstraint("role in ('student', 'assistant', 'teacher')", name="role"),
)
"""`code` is the id that the teacher gave, `position` the place in the roster, which never changes."""

exercise = Table(
    "exercise",
    metadata,
    _id(),
    _of("course"),
    _text("name"),
    _text("title", nullable=True),
    _number("latest"),
    _time("created"),
    Index(None, "course"),
)

version = Table(
    "version",
    metadata,
    _id(),
    _of("exercise"),
    _number("number"),
    _text("kind"),
    Column("raw", LargeBinary, nullable=False),
    _text("sha256"),
    _text("seed", nullable=True),
    Column("guessable", Boolean, nullable=False, default=False),
    _of("person", "created_by"),
    _time("created"),
    UniqueConstraint("exercise", "number"),
)
"""`raw` is what the teacher sent; its parts and their variants are made from it once. The variants are `guessable` if a
person chose the seed that they were made with."""

part = Table(
    "part",
    metadata,
    _id(),
    _of("version"),
    _number("number"),
    _text("marks", nullable=True),
    UniqueConstraint("version", "number"),
)
"""An exercise has one part, an exam several; `marks` scales what the part is worth."""

variant = Table(
    "variant",
    metadata,
    _id(),
    _of("part"),
    _number("number"),
    _text("name"),
    _text("title", nullable=True),
    Column("raw", LargeBinary, nullable=False),
    _text("sha256"),
    _text("out_of"),
    UniqueConstraint("part", "number"),
    Index(None, "sha256"),
)
"""An exercise/1 as JSON with its game inside."""

assignment = Table(
    "assignment",
    metadata,
    _id(),
    _of("course"),
    _of("exercise"),
    _of("version"),
    _time("opens"),
    _time("due", nullable=True),
    _time("closes", nullable=True),
    _number("minutes", nullable=True),
    _number("attempts", nullable=True),
    _text("counts"),
    _text("late", nullable=True),
    _text("variants"),
    _text("feedback_before"),
    _text("feedback_after"),
    _flag("released"),
    _text("secret"),
    _time("created"),
    Index(None, "course"),
    CheckConstraint("counts in ('best', 'last')", name="counts"),
    CheckConstraint("variants in ('same', 'fresh')", name="variants"),
)
"""`secret` decides which variant is whose."""

extension = Table(
    "extension",
    metadata,
    _of("assignment"),
    _of("member"),
    _text("fields"),
    _text("reason"),
    _of("person", "by"),
    _time("created"),
    PrimaryKeyConstraint("assignment", "member"),
)
"""`fields` is a JSON object of what the teacher wrote: what is absent stays as the assignment has it."""

attempt = Table(
    "attempt",
    metadata,
    _id(),
    _of("assignment"),
    _of("member"),
    _number("number"),
    _flag("trial"),
    _of("version"),
    _text("variants"),
    _text("language"),
    _time("started"),
    _number("reopened"),
    _time("until", nullable=True),
    _text("reason", nullable=True),
    UniqueConstraint("assignment", "member", "number"),
    Index(None, "member"),
)
"""`variants` is a JSON list, the variant of each part. A `trial` is a teacher's and counts for nobody. `reopened`
counts how often a teacher gave it back; `until` and `reason` are what was said the last time."""

draft = Table(
    "draft",
    metadata,
    Column("attempt", Text, ForeignKey("attempt.id"), primary_key=True),
    Column("answers", LargeBinary, nullable=False),
    _number("revision"),
    _time("saved"),
)

submission = Table(
    "submission",
    metadata,
    _id(),
    _of("attempt"),
    _number("reopened"),
    _text("key"),
    Column("raw", LargeBinary, nullable=False),
    _text("sha256"),
    _time("received"),
    UniqueConstraint("attempt", "reopened"),
    UniqueConstraint("attempt", "key"),
)
"""What was handed in, byte for byte. Nothing ever updates a row. There is one for each time that its attempt was open:
`reopened` says how often that had been given back before."""

marking = Table(
    "marking",
    metadata,
    _of("submission"),
    _number("part"),
    _of("version"),
    _of("variant"),
    _text("variant_sha256"),
    _text("state"),
    _flag("stale"),
    _number("tries"),
    _time("lease"),
    _text("canonical_sha256", nullable=True),
    _text("program", nullable=True),
    _text("overrides_sha256"),
    _flag("readable"),
    _text("error", nullable=True),
    PrimaryKeyConstraint("submission", "part"),
    Index(None, "state", "lease"),
    Index(None, "stale", "lease"),
    CheckConstraint("state in ('received', 'marked', 'failed')", name="state"),
)
"""How far marking a submission's part has come; also the queue: what is `received` or `stale` and leased by nobody is
next. `stale` is what is marked, but no longer as somebody has decided since. Its report is the one of these four keys;
the version and variant are those that it is marked against, which a regrade moves on."""

report = Table(
    "report",
    metadata,
    _text("variant_sha256"),
    _text("canonical_sha256"),
    _text("program"),
    _text("overrides_sha256"),
    _flag("readable"),
    _text("marks"),
    _text("out_of"),
    Column("told", LargeBinary, nullable=False),
    _text("questions"),
    _text("review"),
    _time("created"),
    PrimaryKeyConstraint("variant_sha256", "canonical_sha256", "program", "overrides_sha256"),
)
"""What became of an answer, whoever gave it and in whatever language it is told. `overrides_sha256` is empty where
nobody decided otherwise by hand."""

grade = Table(
    "grade",
    metadata,
    _id(),
    _of("assignment"),
    _of("member"),
    _of("submission", nullable=True),
    _of("version"),
    _text("marks", nullable=True),
    _text("out_of"),
    _number("late"),
    _flag("overridden"),
    _time("updated"),
    UniqueConstraint("assignment", "member"),
)
"""Computed from reports, dates and overrides; never typed in. `marks` is null until something is marked, `late` counts
days."""

override = Table(
    "override",
    metadata,
    _id(),
    _of("assignment"),
    _of("member"),
    _text("question"),
    _text("item"),
    _text("marks"),
    _text("reason"),
    _of("person", "by"),
    _time("created"),
    UniqueConstraint("assignment", "member", "question", "item"),
)
"""Marks given by hand to one member: of an item, a question (item empty) or the total (both empty)."""

decision = Table(
    "decision",
    metadata,
    _id(),
    _of("assignment"),
    _text("question"),
    _text("item"),
    _text("given"),
    _text("marks"),
    _text("reason"),
    _of("person", "by"),
    _time("created"),
    UniqueConstraint("assignment", "question", "item", "given"),
)
"""Marks given by hand to all equal answers, those to come as well."""

live = Table(
    "live",
    metadata,
    _id(),
    _of("course"),
    _of("variant"),
    _text("code", unique=True),
    _text("language"),
    _flag("open"),
    _flag("judged"),
    _number("stage"),
    _number("revision"),
    _of("person", "created_by"),
    _time("created"),
    _time("ended", nullable=True),
    Index(None, "course"),
)
"""A live exercise, found by its `code`. `open`: answers are taken; `judged`: the projector shows right and wrong;
`stage`: how far the solution is shown, -1 for not at all. `revision` counts changes of these."""

live_answer = Table(
    "live_answer",
    metadata,
    _of("live"),
    _text("who"),
    _of("member", nullable=True),
    _text("name"),
    Column("raw", LargeBinary, nullable=False),
    _time("received"),
    PrimaryKeyConstraint("live", "who"),
)
"""The last answer of each. `who` is a member's id, or the hash of what a guest's browser keeps."""

regrade = Table(
    "regrade",
    metadata,
    _id(),
    _of("assignment"),
    _of("version", "from_version"),
    _of("version", "to_version"),
    _flag("never_lower"),
    _of("job"),
    _text("state"),
    _of("person", "created_by"),
    _time("created"),
    _time("applied", nullable=True),
    CheckConstraint("state in ('waiting', 'running', 'ready', 'failed', 'stopped', 'applied')", name="state"),
)

regrade_change = Table(
    "regrade_change",
    metadata,
    _of("regrade"),
    _of("member"),
    _of("submission"),
    _text("before"),
    _text("after"),
    _text("question"),
    PrimaryKeyConstraint("regrade", "member", "question"),
)

job = Table(
    "job",
    metadata,
    _id(),
    _of("course", nullable=True),
    _of("person", "created_by"),
    _text("kind"),
    _text("payload"),
    _text("state"),
    _number("done"),
    _number("of"),
    _text("result", nullable=True),
    _text("error", nullable=True),
    _number("tries"),
    _time("lease"),
    _time("created"),
    Index(None, "state", "lease"),
    CheckConstraint("state in ('waiting', 'running', 'done', 'failed', 'stopped')", name="state"),
)
"""Bulk work, done in chunks: `done` of `of`."""

audit = Table(
    "audit",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    _time("at"),
    _text("course", nullable=True),
    _text("who", nullable=True),
    _text("what"),
    _text("subject"),
    _text("detail"),
    _text("previous"),
    _text("hash"),
    Index(None, "course", "number"),
)
"""Who did what: ids and numbers, never names or answers. Each row's hash covers the row before, so none can be changed
or left out unseen; erasing a person touches no row."""
