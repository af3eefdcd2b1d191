"""Plain data as JSON: compact, without exponents, byte for byte the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from io import BytesIO
from itertools import islice
from typing import Any

import orjson

_PIECE = 1_000


def json_bytes(data: dict[str, Any], indented: bool = False) -> bytes:
    option = orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if indented else 0)
    return orjson.dumps(data, default=_decimal, option=option)


def json_with(data: dict[str, Any], last: str, items: Iterable[tuple[str, Any]]) -> bytes:
    """The same as of `{**data, last: dict(items)}`, but only some items exist at a time: millions fill a memory."""
    # Its value is its own buffer: pieces that are joined would be there twice.
    out = BytesIO()
    out.write(orjson.dumps(data, default=_decimal)[:-1])
    out.write(f',"{last}":{{'.encode())
    rest, between = iter(items), b""
    while piece := dict(islice(rest, _PIECE)):
        out.write(between)
        out.write(orjson.dumps(piece, default=_decimal)[1:-1])
        between = b","
    out.write(b"}}\n")
    return out.getvalue()


def _decimal(number: Any) -> orjson.Fragment:
    assert isinstance(number, Decimal)
    return orjson.Fragment(format(number, "f"))
