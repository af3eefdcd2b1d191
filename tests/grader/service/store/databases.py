"""Real databases for tests: SQLite in a folder, PostgreSQL started for the run if it is installed."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.marks import require_slow_mark

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


@dataclass
class PostgreSQL:
    """A server of its own in a folder, reached through a socket there; it can be killed and started again."""

    folder: Path
    fsync: bool = True

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def create(self) -> None:
        self._run("initdb", "-D", str(self.folder / "data"), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        options = (
            f"-k {self.folder} -c listen_addresses= -c max_connections=60 -c fsync={'on' if self.fsync else 'off'}"
        )
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "600", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop")

    def kill(self) -> None:
        """As a power cut would, as far as a process can tell."""
        pid = int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGKILL)
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.01)

    def database(self, name: str) -> str:
        """The URL of a new, empty database."""
        self._run("createdb", "-h", str(self.folder), "-U", "postgres", name)
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        found = shutil.which(program, path=os.pathsep.join(map(str, FOLDERS))) or shutil.which(program)
        if found is None:
            missing("PostgreSQL")
        command = [str(found), *arguments]
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr


def missing(program: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"{program} is not installed")
    pytest.skip(f"{program} is not installed")


@contextmanager
def postgresql(fsync: bool = True) -> Iterator[PostgreSQL]:
    """A server in a folder that the user `postgres` may enter, which those of pytest are not."""
    require_slow_mark("PostgreSQL")
    if sys.platform == "win32" or not (FOLDERS or shutil.which("initdb")):
        missing("PostgreSQL")
    with tempfile.TemporaryDirectory(prefix="plymark-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        server = PostgreSQL(folder, fsync)
        server.create()
        server.start()
        try:
            yield server
        finally:
            server.stop()
