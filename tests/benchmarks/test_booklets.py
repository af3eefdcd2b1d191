"""The small form of the benchmark of booklets: 100 and 1,000 students, the smallest tree, a page each."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.paths import ROOT


@pytest.mark.slow
def test_time_per_student_does_not_grow_with_the_class() -> None:
    """A ratio of processor time, in a process in which nothing was set before; what a student costs is in
    docs/benchmarks.md."""
    command = [sys.executable, "-m", "benchmarks", "booklets", "--quick"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "1,000 students / 100 students" in ran.stdout
    assert ran.stdout.rstrip().endswith(" met"), ran.stdout
