"""The languages there are; a catalogue of the same name is beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {"en": "English", "pt": "Português", "es": "Español", "fa": "فارسی"},
)
"""Each code with the language's own name."""
DECIMAL_COMMA = frozenset({"pt", "es"})
"""Languages that write 2,5 for five halves."""
