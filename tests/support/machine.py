"""Programs and packages that only some tests use; `.ci/prepare` and `pip install -e '.[ci]'` install them."""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from typing import Any, NoReturn

import pytest

from tests.support.marks import require_slow_mark
from tests.support.paths import ROOT

_VNU = ROOT / "tests" / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"


def missing(what: str) -> NoReturn:
    """Skip a test whose program is not on this machine; where all is to be tested, fail instead."""
    message = f"{what} is not on this machine: see CONTRIBUTING.md"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def needs(program: str) -> str:
    """The path of a program."""
    require_slow_mark(program)
    path = shutil.which(program)
    if path is None:
        missing(program)
    return str(path)


def package(module: str) -> Any:
    """A module of a package that not everybody who runs tests has."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        missing(module)


def vnu() -> list[str]:
    """The W3C's checker of HTML and SVG."""
    java = needs("java")
    if not _VNU.exists():
        missing("vnu-jar")
    return [java, "-jar", str(_VNU)]
