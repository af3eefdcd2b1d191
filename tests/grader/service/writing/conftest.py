"""The server and the browser are those of all pages; the teacher is signed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from tests.grader.service.web.conftest import browser, site
from tests.grader.service.web.site import Site, Visit, visit

__all__ = ["browser", "site"]

Writing = Callable[..., AbstractContextManager[Visit]]


def write_document(page: Any, text: str) -> None:
    """Into the form's box, which the editor follows."""
    page.locator(".cm-content").wait_for()
    page.locator("#document").evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); }", text
    )


@pytest.fixture
def writing(site: Site, browser: Any) -> Writing:
    """A visit of the teacher."""

    @contextmanager
    def opened(**options: Any) -> Iterator[Visit]:
        with visit(browser, site, **options) as found:
            cookies = [{"name": name, "value": value, "url": site.url} for name, value in site.teacher.cookies.items()]
            found.context.add_cookies(cookies)
            yield found

    return opened
