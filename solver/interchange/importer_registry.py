"""Where imported games come from: a source is a file, or a prefix with what it names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from solver.interchange.efg import import_efg
from solver.interchange.game_draft import ImportedGame
from solver.interchange.openspiel import import_openspiel
from solver.interchange.tictactoe import import_tictactoe
from solver.jobs.document_loading import attempt, read_source
from solver.jobs.document_sources import named_source
from solver.kernel.errors import DEFAULT_LIMITS, Limits, UsageError

IMPORTERS: dict[str, Callable[[str, int | None, Limits], ImportedGame]] = {
    "openspiel": import_openspiel,
    "tictactoe": import_tictactoe,
}
"""By prefix; a source without one of these is a Gambit .efg file."""


def import_game(source: str, depth: int | None = None, limits: Limits = DEFAULT_LIMITS) -> ImportedGame:
    """The game that a source means, cut off at a depth if one is given.

    UsageError for a source that means nothing; DocumentError for a file with problems or a game that cannot be a tree
    of ours.
    """
    if depth is not None and depth < 0:
        raise UsageError("a depth is 0 or more")
    return attempt(named_source(source), lambda _: _imported(source, depth, limits))


def _imported(source: str, depth: int | None, limits: Limits) -> ImportedGame:
    prefix, colon, rest = source.partition(":")
    if colon and prefix in IMPORTERS:
        return IMPORTERS[prefix](rest, depth, limits)
    if colon and re.fullmatch("[A-Za-z_]{2,}", prefix) and not os.path.exists(source):
        known = ", ".join(f"{name}:" for name in IMPORTERS)
        raise UsageError(f"cannot import from {prefix}:; a source is an .efg file or starts with {known}")
    file = named_source(source)
    return import_efg(read_source(file, limits), file.name, depth, limits)
