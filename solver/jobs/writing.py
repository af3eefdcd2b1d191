"""Work whose results go into files, unless they are there already."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from solver.jobs.inputs import Source
from solver.jobs.ledger import digest
from solver.jobs.remote import is_remote, read_remote, write_remote
from solver.jobs.trial import read_source
from solver.jobs.work import Entry, Result, Work, failed
from solver.kernel.errors import DocumentError
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.kernel.problems import WHOLE_FILE, Problem


@dataclass(frozen=True)
class Writing:
    """Do some work on a source, and write what comes of it into a folder."""

    work: Work
    """Its `repr` tells all that was asked for."""
    folder: str
    names: Mapping[str, str]
    """Of the results, by those of the sources."""
    known: Mapping[str, Entry] = field(default_factory=dict)
    """What is there already, by name."""
    version: str = ""
    limits: Limits = DEFAULT_LIMITS

    def __call__(self, source: Source) -> Result:
        try:
            raw = read_source(source, self.limits)
        except DocumentError as error:
            return failed(source, error)
        name, made_from = self.names[source.name], digest(self._asked, raw)
        before = self.known.get(name)
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

    def only(self, chunk: Sequence[Source]) -> Writing:
        """The same for some of the sources, to be sent elsewhere: the names of a million files are not small."""
        names = {source.name: self.names[source.name] for source in chunk}
        return replace(
            self, names=names, known={each: self.known[each] for each in names.values() if each in self.known}
        )

    def tidy(self) -> None:
        """Remove what processes left that were ended while they wrote, in this run or before it."""
        if is_remote(self.folder):
            return
        for below in {os.path.dirname(name) for name in self.names.values()}:
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
