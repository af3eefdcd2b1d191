"""A real nginx in front of a service, set up as docs/lecture-hall.md says."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.browser import no_browser
from tests.support.marks import require_slow_mark
from tests.support.paths import ROOT

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; {location} }}
  server {{
    listen 127.0.0.1:{buffering};
    location / {{ proxy_pass http://127.0.0.1:{service}; proxy_http_version 1.1; }}
  }}
}}
"""


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


def documented(service: int, path: str) -> str:
    """The location that the docs print, for a service at a port and under a path."""
    found = re.search(r"```nginx\n(.*?)```", (ROOT / "docs" / "lecture-hall.md").read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1].replace("location / ", f"location {path}/ ").replace("127.0.0.1:8321", f"127.0.0.1:{service}")


@contextmanager
def nginx(folder: Path, port: int, buffering: int, service: int, path: str) -> Iterator[None]:
    """At `port` as documented, at `buffering` as nginx comes, which holds answers back unless they say otherwise."""
    require_slow_mark("nginx")
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        no_browser("there is no nginx: install it")
    folder.mkdir()
    file = folder / "nginx.conf"
    file.write_text(
        CONFIGURATION.format(
            folder=folder, port=port, buffering=buffering, service=service, location=documented(service, path)
        )
    )
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(file)], stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(6_000):
            if process.poll() is not None:
                raise AssertionError(process.stderr.read() if process.stderr else "nginx ended")
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=300)
