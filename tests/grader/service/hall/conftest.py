"""The server and the browser of the tests of pages, and live exercises in its course."""

from __future__ import annotations

import pytest

from tests.grader.service.hall.lecture import Lecture, start_lecture
from tests.grader.service.web.conftest import browser, site
from tests.grader.service.web.site import Site

__all__ = ["browser", "site"]


@pytest.fixture
def lecture(site: Site) -> Lecture:
    return start_lecture(site)
