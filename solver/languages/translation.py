"""A language: says sentences of its catalogue, and writes numbers, windows, vectors and lists.

Catalogues are gettext PO files, read once, their sentences taken apart at the placeholders.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from string import Formatter
from unicodedata import bidirectional

from babel import Locale
from babel.lists import format_list
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from solver.game.convention import Bound, Window
from solver.kernel.errors import UsageError
from solver.kernel.exact import Number, number_text
from solver.kernel.value_types import in_language
from solver.languages.codes import LANGUAGES
from solver.languages.facts import MOST_ITEMS, Amount, Between, Fact, Formula, Items, Limit, NameRun, Percent, Sentence

TextPiece = tuple[str, str | None]
"""Text, and the name of the fact that comes after it, if any."""

FSI, PDI = "\u2068", "\u2069"
"""First-strong isolate and its end: what is between does not disturb the direction of the text around it."""

RLI = "\u2067"
"""Begins an isolate that runs from right to left."""

_FOREIGN = re.compile(r"[A-Za-zÀ-ÿα-ω][A-Za-zÀ-ÿα-ω0-9^*+-]*")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every form of every sentence by its key: one form, or as many as the language has plurals."""

    forms: dict[str, tuple[tuple[TextPiece, ...], ...]]
    plural: Callable[[int], int]
    """Which form a number takes."""


@lru_cache(maxsize=64)
def read_catalogue(file: Path, right_to_left: bool) -> Catalogue:
    """A catalogue; ValueError where it is not a sound one."""
    with file.open("rb") as opened:
        # Comments are for translators; blank lines in their place cost next to nothing to read.
        read = read_po((b"\n" if line.startswith(b"#") else line for line in opened), abort_invalid=True)
    forms: dict[str, tuple[tuple[TextPiece, ...], ...]] = {}
    for message in read:
        if not message.id:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        forms[key] = tuple(tuple(_pieces(each, right_to_left)) for each in strings)
    return Catalogue(forms, gettext.c2py(read.plural_expr))


def _pieces(text: str, right_to_left: bool) -> Iterator[TextPiece]:
    for literal, name, form, conversion in Formatter().parse(text):
        if form or conversion or (name is not None and not name.isidentifier()):
            raise ValueError(f"a placeholder is a name in braces: {text!r}")
        yield (_FOREIGN.sub(rf"{FSI}\g<0>{PDI}", literal) if right_to_left else literal), name


_HERE = Path(__file__).parent
_DIGITS = {"latn": "0123456789", "arabext": "۰۱۲۳۴۵۶۷۸۹"}
_PERSIAN = re.compile("[\u0600-\u06ff]")
_LIST_STYLES = {"and": "standard", "or": "or"}

JOINTS = {", ": "list.comma", "; ": "list.semicolon"}
"""Parts of a formula that stand between others, and how a language writes them."""


def language(code: str, *folders: Path) -> Language:
    """A language by its code, with the catalogues of the same name in further folders; UsageError if there is none."""
    if code not in LANGUAGES:
        raise UsageError(f"unknown language {code!r}; choose one of {', '.join(LANGUAGES)}")
    return _language(code, folders)


@lru_cache(maxsize=64)
def _language(code: str, folders: tuple[Path, ...]) -> Language:
    return Language(code, [folder / f"{code}.po" for folder in (_HERE, *folders)])


