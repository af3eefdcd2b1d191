"""What may travel between the server and its workers beside plain data: classes that are declared so, and no others."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_ALLOWED: dict[tuple[str, str], type] = {}


@dataclass_transform(frozen_default=True)
def message(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots that either side takes from the other."""
    declared = dataclass(frozen=True, slots=True)(cls)
    _ALLOWED[declared.__module__, declared.__qualname__] = declared
    return declared


def allowed(module: str, name: str) -> type | None:
    """The class of that name, if it is declared as a message and loaded: nothing is imported for its sake."""
    return _ALLOWED.get((module, name))


def members(sent: Any) -> dict[str, Any]:
    """A message as JSON has it: the `default` of `json.dumps`."""
    return {each.name: getattr(sent, each.name) for each in fields(sent)}
