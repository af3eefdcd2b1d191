"""One server and one browser for all tests of pages; each test makes what it needs in the course that is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.grader.service.served import served
from tests.grader.service.web.site import Site, open_site
from tests.support.browser import launched


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("web") / "data") as running:
        opened = open_site(running)
        yield opened
        opened.teacher.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Closed before other tests begin: Playwright has an event loop of its own, beside which none can be run."""
    yield from launched()


@pytest.fixture
def client(site: Site) -> Iterator[httpx.Client]:
    """Somebody with a program instead of a browser, who keeps cookies and says where a form was."""
    with httpx.Client(base_url=site.url, headers={"Origin": site.url}, timeout=300) as opened:
        yield opened
