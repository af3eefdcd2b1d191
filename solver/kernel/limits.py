"""The limits of the reading rules, in one place; each can be set."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from solver.kernel.errors import UsageError
from solver.kernel.names import one_of

MIB = 1024 * 1024

# The validator walks a document natively and recursively: it is kept far from where that could overflow.
DEEPEST_NESTING = 250


@dataclass(frozen=True, slots=True)
class Limits:
    yaml_bytes: int = 16 * MIB
    json_bytes: int = 128 * MIB
    nesting: int = 128
    nodes: int = 10_000_000
    id_length: int = 64
    text_length: int = 4_096
    problems: int = 20

    def with_settings(self, settings: list[str]) -> Limits:
        """A copy with settings such as `nodes=500` applied."""
        limits = self
        names = [field.name for field in fields(self)]
        for setting in settings:
            name, _, text = setting.partition("=")
            if text:
                one_of("limit", name, names)
            if name not in names or not re.fullmatch("[1-9][0-9]{0,17}", text):
                raise UsageError(f"a limit is NAME=NUMBER, NAME one of {', '.join(names)}; not {setting!r}")
            limits = replace(limits, **{name: int(text)})
        if limits.nesting > DEEPEST_NESTING:
            raise UsageError(f"nesting can be at most {DEEPEST_NESTING}; the flat form has no depth limit")
        return limits


DEFAULT_LIMITS = Limits()
