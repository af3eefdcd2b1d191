"""The programs that are started as a user would start them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = Path(sys.executable)
PLYMARK = PYTHON.with_name("plymark.exe" if sys.platform == "win32" else "plymark")
"""The console script of the interpreter that runs the benchmark."""

_SHARED_MEMORY = Path("/dev/shm")
IN_MEMORY = _SHARED_MEMORY if _SHARED_MEMORY.is_dir() else None
"""A folder whose files cost no disk, on which processes that make files in one folder wait for each other."""


def compiled_in(folder: str) -> dict[str, str]:
    """An environment in which modules are compiled once, as they are when a program is installed."""
    setting = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**setting, "PYTHONPYCACHEPREFIX": folder}


def peak_megabytes(*command: str) -> float:
    """The largest resident size of a run, or of one of the processes that it started."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL, check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([str(PYTHON), "-c", code, *command], check=True, capture_output=True, text=True)
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e6
