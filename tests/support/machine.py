"""Programs beside Python that some tests use; `.ci/prepare` installs them."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.support.paths import ROOT

_VNU = ROOT / "tests" / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"


def missing(what: str) -> None:
    """Skip a test whose program is not on this machine; where all is to be tested, fail instead."""
    message = f"{what} is not on this machine: see .ci/prepare"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def needs(program: str) -> str:
    """The path of a program."""
    path = shutil.which(program)
    if path is None:
        missing(program)
    return str(path)


def vnu() -> list[str]:
    """The W3C's checker of HTML and SVG."""
    java = needs("java")
    if not _VNU.exists():
        missing("vnu-jar")
    return [java, "-jar", str(_VNU)]
