"""Requests through the whole edge: what answers carry, and what logs and figures do not."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.grader.service.edge.demo import METRICS_TOKEN, Served, served

pytestmark = pytest.mark.slow

SECRET = "planted-4711"
GOOD = {"Authorization": "Bearer good"}
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("front")) as running:
        yield running


@pytest.fixture
def client(server: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=300) as each:
        yield each


@pytest.mark.parametrize(
    ("path", "octets", "status"),
    [
        ("/api/body", 256 * 1024, 200),
        ("/api/body", 256 * 1024 + 1, 413),
        ("/api/parsed", 256 * 1024 + 1, 413),
        ("/api/draft/1", 64 * 1024, 200),
        ("/api/draft/1", 64 * 1024 + 1, 413),
        ("/api/upload", 5 * MIB, 200),
    ],
)
@pytest.mark.parametrize("claimed", [True, False])
def test_each_route_has_its_limit(client: httpx.Client, path: str, octets: int, status: int, claimed: bool) -> None:
    body = b"x" * octets
    answer = client.post(path, content=body if claimed else iter([body]), headers=GOOD)
    assert answer.status_code == status
    assert answer.json().get("code", "too-large") == "too-large"
    assert ("close" in answer.headers.get("connection", "")) is (status == 413)


def test_the_credential_is_asked_for_before_the_body(client: httpx.Client) -> None:
    answer = client.post("/api/draft/1", content=b"x" * MIB)
    assert answer.status_code == 401 and answer.headers["connection"] == "close"


def test_a_short_body_that_nobody_reads_does_not_cost_the_connection(client: httpx.Client) -> None:
    assert "connection" not in client.post("/api/unread", content=b"x" * 1000).headers
    assert client.post("/api/draft/1", content=b"x").status_code == 401


def poured(server: Served, octets: int) -> tuple[int, int]:
    """Pours a body without a length into the server; the answer's status, and how much of it could be sent."""
    line, part, sent = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300), b"x" * 65536, 0
    line.putrequest("POST", "/api/body")
    line.putheader("Transfer-Encoding", "chunked")
    line.endheaders()
    try:
        while sent < octets:
            line.send(b"10000\r\n" + part + b"\r\n")
            sent += len(part)
    except (BrokenPipeError, ConnectionResetError):
        pass
    status = line.getresponse().status
    line.close()
    return status, sent


def memory(client: httpx.Client) -> int:
    """In KiB."""
    return int(client.get("/api/where/x").json()["memory"])


def test_an_endless_body_is_cut_off_and_the_client_told(server: Served, client: httpx.Client) -> None:
    before = memory(client)
    status, sent = poured(server, 500 * MIB)
    assert status == 413
    assert sent < 32 * MIB, "what the system's buffers took"
    assert memory(client) - before < 16 * 1024


def test_a_page_may_use_its_own_style_and_nothing_inline_else(client: httpx.Client) -> None:
    first, second = client.get("/page"), client.get("/page")
    nonces = [re.findall(r'nonce="(.+?)"', page.text)[0] for page in (first, second)]
    assert len(set(nonces)) == 2
    for page, nonce in zip((first, second), nonces, strict=True):
        policy = dict(each.strip().split(" ", 1) for each in page.headers["content-security-policy"].split(";"))
        assert policy["style-src"] == f"'self' 'nonce-{nonce}'"
        assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert page.headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/api/hello", "/page", "/nowhere", "/api/crash/x", "/metrics"])
