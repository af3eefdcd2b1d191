"""Files on other machines (`s3://…`, `gs://…`, `memory://…`), through fsspec, which belongs to the extra `cluster`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solver.jobs.inputs import SUFFIXES, Source
from solver.kernel.errors import DocumentError, UsageError
from solver.kernel.extras import needs_extra
from solver.kernel.problems import WHOLE_FILE, Problem


def is_remote(path: str) -> bool:
    return "://" in path


def remote_sources(path: str) -> list[Source]:
    """The document at an address, or all below it, in the order of names."""
    system, place = _system(path)
    with _in_words(path):
        if system.isfile(place):
            return [Source(path, place.rsplit("/", 1)[-1])]
        start = place.rstrip("/") + "/"
        found = sorted(each for each in system.find(place) if each.lower().endswith(SUFFIXES))
    return [Source(system.unstrip_protocol(each), each.removeprefix(start), in_folder=True) for each in found]


def read_remote(path: str, most: int) -> bytes:
    """At most one byte more than a document may have; DocumentError if there is none."""
    system, place = _system(path)
    try:
        with system.open(place, "rb") as file:
            content: bytes = file.read(most + 1)
            return content
    except Exception as error:  # fsspec's systems raise whatever their libraries do
        raise DocumentError([Problem(WHOLE_FILE, "no-file", f"cannot be read: {_words(error)}")]) from None


def write_remote(path: str, content: bytes) -> None:
    """An object is stored whole or not at all; OSError if it cannot be."""
    system, place = _system(path)
    try:
        system.pipe_file(place, content)
    except Exception as error:  # as above
        raise OSError(0, _words(error), path) from None


def _system(path: str) -> tuple[Any, str]:
    with needs_extra("cluster"):
        # Imported only here: it belongs to an extra.
        from fsspec.core import url_to_fs
    try:
        system, place = url_to_fs(path)
    except (ValueError, ImportError) as error:
        raise UsageError(f"{path}: {_words(error)}") from None
    return system, place


@contextmanager
def _in_words(path: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # as above
        raise UsageError(f"{path} cannot be listed: {_words(error)}") from None


def _words(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
