"""The boxes of a question with what is right in each, and an answer put together from what is in them.

What known mistakes lead to is known box by box, with the hint for a student who writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from grader.delivery.systems.answer_spellings import (
    MOST_SPELLINGS,
    SPELLINGS_TRIED,
    UNVISITED,
    by_item,
    one_text_ways,
    spellings,
)
from grader.delivery.systems.exporter import System
from grader.delivery.systems.numeric_spellings import roundings
from grader.delivery.systems.offers import choices_of, in_one_text, lists_of, ticks_of, wholes_of
from grader.kernel.verdicts import RIGHT
from grader.mistakes.behaviour import key_behaviour, mistake_of
from grader.mistakes.cells import cells_of
from grader.mistakes.diagnosis import Class, classes_of
from grader.mistakes.registry import MODELS
from grader.mistakes.words import CROSSED, ENTRY, EXIT, PLAYED, WORTH
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Question
from grader.questions.following import Following, Own
from grader.questions.items import Marked
from grader.questions.presentation import Field
from grader.questions.registry import ask_of
from grader.questions.scoring import scored
from solver.languages import Language

FORESEEN = frozenset({WORTH, ENTRY, EXIT, CROSSED, PLAYED})
"""Cells in which a mistake is foreseen."""
MOST_WRONG = 6
"""Wrong answers that are foreseen in one box."""
MOST_NAMED = 2
"""Where more mistakes than this lead to the same answer, naming one would be a guess."""


class ForeseenMistakes:
    def __init__(self, answer_key: AnswerKey, words: Language) -> None:
        self.answer_key, self.words = answer_key, words
        self._classes: dict[str, list[Class]] = {}

    def answers(self, question: KeyedQuestion, item: str) -> Iterator[tuple[str, str]]:
        """Wrong answers as they are written, each with its feedback: a line for each mistake."""
        by_text: dict[str, list[str]] = {}
        for each in self._of(question):
            text = ask_of(question).written_with(question, item, each.different)
            if text is not None:
                by_text.setdefault(text, []).extend(map(mistake_of, each.models))
        told = ((text, list(dict.fromkeys(mistakes))) for text, mistakes in by_text.items())
        few = [(text, mistakes) for text, mistakes in told if len(mistakes) <= MOST_NAMED]
        yield from ((text, self._feedback(mistakes)) for text, mistakes in few[:MOST_WRONG])

    def _feedback(self, mistakes: list[str]) -> str:
        return "\n".join(map(self._told, mistakes))

    def _told(self, mistake: str) -> str:
        texts = (self.words.say(f"mistake.{mistake}.{part}") for part in ("title", "remedy"))
        return " ".join(text if text.endswith((".", "!", "?", "؟")) else f"{text}." for text in texts)

    def _of(self, question: KeyedQuestion) -> list[Class]:
        if question.id not in self._classes:
            ask, convention = ask_of(question), self.answer_key.convention
            asked = set(ask.compared(question)) & FORESEEN
            self._classes[question.id] = []
            if asked:
                solution = ask.compared_by(question)
                key = key_behaviour(solution)
                cells = {
                    name: cells_of(behaviour, key, solution.tree, asked)
                    for name, model in MODELS.items()
                    if (behaviour := model.run(self.answer_key.tree, convention, solution)) is not None
                }
                self._classes[question.id] = classes_of(cells_of(key, key, solution.tree, asked), cells)
        return self._classes[question.id]


CHOICE, TEXT, TICKS = "choice", "text", "ticks"
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
MOST_OF_A_LIST = 600
"""Spellings of an answer that is one list: names have many orders and separators."""
MOST_OF_ONE_TEXT = 1500
"""Spellings of several items in one text."""
MOST_OF_ANOTHER = 60
"""Spellings of what is right too."""
TICKED = "; "
"""Between what was ticked, in a text that stands for it."""
SAID_OF = ": "
"""Between an item and what is said of it, where that is ticked; no item has a space in its name."""


@dataclass(frozen=True, slots=True)
class ForeseenAnswer:
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
    """All that is right to choose or to tick, or the spellings of a string."""
    choices: tuple[str, ...] = ()
    shares: tuple[Fraction, ...] = ()
    """What each choice or tick earns of the box's marks, where that is not all or nothing."""
    wrong: tuple[ForeseenAnswer, ...] = ()
    names: tuple[str, ...] = ()
    """The items that may be written about, where one text takes all of them."""

    @property
    def right(self) -> str:
        """A response that is right; what was ticked is one text."""
        return TICKED.join(self.accepted) if self.kind == TICKS else next(iter(self.accepted), "")

    @property
    def in_parts(self) -> bool:
        return any(0 < share < 1 for share in self.shares)


def assembled(question: Question, texts: Mapping[str, str]) -> Any:
    """A question's answer from its boxes by item; what was left empty is not there, and None if all was."""
    written = {item: text.strip() for item, text in texts.items() if text.strip()}
    if not written:
        return None
    return ask_of(question).assembled(written)


