"""Names of nodes and moves in the texts of a recipe. They are in braces, since each variant has its own labels."""

from __future__ import annotations

import re
from collections.abc import Collection

IN_BRACES = re.compile(r"\{(\w+)\}")
# A single letter is a name after such a word; elsewhere it may be an article, or a player.
_BARE = re.compile(r"\b(?:L[0-9]+|[a-z][1-9][0-9]?)\b|(?<=\bat )[A-Z]\b|(?<=\bnode )[A-Z]\b|(?<=\bbelow )[A-Z]\b")


def bare_name(text: str, others: Collection[str] = ()) -> str | None:
    """The name of a node or move that is not in braces, and would be wrong in a variant with other labels."""
    return next((name for name in _BARE.findall(IN_BRACES.sub("", text)) if name not in others), None)
