"""The linter, the formatter and the type checker are part of the tests."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("command", ["ruff check", "ruff format --check", "mypy"])
def test_tool_has_nothing_to_say(command: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
