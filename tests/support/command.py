"""Run the installed command as a user would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

PLYMARK = Path(sys.executable).parent / "plymark"


def plymark(*arguments: str | Path, cwd: Path = ROOT, stdin: bytes = b"", **environment: str) -> Ran:
    ran = subprocess.run(
        [PLYMARK, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


class Ran:
    def __init__(self, code: int, stdout: str, stderr: str) -> None:
        self.code, self.stdout, self.stderr = code, stdout, stderr
        assert "Traceback" not in stderr, stderr
