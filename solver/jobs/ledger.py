"""What an output folder holds already: a run again makes only what is missing, changed or broken.

The ledger is a file in the folder, a line for each result: its name, a digest of all that it was made from (the
document, what was asked, the program's version), and a digest of its bytes. Time stamps mean nothing. Lines are added
when results are written, later ones replace earlier ones, and a line that a power cut left half-written is passed over.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import BinaryIO

from solver.jobs.remote import is_remote, read_remote, write_remote
from solver.jobs.work import Entry
from solver.kernel.errors import DocumentError, UsageError

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

    found = blake2b(digest_size=16)
    for part in parts:
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.hexdigest()


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
