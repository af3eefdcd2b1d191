"""Results that go into files of a folder, unless they are there already: a run again makes only what is missing,
changed or broken.

The ledger is a file in the folder, a line for each result: its name, a digest of all that it was made from (the
document, what was asked, the program's version), and a digest of its bytes. Time stamps mean nothing. Lines are
added when results are written, later ones replace earlier ones, and a line that a power cut left half-written is
passed over.
"""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO, NamedTuple

from solver.jobs.document_loading import read_source
from solver.jobs.document_sources import Source, is_remote, read_remote, write_remote
from solver.jobs.work_results import Entry, Result, Work, failure_of
from solver.kernel.errors import DEFAULT_LIMITS, WHOLE_FILE, DocumentError, Limits, Problem, UsageError

if sys.platform != "win32":
    import fcntl

LEDGER = ".plymark-ledger.jsonl"
FLUSHED = 50
"""Lines are handed to the system so many at a time."""
SENT = 5_000
"""After so many results a ledger at an address is written anew."""


def digest(*parts: bytes) -> str:
    """Of several strings of bytes, each told from the next."""
    # Imported only here: it loads OpenSSL, and a single game that is printed needs none of it.
    from hashlib import blake2b

    hasher = blake2b(digest_size=16)
    for part in parts:
        hasher.update(len(part).to_bytes(8, "big"))
        hasher.update(part)
    return hasher.hexdigest()


class Ledger:
    """Of a folder; one at an address, where nothing can be appended, is written anew from time to time."""

    def __init__(self, folder: str) -> None:
        self.remote = is_remote(folder)
        self.path = f"{folder.rstrip('/')}/{LEDGER}" if self.remote else os.path.join(folder, LEDGER)
        self._added: dict[str, Entry] = {}
        self._safe = 0
        """Of those added, how many a killed run would not make again."""
        self._file: BinaryIO | None = None
        if not self.remote:
            os.makedirs(folder, exist_ok=True)
            self._file = _opened(self.path, folder)
        self.known: Mapping[str, Entry] = dict(_read(self.path if self._file is None else self._file))

    def add(self, entries: Iterable[Entry]) -> None:
        """Results that are written."""
        for entry in entries:
            self._added[entry.name] = entry
            if self._file is not None:
                self._file.write(_line(entry))
        if len(self._added) - self._safe >= (FLUSHED if self._file is not None else SENT):
            self._safe = len(self._added)
            if self._file is not None:
                self._file.flush()
            else:
                write_remote(self.path, b"".join(self._lines()))

    def close(self) -> None:
        """Leave one line for each result."""
        if self._file is None:
            write_remote(self.path, b"".join(self._lines()))
            return
        unfinished = f"{self.path}.unfinished"
        try:
            self._file.close()
            with open(unfinished, "wb") as file:
                file.writelines(self._lines())
            os.replace(unfinished, self.path)
        except OSError as error:
            with suppress(OSError):
                os.unlink(unfinished)
            raise OSError(error.errno, error.strerror, self.path) from None

    def _lines(self) -> Iterator[bytes]:
        """In the order of names: results come in any."""
        for name in sorted(self.known.keys() | self._added.keys()):
            yield _line(self._added.get(name) or self.known[name])


def _opened(path: str, folder: str) -> BinaryIO:
    """To be read and added to; UsageError where another run has it."""
    while True:
        file = open(path, "a+b")  # noqa: SIM115 (until the run ends)
        try:
            if not _is_ours(file):
                raise UsageError(f"another run is writing into {folder}; wait for it, or give another --out")
            # A run that has just ended has put another file in its place.
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        except FileNotFoundError:
            continue
        except BaseException:
            file.close()
            raise
        file.close()


def _is_ours(file: BinaryIO) -> bool:
    """A lock that the system takes back when this process ends, in whatever way; the processes it has started do not
    hold it. Where there are no locks, two runs are not kept from each other."""
    if sys.platform != "win32":
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in (errno.EACCES, errno.EAGAIN)
    return True


def _line(entry: Entry) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _read(ledger: BinaryIO | str) -> Iterable[tuple[str, Entry]]:
    """From a file, whose last line is ended if a kill has cut it off; or from an address."""
    if isinstance(ledger, str):
        try:
            content = read_remote(ledger, sys.maxsize - 1)
        except DocumentError:
            return
    else:
        ledger.seek(0)
        content = ledger.read()
        if content and not content.endswith(b"\n"):
            ledger.write(b"\n")
    for line in content.splitlines():
        with suppress(ValueError, TypeError):
            entry = Entry(*json.loads(line))
            if all(isinstance(field, str) for field in entry):
                yield entry.name, entry


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
            return failure_of(source, error)
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
