"""`plymark serve` as people start it: a process, a port, a folder."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.support.paths import ROOT

COMMAND = [sys.executable, "-m", "grader"]


@dataclass
class Running:
    process: subprocess.Popen[str]
    url: str
    link: str | None
    """The teacher's, if one was printed."""
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=300)

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=300)


def environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PLYMARK_")}
    return {**inherited, "PYTHONPATH": str(ROOT)}


def start(data: Path, *options: str, link: bool = True, **more: str) -> Running:
    """Returns when it accepts connections. `link` says whether a teacher's link should be printed."""
    log = data.with_name(f"{data.name}.log")
    command = [*COMMAND, "serve", "--data", str(data), "--workers", "1"]
    if "--port" not in options:
        command += ["--port", "0"]
    with log.open("a") as errors:
        process = subprocess.Popen(
            [*command, *options], env={**environment(), **more}, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first.startswith("Plymark is running at "), first + log.read_text()
    running = Running(process, first.split()[-1], None, log)
    if link:
        second = process.stdout.readline()
        found = re.fullmatch(r"Teacher's link \(works once\): (\S+/in/\S+)\n", second)
        assert found, second
        running.link = found[1]
    return running


@contextlib.contextmanager
def served(data: Path, *options: str, link: bool = True, **more: str) -> Iterator[Running]:
    running = start(data, *options, link=link, **more)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.end()
        running.process.communicate(timeout=300)


def admin(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "admin", *map(str, arguments)],
        env=environment(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
