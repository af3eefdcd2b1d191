"""Options, markers and settings for all tests."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import settings

from tests.support.paths import SHARED

# The same examples on every machine, however slow it is; `--hypothesis-profile explore` looks for new and more ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, database=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("repeatable")

ROOMS_TABLE = pytest.StashKey[str]()
FEW_EXAMPLES, MOST_EXAMPLES = 12, 200
"""Of a property in the fast run (`-m "not slow"`), and in the whole run; exploring takes as many as each test says."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="rewrite tests/cases/ from what the solver says now")
    parser.addoption(
        "--rooms-at-least",
        type=int,
        metavar="PERCENT",
        help="with --cov: fail if fewer of the lines of any room were run",
    )


def pytest_xdist_auto_num_workers() -> int:
    """`-n auto`: one more than there are processors, since browsers, servers and databases keep many tests waiting."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> None:
    if hasattr(request.config, "workerinput"):
        os.environ[SHARED] = str(tmp_path_factory.getbasetemp().parent)


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-goldens"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = str(config.option.markexpr)
    if "soak" not in chosen:
        left_out = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
    if config.getoption("--hypothesis-profile") != "explore":
        most = FEW_EXAMPLES if "not slow" in chosen else MOST_EXAMPLES
        for item in items:
            _take_fewer_examples(getattr(item, "obj", None), most)


def _take_fewer_examples(test: Any, most: int) -> None:
    """Hypothesis has no public way to do this for tests that say their own number."""
    function = getattr(test, "__func__", test)
    if getattr(function, "is_hypothesis_test", False):
        own: settings = function._hypothesis_internal_use_settings
        fewer = settings(own, max_examples=min(own.max_examples, most))
        function._hypothesis_internal_use_settings = fewer


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if not getattr(config.option, "cov_source", None) or hasattr(config, "workerinput"):
        return
    # It needs coverage, which only those who measure need.
    from tests.support.rooms import rooms_covered, rooms_table

    covered = rooms_covered()
    wanted = config.getoption("--rooms-at-least")
    config.stash[ROOMS_TABLE] = rooms_table(covered, wanted)
    if wanted and any(room.percent < wanted for room in covered) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if ROOMS_TABLE in config.stash:
        terminalreporter.section("lines run, by room")
        terminalreporter.write(config.stash[ROOMS_TABLE])
