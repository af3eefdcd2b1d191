"""docs/service.md: its lines are run by a shell, in turn, against a service that was started for it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.grader.service.served import environment, served
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "service.md").read_text("utf-8")
URL = "http://127.0.0.1:8321"
BLOCK = re.compile(r"^```(\w+) *(.*)\n((?:.*\n)*?)```$", re.MULTILINE)


class Shown(NamedTuple):
    language: str
    name: str
    text: str


BLOCKS = [Shown(*found.groups()) for found in BLOCK.finditer(PAGE)]
STARTING = ("install", "token")
"""Blocks of which this test does the like itself."""
END = "--- end of a block ---"


def script(url: str) -> str:
    lines = "".join(f"{each.text}echo '{END}'\n" for each in BLOCKS if is_run(each))
    return lines.replace(URL, url)


def is_run(block: Shown) -> bool:
    return block.language == "sh" and block.name not in STARTING


@pytest.mark.slow
def test_the_lines_do_what_is_said(tmp_path: Path) -> None:
    shell = shutil.which("bash")
    if shell is None or shutil.which("curl") is None:
        assert not os.environ.get("CI"), "bash and curl are needed"
        pytest.skip("bash or curl is not installed")
    for block in BLOCKS:
        if block.language == "yaml":
            (tmp_path / block.name).write_text(block.text, "utf-8")
    data = tmp_path / "plymark-data"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with served(data) as running:
        said = "set -eu -o pipefail\n" + token_line() + script(running.url)
        done = subprocess.run(
            [shell, "-c", said],
            cwd=tmp_path,
            env={**environment(), "PATH": path, "PLYMARK_DATA": str(data)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    printed = iter(done.stdout.split(f"{END}\n"))
    for position, block in enumerate(BLOCKS):
        if is_run(block):
            compare(next(printed), BLOCKS[position + 1] if position + 1 < len(BLOCKS) else None)


def token_line() -> str:
    (line,) = (block.text for block in BLOCKS if block.name == "token")
    return line


def compare(printed: str, shown: Shown | None) -> None:
    """With what the page shows after the lines, if it does."""
    if shown is not None and shown.language == "text":
        assert printed == shown.text
    elif shown is not None and shown.language == "json":
        found, expected = json.loads(printed), json.loads(shown.text)
        assert {**found, "problems": found["problems"][:1]} == expected


def test_the_page_names_every_stateless_route() -> None:
    for name in ("check", "solve", "analyse", "explain", "draw", "grade", "generate"):
        assert f"`POST /api/{name}`" in PAGE
