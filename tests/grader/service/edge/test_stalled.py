"""Clients that stall in each way are gone after their deadline, and a healthy one beside them notices nothing."""

from __future__ import annotations

import itertools
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.grader.service.edge.demo import PART, PARTS, Served, served

pytestmark = pytest.mark.slow

SHORT = {"header_seconds": 1.0, "idle_seconds": 1.0, "write_seconds": 1.0, "linger_seconds": 1.0, "sweep_seconds": 0.1}
PATIENCE = 600.0
"""Seconds until a client that is still connected has plainly been forgotten."""

HEAD = b"POST /api/body HTTP/1.1\r\nHost: here\r\n"
SILENT = {
    "no byte": b"",
    "empty lines": b"\r\n\r\n",
    "half a header": HEAD + b"X-Half: ye",
    "half a body": HEAD + b"Content-Length: 100\r\n\r\nhalf",
    "half a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n64\r\nhalf",
    "no further request": b"GET /api/hello HTTP/1.1\r\nHost: here\r\n\r\n",
    "half a further request": b"GET /api/hello HTTP/1.1\r\nHost: here\r\n\r\nGET /api",
    "slow reader": b"GET /api/large HTTP/1.1\r\nHost: here\r\n\r\n",
}


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("short"), limits=SHORT, body_seconds=1.0) as server:
        yield server


def connections(client: httpx.Client) -> int:
    found = re.search(r"^plymark_connections (\d+)", client.get("/metrics").text, re.MULTILINE)
    assert found
    return int(float(found[1]))


def stalled(server: Served, sent: bytes, count: int) -> list[socket.socket]:
    clients = []
    for _ in range(count):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(300)
        client.connect(("127.0.0.1", server.port))
        client.sendall(sent)
        clients.append(client)
    return clients


def outlived(server: Served, kinds: dict[str, bytes], count: int) -> int:
    """A healthy client works until all the others are gone; how many requests it made meanwhile."""
    with httpx.Client(base_url=server.url, timeout=300) as healthy:
        others = {kind: stalled(server, sent, count) for kind, sent in kinds.items()}
        most = connections(healthy)
        for made in itertools.count():
            assert healthy.get("/api/hello").status_code == 200
            assert healthy.post("/api/body", content=b"x" * 1000).json() == {"octets": 1000}
            if made % 10 == 0 and connections(healthy) <= 1:
                break
            assert made < PATIENCE / 0.02, f"{connections(healthy)} of {most} are still there"
            time.sleep(0.02)
        for client in itertools.chain.from_iterable(others.values()):
            client.close()
    assert most > 1
    return made


def test_stalled_clients_of_all_kinds_are_gone_after_their_deadlines(short: Served) -> None:
    assert outlived(short, SILENT, 40) > 0


def test_a_quiet_stream_goes_on_beyond_all_deadlines(short: Served) -> None:
    told = {"pause": 0.25, "octets": 1}
    with httpx.stream("GET", f"{short.url}/api/stream", params=told, timeout=300) as answer:
        began = time.monotonic()
        for _ in answer.iter_lines():
            if time.monotonic() - began > 4 * max(SHORT.values()):
                break
        else:
            pytest.fail("the stream was ended")


def test_who_does_not_read_a_stream_is_dropped(short: Served) -> None:
    loud = b"GET /api/stream?pause=0.01&octets=16000 HTTP/1.1\r\nHost: here\r\n\r\n"
    assert outlived(short, {"a stream": loud}, 10) > 0


def test_readers_who_stall_over_a_whole_answer_are_gone(short: Served) -> None:
    assert outlived(short, {"whole": b"GET /api/whole HTTP/1.1\r\nHost: here\r\n\r\n"}, 3) > 0


@pytest.mark.soak
@pytest.mark.parametrize("kind", SILENT)
def test_three_hundred_of_a_kind(tmp_path: Path, kind: str) -> None:
    with served(tmp_path) as server:
        assert outlived(server, {kind: SILENT[kind]}, 300) > 0


@pytest.mark.parametrize(("kind", "status"), [("half a header", 408), ("half a body", 408), ("half a chunk", 408)])
def test_the_late_are_told(short: Served, kind: str, status: int) -> None:
    with short.connect() as client:
        client.sendall(SILENT[kind])
        answer = everything(client)
    assert answer.startswith(b"HTTP/1.1 %d " % status) and b"application/problem+json" in answer
    assert b"connection: close" in answer.lower()


def test_a_header_that_drips_is_late_too(short: Served) -> None:
    with short.connect() as client:
        client.settimeout(0.1)
        client.sendall(HEAD)
        heard = b""
        for _ in range(200):
            try:
                client.sendall(b"x")
                heard = client.recv(1000)
                break
            except TimeoutError:
                continue
    assert heard.startswith(b"HTTP/1.1 408 ")


def test_a_slow_but_steady_reader_gets_everything(short: Served) -> None:
    with short.connect() as client:
        client.sendall(b"GET /api/whole HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        got, stop = 0, time.monotonic() + 2.5
        while part := client.recv(65536):
            got += len(part)
            if time.monotonic() < stop:
                time.sleep(0.02)
    assert got > len(PART) * PARTS


def test_a_connection_serves_many_requests(short: Served) -> None:
    with short.connect() as client:
        request = b"GET /api/hello HTTP/1.1\r\nHost: here\r\n\r\n"
        client.sendall(request * 5 + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert everything(client).count(b'{"hello":"there"}') == 6


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/hello HTTP/1.1\r\nHost: here\r\nX-Long: " + b"x" * 40_000 + b"\r\n\r\n",
        b"GET /api/hello HTTP/1.1\r\nHost: here\r\nX-Endless: " + b"x" * 400_000,
        b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: here\r\n\r\n",
        b"GET /api/hello HTTP/1.1\r\nHost: here\r\n" + b"X-Many: x\r\n" * 200 + b"\r\n",
    ],
)
def test_large_headers_are_refused(short: Served, head: bytes) -> None:
    with short.connect() as client:
        client.sendall(head)
        assert everything(client).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET  / HTTP/9.9\r\n\r\n",
        HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nnothing\r\n",
    ],
)
def test_what_is_not_http_is_told_in_words(short: Served, sent: bytes) -> None:
    with short.connect() as client:
        client.sendall(sent)
        answer = everything(client)
    assert answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1") == 1
    assert b'"code":"request"' in answer


def test_an_address_with_too_many_connections_loses_those_that_wait(tmp_path: Path) -> None:
    with served(tmp_path, limits={"per_address": 5}) as server:
        waiting = [server.connect() for _ in range(12)]
        with httpx.Client(base_url=server.url) as newcomer:
            assert newcomer.get("/api/hello").status_code == 200
            assert connections(newcomer) == 5
            for each in waiting[:8]:
                assert ended(each)
        for each in waiting:
            each.close()


def test_nobody_is_sent_away_from_a_request(tmp_path: Path) -> None:
    with served(tmp_path, limits={"in_all": 3}) as server:
        busy = [server.connect() for _ in range(3)]
        for each in busy:
            each.sendall(HEAD + b"Content-Length: 4\r\n\r\n")
        time.sleep(2.0)  # the server has read these
        with server.connect() as newcomer:
            assert everything(newcomer).startswith(b"HTTP/1.1 503 ")
        for each in busy:
            each.sendall(b"body")
            each.shutdown(socket.SHUT_WR)
            assert b'{"octets":4}' in everything(each)
            each.close()


def everything(client: socket.socket) -> bytes:
    """Until the server has closed its side."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def ended(client: socket.socket) -> bool:
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True
