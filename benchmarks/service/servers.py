"""The servers that are compared: ours as `plymark serve` starts it, and a bare FastAPI app on the same server."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.service.client import Connection

BARE = """
import sys
from fastapi import FastAPI
import uvicorn
app = FastAPI()
@app.get("/")
async def hello():
    return {"hello": "world"}
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False)
"""
"""No middleware, and the server as it comes, but for its log."""


@contextmanager
def bare() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    process = subprocess.Popen([sys.executable, "-c", BARE, str(port)])
    try:
        _wait(port, "/")
        yield port
    finally:
        process.terminate()
        process.wait()


@dataclass
class Served:
    """A running service, and a teacher of it."""

    port: int
    token: str
    data: Path

    def call(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> Any:
        raw = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        wanted = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", raw, method=method)
        wanted.add_header("Authorization", f"Bearer {token or self.token}")
        for name, value in headers.items():
            wanted.add_header(name.replace("_", "-"), value)
        with urllib.request.urlopen(wanted) as answer:
            found = answer.read()
            return json.loads(found) if found else None


@contextmanager
def served(*options: str) -> Iterator[Served]:
    with tempfile.TemporaryDirectory(prefix="plymark-benchmark-") as name:
        data = Path(name) / "data"
        command = [sys.executable, "-m", "grader", "serve", "--port", "0", "--data", str(data), *options]
        log = (Path(name) / "log").open("wb")
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ})
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r":(\d+)", line)
            if found is None:
                raise SystemExit(f"the service does not start: {(Path(name) / 'log').read_text()}")
            admin = [sys.executable, "-m", "grader", "admin", "token", "--teacher", "bench", "--data", str(data)]
            token = subprocess.run(admin, capture_output=True, text=True, check=True).stdout.strip()
            yield Served(int(found[1]), token, data)
        finally:
            process.terminate()
            process.wait()
            log.close()


def _wait(port: int, path: str) -> None:
    async def there() -> bool:
        try:
            connection = Connection(port)
            await connection.ask(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            connection.close()
        except OSError:
            return False
        return True

    for _ in range(200):
        if asyncio.run(there()):
            return
        time.sleep(0.05)
    raise SystemExit("the bare server does not start")
