"""Brings a store up to the schema of this program; a store that a newer program has changed is left alone."""

from __future__ import annotations

from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text

from grader.service.base.clock import now
from grader.service.base.ids import new_id
from grader.service.base.service_problems import StoreRefused
from grader.service.store.tables import meta
from grader.service.store.transaction import LOCK

STEPS = Path(__file__).parent / "migrations"


def revision(connection: Connection) -> str | None:
    """Which step the store has reached; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    reached = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return None if reached is None else str(reached)


def newest() -> str:
    return str(_steps().get_current_head())


def is_current(connection: Connection) -> bool:
    """Whether nothing needs to be done. StoreRefused if this program does not know the store's schema."""
    reached = revision(connection)
    if reached is None and inspect(connection).has_table("person"):
        raise StoreRefused("the database has tables that are not Plymark's; give Plymark a database of its own")
    if reached is not None and reached not in {step.revision for step in _steps().walk_revisions()}:
        raise StoreRefused(
            f"the store was changed by a newer Plymark (schema {reached}, this program knows {newest()}); "
            "start that version, or restore a backup made before the upgrade"
        )
    return reached == newest()


def migrate(engine: Engine, target: str = "head") -> None:
    """All steps in one transaction: either the store is new or it is as it was."""
    steps = _steps()
    with engine.connect() as connection:
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else "BEGIN")
        if not sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        try:
            context = MigrationContext.configure(
                connection,
                opts={"transactional_ddl": False, "fn": lambda at, _: steps._upgrade_revs(target, at)},
            )
            with Operations.context(context):
                context.run_migrations()
            if connection.execute(meta.select().where(meta.c.name == "store")).first() is None:
                connection.execute(meta.insert(), [{"name": "store", "value": new_id()}])
                connection.execute(meta.insert(), [{"name": "created", "value": str(now())}])
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def _steps() -> ScriptDirectory:
    return ScriptDirectory(str(STEPS), version_locations=[str(STEPS / "versions")])
