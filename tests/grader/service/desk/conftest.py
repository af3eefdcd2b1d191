"""A server and a browser for the desk, and the teacher signed in by the first link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.grader.service.desk.class_scene import Desk, make_desk
from tests.grader.service.served import served
from tests.grader.service.web.conftest import browser

__all__ = ["browser"]


@pytest.fixture(scope="package")
def desk(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Desk]:
    """Made once: a course with three students who have handed in, and an answer to review."""
    with served(tmp_path_factory.mktemp("desk") / "data") as running, make_desk(running, browser) as made:
        yield made
