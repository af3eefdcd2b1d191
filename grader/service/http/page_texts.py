"""What pages say, in the reader's language, with numbers and times as that language writes them.

Catalogues are those of `languages/*/`: one folder for each group of pages. They are read here without the solver's own
`Language`, which would load the reader of documents into the process that answers requests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from babel import Locale, parse_locale
from babel.dates import format_datetime

from grader.service.rules.times import Moment, local_time
from solver.kernel import number_text
from solver.languages import LANGUAGES, Catalogue, read_catalogue

CATALOGUES = Path(__file__).parent / "languages"
PREFIX = "page."
"""Every key of a page begins with it."""
FIRST = "en"
MOMENT, DAY, HOUR = "EEE d MMM y, HH:mm", "EEE d MMM y", "HH:mm"
_PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_FSI, _PDI = "\u2068", "\u2069"


@dataclass(frozen=True)
class Texts:
    """One language: `texts("page.home.title")` is a sentence."""

    code: str
    locale: Locale
    catalogues: tuple[Catalogue, ...]

    @property
    def direction(self) -> str:
        return str(self.locale.text_direction)

    def __call__(self, key: str, count: int | None = None, /, **facts: str | int) -> str:
        """The sentence of a key; `count` chooses among its plural forms and is at {count}."""
        read = next(each for each in self.catalogues if key in each.forms)
        forms = read.forms[key]
        form = forms[0]
        if count is not None:
            form = forms[read.plural(count)] if len(forms) > 1 else forms[0]
            facts = {**facts, "count": count}
        return "".join(text if name is None else text + self._shown(facts[name]) for text, name in form)

    def knows(self, key: str) -> bool:
        return any(key in each.forms for each in self.catalogues)

    def digits(self, text: str | int) -> str:
        """Numbers that are written already, in the language's digits."""
        return str(text).translate(_PERSIAN) if self.code == "fa" else str(text)

    def number(self, value: int | Fraction) -> str:
        """Every digit; what is no finite decimal as n/d."""
        separator = self.locale.number_symbols[self.locale.default_numbering_system]["decimal"]
        return self.digits(number_text(value).replace(".", str(separator)))

    def decimal(self, text: str) -> str:
        """A number as JSON or report/1 spells it."""
        return self.number(Fraction(text))

    def moment(self, moment: Moment, zone: str) -> str:
        return self.time(local_time(moment, ZoneInfo(zone)), MOMENT)

    def time(self, time: datetime, pattern: str) -> str:
        return self.digits(format_datetime(time, pattern, tzinfo=time.tzinfo, locale=self.locale))

    def _shown(self, fact: str | int) -> str:
        text = self.digits(fact) if isinstance(fact, int) else fact
        return f"{_FSI}{text}{_PDI}" if self.direction == "rtl" or not text.isascii() else text


@cache
def texts_of(code: str) -> Texts:
    locale = Locale.parse(code)
    files = sorted(CATALOGUES.glob(f"*/{code}.po"))
    return Texts(code, locale, tuple(read_catalogue(file, locale.text_direction == "rtl") for file in files))


def chosen_language(wanted: Iterable[str | None], accepted: str) -> str:
    """The first language that we have: of those wanted, then of those that the browser asks for."""
    for each in (*wanted, *_accepted(accepted)):
        if each is not None and each in LANGUAGES:
            return each
    return FIRST


def _accepted(header: str) -> list[str]:
    """The languages of Accept-Language without their regions, those wanted most first."""
    weighted: list[tuple[float, str]] = []
    for part in header[:1_000].split(","):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weighted.append((-float(quality or 1), parse_locale(tag, sep="-")[0]))
        except ValueError:
            continue
    return [language for _, language in sorted(weighted, key=lambda each: each[0])]
