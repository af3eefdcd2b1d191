"""The programs that are started as a user would start them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = Path(sys.executable)
PLYMARK = PYTHON.with_name("plymark.exe" if sys.platform == "win32" else "plymark")
"""The console script of the interpreter that runs the benchmark."""


def compiled_in(folder: str) -> dict[str, str]:
    """An environment in which modules are compiled once, as they are when a program is installed."""
    setting = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**setting, "PYTHONPYCACHEPREFIX": folder}
