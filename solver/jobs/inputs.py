"""Where documents come from: files, folders and standard input, in a fixed order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from solver.kernel.errors import UsageError

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
    found: list[Source] = []
    for path in paths:
        if path == STDIN:
            if any(source.is_stdin for source in found):
                raise UsageError("- stands for standard input, which can be read only once")
            found.append(Source("<stdin>", "stdin"))
        elif not path:
            raise UsageError("a path is empty")
        elif os.path.isdir(path):
            found.extend(
                _file(os.path.normpath(os.path.join(path, below)), below, in_folder=True) for below in _documents(path)
            )
        else:
            found.append(_file(path, os.path.basename(path)))
    return found


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


def output_names(found: Iterable[Source], ending: str) -> dict[str, str]:
    """By name, the output file of each game, mirroring folders; two equal ones are an error before anything is
    written."""
    names: dict[str, str] = {}
    taken: dict[str, Source] = {}
    for source in found:
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
