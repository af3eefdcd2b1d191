"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from solver.kernel import UsageError


def check_place(path: Path | None) -> None:
    """UsageError, before any work is done, where a file cannot be written since one of its folders is a file."""
    blocked = next((folder for folder in path.parents if folder.is_file()), None) if path is not None else None
    if blocked is not None:
        raise UsageError(f"{blocked} is a file, not a folder to write to")


def write_file(path: Path, content: bytes) -> None:
    """A run that is stopped leaves no half-written file."""
    if not path.name or path.is_dir():
        raise UsageError(f"{path} is a folder, not a file to write to")
    check_place(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
    except KeyboardInterrupt:
        unfinished.unlink(missing_ok=True)
        raise
