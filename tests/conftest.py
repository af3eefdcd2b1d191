"""Options, markers and settings for all tests."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import pytest
from hypothesis import settings

from tests.support.budget import Budget
from tests.support.marks import note_test, watch_programs
from tests.support.paths import SHARED

# The same examples on every machine, however slow it is; `--hypothesis-profile explore` looks for new and more ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, database=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("repeatable")

# Modules are compiled once, not by every process that tests start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# A shell's `&` and `nohup` have Ctrl-C ignored, and so would every program that tests start, and stop with it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
watch_programs()

BUDGET, BUDGET_SAID = pytest.StashKey[Budget](), pytest.StashKey[str]()
ROOMS_TABLE = pytest.StashKey[str]()
FEW_EXAMPLES = 12
"""Of a property, unless `--examples` says another number; exploring takes as many as each test says."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="rewrite tests/cases/ from what the solver says now")
    parser.addoption(
        "--examples", type=int, default=FEW_EXAMPLES, metavar="N", help="try each property on so many (default: 12)"
    )
    parser.addoption(
        "--budget",
        type=int,
        metavar="LOOPS",
        help="fail if it takes more processor time than so many plain loops",
    )
    parser.addoption(
        "--rooms-at-least",
        type=int,
        metavar="PERCENT",
        help="with --cov: fail if fewer of the lines of any room were run",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    loops = session.config.getoption("--budget")
    if loops and not hasattr(session.config, "workerinput"):
        session.config.stash[BUDGET] = Budget(loops)


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> None:
    if hasattr(request.config, "workerinput"):
        os.environ[SHARED] = str(tmp_path_factory.getbasetemp().parent)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    note_test(item)


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-goldens"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "soak" not in str(config.option.markexpr):
        left_out = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
    if config.getoption("--hypothesis-profile") != "explore":
        for item in items:
            _take_fewer_examples(getattr(item, "obj", None), config.getoption("--examples"))


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
    if BUDGET in config.stash:
        kept, config.stash[BUDGET_SAID] = config.stash[BUDGET].verdict()
        if not kept and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
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
    if BUDGET_SAID in config.stash:
        terminalreporter.section("processor time")
        terminalreporter.write_line(config.stash[BUDGET_SAID])
    if ROOMS_TABLE in config.stash:
        terminalreporter.section("lines run, by room")
        terminalreporter.write(config.stash[ROOMS_TABLE])
