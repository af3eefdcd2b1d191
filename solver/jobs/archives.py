"""Documents inside other files: members of zip and tar archives, lines of JSON Lines. They are read when it is their
turn, each only as far as a document may be long; what an archive calls them never leads out of a folder."""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from tempfile import TemporaryFile
from threading import get_ident
from typing import Any, BinaryIO

from solver.jobs.document_sources import LINES, SUFFIXES, ZIP, Source
from solver.kernel.errors import WHOLE_FILE, DocumentError, Problem, UsageError

PIECE = 1 << 16
"""Bytes of a line that are looked at together."""
_DRIVE = re.compile(r"^[A-Za-z]:")


def inside(path: str) -> Iterator[Source]:
    """The documents in an archive or a file of lines, in the order of their names or lines."""
    if path.lower().endswith(LINES):
        yield from _lines(path)
        return
    try:
        members = _archive(path, os.stat(path).st_mtime_ns, os.getpid(), get_ident()).names()
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
            for number, (start, length) in enumerate(_spans(file), 1):
                if length:
                    name = f"{stem}-{number:06}"
                    yield Source(f"{path}#{number}", name, inside=path, member=f"{start} {length}")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def _spans(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Where each line starts and how long it is, or 0 where it is blank; a long one is never taken whole."""
    start = length = 0
    blank = True
    while piece := file.readline(PIECE):
        length += len(piece)
        blank = blank and not piece.strip()
        if piece.endswith(b"\n"):
            yield start, 0 if blank else length
            start, length, blank = start + length, 0, True
    if length:
        yield start, 0 if blank else length


def read_inside(source: Source, most: int) -> bytes:
    """A document inside another file; at most one byte more than it may have."""
    path, member = source.inside, source.member
    try:
        if path.lower().endswith(LINES):
            start, length = map(int, member.split())
            if length > most:
                raise DocumentError([Problem(WHOLE_FILE, "too-large", f"a line of more than {most:,} bytes")])
            with open(path, "rb") as file:
                file.seek(start)
                return file.read(length)
        return _archive(path, os.stat(path).st_mtime_ns, os.getpid(), get_ident()).read(member, most + 1)
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
        self._path = path
        self._zip: zipfile.ZipFile | None = None
        self._tar: tarfile.TarFile | None = None
        self._unpacked: _Unpacked | None = None
        if path.lower().endswith(ZIP):
            self._zip = zipfile.ZipFile(path)
        elif path.lower().endswith(".tar"):
            self._tar = tarfile.open(path)  # noqa: SIM115 (for the next member)

    def __del__(self) -> None:
        # Whoever reads a member does not know whether another will be asked for.
        for each in (self._zip, self._tar, self._unpacked):
            if each is not None:
                each.close()

    def names(self) -> list[str]:
        if self._zip is not None:
            return [each.filename for each in self._zip.infolist() if not each.is_dir()]
        if self._tar is not None:
            return [each.name for each in self._tar.getmembers() if each.isfile()]
        with tarfile.open(self._path) as packed:
            return [each.name for each in packed.getmembers() if each.isfile()]

    def read(self, name: str, most: int) -> bytes:
        if self._zip is not None:
            with self._zip.open(name) as member:
                return member.read(most)
        if self._tar is not None:
            found: Any = self._tar.extractfile(name)
            content: bytes = found.read(most)
            return content
        if self._unpacked is None:
            self._unpacked = _Unpacked(self._path, most)
        return self._unpacked.read(name)


class _Unpacked:
    """The documents of a compressed tar archive, in a file that the system removes. Its members are rarely in the order
    of their names, and each step back in it would unpack everything again from its start."""

    def __init__(self, path: str, most: int) -> None:
        """At most so many bytes of each."""
        self._file = TemporaryFile()  # noqa: SIM115 (for the next member)
        self._spans: dict[str, tuple[int, int]] = {}
        with tarfile.open(path, "r|*") as packed:
            while (each := packed.next()) is not None:
                if each.isfile() and each.name.lower().endswith(SUFFIXES):
                    start, found = self._file.tell(), packed.extractfile(each)
                    while found is not None and (piece := found.read(min(PIECE, most - self._file.tell() + start))):
                        self._file.write(piece)
                    self._spans[each.name] = (start, self._file.tell() - start)

    def read(self, name: str) -> bytes:
        start, length = self._spans[name]
        self._file.seek(start)
        return self._file.read(length)

    def close(self) -> None:
        self._file.close()


@lru_cache(maxsize=2)
def _archive(path: str, _changed: int, _process: int, _thread: int) -> _Archive:
    """Opened once as long as it does not change, and again in each process and thread: two would move one place in the
    file."""
    return _Archive(path)
