"""Whose word counts on where a request came from."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.addresses import Proxies, is_loopback, public_url
from grader.service.http.sessions import csrf_matches
from solver.kernel import UsageError


def scope_of(peer: str, **headers: str) -> dict[str, Any]:
    raw = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    return {"type": "http", "client": (peer, 1), "path": "/", "raw_path": b"/", "scheme": "http", "headers": raw}


@given(st.text(st.characters(max_codepoint=255), max_size=60))
def test_a_client_cannot_choose_its_address(claimed: str) -> None:
    proxies = Proxies(["10.0.0.0/8"])
    assert proxies.resolve(scope_of("1.2.3.4", x_forwarded_for=claimed)).client == "1.2.3.4"
    through = scope_of("10.0.0.1", x_forwarded_for=f"{claimed}, 1.2.3.4", host="h", x_forwarded_host=claimed)
    assert proxies.resolve(through).client == "1.2.3.4"
    assert through["client"] == ("1.2.3.4", 0)


@pytest.mark.parametrize(
    ("chain", "client"),
    [
        ("9.9.9.9", "9.9.9.9"),
        ("6.6.6.6, 9.9.9.9, 10.1.1.1", "9.9.9.9"),
        ("9.9.9.9:4711", "9.9.9.9"),
        ("[2001:db8::1]:80", "2001:db8::1"),
        ("::ffff:9.9.9.9", "9.9.9.9"),
        ("10.1.1.1, 10.1.1.2", "10.1.1.1"),
        ("9.9.9.9, nonsense", "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
def test_the_first_that_is_no_proxy_is_the_client(chain: str, client: str) -> None:
    assert Proxies(["10.0.0.0/8"]).resolve(scope_of("10.0.0.1", x_forwarded_for=chain)).client == client


def test_a_socket_in_the_file_system_can_be_a_proxy() -> None:
    scope = {**scope_of("", x_forwarded_for="9.9.9.9"), "client": None}
    assert Proxies(["unix"]).resolve({**scope}).client == "9.9.9.9"
    assert Proxies(["10.0.0.1"]).resolve({**scope}).client is None


@pytest.mark.parametrize("wrong", ["", "nonsense", "10.0.0.0/99", "school.example"])
def test_a_proxy_that_is_no_address_is_refused_with_words(wrong: str) -> None:
    with pytest.raises(UsageError, match="write an address"):
        Proxies([wrong])


@pytest.mark.parametrize(
    ("text", "origin", "prefix"),
    [
        ("https://school.example", "https://school.example", ""),
        ("https://School.example:443/plymark/", "https://school.example", "/plymark"),
        ("http://192.168.1.5:8321/", "http://192.168.1.5:8321", ""),
        ("http://[::1]:8321/a/b", "http://[::1]:8321", "/a/b"),
    ],
)
def test_public_urls(text: str, origin: str, prefix: str) -> None:
    url = public_url(text)
    assert (url.origin, url.prefix, str(url)) == (origin, prefix, origin + prefix)
    assert url.https is origin.startswith("https")


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "school.example",
        "ftp://a",
        "https://a:b@c",
        "https://a/?q",
        "https://a/#f",
        "https://a:99999",
        "http://[::1",
    ],
)
def test_a_wrong_public_url_is_refused_with_words(wrong: str) -> None:
    with pytest.raises(UsageError, match="write it like"):
        public_url(wrong)


def test_loopback() -> None:
    assert [is_loopback(each) for each in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1")] == [True] * 4
    assert [is_loopback(each) for each in ("10.0.0.1", "", None, "localhost")] == [False] * 4


@given(st.text("ab€", max_size=3), st.text("ab€", max_size=3))
def test_only_the_same_token_matches(expected: str, other: str) -> None:
    assert csrf_matches(expected, other) is (expected == other != "")
    assert csrf_matches(expected, expected) is bool(expected)
    assert not csrf_matches(expected, None)
