"""What `pytest` runs without options starts no programs, and keeps to a budget."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

UNMARKED = """
import subprocess, sys
def test_starts() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)
"""
MARKED = UNMARKED.replace("def ", "import pytest\n@pytest.mark.slow\ndef ")
PROPERTY = """
from hypothesis import given, strategies
tried = []
@given(strategies.integers())
def test_numbers(number: int) -> None:
    tried.append(number)
def test_count() -> None:
    assert len(tried) == {count}
"""


def pytest_says(
    folder: Path, text: str, *options: str, before: Callable[[], object] | None = None, **environment: str
) -> tuple[int, str]:
    """What comes of a file of tests under the settings of these."""
    (folder / "test_it.py").write_text(text)
    settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", "-p", "no:cacheprovider", "-n", "0"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, *options, str(folder / "test_it.py")],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        preexec_fn=before,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout


def test_who_starts_a_program_needs_the_mark(tmp_path: Path) -> None:
    code, said = pytest_says(tmp_path, UNMARKED)
    assert code == 1 and "::test_starts starts python" in said and ": mark it `slow`" in said
    code, said = pytest_says(tmp_path, UNMARKED, "-m", "")
    assert code == 1 and ": mark it `slow`" in said
    code, said = pytest_says(tmp_path, MARKED)
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED, said
    code, said = pytest_says(tmp_path, MARKED, "-m", "slow")
    assert code == 0 and "1 passed" in said


def test_too_much_processor_time_is_a_failure(tmp_path: Path) -> None:
    busy = "def test_busy() -> None:\n    sum(turn & 1 for turn in range(60_000_000))\n"
    code, said = pytest_says(tmp_path, busy, "--budget", "1")
    assert code == 1 and "plain loops" in said and "1 passed" in said
    code, said = pytest_says(tmp_path, busy, "--budget", "1000")
    assert code == 0 and "1000 are allowed" in said


def test_properties_are_tried_on_as_many_examples_as_asked_for(tmp_path: Path) -> None:
    assert pytest_says(tmp_path, PROPERTY.format(count=12))[0] == 0
    assert pytest_says(tmp_path, PROPERTY.format(count=50), "--examples", "50", "-m", "not (slow)")[0] == 0


def test_bytecode_is_written_whatever_the_environment_says(tmp_path: Path) -> None:
    text = "import sys, os\ndef test_it() -> None:\n    assert not sys.dont_write_bytecode\n"
    text += "    assert 'PYTHONDONTWRITEBYTECODE' not in os.environ\n"
    assert pytest_says(tmp_path, text, PYTHONDONTWRITEBYTECODE="1")[0] == 0


def test_ctrl_c_reaches_programs_though_the_run_ignores_it(tmp_path: Path) -> None:
    """As a shell's `&` and `nohup` have it."""
    text = "import signal\ndef test_it() -> None:\n"
    text += "    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    assert pytest_says(tmp_path, text, before=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))[0] == 0
