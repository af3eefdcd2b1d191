"""Plain data as YAML: blocks outside, one line for each node, cut and stage inside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

# Strings that no YAML reader, of version 1.1 or 1.2, takes for anything else.
_SAFE = re.compile(r"[A-Za-z_][A-Za-z0-9_/-]*\Z").match
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})


def yaml_bytes(data: dict[str, Any]) -> bytes:
    return "".join(f"{line}\n" for line in _lines(data)).encode()


def _lines(data: dict[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        if isinstance(value, dict) and any(isinstance(item, dict) for item in value.values()):
            yield f"{_scalar(key)}:"
            yield from (f"  {_scalar(name)}: {_flow(item)}" for name, item in value.items())
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{_scalar(key)}:"
            yield from (f"  - {_flow(item)}" for item in value)
        else:
            yield f"{_scalar(key)}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, str):
        if _SAFE(value) and value.lower() not in _WORDS:
            return value
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value)
