"""A real browser for tests: Debian's Chromium, or the one that CHROMIUM names, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

from tests.support.marks import require_slow_mark

PATIENCE = 300_000
"""Milliseconds until what does not come counts as missing: on a busy machine everything takes longer."""


def chromium() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def no_browser(reason: str) -> NoReturn:
    """Without a browser a test is skipped, but never where all tests are to run."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def launched() -> Iterator[Any]:
    """What a fixture of a browser yields; with a scope of its choice."""
    require_slow_mark("a browser")
    program = chromium()
    if program is None:
        no_browser("there is no Chromium: install it, or set CHROMIUM to its path")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        no_browser("there is no Playwright: pip install playwright")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


def expect(thing: Any) -> Any:
    """Playwright's; imported only here, since not everybody who runs tests has it."""
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=PATIENCE)
    return expected(thing)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for a module's tests."""
    yield from launched()


@contextmanager
def watched_page(browser: Any, **options: Any) -> Iterator[Any]:
    """A page without a network; at the end it must have asked for nothing but its own file, and not complained."""
    requests: list[str] = []
    complaints: list[str] = []
    # Service workers would be out of the route's sight.
    context = browser.new_context(offline=True, service_workers="block", **options)

    def only_own_file(route: Any) -> None:
        if route.request.url.startswith("file:") and route.request.is_navigation_request():
            route.continue_()
        else:
            requests.append(route.request.url)
            route.abort()

    def dismiss(dialog: Any) -> None:
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    context.route("**/*", only_own_file)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", dismiss)
    try:
        yield page
        assert requests == []
        assert complaints == []
    finally:
        context.close()
