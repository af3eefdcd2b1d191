"""Work whose results go into files, unless they are there already."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from solver.jobs.inputs import Source
from solver.jobs.ledger import digest
from solver.jobs.remote import is_remote, read_remote, write_remote
from solver.jobs.trial import read_source
from solver.jobs.work import Entry, Result, Work, failed
from solver.kernel.errors import DocumentError
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.kernel.problems import WHOLE_FILE, Problem


class OutputFile(NamedTuple):
    """A file of an output folder, and what it is made from."""

    source: Source
    name: str
    """Below the folder."""
    before: Entry | None = None
    """What the ledger says of it."""


@dataclass(frozen=True)
class Writing:
    """Do some work on a source, and write what comes of it into a folder."""

    work: Work
    """Its `repr` tells all that was asked for."""
    folder: str
    version: str = ""
    limits: Limits = DEFAULT_LIMITS

    def __call__(self, file: OutputFile) -> Result:
        source, name, before = file
        try:
            raw = read_source(source, self.limits)
        except DocumentError as error:
            return failed(source, error)
        made_from = digest(self._asked, raw)
        if before is not None and before.made_from == made_from and self._is_there(before):
            return Result(source, kept=True)
        result = self.work(source._replace(raw=raw))
        if result.problems or result.skipped:
            return result._replace(source=source)
        try:
            write_place(self.folder, name, result.output)
        except OSError as error:
            problem = Problem(WHOLE_FILE, "no-file", f"{name} cannot be written: {error.strerror}")
            return Result(source, problems=[problem], total=1)
        return Result(source, entry=Entry(name, made_from, digest(result.output)))

    def tidy(self, names: Iterable[str]) -> None:
        """Remove what processes left that were ended while they wrote these, in this run or before it."""
        if is_remote(self.folder):
            return
        for below in {os.path.dirname(name) for name in names}:
            with suppress(OSError), os.scandir(os.path.join(self.folder, below)) as entries:
                for entry in entries:
                    if _UNFINISHED.fullmatch(entry.name):
                        with suppress(OSError):
                            os.unlink(entry.path)

    @cached_property
    def _asked(self) -> bytes:
        return f"{self.version} {self.work!r}".encode()

    def _is_there(self, entry: Entry) -> bool:
        try:
            return digest(read_place(self.folder, entry.name)) == entry.bytes
        except (OSError, DocumentError):
            return False


def read_place(folder: str, name: str) -> bytes:
    """A file of an output folder, wherever that is."""
    if is_remote(folder):
        return read_remote(f"{folder.rstrip('/')}/{name}", sys.maxsize - 1)
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def write_place(folder: str, name: str, content: bytes) -> None:
    if is_remote(folder):
        write_remote(f"{folder.rstrip('/')}/{name.replace(os.sep, '/')}", content)
    else:
        write_whole(os.path.join(folder, name), content)


_UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.unfinished")
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_whole(path: str, content: bytes) -> None:
    """A run that is stopped leaves no half-written file under this name, and two that write it do not meet: a process
    whose run was killed, or a worker that a cluster believes lost, may be at the same file."""
    folder = os.path.dirname(path)
    unfinished = os.path.join(folder, f".{os.urandom(8).hex()}.unfinished")
    try:
        file = os.open(unfinished, _CREATE, 0o666)
    except FileNotFoundError:
        os.makedirs(folder, exist_ok=True)
        file = os.open(unfinished, _CREATE, 0o666)
    try:
        try:
            left = memoryview(content)
            while left:
                left = left[os.write(file, left) :]
        finally:
            os.close(file)
        os.replace(unfinished, path)
    except OSError:
        with suppress(OSError):
            os.unlink(unfinished)
        raise
