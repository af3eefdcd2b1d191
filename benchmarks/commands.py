"""The programs that are started as a user would start them."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = Path(sys.executable)
PLYMARK = PYTHON.with_name("plymark.exe" if sys.platform == "win32" else "plymark")
"""The console script of the interpreter that runs the benchmark."""
