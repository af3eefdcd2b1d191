"""The boxes of a question with what is right in each, and an answer put together from what is in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.delivery.systems.known_mistakes import Known
from grader.delivery.systems.spellings import spellings
from grader.kernel.verdicts import RIGHT
from grader.questions.answer_key import KeyedQuestion
from grader.questions.exercise import Question
from grader.questions.following import Following, Own
from grader.questions.items import Marked
from grader.questions.presentation import Field
from grader.questions.registry import ask_of
from grader.questions.scoring import scored
from solver.kernel import number_text

NUMBER, CHOICE, TEXT = "number", "choice", "text"
OFFERED = {
    "pt": {
        "same": "igual",
        "different": "diferente",
        "yes": "sim",
        "no": "não",
        "true": "verdadeiro",
        "false": "falso",
    },
    "es": {"same": "igual", "different": "diferente", "yes": "sí", "true": "verdadero", "false": "falso"},
    "fa": {"same": "یکسان", "different": "متفاوت", "yes": "بله", "no": "خیر", "true": "درست", "false": "نادرست"},
}
"""By language, the words of types with few possible answers; Plymark reads all of them."""
NOBODY = Own({}, frozenset(), None)
MOST_WRONG_SPELLINGS = 8


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a known mistake leads to, and what is said about it."""

    texts: tuple[str, ...]
    feedback: str


@dataclass(frozen=True, slots=True)
class Box:
    item: str
    """What is beside it; empty if the question has one box."""
    kind: str
    key: str
    """As it is printed."""
    worth: Fraction
    """Its marks; 0 where nothing is marked, but the box must be there since its absence would tell."""
    accepted: tuple[str, ...] = ()
    """All right choices, or the spellings of a string."""
    choices: tuple[str, ...] = ()
    number: str = ""
    """A decimal."""
    tolerance: str = "0"
    spellings: tuple[str, ...] = ()
    """Of an exact number, for systems that read numbers otherwise than plymark does."""
    wrong: tuple[Wrong, ...] = ()


def assembled(question: Question, texts: Mapping[str, str]) -> Any:
    """A question's answer from its boxes by item; what was left empty is not there, and None if all was."""
    written = {item: text.strip() for item, text in texts.items() if text.strip()}
    if not written:
        return None
    return ask_of(question).assembled(written)


class Boxes:
    """Makes the boxes of one question under the declared convention."""

    def __init__(self, question: KeyedQuestion, known: Known) -> None:
        self.question, self.known = question, known
        self.ask, self.language = ask_of(question), known.words.code
        self.key = self.ask.keyed(question)
        self.shown = self.ask.shown(question)
        blank = self.ask.mark(question, {}, self._following, Fraction(0))
        self.worth = dict(zip((item.name for item in blank.items), blank.worth, strict=True))

    def made(self) -> tuple[Box, ...]:
        return tuple(map(self._box, self.fields))

    @property
    def fields(self) -> Sequence[Field]:
        return self.ask.blank(self.question)

    def marked(self, texts: Mapping[str, str]) -> Marked:
        """By the key alone."""
        given = self.ask.read(self.question, assembled(self.question.question, texts))
        return self.ask.mark(self.question, given, self._following, Fraction(0))

    @property
    def _following(self) -> Following:
        return Following(self.question, NOBODY)

    def right(self, item: str, text: str) -> bool:
        found = self.marked({item: text})
        if item:
            return any(each.name == item and each.verdict == RIGHT for each in found.items)
        return scored(self.question.rubric, self.question.marks, found) == self._most

    @property
    def _most(self) -> Fraction:
        cap = self.question.rubric.cap
        return self.question.marks if cap is None else cap

    def _box(self, field: Field) -> Box:
        item = field.item
        if item and item not in self.key:
            return Box(item, TEXT, "", Fraction(0))
        key = self.printed(item)
        marks = self.worth[item] if item else self.question.marks
        wrong = tuple(self._wrong(item, key))
        if choices := self._choices(item):
            right = tuple(choice for choice in choices if self.right(item, choice))
            if right:
                return Box(item, CHOICE, key, marks, right, choices, wrong=wrong)
        if number := self._number(item):
            value, tolerance = number
            texts = self._spellings(item) if tolerance == "0" else ()
            return Box(
                item, NUMBER, key, marks, (value,), number=value, tolerance=tolerance, spellings=texts, wrong=wrong
            )
        return Box(item, TEXT, key, marks, self._spellings(item), wrong=wrong)

    def _spellings(self, item: str) -> tuple[str, ...]:
        known: dict[str, bool] = {}

        def is_right(text: str) -> bool:
            """What reads alike is marked once: marking takes far longer than reading."""
            if not item:
                return self.right(item, text)
            read = repr(self._value(item, text))
            if read not in known:
                known[read] = self.right(item, text)
            return known[read]

        texts = (text for one in self._alternatives(item) for text in spellings(one, is_right, self.language))
        return tuple(dict.fromkeys(texts))

    def printed(self, item: str) -> str:
        """The key of a box; where a box takes a whole list, all of it."""
        if item:
            return next((one for one in self._alternatives(item) if self.right(item, one)), self.shown[item])
        perfect = self.ask.perfect(self.question)
        if isinstance(perfect, list) and all(isinstance(each, str) for each in perfect):
            return ", ".join(perfect)
        return perfect if isinstance(perfect, str) else "; ".join(self.shown.values())

    def _alternatives(self, item: str) -> list[str]:
        """What is right in a box; a key with ties prints all of it."""
        whole = self.shown[item] if item else self.printed(item)
        return list(dict.fromkeys([whole, *whole.split(" / ")]))

    def _choices(self, item: str) -> tuple[str, ...]:
        offered = tuple(self.ask.options(self.question, item))
        offered = offered or tuple(OFFERED.get(self.language, {}).get(word, word) for word in self.ask.words)
        # Systems that compare without case cannot tell a from A.
        return offered if len({each.casefold() for each in offered}) == len(offered) > 1 else ()

    def _number(self, item: str) -> tuple[str, str] | None:
        """A decimal and how far from it is still right; None where the key is not a finite decimal."""
        value = self.key[item] if item else next(iter(self.key.values()), None) if len(self.key) == 1 else None
        digits = self.question.digits
        if near := self.ask.within(self.question, item, value):
            return near
        known, value = getattr(value, "known", "exact"), getattr(value, "value", value)
        if known != "exact" or isinstance(value, bool) or not isinstance(value, int | Fraction):
            return None
        text = number_text(value)
        if "/" in text or not self.right(item, text):
            return None
        if self.language == "fa" and digits is None:
            # Systems read no Persian digits as numbers; as strings both kinds are listed.
            return None
        return text, "0" if digits is None else number_text(Fraction(1, 2 * 10**digits))

    def _wrong(self, item: str, key: str) -> Iterator[Wrong]:
        for text, feedback in self.known.answers(self.question, item):
            if text != key and not self.right(item, text):
                wrong = self._value(item, text)
                alike = spellings(text, lambda each, wrong=wrong: self._value(item, each) == wrong, self.language)  # type: ignore[misc]
                yield Wrong(alike[:MOST_WRONG_SPELLINGS] or (text,), feedback)

    def _value(self, item: str, text: str) -> object:
        """What plymark reads there."""
        given = self.ask.read(self.question, assembled(self.question.question, {item: text}))
        return [each.value for each in given.values() if each.read] or None
