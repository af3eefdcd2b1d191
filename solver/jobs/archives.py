"""Documents inside other files: members of zip and tar archives, lines of JSON Lines. They are read when it is their
turn, each only as far as a document may be long; what an archive calls them never leads out of a folder."""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from solver.jobs.inputs import LINES, SUFFIXES, ZIP, Source
from solver.kernel.errors import DocumentError, UsageError
from solver.kernel.problems import WHOLE_FILE, Problem

_DRIVE = re.compile(r"^[A-Za-z]:")


def inside(path: str) -> Iterator[Source]:
    """The documents in an archive or a file of lines, in the order of their names or lines."""
    if path.lower().endswith(LINES):
        yield from _lines(path)
        return
    try:
        members = _archive(path, os.stat(path).st_mtime_ns, os.getpid()).names
    except (OSError, zipfile.BadZipFile, tarfile.TarError, EOFError) as error:
        raise UsageError(f"{path} cannot be read as an archive: {error}") from None
    for name in sorted(members):
        if name.lower().endswith(SUFFIXES):
            yield Source(f"{path}/{name}", _safe(name), in_folder=True, inside=path, member=name)


def _safe(name: str) -> str:
    """A member's name as a path that stays below the folder it is written into."""
    parts = _DRIVE.sub("", name.replace("\\", "/")).split("/")
    return os.path.join(*([part for part in parts if part not in ("", ".", "..")] or ["unnamed"]))


def _lines(path: str) -> Iterator[Source]:
    stem = os.path.splitext(os.path.basename(path))[0]
    try:
        with open(path, "rb") as file:
            start = 0
            for number, line in enumerate(file, 1):
                if line.strip():
                    name = f"{stem}-{number:06}"
                    yield Source(f"{path}#{number}", name, inside=path, member=f"{start} {len(line)}")
                start += len(line)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def read_inside(source: Source, most: int) -> bytes:
    """A document inside another file; at most one byte more than it may have."""
    path, member = source.inside, source.member
    try:
        if path.lower().endswith(LINES):
            start, length = map(int, member.split())
            with open(path, "rb") as file:
                file.seek(start)
                return file.read(min(length, most + 1))
        return _archive(path, os.stat(path).st_mtime_ns, os.getpid()).read(member, most + 1)
    except (
        OSError,
        zipfile.BadZipFile,
        tarfile.TarError,
        EOFError,
        RuntimeError,
        KeyError,
        NotImplementedError,
    ) as error:
        raise DocumentError([Problem(WHOLE_FILE, "no-file", f"cannot be read: {error}")]) from None


class _Archive:
    """A zip or tar archive that is open."""

    def __init__(self, path: str) -> None:
        self.file: Any
        if path.lower().endswith(ZIP):
            self.file = zipfile.ZipFile(path)
            self.names = [each.filename for each in self.file.infolist() if not each.is_dir()]
        else:
            self.file = tarfile.open(path)  # noqa: SIM115 (kept open for the next member)
            self.names = [each.name for each in self.file.getmembers() if each.isfile()]

    def read(self, name: str, most: int) -> bytes:
        if isinstance(self.file, zipfile.ZipFile):
            with self.file.open(name) as member:
                return member.read(most)
        found = self.file.extractfile(name)
        content: bytes = found.read(most)
        return content


@lru_cache(maxsize=2)
def _archive(path: str, changed: int, process: int) -> _Archive:
    """Opened once as long as it does not change, and again in each process: two would move one place in the file."""
    return _Archive(path)