def test_every_answer_is_guarded(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers and "strict-transport-security" not in headers
    assert re.fullmatch("[0-9a-f]{24}", headers["x-request-id"])


def test_secrets_are_not_logged(tmp_path: Path) -> None:
    headers = {
        "Authorization": f"Bearer {SECRET}",
        "Cookie": f"session={SECRET}",
        "X-Request-Id": SECRET,
        "X-Forwarded-For": SECRET,
        "User-Agent": SECRET,
        "Referer": f"http://here/{SECRET}",
        f"X-{SECRET}": SECRET,
    }
    asked = [
        ("GET", f"/api/where/{SECRET}?token={SECRET}"),
        ("GET", f"/nowhere/{SECRET}"),
        ("GET", f"/api/crash/{SECRET}"),
        ("GET", f"/api/checked?count={SECRET}"),
        ("POST", f"/api/draft/{SECRET}"),
        ("POST", "/api/parsed"),
        ("POST", "/api/body"),
    ]
    with served(tmp_path) as server:
        with httpx.Client(base_url=server.url) as client:
            for method, path in asked:
                client.request(method, path, headers=headers, content=SECRET.encode() if method == "POST" else None)
            client.post("/api/draft/1", headers=GOOD, content=SECRET.encode())
        for sent in (f"GET /{SECRET} HTTP/1.1\r\n{SECRET}\r\n\r\n", f"{SECRET}\r\n\r\n"):
            with server.connect() as line:
                line.sendall(sent.encode())
                assert line.recv(1000).startswith(b"HTTP/1.1 400 ")
        with httpx.Client(base_url=server.url) as client:
            figures = client.get("/metrics").text
    log = server.log.read_text()
    assert SECRET not in log and SECRET not in figures
    lines = [json.loads(line) for line in log.splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert [line["route"] for line in requests[:5]] == [
        "/api/where/{link}",
        "-",
        "/api/crash/{secret}",
        "/api/checked",
        "/api/draft/{t}",
    ]
    assert [line["person"] for line in requests if line["status"] == 200][-2:] == ["p-opaque-1", None]
    (crash,) = [line for line in lines if line["event"] == "crash"]
    assert crash["error"] == "RuntimeError" and crash["at"][-1].endswith("in crash")
    assert crash["request"] == requests[2]["request"]


def test_requests_are_counted_by_route(client: httpx.Client) -> None:
    for secret in ("a", "b", "c"):
        client.get(f"/api/where/{secret}")
    figures = client.get("/metrics").text
    found = re.search(r'requests_total{method="GET",route="/api/where/{link}",status="2xx"} (\d+)', figures)
    assert found and int(found[1]) >= 3
    assert "plymark_requests_in_flight 1.0" in figures


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"X-Forwarded-For": "127.0.0.1"}, 404),
        ({"Forwarded": "for=1.2.3.4"}, 404),
        ({"X-Forwarded-For": "1.2.3.4", "Authorization": f"Bearer {METRICS_TOKEN}"}, 200),
        ({"X-Forwarded-For": "1.2.3.4", "Authorization": f"Bearer {METRICS_TOKEN}x"}, 404),
        ({"X-Forwarded-For": "1.2.3.4", "Authorization": "Bearer"}, 404),
    ],
)
def test_figures_are_for_this_machine_or_with_a_token(
    client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == status and ("plymark" in answer.text) is (status == 200)


FORWARDED = {
    "X-Forwarded-For": "6.6.6.6, 9.9.9.9, 10.1.2.3",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "school.example",
    "X-Request-Id": "from-the-proxy.1",
}


def test_nobody_is_believed_who_is_not_a_proxy(client: httpx.Client, server: Served) -> None:
    answer = client.get("/api/where/x", headers=FORWARDED)
    assert answer.json()["client"] == "127.0.0.1" and answer.json()["url"].startswith(server.url)
    assert answer.headers["x-request-id"] != FORWARDED["X-Request-Id"]


def test_a_proxy_is_believed_and_the_prefix_kept_or_taken_off(tmp_path: Path) -> None:
    given = {"proxies": ["127.0.0.1", "10.0.0.0/8"], "public_url": "https://school.example/plymark/"}
    with served(tmp_path, **given) as server, httpx.Client(base_url=server.url, headers=FORWARDED) as client:
        for path in ("/api/where/x", "/plymark/api/where/x"):
            answer = client.get(path)
            said = answer.json()
            assert (said["client"], said["peer"], said["root"]) == ("9.9.9.9", "127.0.0.1", "/plymark")
            assert said["url"] == "https://school.example/plymark/api/where/x"
            assert answer.headers["x-request-id"] == "from-the-proxy.1"
            assert "strict-transport-security" in answer.headers
        assert client.get("/metrics", headers={"X-Forwarded-For": ""}).status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "SELF"}, 200),
        ({"Origin": "SELF", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "SELF", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 403),
    ],
)
def test_a_change_must_come_from_our_own_pages(
    client: httpx.Client, server: Served, headers: dict[str, str], status: int
) -> None:
    sent = {name: value.replace("SELF", server.url) for name, value in headers.items()}
    assert client.put("/api/changed", headers={**GOOD, **sent}).status_code == status
