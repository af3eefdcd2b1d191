"""Run the command: installed, as a user would, or within this process; and look at what it is made of."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer
from typer.core import TyperGroup
from typer.main import get_command

from grader.cli.main import app, main
from tests.support.paths import ROOT

PLYMARK = Path(sys.executable).parent / "plymark"


def plymark(*arguments: str | Path, cwd: Path = ROOT, stdin: bytes = b"", **environment: str) -> Ran:
    ran = subprocess.run(
        [PLYMARK, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def plymark_within(*arguments: str | Path, cwd: Path = ROOT, stdin: bytes = b"", **environment: str) -> Ran:
    """The same without a new process: many times faster, and its lines are counted."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    argv, code = ["plymark", *map(str, arguments)], 0
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err), patch.multiple(sys, argv=argv, stdin=given):
        try:
            with patch.dict(os.environ, environment):
                main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Ran(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


class Ran:
    def __init__(self, code: int, stdout: str, stderr: str) -> None:
        self.code, self.stdout, self.stderr = code, stdout, stderr
        assert "Traceback" not in stderr, stderr


def every_command() -> Iterator[tuple[str, Any]]:
    """Each with what is typed for it: `""` for plymark itself, "solve", "admin", "admin backup"."""
    root = get_command(app)
    assert isinstance(root, TyperGroup)
    yield "", root
    for name in root.commands:
        command = root.resolve_command(typer.Context(root), [name])[1]
        yield name, command
        if isinstance(command, TyperGroup):
            yield from ((f"{name} {below}", command.commands[below]) for below in command.commands)


def offered(*words: str, start: str = "") -> list[str]:
    """What bash offers after these words."""
    typed = " ".join(["plymark", *words, start])
    ran = plymark_within(_PLYMARK_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=str(len(words) + 1))
    return ran.stdout.split()
