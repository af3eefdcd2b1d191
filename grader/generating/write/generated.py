"""A finished exercise and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Generated:
    id: str
    data: dict[str, Any]
    """The exercise as data."""
    document: bytes
    """The same in YAML."""
    card: dict[str, Any]
    plain_key: Mapping[str, Mapping[str, str]]
    """By question, the printed answers in the recipe's own names."""
    examined: int
    """How many trees were examined for it."""
