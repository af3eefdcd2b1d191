"""Ways in which people write an answer, made from what was solved and never from what an export accepts.

For each box of a question: what is right there in many spellings, and what is wrong. What plymark makes of each, is for
plymark to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from grader.answers import UNVISITED, Bound, IntervalSet
from grader.delivery.systems.answer_boxes import CHOICE, TICKS, Box
from grader.delivery.systems.exercise_forms import CarriedQuestion
from grader.questions.answer_key import KeyedQuestion
from grader.questions.registry import ask_of
from solver.analysis import leaves_below
from solver.kernel import decimal_text, number_text

EACH = 32
"""Right responses to a question, and as many wrong ones."""
TRIES = 8
"""Responses that are right in part."""
PERSIAN = str.maketrans("0123456789.,", "۰۱۲۳۴۵۶۷۸۹٫،")
INFINITY = {"en": ("infinity",), "pt": ("infinito",), "es": ("infinito",), "fa": ("بی‌نهایت",)}
AND = {"en": " and ", "pt": " e ", "es": " y ", "fa": " و "}
NOTHING = {"en": "nothing", "pt": "nenhuma", "es": "ninguna", "fa": "هیچ"}
SIGNS = {"<=": ("<=", "≤", "=<"), ">=": (">=", "≥", "=>"), "<": ("<",), ">": (">",), "=": ("=",)}
JUNK = ("?", "x", "-", "0", "99", "abc", "3 or 5", "1e3", "*", "(1, 2)", "∞", "<b>3</b>", "%100%3", "½", "i don't know")


def number_ways(value: Fraction, language: str, digits: int | None = None) -> list[str]:
    """In the order in which one may think of them."""
    minus, size = ("-", "−", "- ") if value < 0 else ("", "+", "= "), abs(value)
    found = list(_sizes(size, digits))
    ways = [sign + text for text in found for sign in (minus[:2] if "/" in text else minus)]
    if language == "fa":
        ways += [sign + text.translate(PERSIAN).replace("،", "٫") for text in found[:6] for sign in minus[:2]]
    return [*ways, *(f" {way}  " for way in ways[:2])]


def _sizes(size: Fraction, digits: int | None) -> Iterator[str]:
    text = number_text(size)
    whole, rest = divmod(size, 1)
    if "/" not in text:
        yield text
        if "." in text:
            yield text.replace(".", ",")
            yield f"{text}0"
            yield f"{text.replace('.', ',')}00"
            yield f"{text}000"
        else:
            yield from (f"{text}.0", f"{text},0", f"{text}.00", f"{text}.", f"{text},00")
    if digits is not None:
        for places in (digits, digits + 1, digits + 3):
            yield decimal_text(size, places)
            yield decimal_text(size, places).replace(".", ",")
    yield from (f"{size.numerator * times}/{size.denominator * times}" for times in (1, 2, 5))
    if whole and rest:
        yield f"{whole} {rest.numerator}/{rest.denominator}"


def tuple_ways(parts: Sequence[Any], language: str) -> list[str]:
    """A window, a vector or counts."""
    words = ("inf", "∞", *INFINITY[language])
    joints = (", ", ",", "; ", *(("، ", "،") if language == "fa" else ()))
    found = []
    for word in words:
        for joint in joints:
            for opened, closed in (("(", ")"), ("[", "]"), ("", "")):
                texts = [_part(part, word) for part in parts]
                found.append(opened + joint.join(texts) + closed)
                found.append(opened + joint.join(text.replace("-", "−") for text in texts) + closed)
                found.append(opened + joint.join(f"+{text}" if text == word else text for text in texts) + closed)
                if language == "fa":
                    found.append(opened + joint.join(text.translate(PERSIAN) for text in texts) + closed)
    return list(dict.fromkeys(found))


def _part(part: Any, word: str) -> str:
    text = part if isinstance(part, str) else number_text(part)
    return text.replace("inf", word)


def bound_ways(bound: Bound, language: str, name: str = "") -> list[str]:
    numbers = [way for way in number_ways(Fraction(bound.number), language) if way.strip()[0] not in "=+"]
    if name:
        # In a line with others, people write a number plainly.
        plain = number_text(bound.number)
        numbers = [plain, plain.replace("-", "−"), plain.replace(".", ",")]
    return [
        f"{name}{space}{sign}{gap}{number.strip()}"
        for number in numbers[:6]
        for sign in SIGNS[bound.sign]
        for gap in ("", " ")
        for space in (("", " ") if name else ("",))
    ]


def list_ways(names: Sequence[str], language: str, chance: random.Random) -> list[str]:
    if not names:
        return [
            "none",
            "None",
            "∅",
            "[]",
            "-",
            "–",
            NOTHING[language],
            NOTHING[language].upper(),
            " none ",
            "none.",
            "{}",
        ]
    joints = (", ", ",", " ", "; ", ";", *(("، ", "،") if language == "fa" else ()))
    found = [
        opened + joint.join(names) + closed
        for opened, closed in (("", ""), ("[", "]"), ("(", ")"), ("{", "}"))
        for joint in joints
    ]
    found += [joint.join(names).lower() for joint in joints]
    found += [f" {joint.join(names)}." for joint in joints]
    if len(names) > 1:
        found += [joint.join(names[:-1]) + AND[language] + names[-1] for joint in joints[:4]]
    if 1 < len(names) <= 4:
        found += [joint.join(chance.sample(list(names), len(names))) for joint in joints]
    return found


def range_ways(numbers: IntervalSet, name: str, language: str) -> list[str]:
    if not numbers.parts:
        return ["∅", "none", "[]", NOTHING[language]]
    styles: list[Callable[[Any], str]] = [
        lambda part: _inequality(part, name, "<=", ">=", " "),
        lambda part: _inequality(part, name, "≤", "≥", " "),
        lambda part: _inequality(part, name, "<=", ">=", ""),
        lambda part: _inequality(part, name, "≤", "≥", ""),
        lambda part: _interval(part, "inf"),
        lambda part: _interval(part, "∞"),
        lambda part: _interval(part, "inf").replace("-", "−"),
        lambda part: f"{name} in {_interval(part, 'inf')}",
        lambda part: f"{name} ∈ {_interval(part, '∞')}",
    ]
    joints = (" or ", " ∪ ", " ∨ ")
    found = [joint.join(map(style, numbers.parts)) for style in styles for joint in joints]
    return list(dict.fromkeys([*found, *(text.replace("-", "−") for text in found), *(f" {text} " for text in found)]))


def _inequality(part: Any, name: str, at_most: str, at_least: str, gap: str) -> str:
    low, high, low_closed, high_closed = part
    less, more = (at_most if high_closed else "<"), (at_least if low_closed else ">")
    if isinstance(low, str) and isinstance(high, str):
        return "R"
    if isinstance(low, str):
        return f"{name}{gap}{less}{gap}{number_text(high)}"
    if isinstance(high, str):
        return f"{name}{gap}{more}{gap}{number_text(low)}"
    if low == high:
        return f"{name}{gap}={gap}{number_text(low)}"
    start = at_most if low_closed else "<"
    return f"{number_text(low)}{gap}{start}{gap}{name}{gap}{less}{gap}{number_text(high)}"


def _interval(part: Any, word: str) -> str:
    low, high, low_closed, high_closed = part
    return f"{'[' if low_closed else '('}{_part(low, word)}, {_part(high, word)}{']' if high_closed else ')'}"


class Ways:
    """The responses to one question: right ones, wrong ones and mixtures, a text for each box."""

    def __init__(self, keyed: KeyedQuestion, carried: CarriedQuestion, language: str) -> None:
        self.keyed, self.boxes, self.language = keyed, carried.boxes, language
        self.ask, self.tree = ask_of(keyed), keyed.tree
        self.key: Mapping[str, Any] = self.ask.keyed(keyed)
        self.chance = random.Random(f"{keyed.exercise.id} {keyed.id} {language}")

    def responses(self) -> list[list[str]]:
        if len(self.boxes) == 1 and self.boxes[0].kind == TICKS:
            return [[text] for text in self._ticks(self.boxes[0])]
        right = [list(self._right(box)) or [""] for box in self.boxes]
        wrong = [list(self._wrong(box, ways)) for box, ways in zip(self.boxes, right, strict=True)]
        found = [[ways[place % len(ways)] for ways in right] for place in range(EACH // 2)]
        found += [[self.chance.choice(ways) for ways in right] for _ in range(EACH - EACH // 2)]
        found += [[ways[place % len(ways)] for ways in wrong] for place in range(EACH)]
        for _ in range(TRIES):
            found.append([self.chance.choice(self.chance.choice(both)) for both in zip(right, wrong, strict=True)])
        return [*found, [""] * len(self.boxes)]

    def _ticks(self, box: Box) -> Iterator[str]:
        """Ticks have no spellings: what is right, then every kind of selection."""
        wanted = set(self._names()) | {name for name in box.choices if self._is_right_claim(name)}
        right = [name for name in box.choices if name in wanted] or [box.choices[-1]]
        everything = list(box.choices)
        leaves = [name for name in everything if name in self.tree.index or ": " in name]
        others = [name for name in leaves if name not in right]
        selections = [right, [], everything, leaves, others, right[:1], right[:-1], others[:1], [*right, *others[:1]]]
        selections += [[*right, *others[:2]], [*right[:1], *others[-1:]], [everything[-1]], [*right, everything[-1]]]
        while len(selections) < 2 * EACH + TRIES + 1:
            selections.append(self.chance.sample(everything, self.chance.randint(1, len(everything))))
            selections.append([name for name in right if self.chance.random() < 0.7])
            selections.append([*right, *(name for name in others if self.chance.random() < 0.2)])
        for names in selections[: 2 * EACH + TRIES + 1]:
            yield "; ".join(name for name in box.choices if name in names)

    def _is_right_claim(self, name: str) -> bool:
        """Of ticks such as `L5: yes`."""
        item, _, claim = name.partition(": ")
        given = self.ask.read(self.keyed, {item: claim}) if claim else {}
        return any(
            here.read and self.ask.agrees(self.keyed, item, here.value, self.key[item]) for here in given.values()
        )

    def _names(self) -> list[str]:
        """The nodes that a list is about, by what the search did."""
        solution = self.keyed.solution
        if self.ask.name != "pruned":
            return list(self.key)
        tree = solution.tree
        gone = leaves_below(tree, [node for node in solution.pruned if not tree.children[node]])
        return [str(tree.ids[leaf]) for leaf in sorted(gone)]

    def _right(self, box: Box) -> Iterable[str]:
        if box.kind == CHOICE:
            return [text for text in box.choices if self._is_right_choice(box, text)]
        if not box.worth:
            return ["", "-", "–", "—", "", "−"]
        if not box.item and (self.ask.is_list or len(self.key) > 1):
            return self._lists()
        item = box.item or next(iter(self.key), "")
        return self._of(item, self.key.get(item))

    def _is_right_choice(self, box: Box, text: str) -> bool:
        """By the first of what the key names, as plymark marks it: choices have no spellings either."""
        answer = self.ask.assembled({box.item: text})
        given = self.ask.read(self.keyed, answer)
        return bool(given) and all(
            here.read and item in self.key and self.ask.agrees(self.keyed, item, here.value, self.key[item])
            for item, here in given.items()
            if not box.item or item == box.item
        )

    def _lists(self) -> list[str]:
        if self.boxes[0].names:
            return self._in_one_text()
        if self.ask.name in ("pruned", "visited"):
            return list_ways(self._names(), self.language, self.chance)
        perfect = self.ask.perfect(self.keyed)
        return list_ways(perfect, self.language, random.Random(0)) if isinstance(perfect, list) else [str(perfect)]

    def _in_one_text(self) -> list[str]:
        """All items in the same style, in the order in which the tree has them."""
        if self.ask.name == "inequalities":
            ways = [bound_ways(bound, self.language, name) for name, bound in self.key.items()]
        else:
            pairs = {
                name: [f"{each.total}/{each.visits}", f"({each.total}, {each.visits})"]
                for name, each in self.key.items()
            }
            ways = [
                [f"{name}{mark}{pair}" for pair in two for mark in (": ", "=", " = ")] for name, two in pairs.items()
            ]
        joints = (", ", "; ", ";") if self.ask.name == "inequalities" else ("; ", ";", ", ")
        styles = min(map(len, ways))
        return [joint.join(way[style] for way in ways) for style in range(styles) for joint in joints]

    def _of(self, item: str, expected: Any) -> list[str]:
        language, digits = self.language, self.keyed.digits
        known = getattr(expected, "known", None)
        if known == "unvisited" or expected is UNVISITED:
            return ["-", "–", "—", "−", "not visited"]
        if isinstance(expected, Bound):
            return bound_ways(expected, language)
        if known in ("at-most", "at-least"):
            sign: Any = {"at-most": "<=", "at-least": ">="}[known]
            return [
                *bound_ways(Bound(sign, expected.value), language),
                *number_ways(Fraction(expected.value), language),
            ]
        value = getattr(expected, "value", expected)
        if isinstance(value, bool | str):
            return [str(value)]
        if isinstance(value, int | Fraction):
            return number_ways(Fraction(value), language, digits)
        if hasattr(expected, "visits"):
            pair = tuple_ways((expected.total, expected.visits), language)
            return [f"{number_text(expected.total)}/{expected.visits}", *pair]
        if hasattr(expected, "accepted"):
            return range_ways(expected.shown, str(self.keyed.parameters["unknown"]), language)
        if (
            isinstance(expected, tuple)
            and expected
            and isinstance(expected[0], tuple)
            and self._is_numbers(expected[0])
        ):
            return tuple_ways(expected[0], language) if len(expected) == 1 or self.ask.name == "vectors" else []
        near = self.ask.within(self.keyed, item, expected)
        if near is not None:
            places = len(near[1]) - 2
            return [decimal_text(Fraction(near[0]), more) for more in range(places - 1, places + 5)]
        return [self.ask.shown(self.keyed).get(item, "").partition(" / ")[0]]

    def _is_numbers(self, parts: Sequence[Any]) -> bool:
        return all(isinstance(part, int | Fraction) or part in ("inf", "-inf") for part in parts)

    def _wrong(self, box: Box, right: Sequence[str]) -> Iterator[str]:
        if box.kind == CHOICE:
            yield from [text for text in box.choices if text not in right] or [""]
            return
        for place in range(EACH):
            number = self.chance.randint(-30, 30)
            yield self.chance.choice(
                [
                    *(str(number), f"{number}.5", f"<= {number}", f"({number}, {number + 3})", f"({number}, inf)"),
                    *(f"7/{right[0]}", f"1{right[0]}", f"not {right[0]}", "", ""),
                    *(JUNK[place % len(JUNK)], JUNK[-1 - place % len(JUNK)], "L1", "L2, L3"),
                ]
            )
