"""A finished exercise with all that is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Generated:
    id: str
    data: dict[str, Any]
    """The exercise as a document says it."""
    document: bytes
    """The same in YAML."""
    card: dict[str, Any]
    plain_key: Mapping[str, Mapping[str, str]]
    """By question the printed answers, in the names of the recipe."""
    examined: int
    """Trees that were looked at for it."""
