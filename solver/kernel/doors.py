"""Doors that open when they are used: a package exports names whose modules load when a name is first asked for.

The names stand in the package's `__init__.pyi`, where type checkers and editors read them, and nowhere else.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def lazy_door(package: str, file: str) -> tuple[Callable[[str], Any], list[str]]:
    """`__getattr__` and `__all__` for the package whose `__init__.py` is this file."""
    stub = ast.parse(Path(file).with_suffix(".pyi").read_bytes())
    origin = {
        alias.asname or alias.name: (str(statement.module), alias.name)
        for statement in stub.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }

    def load(name: str) -> Any:
        if name not in origin:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, called = origin[name]
        found = getattr(import_module(module), called)
        setattr(sys.modules[package], name, found)
        return found

    return load, list(origin)