def answer_in(question: Question, boxes: Sequence[Box], texts: Sequence[str]) -> Any:
    """A question's answer from what is in its boxes, in their order; of ticks, the names of what was ticked."""
    if len(boxes) == 1 and boxes[0].kind == TICKS:
        ticked = [name for name in texts[0].split(TICKED) if name.strip()]
        if not set(ticked) <= set(boxes[0].choices):
            # It was written, in a quiz that had a box there, or the quiz was in another language.
            return assembled(question, {"": texts[0]})
        said = [name.split(SAID_OF, 1) for name in ticked if SAID_OF in name]
        # Two ticks at one item contradict each other, and say nothing together.
        once = {item: each for item, each in said if [other for other, _ in said].count(item) == 1}
        return (ticked if not said else once) or None
    if boxes[0].names and (said_of := by_item(texts[0], boxes[0].names)):
        return assembled(question, said_of)
    return assembled(question, {box.item: text for box, text in zip(boxes, texts, strict=True)})


class Boxes:
    """Makes the boxes of one question under the declared convention."""

    def __init__(self, question: KeyedQuestion, known: ForeseenMistakes, system: System) -> None:
        self.question, self.known, self.system = question, known, system
        self.ask, self.language = ask_of(question), known.words.code
        self.key = self.ask.keyed(question)
        self.shown = self.ask.shown(question)
        blank = self.ask.mark(question, {}, self._following, Fraction(0))
        self.worth = dict(zip((item.name for item in blank.items), blank.worth, strict=True))

    def made(self) -> tuple[Box, ...]:
        one = self.system.marks_itself and (self._ticks() or self._claims() or self._whole() or self._all_in_one())
        if one:
            return (one,)
        return tuple(map(self._box, self.fields))

    def _ticks(self) -> Box | None:
        """One box in which names are ticked, where the system can mark that."""
        found = ticks_of(self.question, self.language)
        if found is None or (found.wrong_is_fatal and not self.system.fatal_ticks):
            return None
        right = tuple(name for name in found.names if name in found.shares)
        if self._earned(self._marked(list(right))) != self._most or not _told_apart(found.names):
            return None
        shares = tuple(map(found.share, found.names))
        return Box("", TICKS, TICKED.join(right), self.question.marks, right, found.names, shares)

    def _claims(self) -> Box | None:
        """Ticks for every answer to every item, where right ones are counted less wrong ones: no list takes marks
        away."""
        offered = {field.item: self._choices(field.item) for field in self.fields}
        alike = len(set(self.worth.values())) == 1 and "" not in offered
        if self.question.rubric.scheme != "right-minus-wrong" or not alike or not all(offered.values()):
            return None
        claims = {
            f"{item}{SAID_OF}{each}": self.right(item, each) for item, choices in offered.items() for each in choices
        }
        share = Fraction(1, len(offered))
        right = tuple(claim for claim, is_right in claims.items() if is_right)
        shares = tuple(share if is_right else -share for is_right in claims.values())
        return Box("", TICKS, TICKED.join(right), self.question.marks, right, tuple(claims), shares)

    def _whole(self) -> Box | None:
        """A list of whole answers, each of which earns what plymark gives it."""
        offered = wholes_of(self.question)
        if not _told_apart(offered):
            return None
        earned = [self._earned(self.marked({"": whole})) for whole in offered]
        right = tuple(whole for whole, marks in zip(offered, earned, strict=True) if marks == self._most)
        shares = tuple(marks / self._most for marks in earned)
        return Box("", CHOICE, right[0], self.question.marks, right, offered, shares) if right else None

    def _all_in_one(self) -> Box | None:
        """One box for the whole answer, where a box for each node would reward those who fill in all of them."""
        if not in_one_text(self.question, self.system) or not self.key:
            return None
        names = tuple(field.item for field in self.fields)
        found: dict[str, str] = {}
        known: dict[tuple[str, str], bool] = {}
        for text in islice(one_text_ways(self.shown, self.language), SPELLINGS_TRIED * MOST_OF_ONE_TEXT):
            if len(found) < MOST_OF_ONE_TEXT and text.casefold() not in found and self._is_whole(text, names, known):
                found[text.casefold()] = text
        accepted = tuple(found.values())
        return Box("", TEXT, accepted[0], self.question.marks, accepted, names=names) if accepted else None

    def _is_whole(self, text: str, names: Sequence[str], known: dict[tuple[str, str], bool]) -> bool:
        """Whether one text says of every item what is right, as each would be marked by itself."""
        written = by_item(text, names)
        for said in written.items():
            if said not in known:
                known[said] = said[0] in self.key and self.right(*said)
        return written.keys() == self.key.keys() and all(known[said] for said in written.items())

    @property
    def fields(self) -> Sequence[Field]:
        return self.ask.blank(self.question)

    def marked(self, texts: Mapping[str, str]) -> Marked:
        """By the key alone."""
        return self._marked(assembled(self.question.question, texts))

    def _marked(self, answer: Any) -> Marked:
        return self.ask.mark(self.question, self.ask.read(self.question, answer), self._following, Fraction(0))

    def _earned(self, found: Marked) -> Fraction:
        return scored(self.question.rubric, self.question.marks, found)

    @property
    def _following(self) -> Following:
        return Following(self.question, NOBODY)

    def right(self, item: str, text: str) -> bool:
        found = self.marked({item: text})
        if item:
            return any(each.name == item and each.verdict == RIGHT for each in found.items)
        return self._earned(found) == self._most

    @property
    def _most(self) -> Fraction:
        cap = self.question.rubric.cap
        return self.question.marks if cap is None else cap

    def _box(self, field: Field) -> Box:
        item = field.item
        if item and item not in self.key:
            return Box(item, TEXT, "–", Fraction(0), UNVISITED)
        key = self.printed(item)
        marks = self.worth[item] if item else self.question.marks
        wrong = tuple(self._wrong(item, key))
        if choices := self._choices(item):
            right = tuple(choice for choice in choices if self.right(item, choice))
            if right:
                return Box(item, CHOICE, key, marks, right, choices, wrong=wrong)
        most = MOST_SPELLINGS if item or not self.ask.is_list else MOST_OF_A_LIST
        return Box(item, TEXT, key, marks, self._accepted(item, self._alternatives(item), most), wrong=wrong)

    def claiming_costs(self, boxes: Sequence[Box]) -> bool:
        """Whether something written where the key has nothing takes away from an answer that is right otherwise."""
        free = next((box.item for box in boxes if not box.worth), None)
        if free is None:
            return False
        right = {box.item: self.printed(box.item) for box in boxes if box.worth}
        claimed = right | {free: next(iter(right.values()), "")}
        return self._earned(self.marked(claimed)) < self._earned(self.marked(right))

    def _accepted(self, item: str, ways: Sequence[str], most: int) -> tuple[str, ...]:
        known: dict[str, bool] = {}

        def is_right(text: str) -> bool:
            """What reads alike is marked once: marking takes far longer than reading."""
            read = repr(self._value(item, text))
            if read not in known:
                known[read] = self.right(item, text)
            return known[read]

        texts = list(spellings(ways[0], is_right, self.language, most))
        texts += [text for one in ways[1:] for text in spellings(one, is_right, self.language, MOST_OF_ANOTHER)]
        texts += [text for text in self._rounded(item) if is_right(text)]
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
        """What is right in a box; a key with ties prints all of it, and a list may be written in several ways."""
        whole = self.shown[item] if item else self.printed(item)
        listed = lists_of(self.question) if not item else ()
        # A range may be right with or without its ends.
        ranges = getattr(self._only, "accepted", ())
        as_good = [each.text(str(self.question.parameters["unknown"])) for each in ranges[1:]]
        return list(dict.fromkeys([*listed, whole, *whole.split(" / "), *as_good]))

    @property
    def _only(self) -> Any:
        """The key of the one item there is."""
        return next(iter(self.key.values())) if len(self.key) == 1 else None

    def _choices(self, item: str) -> tuple[str, ...]:
        offered = tuple(self.ask.options(self.question, item))
        offered = offered or tuple(OFFERED.get(self.language, {}).get(word, word) for word in self.ask.words)
        if not offered and self.system.mixes:
            offered = choices_of(self.question, item)
        return offered if _told_apart(offered) else ()

    def _rounded(self, item: str) -> Iterator[str]:
        """A number that need not be exact, with its digits and with more."""
        value = self.key[item] if item else self._only
        near, digits = self.ask.within(self.question, item, value), self.question.digits
        value = getattr(value, "value", value)
        if near is not None:
            value, digits = Fraction(near[0]), len(str(1 / Fraction(near[1]) / 2)) - 1
        if digits is not None and isinstance(value, int | Fraction) and not isinstance(value, bool):
            yield from roundings(Fraction(value), digits, self.language)

    def _wrong(self, item: str, key: str) -> Iterator[ForeseenAnswer]:
        for text, feedback in self.known.answers(self.question, item):
            if text != key and not self.right(item, text):
                wrong = self._value(item, text)
                alike = spellings(text, lambda each, wrong=wrong: self._value(item, each) == wrong, self.language)  # type: ignore[misc]
                yield ForeseenAnswer(alike[:MOST_WRONG_SPELLINGS] or (text,), feedback)

    def _value(self, item: str, text: str) -> object:
        """What plymark reads there."""
        given = self.ask.read(self.question, assembled(self.question.question, {item: text}))
        return [each.value for each in given.values() if each.read] or None


def _told_apart(offered: Sequence[str]) -> bool:
    """Whether there is a choice at all, also for systems that cannot tell a from A."""
    return len({each.casefold() for each in offered}) == len(offered) > 1
