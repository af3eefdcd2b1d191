"""Names of nodes and moves in the texts of a recipe, which are written in braces since variants have other labels."""

from __future__ import annotations

import re
from collections.abc import Collection

IN_BRACES = re.compile(r"\{(\w+)\}")
# A single letter is a name after such a word; elsewhere it may be an article, or a player.
_BARE = re.compile(r"\b(?:L[0-9]+|[a-z][1-9][0-9]?)\b|(?<=\bat )[A-Z]\b|(?<=\bnode )[A-Z]\b|(?<=\bbelow )[A-Z]\b")


def bare_name(text: str, others: Collection[str] = ()) -> str | None:
    """A node or a move of the recipe that stands in a text without braces, where other labels would make it wrong."""
    return next((name for name in _BARE.findall(IN_BRACES.sub("", text)) if name not in others), None)