class Language:
    def __init__(self, code: str, files: Sequence[Path]) -> None:
        self.code, self._files = code, tuple(files)
        self.locale = Locale.parse(code)
        self.direction: str = self.locale.text_direction
        self._rtl = self.direction == "rtl"
        read = [read_catalogue(file, self._rtl) for file in files]
        self._catalogue = Catalogue({key: forms for each in read for key, forms in each.forms.items()}, read[0].plural)
        system = self.locale.default_numbering_system
        decimal = str(self.locale.number_symbols[system]["decimal"])
        self._digits = str.maketrans("0123456789", _DIGITS[system])
        self._numerals = self._digits | str.maketrans({".": decimal, "-": "−"})

    def __reduce__(self) -> tuple[Callable[..., Language], tuple[str, tuple[Path, ...]]]:
        """Another process reads the same catalogues, once."""
        return _language, (self.code, tuple(file.parent for file in self._files[1:]))

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(self._catalogue.forms)

    def say(self, key: str, count: Number | None = None, /, **facts: Fact) -> str:
        """The sentence of a key; `count` chooses among its plural forms and is at {count}."""
        forms = self._catalogue.forms[key]
        if count is None:
            return self._joined(forms[0], facts)
        whole = count.denominator == 1
        form = forms[self._plural(count)] if len(forms) > 1 else forms[0]
        return self._joined(form, {**facts, "count": Amount(int(count)) if whole else count})

    def _plural(self, count: Number) -> int:
        """The form of a number; gettext's rules know whole ones only. Portuguese has 1,5 ponto, others 1.5 points."""
        if count.denominator == 1:
            return self._catalogue.plural(int(count))
        return self._catalogue.plural(int(count) if self.code == "pt" else 2)

    def tell(self, sentence: Sentence) -> str:
        if sentence.otherwise is not None and sentence.key not in self._catalogue.forms:
            return self.show(sentence.otherwise)
        return self.say(sentence.key, sentence.count, **sentence.facts)

    def number(self, value: Number | Decimal) -> str:
        """Every digit, without grouping; a rational that is not a finite decimal as n/d."""
        text = f"{value:f}" if isinstance(value, Decimal) else number_text(value)
        return text.translate(self._numerals)

    def count(self, n: int) -> str:
        return format_decimal(n, locale=self.locale, numbering_system="default").translate(self._digits)

    def percent(self, number: Number | Decimal) -> str:
        return self._bare("number.percent", number=self.number(number))

    def bound(self, value: Bound) -> str:
        if isinstance(value, str):
            return "−∞" if value == "-inf" else "+∞"
        return self.number(value)

    def window(self, ends: Window) -> str:
        return self._bare("window", low=self.bound(ends[0]), high=self.bound(ends[1]))

    def interval(self, ends: Window) -> str:
        return self._bare("interval", low=self.bound(ends[0]), high=self.bound(ends[1]))

    def vector(self, numbers: Sequence[Number]) -> str:
        """As a pair is written, with any number of parts."""
        text = self.number(numbers[0])
        for number in numbers[1:]:
            text = self._bare("vector.more", vector=text, number=self.number(number))
        return self._bare("vector", numbers=text)

    def listed(self, names: Sequence[str], joint: str = "and", total: int | None = None) -> str:
        """Names in a row, joined by "and", "or" or, in a sequence, commas only ("then"); of more than 12 the first,
        and how many there are. `total` counts those not given too."""
        total = len(names) if total is None else total
        if total <= MOST_ITEMS and joint == "then":
            return self._bare("list.comma").join(names)
        if total <= MOST_ITEMS:
            text = format_list(names, style=_LIST_STYLES[joint], locale=self.locale)  # type: ignore[arg-type]
            return _LAST[self.code](text, names[-1]) if self.code in _LAST and len(names) > 1 else text
        first = self._bare("list.comma").join(names[:MOST_ITEMS])
        return self._bare("list.more", names=first, total=self._isolated(self.count(total)))

    def show(self, fact: Fact) -> str:
        """A fact as it stands in a sentence."""
        if isinstance(fact, Sentence):
            return self.tell(fact)
        if isinstance(fact, Items):
            return self.listed([self.show(item) for item in fact.shown], fact.joint, fact.total)
        if isinstance(fact, str):
            return self.name(fact)
        return self._isolated(self._written(fact))

    def own(self, text: str) -> str:
        """A title or text as its author wrote it for this language, if so."""
        return in_language(text, self.code)

    def name(self, text: str) -> str:
        """A user's own text: itself, kept from disturbing the direction of what is around it."""
        text = self.own(text)
        return f"{FSI}{text}{PDI}" if self._rtl or _has_rtl(text) else text

    def line(self, text: str, indent: int = 0) -> str:
        """A line of plain text; one with letters or digits that run from the right says so itself."""
        return f"{text[:indent]}{RLI}{text[indent:]}{PDI}" if self._rtl and _PERSIAN.search(text) else text

    def _written(self, fact: Fact) -> str:
        match fact:
            case int() | Fraction() | Decimal():
                return self.number(fact)
            case tuple():
                return self.vector(fact)
            case Amount():
                return self.count(fact.number)
            case Percent():
                return self.percent(fact.number)
            case Limit():
                return self.bound(fact.bound)
            case Between():
                return self.interval(fact.ends) if fact.closed else self.window(fact.ends)
            case Formula():
                text = "".join(map(self._part, fact.parts))
                # A formula that is broken over two lines cannot be read where lines run from the right.
                return text.replace(" ", "\N{NO-BREAK SPACE}") if self._rtl else text
            case NameRun():
                return "–".join(map(self._written, dict.fromkeys((fact.names[0], fact.names[-1]))))
            case str():
                return f"{FSI}{fact}{PDI}" if _has_rtl(fact) else fact
        return self.show(fact)

    def _isolated(self, text: str) -> str:
        return f"{FSI}{text}{PDI}" if self._rtl else text

    def _joined(self, pieces: Sequence[TextPiece], facts: dict[str, Fact]) -> str:
        return "".join(text if name is None else text + self.show(facts[name]) for text, name in pieces)

    def _part(self, fact: Fact) -> str:
        """Of a formula: signs are what they are, but languages have commas of their own."""
        return self._bare(JOINTS[fact]) if isinstance(fact, str) and fact in JOINTS else self._written(fact)

    def _bare(self, key: str, **texts: str) -> str:
        """An entry with strings that are written already."""
        pieces = self._catalogue.forms[key][0]
        return "".join(text if name is None else text + texts[name] for text, name in pieces)


def _has_rtl(text: str) -> bool:
    return not text.isascii() and any(bidirectional(sign) in ("R", "AL") for sign in text)


def _euphonic(text: str, last: str) -> str:
    """Spanish: `y` is `e` before the sound of i, and `o` is `u` before that of o."""
    before = text[: len(text) - len(last)]
    sound = last.lstrip(FSI).casefold()
    if before.endswith(" y ") and re.match(r"h?[ií](?![aeouáéóú])", sound):
        return f"{before[:-3]} e {last}"
    return f"{before[:-3]} u {last}" if before.endswith(" o ") and re.match(r"h?[oó]", sound) else text


def _without_comma(text: str, last: str) -> str:
    """Persian: no comma before `و`."""
    return re.sub(r"، (?=و $)", " ", text[: len(text) - len(last)]) + last


_LAST = {"es": _euphonic, "fa": _without_comma}
"""How a language joins the last name of a list where Babel's pattern is not what its readers write."""
