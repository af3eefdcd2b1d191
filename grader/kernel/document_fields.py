"""Documents as plain data: its text, and the fields of one that conforms to its schema or was repaired.

A field is typed, or reported at its place. What was reported before is blank and gives None without a second
complaint.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from numbers import Rational
from typing import Any

from solver.documents import REPORTED, Document
from solver.game import Convention, convention_from
from solver.kernel import Limits, ProblemLog, UsageError, number_advice, number_text, own_text, parse_number, quoted


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


MOST_COMPARED = 1_000
"""Names that a misspelt one is compared with."""


class Fields:
    def __init__(self, document: Document, limits: Limits, problems: ProblemLog) -> None:
        self.document, self.limits, self.problems = document, limits, problems

    def report(self, holder: Any, key: Any, code: str, message: str, hint: str = "") -> None:
        """At the place of a value."""
        self.problems.add(self.document.place(holder, key), code, message, hint)

    def report_key(self, holder: Any, key: str, code: str, message: str, hint: str = "") -> None:
        self.problems.add(self.document.key_place(holder, key), code, message, hint)

    def text(self, holder: Any, key: Any) -> str | None:
        """In NFC; None if it is not there or blank."""
        written = holder.get(key) if isinstance(holder, dict) else holder[key]
        return unicodedata.normalize("NFC", written) if isinstance(written, str) and written != REPORTED else None

    def own_text(self, holder: dict[str, Any], key: str, language: str | None) -> str | None:
        """A title or text, perhaps in several languages; `language` is the document's own."""
        written = holder.get(key)
        if isinstance(written, dict):
            written = {code: text for code, text in written.items() if text != REPORTED}
        return None if written == REPORTED else own_text(written, language)

    def id(self, holder: Any, key: str) -> str | None:
        name = self.text(holder, key)
        if name is not None and len(name) > self.limits.id_length:
            message = f"id {quoted(name)} has {len(name)} characters; at most {self.limits.id_length} are allowed"
            self.report(holder, key, "bad-id", message)
        return name

    def number(
        self, holder: Any, key: Any, least: int | None = None, above: int | None = None, most: Fraction | None = None
    ) -> Fraction | None:
        written = self.text(holder, key)
        if written is None:
            return None
        number = parse_number(written)
        if number is None:
            self.report(holder, key, "number", f"{quoted(written)} is not a number", number_advice(written))
            return None
        bounds = [f"at least {least}"] if least is not None else [f"above {above}"] if above is not None else []
        bounds += [f"at most {number_text(most)}"] if most is not None else []
        too_small = (least is not None and number < least) or (above is not None and number <= above)
        if too_small or (most is not None and number > most):
            self.report(holder, key, "wrong-value", f"{_named(key)} must be {' and '.join(bounds)}, not {written}")
            return None
        return Fraction(number)

    def whole(self, holder: Any, key: Any, most: int) -> int | None:
        """A whole number from 0 up."""
        number = self.number(holder, key)
        if number is None:
            return None
        if number.denominator != 1 or not 0 <= number <= most:
            message = f"{_named(key)} must be a whole number from 0 to {most:,}, not {self.text(holder, key)}"
            self.report(holder, key, "wrong-value", message)
            return None
        return int(number)

    def convention(self, holder: Any, key: Any) -> Convention | None:
        written = holder[key]
        if written == REPORTED or (isinstance(written, dict) and _has_blanks(written)):
            return None
        try:
            return convention_from(written)
        except UsageError as error:
            self.report(holder, key, "convention", str(error))
            return None

    def nearest(self, name: str, names: Iterable[str]) -> str:
        """A hint for a misspelt name; none where it would not be shown, since it takes its time."""
        if self.problems.full:
            return ""
        compared = list(islice(names, MOST_COMPARED))
        spelt = (name, name.lower(), name.upper())
        close = next((found for each in spelt if (found := get_close_matches(each, compared, n=1))), None)
        return f"did you mean {close[0]}?" if close else ""


def _named(key: Any) -> str:
    return quoted(key) if isinstance(key, str) else f"item {key + 1}"


def _has_blanks(mapping: dict[str, Any]) -> bool:
    return any(value == REPORTED or (isinstance(value, list) and REPORTED in value) for value in mapping.values())
