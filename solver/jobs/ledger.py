"""What an output folder holds already: a run again makes only what is missing, changed or broken.

The ledger is a file in the folder, a line for each result: its name, a digest of all that it was made from (the
document, what was asked, the program's version), and a digest of its bytes. Time stamps mean nothing. Lines are added
when results are written, later ones replace earlier ones, and a line that a power cut left half-written is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple

LEDGER = ".plymark-ledger.jsonl"
FLUSHED = 50
"""Lines are handed to the system so many at a time."""


class Entry(NamedTuple):
    name: str
    """Of the result, below the folder."""
    made_from: str
    bytes: str


def digest(*parts: bytes) -> str:
    """Of several strings of bytes, each told from the next."""
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.hexdigest()


class Ledger:
    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, LEDGER)
        self.known: Mapping[str, Entry] = dict(_read(self.path))
        self._added: dict[str, Entry] = {}
        self._safe = 0
        """Of those added, how many a killed run would not make again."""
        os.makedirs(folder, exist_ok=True)
        self._file = open(self.path, "ab")  # noqa: SIM115 (until the run ends)
        if self._file.tell() and not _ends_in_a_line(self.path):
            self._file.write(b"\n")

    def add(self, entries: Iterable[Entry]) -> None:
        """Results that are written."""
        for entry in entries:
            self._added[entry.name] = entry
            self._file.write(_line(entry))
        if len(self._added) - self._safe >= FLUSHED:
            self._safe = len(self._added)
            self._file.flush()

    def close(self) -> None:
        """Leave one line for each result."""
        self._file.close()
        now = {**self.known, **self._added}
        unfinished = f"{self.path}.unfinished"
        with open(unfinished, "wb") as file:
            file.writelines(map(_line, now.values()))
        os.replace(unfinished, self.path)


def _line(entry: Entry) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _read(path: str) -> Iterable[tuple[str, Entry]]:
    with suppress(FileNotFoundError), open(path, "rb") as file:
        for line in file:
            with suppress(ValueError, TypeError):
                entry = Entry(*json.loads(line))
                if all(isinstance(field, str) for field in entry):
                    yield entry.name, entry


def _ends_in_a_line(path: str) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
