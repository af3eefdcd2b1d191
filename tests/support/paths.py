"""Where the repository is, for every test."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SHARED = "PLYMARK_TESTS_SHARED"
"""The variable that names a folder which the processes of one run of tests share."""
