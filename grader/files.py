"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from solver import UsageError


def write_file(path: Path, content: bytes) -> None:
    """A run that is stopped leaves no half-written file."""
    if not path.name or path.is_dir():
        raise UsageError(f"{path} is a folder; a file is to be written there")
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
