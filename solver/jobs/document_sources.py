"""Where documents come from: files, folders and standard input, in a fixed order, and files on other machines
(`s3://…`, `gs://…`, `memory://…`), through fsspec, which belongs to the extra `cluster`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from solver.kernel.errors import WHOLE_FILE, DocumentError, Problem, UsageError, needs_extra

STDIN = "-"
SUFFIXES = (".yaml", ".yml", ".json")
ZIP, TAR = (".zip",), (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
LINES = (".jsonl", ".ndjson")

_HEADER = rb"""(?:\A\xef\xbb\xbf|\A|[\n{,])\s*["']?plymark["']?\s*:\s*["']?"""


class Source(NamedTuple):
    name: str
    """As problems and results name it: always printable as UTF-8."""
    relative: str
    """Below the folder it was found in; a file that was named by itself has no folder."""
    in_folder: bool = False
    path: str = ""
    """As the system knows it, where that differs."""
    tree: str | None = None
    """The tree itself, in place of a file."""
    raw: bytes | None = None
    """The document itself, in place of a file."""
    inside: str = ""
    """The archive or file of lines that holds it, and as what."""
    member: str = ""

    @property
    def is_stdin(self) -> bool:
        return self.name == "<stdin>"


def sources(paths: Iterable[str]) -> list[Source]:
    """Every file that the paths mean, folders with all below them."""
    documents: list[Source] = []
    for path in paths:
        if path == STDIN:
            if any(source.is_stdin for source in documents):
                raise UsageError("- stands for standard input, which can be read only once")
            documents.append(Source("<stdin>", "stdin"))
        elif not path:
            raise UsageError("a path is empty")
        elif os.path.isdir(path):
            documents.extend(
                _file(os.path.normpath(os.path.join(path, below)), below, in_folder=True) for below in _documents(path)
            )
        else:
            documents.append(_file(path, os.path.basename(path)))
    return documents


def _file(path: str, relative: str, in_folder: bool = False) -> Source:
    """A name that is not UTF-8 is shown with escapes, and opened as it is."""
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    return Source(name, relative, in_folder, "" if name == path else path)


def named_source(name: str) -> Source:
    """A source that is only named, in what is said about it."""
    return Source("<stdin>" if name == STDIN else name, name)


def tree_source(text: str) -> Source:
    return Source("<tree>", "tree", tree=text)


def given_source(raw: bytes) -> Source:
    """A document that is in no file; what it says of other files leads nowhere."""
    return Source("<document>", "document", raw=raw)


def _documents(folder: str) -> Iterator[str]:
    """Below the folder, in the order of names, folders after files; in the place of one that cannot be listed itself,
    so that reading it says why."""
    unlisted: list[str] = []
    for where, folders, files in os.walk(folder, onerror=lambda error: unlisted.append(error.filename)):
        yield from (os.path.relpath(each, folder) for each in unlisted)
        unlisted.clear()
        folders.sort()
        below = os.path.relpath(where, folder)
        for name in sorted(files):
            if name.lower().endswith(SUFFIXES):
                yield name if below == "." else os.path.join(below, name)
    yield from (os.path.relpath(each, folder) for each in unlisted)


def carries(raw: bytes, kind: str) -> bool:
    """Whether a string says that it is of a kind, or of any for an empty one; broken documents have a header too."""
    return _header(kind).search(raw) is not None


@cache
def _header(kind: str) -> re.Pattern[bytes]:
    return re.compile(_HEADER + re.escape(kind.encode()))


def output_names(documents: Iterable[Source], ending: str) -> dict[str, str]:
    """By name, the output file of each game, mirroring folders; two equal ones are an error before anything is
    written."""
    names: dict[str, str] = {}
    taken: dict[str, Source] = {}
    for source in documents:
        name = names[source.name] = os.path.splitext(source.relative)[0] + ending
        key = os.path.normcase(name)
        other = taken.setdefault(key, source)
        if other is source or not _counts(source):
            continue
        if _counts(other):
            raise UsageError(f"{other.name} and {source.name} would both be written to {name}; rename one of them")
        taken[key] = source
    return names


def _counts(source: Source) -> bool:
    """Whether a source will be solved: a file of a folder is passed over unless it carries a game."""
    if not source.in_folder:
        return True
    try:
        with open(source.path or source.name, "rb") as file:
            return carries(file.read(), "game/1")
    except OSError:
        return True


def is_remote(path: str) -> bool:
    return "://" in path


def remote_sources(path: str) -> list[Source]:
    """The document at an address, or all below it, in the order of names."""
    system, place = _system(path)
    with _in_words(path):
        if system.isfile(place):
            return [Source(path, place.rsplit("/", 1)[-1])]
        start = place.rstrip("/") + "/"
        matches = sorted(each for each in system.find(place) if each.lower().endswith(SUFFIXES))
    return [Source(system.unstrip_protocol(each), each.removeprefix(start), in_folder=True) for each in matches]


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
