"""Plain data as text, for readers of text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from numbers import Rational
from typing import Any

from solver.kernel import quoted


def data_bytes(data: Mapping[str, Any]) -> bytes:
    """As JSON, indented by 2. A number may be an int, a Fraction or a Decimal, and a float counts as the decimal that
    Python prints for it; TypeError for what no document is made of."""
    text = json.dumps(data, ensure_ascii=False, indent=2, default=_plain)
    return text.encode("utf-8", "surrogatepass")


def _plain(item: Any) -> Any:
    """What JSON has no form for."""
    if isinstance(item, Mapping):
        return dict(item)
    if isinstance(item, Rational | Decimal):
        return str(item)
    raise TypeError(f"a document is made of mappings, lists, strings and numbers; this is {quoted(item)}")
