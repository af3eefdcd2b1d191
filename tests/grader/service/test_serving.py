"""`plymark serve` from start to end, as a process."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from grader.service.base.addresses import listening_socket, own_address, url_of
from grader.service.base.settings import Settings, validate_settings
from grader.service.http.logs import configure_logs
from grader.service.run.serving import Announcement, serve
from grader.service.store.engine import FILE as LOCK
from grader.service.store.store import make_folder, open_store
from solver.kernel import UsageError
from tests.grader.service.served import COMMAND, environment, served, start

TREE = '{"plymark": "game/1", "tree": [[3, 12, 8], [2, 4, 6], [14, 5, 2]]}'


def refused(*options: str, **more: str) -> str:
    """What a server that does not start says."""
    ran = subprocess.run(
        [*COMMAND, "serve", *options],
        env={**environment(), **more},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (1, ""), ran.stderr
    assert "Traceback" not in ran.stderr
    return ran.stderr.splitlines()[-1]


@pytest.mark.slow
def test_it_starts_works_and_ends(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    data.parent.mkdir()
    with served(data) as running, running.client() as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.get("/readyz").json() == {"status": "ok"}
        assert client.post("/api/solve", content=TREE).json()["value"] == 3
        assert running.link is not None
        assert running.link.startswith(f"{running.url}/in/")
        assert running.end() == 0
        assert f"Data: {data} (new)" in running.log.read_text()
        assert running.process.stdout is not None
        assert running.process.stdout.read() == ""


@pytest.mark.slow
def test_two_servers_and_a_kill(tmp_path: Path) -> None:
    """A second one on the same folder is refused; after a kill the next starts on the same port and folder at once."""
    data = tmp_path / "data"
    first = start(data)
    workers = children(first.process.pid)
    assert workers
    said = refused("--data", str(data), "--port", "0")
    assert said == f"plymark: another Plymark runs on {data} (at {first.url}); stop it, or give another --data"
    taken = refused("--data", str(tmp_path / "other"), "--port", str(first.port))
    assert taken == (
        f"plymark: port {first.port} is taken by another program; choose another with --port, or 0 for any that is free"
    )
    first.process.kill()
    first.process.communicate()
    with served(data, "--port", str(first.port)) as second:
        assert second.url == first.url
        assert second.link != first.link
        assert httpx.get(f"{second.url}/readyz").status_code == 200


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is found in /proc")
def test_workers_hold_neither_the_socket_nor_the_lock(tmp_path: Path) -> None:
    with served(tmp_path / "data") as running, running.client() as client:
        assert client.post("/api/solve", content=TREE).status_code == 200
        held = _held(Path("/proc") / str(running.process.pid))
        listening = {f"socket:[{inode}]" for inode in _listening(running.port)}
        lock = str(tmp_path / "data" / LOCK)
        assert listening & held and lock in held
        offspring = [child for each in children(running.process.pid) for child in (each, *children(int(each.name)))]
        assert len(offspring) >= 2
        for each in offspring:
            assert not _held(each) & {lock, *listening}


@pytest.mark.slow
def test_a_signal_lets_requests_finish(tmp_path: Path) -> None:
    """The request's body is still on its way when the signal comes."""
    with served(tmp_path / "data") as running:
        with socket.create_connection(("127.0.0.1", running.port)) as slow:
            body = TREE.encode()
            slow.sendall(f"POST /api/solve HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode())
            slow.sendall(body[:5])
            httpx.get(f"{running.url}/healthz")
            running.process.send_signal(signal.SIGINT)
            with contextlib.suppress(OSError):
                while True:
                    socket.create_connection(("127.0.0.1", running.port)).close()
            slow.sendall(body[5:])
            answered = b""
            while part := slow.recv(65536):
                answered += part
        assert answered.startswith(b"HTTP/1.1 200")
        assert running.process.wait(timeout=300) == 0


@pytest.mark.slow
def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    with served(tmp_path / "data") as running, socket.create_connection(("127.0.0.1", running.port)) as slow:
        slow.sendall(b"POST /api/solve HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
        httpx.get(f"{running.url}/healthz")
        running.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(OSError):
            while True:
                socket.create_connection(("127.0.0.1", running.port)).close()
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(timeout=300) == 128 + signal.SIGTERM


@pytest.mark.slow
def test_every_flag_can_be_set_in_the_environment(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    more = {"PLYMARK_PORT": str(port), "PLYMARK_CLOSED": "1", "PLYMARK_PUBLIC_URL": "https://x.example/ply/"}
    data = tmp_path / "data"
    command = [*COMMAND, "serve", "--workers", "1"]
    process = subprocess.Popen(
        command,
        env={**environment(), **more, "PLYMARK_DATA": str(data), "PLYMARK_METRICS_TOKEN": "figures"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "Plymark is running at https://x.example/ply\n"
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        assert client.get("/healthz").status_code == 200
        assert client.post("/api/solve", content=TREE).status_code == 401
        assert client.get("/metrics", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 404
        forwarded = {"X-Forwarded-For": "10.0.0.1", "Authorization": "Bearer figures"}
        assert b"plymark_workers 1.0" in client.get("/metrics", headers=forwarded).content
        assert "strict-transport-security" in client.get("/ply/healthz").headers
    process.terminate()
    process.communicate(timeout=300)
    assert process.returncode == 0
    assert (data / "plymark.sqlite3").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"public_url": "nonsense"}, 'the public URL is "nonsense"; write it like https://school.example/plymark'),
        ({"proxy": ("nobody",)}, '"nobody" is no proxy; write an address, a network like 10.0.0.0/8, or "unix"'),
    ],
)
def test_settings_are_checked_in_words(
    given: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert serve(Settings(data=tmp_path / "data", **given)) == 1
    assert capsys.readouterr().err == f"plymark: {said}\n"
    assert not (tmp_path / "data").exists()


def test_a_host_that_is_not_here() -> None:
    for host in ("203.0.113.7", "no such host"):
        with pytest.raises(UsageError, match=f"^--host {host} is no address of this machine$"):
            listening_socket(host, 0)


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert serve(Settings(data=tmp_path / "file" / "data")) == 1
    said = f"plymark: the folder {tmp_path / 'file' / 'data'} cannot be used: Not a directory\n"
    assert capsys.readouterr().err == said


OPTIONAL = ("alembic", "argon2", "fastapi", "sqlalchemy", "uvicorn")


@pytest.mark.slow
def test_no_other_command_loads_the_service() -> None:
    said = f"""
import sys
from grader.cli.main import app
app(["solve", "--tree", "[[3, 5], [2, 4]]"], standalone_mode=False)
app(["serve", "--help"], standalone_mode=False)
app(["admin", "--help"], standalone_mode=False)
assert not {{*{OPTIONAL}, "grader.service.base.settings"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", said], env=environment(), check=True, capture_output=True)


NEVER_FOR_THE_STORE = (
    *(f"grader.{room}" for room in ("marking", "questions", "reports", "generating", "delivery", "intake")),
    *(f"solver.{room}" for room in ("documents", "search", "pipeline", "analysis", "drawing", "jobs")),
    "grader.service.tasks",
)


@pytest.mark.slow
def test_what_only_needs_the_store_loads_nothing_that_solves_or_marks() -> None:
    said = "import sys, grader.service.run.administering; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", said], env=environment(), check=True, capture_output=True, text=True)
    loaded = ran.stdout.split()
    assert "grader.service.store.store" in loaded
    assert [name for name in loaded if name.startswith(NEVER_FOR_THE_STORE)] == []


@pytest.mark.slow
@pytest.mark.parametrize("command", [["serve"], ["admin", "check"]])
def test_without_the_extra_it_is_said_what_to_install(command: list[str], tmp_path: Path) -> None:
    missing = "import sys; sys.modules['sqlalchemy'] = None; from grader.cli.main import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", missing, *command, "--data", str(tmp_path / "data")],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stderr == "plymark: this needs sqlalchemy: pip install 'plymark[service]'\n"


def test_proxies_can_be_listed_in_one_text() -> None:
    assert validate_settings(Settings(proxy=("10.0.0.1, 10.1.0.0/16", "unix"))).proxy == (
        "10.0.0.1",
        "10.1.0.0/16",
        "unix",
    )


def test_the_address_that_others_use() -> None:
    with listening_socket("0.0.0.0", 0) as everywhere:
        host = own_address() or socket.gethostname()
        assert url_of(everywhere) == f"http://{host}:{everywhere.getsockname()[1]}"
    if socket.has_ipv6:
        with contextlib.suppress(UsageError), listening_socket("::1", 0) as own:
            assert url_of(own) == f"http://[::1]:{own.getsockname()[1]}"


@pytest.mark.slow
def test_a_terminal_shows_a_picture_of_the_address(tmp_path: Path) -> None:
    terminal, end = os.openpty()
    command = [*COMMAND, "serve", "--data", str(tmp_path / "data"), "--port", "0", "--host", "0.0.0.0"]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=end, text=True)
    os.close(end)
    seen = bytearray()

    def read() -> None:
        with contextlib.suppress(OSError):
            while part := os.read(terminal, 4096):
                seen.extend(part)

    reading = threading.Thread(target=read)
    reading.start()
    assert process.stdout is not None
    assert "127.0.0.1" not in process.stdout.readline()
    process.stdout.readline()
    process.terminate()
    process.communicate(timeout=300)
    reading.join()
    os.close(terminal)
    assert "▄" in seen.decode("utf-8", "replace")


def test_what_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Announcement("http://127.0.0.1:1", None, tmp_path, False, False).make()
    printed = capsys.readouterr()
    assert printed.out == "Plymark is running at http://127.0.0.1:1\n"
    assert printed.err == f"Data: {tmp_path} (as it was)\n"


def test_an_empty_folder_is_new(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "made")
    assert make_folder(tmp_path / "made"), "nothing was put into it"
    (tmp_path / "made" / "store").touch()
    assert not make_folder(tmp_path / "made")


def test_a_new_store_is_made_without_a_word(tmp_path: Path) -> None:
    log = StringIO()
    configure_logs(log, human=False)
    open_store(tmp_path).close()
    configure_logs(human=False)
    assert log.getvalue() == ""


def children(pid: int) -> list[Any]:
    return [each for each in Path("/proc").glob("[0-9]*") if f"\nPPid:\t{pid}\n" in _status(each)]


def _status(process: Path) -> str:
    try:
        return (process / "status").read_text()
    except OSError:
        return ""


def _held(process: Path) -> set[str]:
    """What its descriptors are of."""
    return {os.readlink(each) for each in (process / "fd").iterdir()}


def _listening(port: int) -> set[str]:
    """The inodes of sockets that listen there."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {line[9] for line in lines if line[1].endswith(f":{port:04X}") and line[3] == "0A"}
