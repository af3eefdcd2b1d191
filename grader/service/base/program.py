"""By which program an answer was marked: a fingerprint of all that marks and their wording depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_ROOMS, _WORK, _NOT_RULES = ("solver", "grader"), "grader/service/tasks/", ("grader/cli/", "grader/service/")
"""The command line and the pages decide nothing about marks."""
_KINDS = (".py", ".po", ".json")


def _rules() -> Iterator[tuple[str, bytes]]:
    """All that marks and their wording depend on: code, schemas and catalogues, by their paths."""
    for room in _ROOMS:
        for file in sorted(_ROOT.joinpath(room).rglob("*")):
            name = file.relative_to(_ROOT).as_posix()
            if file.suffix in _KINDS and (name.startswith(_WORK) or not name.startswith(_NOT_RULES)):
                yield name, file.read_bytes()


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for name, content in _rules():
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


PROGRAM = f"{version('plymark')}+{_fingerprint()}"
"""Reports of one program are never those of another, though it may call itself the same version."""
