"""The app with a store of its own for each test; the workers are shared."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.service.base.settings import Settings
from grader.service.http.rates import Rates
from grader.service.run.service_assembly import make_service
from grader.service.store.store import open_store
from grader.service.workers.worker_pool import Workers
from tests.grader.service.api.client import Api, Course, Loop, make_course


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    running = Loop()
    yield running
    running.close()


@pytest.fixture(scope="session")
def workers(loop: Loop) -> Iterator[Workers]:
    started = Workers(1)
    started.start()
    yield started
    loop.run(started.stop(grace=0))


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store with nothing in it: making one takes longer than most tests."""
    folder = tmp_path_factory.mktemp("empty") / "data"
    open_store(folder).close()
    return folder


@pytest.fixture
def api(empty: Path, tmp_path: Path, workers: Workers, loop: Loop) -> Iterator[Api]:
    settings = Settings(data=tmp_path / "data")
    shutil.copytree(empty, settings.data)
    store = open_store(settings.data)
    yield Api(make_service(settings, store, workers, Rates()), loop)
    store.close()


@pytest.fixture
def running(api: Api, loop: Loop) -> Iterator[Api]:
    """The same, with what goes on behind it: what is handed in gets marked."""
    loop.run(api.service.start())
    yield api
    loop.run(api.service.stop(grace=5))


@pytest.fixture
def teacher(api: Api) -> str:
    """A token."""
    return api.new_teacher("ada")


@pytest.fixture
def course(api: Api, teacher: str) -> Course:
    """With students s1, s2 and s3, the assistant ta and an exercise."""
    return make_course(api, teacher)
