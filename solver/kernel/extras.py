"""Optional parts: what to install when one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from solver.kernel.errors import UsageError


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Around the import of an optional library: a missing one is reported in words."""
    try:
        yield
    except ImportError as error:
        raise UsageError(f"this needs {error.name}: pip install 'plymark[{name}]'") from None
