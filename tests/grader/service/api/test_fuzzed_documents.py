"""A document that somebody has damaged gets the same words over HTTP as on the command line."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.grader.service.api.client import Api
from tests.support.command import plymark_within
from tests.support.paths import ROOT

SOUND = [
    path.read_bytes()
    for folder in ("specs", "exercises", "recipes")
    for path in sorted((ROOT / folder).glob("*.yaml"))[:6]
]
DEBRIS = [
    *(
        b"",
        b"\x00",
        b"\xff",
        b"{",
        b"]",
        b": ",
        b"\n",
        b"\n  - ",
        b"&a ",
        b"*a",
        b"!!python/object:os.system ",
        b"1e999",
    ),
    *(b"0x10", b"'", b'"', b"\t", b"<<: ", b"---\n", "٣".encode(), b"-", b"null"),
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A sound document with a few pieces cut out and others put in."""
    text = draw(st.sampled_from(SOUND))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(st.sampled_from(DEBRIS)) + text[end:]
    return text


def on_the_command_line(document: bytes) -> tuple[bool, set[tuple[int, int, str]]]:
    ran = plymark_within("check", "-", stdin=document)
    assert "Traceback" not in ran.stderr
    told = re.findall(r"^<stdin>:(\d+):(\d+): .*\[([\w-]+)\]$", ran.stdout + ran.stderr, re.MULTILINE)
    return ran.code == 0, {(int(line), int(column), code) for line, column, code in told}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damaged())
def test_http_and_command_line_say_the_same(api: Api, document: bytes) -> None:
    answer = api.post("/api/check", content=document)
    assert answer.status_code in (200, 422), answer.text
    is_sound, told = on_the_command_line(document)
    assert (answer.status_code == 200) == is_sound
    if not is_sound:
        problems = answer.json()["problems"]
        assert {(each["line"], each["column"], each["code"]) for each in problems} == told and told


@pytest.mark.parametrize("document", [b"", b"\xff\xfe", b"[" * 5_000, b"plymark: game/1"])
def test_what_is_no_document_at_all(api: Api, document: bytes) -> None:
    test_http_and_command_line_say_the_same.hypothesis.inner_test(api, document)  # type: ignore[attr-defined]
