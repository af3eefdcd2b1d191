"""Plain data as JSON: compact, without exponents, byte for byte the same on every machine."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import orjson


def json_bytes(data: dict[str, Any], indented: bool = False) -> bytes:
    option = orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if indented else 0)
    return orjson.dumps(data, default=_decimal, option=option)


def _decimal(number: Any) -> orjson.Fragment:
    assert isinstance(number, Decimal)
    return orjson.Fragment(format(number, "f"))
