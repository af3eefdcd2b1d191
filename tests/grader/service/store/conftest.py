"""A store on each database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from grader.service.store.store import Store, open_store
from tests.grader.service.store.databases import PostgreSQL, postgresql

_numbers = count()


@pytest.fixture(scope="session")
def server() -> Iterator[PostgreSQL]:
    with postgresql() as found:
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest) -> Callable[[], str | None]:
    """Makes another empty database each time it is called; None is SQLite in the data folder."""
    if request.param == "sqlite":
        return lambda: None
    server: PostgreSQL = request.getfixturevalue("server")
    return lambda: server.database(f"plymark{next(_numbers)}")


@pytest.fixture
def store(database: Callable[[], str | None], tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "data", database())
    yield opened
    opened.close()
