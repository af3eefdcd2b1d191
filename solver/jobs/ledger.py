"""What an output folder holds already: a run again makes only what is missing, changed or broken.

The ledger is a file in the folder, a line for each result: its name, a digest of all that it was made from (the
document, what was asked, the program's version), and a digest of its bytes. Time stamps mean nothing. Lines are added
when results are written, later ones replace earlier ones, and a line that a power cut left half-written is passed over.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from solver.jobs.remote import is_remote, read_remote, write_remote
from solver.kernel.errors import DocumentError

LEDGER = ".plymark-ledger.jsonl"
FLUSHED = 50
"""Lines are handed to the system so many at a time."""
SENT = 5_000
"""After so many results a ledger at an address is written anew."""


class Entry(NamedTuple):
    name: str
    """Of the result, below the folder."""
    made_from: str
    bytes: str


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
        self.known: Mapping[str, Entry] = dict(_read(self.path, self.remote))
        self._added: dict[str, Entry] = {}
        self._safe = 0
        """Of those added, how many a killed run would not make again."""
        self._file: BinaryIO | None = None
        if not self.remote:
            os.makedirs(folder, exist_ok=True)
            self._file = open(self.path, "ab")  # noqa: SIM115 (until the run ends)
            if self._file.tell() and not _ends_in_a_line(self.path):
                self._file.write(b"\n")

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
                write_remote(self.path, self._whole())

    def close(self) -> None:
        """Leave one line for each result."""
        if self._file is None:
            write_remote(self.path, self._whole())
            return
        self._file.close()
        unfinished = f"{self.path}.unfinished"
        with open(unfinished, "wb") as file:
            file.write(self._whole())
        os.replace(unfinished, self.path)

    def _whole(self) -> bytes:
        return b"".join(map(_line, {**self.known, **self._added}.values()))


def _line(entry: Entry) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _read(path: str, remote: bool) -> Iterable[tuple[str, Entry]]:
    with suppress(FileNotFoundError, DocumentError):
        if remote:
            content = read_remote(path, sys.maxsize - 1)
        else:
            with open(path, "rb") as file:
                content = file.read()
        for line in content.splitlines():
            with suppress(ValueError, TypeError):
                entry = Entry(*json.loads(line))
                if all(isinstance(field, str) for field in entry):
                    yield entry.name, entry


def _ends_in_a_line(path: str) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
