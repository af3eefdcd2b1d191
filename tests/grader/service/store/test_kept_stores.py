"""A store that an earlier version made: opened, read, checked and regraded by this one, on both databases.

tools/make_kept_store.py makes one for every released version, and says what may be changed in it: almost nothing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, func, select

from grader.service.base.settings import Settings
from grader.service.features.assignments.queries import REPORT_OF_MARKING
from grader.service.http.rates import MemoryRates, Rates
from grader.service.rules.grade_counting import apart
from grader.service.run.service_assembly import make_service
from grader.service.store.engine import SQLITE_FILE
from grader.service.store.schema_migration import newest, revision
from grader.service.store.store import Store, open_store
from grader.service.store.store_backup import restore
from grader.service.store.tables import audit, marking, metadata, report
from grader.service.store.transaction import broken_at
from grader.service.workers.worker_pool import Workers
from tests.grader.service.api.client import Api, Loop
from tests.support.command import plymark_within
from tests.support.kept_store import (
    TABLES,
    marks_of,
    regrade_all,
    reports_in_all_languages,
    told_to,
    without_verdicts,
)
from tests.support.paths import ROOT

KEPT = sorted(path.parent for path in (ROOT / "tests" / "kept_stores").glob("*/store.sqlite3"))
pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Client:
    api: Api
    token: str

    def get(self, path: str) -> httpx.Response:
        return self.api.get(path, self.token)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.api.post(path, self.token, **more)


@pytest.fixture(params=KEPT, ids=lambda path: path.name)
def kept(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def expected(kept: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((kept / "expected.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def settings(database: Callable[[], str | None], tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", database=database())


@pytest.fixture
def restored(settings: Settings, kept: Path) -> Iterator[Store]:
    store = open_store(settings.data, settings.database)
    restore(store.engine, kept / "store.sqlite3")
    yield store
    store.close()


@pytest.fixture
def api(settings: Settings, restored: Store) -> Iterator[Api]:
    """A service with all that goes on behind it, which nobody asks too often."""
    loop, workers, minutes = Loop(), Workers(1), count(step=60)
    workers.start()
    service = make_service(settings, restored, workers, Rates(MemoryRates(lambda: float(next(minutes)))))
    loop.run(service.start())
    yield Api(service, loop)
    loop.run(service.stop(grace=5))
    loop.run(workers.stop(grace=0))
    loop.close()


def checked(settings: Settings) -> tuple[int, list[str]]:
    """As an administrator does it."""
    database = [] if settings.database is None else ["--database", settings.database]
    ran = plymark_within("admin", "check", "--data", settings.data, *database)
    return ran.code, ran.stdout.splitlines()


def rows(connection: Connection) -> dict[str, int]:
    tables = [metadata.tables[name] for name in TABLES]
    return {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}


def log(connection: Connection, entries: int) -> dict[str, Any]:
    chained = connection.execute(select(audit.c.hash).where(audit.c.number == entries)).scalar_one()
    return {"entries": entries, "hash": chained}


def stored_verdicts(connection: Connection) -> dict[tuple[str, int], dict[str, list[str]]]:
    """By submission, part and question."""
    of = select(marking.c.submission, marking.c.part, report.c.questions).join(report, REPORT_OF_MARKING)
    return {
        (row.submission, row.part): {
            apart(each["id"])[1]: sorted(f"{item['item']}: {item['verdict']}" for item in each["items"])
            for each in json.loads(row.questions)
        }
        for row in connection.execute(of)
    }


def told_verdicts(marks: dict[str, Any]) -> dict[tuple[str, int], dict[str, list[str]]]:
    return {
        (name, number): {each["id"]: sorted(each["verdicts"]) for each in part["questions"]}
        for assignment in marks.values()
        for name, told in assignment["submissions"].items()
        for number, part in enumerate(told.get("parts", ()), start=1)
    }


def same_schema(store: Store) -> bool:
    with store.engine.connect() as connection:
        differing: list[Any] = compare_metadata(MigrationContext.configure(connection), metadata)
    return not differing


def test_there_is_one() -> None:
    assert KEPT


def test_it_is_opened_where_it_is(kept: Path, expected: dict[str, Any], tmp_path: Path) -> None:
    shutil.copy(kept / "store.sqlite3", tmp_path / SQLITE_FILE)
    store = open_store(tmp_path)
    assert store.read_now(revision) == newest() and same_schema(store)
    assert store.read_now(rows) == expected["rows"]
    store.close()
    assert checked(Settings(data=tmp_path)) == (0, expected["check"])


def test_everything_is_there(settings: Settings, restored: Store, expected: dict[str, Any]) -> None:
    assert restored.read_now(revision) == newest() and same_schema(restored)
    assert restored.read_now(rows) == expected["rows"]
    assert restored.read_now(lambda connection: log(connection, expected["log"]["entries"])) == expected["log"]
    assert restored.read_now(broken_at) is None
    assert restored.read_now(stored_verdicts) == told_verdicts(expected["marks"])
    assert checked(settings) == (0, expected["check"])


def test_marks_stay_and_reports_are_told(api: Api, expected: dict[str, Any]) -> None:
    tokens = expected["tokens"]
    teacher = Client(api, tokens["teacher"])
    students = {code: Client(api, token) for code, token in tokens["students"].items()}
    opened = reports_in_all_languages(teacher, expected["marks"])
    assert {each.status_code for each in opened} == {200}
    assert without_verdicts(marks_of(teacher)) == without_verdicts(expected["marks"])
    assert told_to(students, expected["marks"]) == expected["told_to_students"]
    archives = [teacher.get(f"/teach/a/{each}/feedback.zip") for each in expected["marks"]]
    assert {each.status_code for each in archives} == {200}


def test_it_can_be_regraded(api: Api, settings: Settings, restored: Store, expected: dict[str, Any]) -> None:
    teacher = Client(api, expected["tokens"]["teacher"])
    regrade_all(teacher)
    after = marks_of(teacher)
    assert {name: each["grades"] for name, each in after.items()} == expected["after_regrade"]
    assert {each.status_code for each in reports_in_all_languages(teacher, after)} == {200}
    assert restored.read_now(broken_at) is None and checked(settings)[0] == 0
