"""One server a data folder: a lock that the system takes back when the process ends, in whatever way."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType

from grader.service.store.errors import StoreRefused

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FILE = "plymark.lock"
LONGEST = 4_096
BYTE = 1 << 30
"""The byte that Windows locks: beyond the text, which stays readable."""


class DataLock:
    """Held while a server runs on the folder; the file says at which address."""

    def __init__(self, data: Path) -> None:
        self._path = data / FILE
        self._descriptor: int | None = None

    def try_to_take(self) -> bool:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def say(self, address: str) -> None:
        assert self._descriptor is not None
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, address.encode())

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> DataLock:
        if not self.try_to_take():
            at = address_of_server(self._path.parent)
            where = f" (at {at})" if at else ""
            raise StoreRefused(f"another Plymark runs on {self._path.parent}{where}; stop it, or give another --data")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.release()


def address_of_server(data: Path) -> str | None:
    """Where the server of a folder is, or was when it ran last."""
    try:
        with open(data / FILE, encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST).strip() or None
    except OSError:
        return None


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        os.lseek(descriptor, BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
