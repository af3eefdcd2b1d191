"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from solver.kernel import UsageError


def check_place(path: Path | None) -> None:
    """UsageError, before any work is done, where a file cannot be written since one of its folders is a file."""
    blocked = next((folder for folder in path.parents if folder.is_file()), None) if path is not None else None
    if blocked is not None:
        raise UsageError(f"{blocked} is a file, not a folder to write to")


def write_file(path: Path, content: bytes) -> None:
    """A run that is stopped leaves no half-written file."""
    # Texts in place of Paths, and folders made only where they are missing: thousands of files are written so.
    name = os.fspath(path)
    folder, own = os.path.split(name)
    if not own or os.path.isdir(name):
        raise UsageError(f"{path} is a folder, not a file to write to")
    unfinished = os.path.join(folder, f".{own}.unfinished")
    try:
        try:
            _write(unfinished, content)
        except (FileNotFoundError, NotADirectoryError):
            check_place(path)
            os.makedirs(folder, exist_ok=True)
            _write(unfinished, content)
        os.replace(unfinished, name)
    except OSError as error:
        Path(unfinished).unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
    except KeyboardInterrupt:
        Path(unfinished).unlink(missing_ok=True)
        raise


def _write(name: str, content: bytes) -> None:
    with open(name, "wb", buffering=0) as file:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) or 0 :]
