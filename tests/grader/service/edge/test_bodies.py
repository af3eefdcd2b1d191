"""Bodies are cut off while they arrive, in size and in time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.exchange import BodyLimit, exchange_of
from grader.service.base.service_problems import ServiceProblem
from grader.service.http.body_limits import BodyGate, content_length, has_body


def scope_of(*headers: tuple[bytes, bytes], **further: Any) -> dict[str, Any]:
    return {"type": "http", "method": "POST", "headers": list(headers), **further}


CHUNKED = (b"transfer-encoding", b"chunked")


async def read(gate: BodyGate) -> bytes:
    parts: list[bytes] = []
    while not gate.ended:
        parts.append((await gate.receive())["body"])
    return b"".join(parts)


class Sender:
    """Sends the parts, counts those that were asked for, and falls silent after them if it is to."""

    def __init__(self, parts: list[bytes], silent: bool = False) -> None:
        self.parts, self.silent, self.asked = parts, silent, 0

    async def __call__(self) -> dict[str, Any]:
        if self.asked == len(self.parts):
            await asyncio.Event().wait()
        self.asked += 1
        more = self.silent or self.asked < len(self.parts)
        return {"type": "http.request", "body": self.parts[self.asked - 1], "more_body": more}


@given(st.lists(st.binary(max_size=9), min_size=1, max_size=9), st.integers(0, 60))
def test_a_body_comes_whole_or_ends_with_the_part_that_is_too_much(parts: list[bytes], octets: int) -> None:
    sender = Sender(parts)
    gate = BodyGate(scope_of(CHUNKED), sender, BodyLimit(octets), {})
    whole = b"".join(parts)
    if len(whole) <= octets:
        assert asyncio.run(read(gate)) == whole and gate.ended
    else:
        with pytest.raises(ServiceProblem) as refused:
            asyncio.run(read(gate))
        assert refused.value is gate.refused and refused.value.status == 413 and not gate.ended
        assert len(b"".join(parts[: sender.asked - 1])) <= octets < len(b"".join(parts[: sender.asked]))


def test_a_claim_that_is_too_large_is_refused_unread() -> None:
    sender = Sender([b"x"])
    gate = BodyGate(scope_of((b"content-length", b"500000000")), sender, BodyLimit(10), {})
    for _ in range(2):
        with pytest.raises(ServiceProblem, match="413"):
            asyncio.run(gate.receive())
    assert sender.asked == 0


def test_nothing_is_refused_before_the_body_is_asked_for() -> None:
    gate = BodyGate(scope_of((b"content-length", b"500000000")), Sender([b""]), BodyLimit(10), {})
    assert gate.refused is None and not gate.ended


def test_a_silent_sender_is_refused_at_the_deadline() -> None:
    gate = BodyGate(scope_of((b"content-length", b"9")), Sender([b"x"], silent=True), BodyLimit(10, 0.05), {})
    with pytest.raises(ServiceProblem, match="408"):
        asyncio.run(read(gate))


def test_a_route_has_its_own_limit_by_table_or_dependency() -> None:
    class Route:
        path = "/draft/{t}"

    table = {("POST", "/draft/{t}"): BodyLimit(3)}
    by_table = BodyGate(scope_of(CHUNKED, route=Route()), Sender([b"four"]), BodyLimit(10), table)
    with pytest.raises(ServiceProblem, match="413"):
        asyncio.run(read(by_table))
    scope = scope_of(CHUNKED, route=Route())
    exchange_of(scope).body_limit = BodyLimit(4)
    assert asyncio.run(read(BodyGate(scope, Sender([b"four"]), BodyLimit(10), table))) == b"four"


@pytest.mark.parametrize(
    ("headers", "length", "body"),
    [
        ([], None, False),
        ([(b"content-length", b"0")], 0, False),
        ([(b"content-length", b"17")], 17, True),
        ([(b"content-length", b"9" * 30)], None, True),
        ([(b"content-length", b"-1")], None, True),
        ([CHUNKED], None, True),
    ],
)
def test_what_headers_say_of_a_body(headers: list[tuple[bytes, bytes]], length: int | None, body: bool) -> None:
    assert content_length(scope_of(*headers)) == length
    assert has_body(scope_of(*headers)) is body
