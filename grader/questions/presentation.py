"""How a type of question shows itself: its wording, its boxes on a screen and on paper, and notes beside the key.

A box is named by what goes into it. Nothing here may tell the key: sizes and labels depend on the tree alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.questions.answer_key import KeyedQuestion
from solver.game import CHANCE
from solver.kernel import Refusal
from solver.languages import Amount, Fact, Items, Sentence
from solver.search import ALGORITHMS

TEXT, NAMES, VALUE, NUMBER, BOUND, COUNTS = "text", "names", "value", "number", "bound", "counts"
WINDOW, WINDOWS, VECTOR, MOVE, MOVES, CHOICE = "window", "windows", "vector", "move", "moves", "choice"
"""What goes into a box."""
SPACE_FOR_VALUES, SPACE_FOR_WINDOWS, STATISTICS = "values", "windows", "statistics"
"""What the tree on a sheet leaves space for, or shows."""
SKIPPED_LEAVES, VISITS = "skipped leaves", "visits"
"""What a selection of nodes can say."""
WHOLE_LINES, WHOLE_PLANS = "whole lines", "whole plans"
"""Of what there are few enough to offer all."""
ORDERS, STEPS, UNKNOWN_VALUES = "orders", "steps", "unknown values"
"""What a long answer is made of, beside names."""


@dataclass(frozen=True, slots=True)
class Field:
    """A box for an answer, on paper or on a screen."""

    item: str
    """Its label; empty if the question needs no more than one."""
    box: str
    """What goes into it."""


class Presentation:
    name: str
    box = TEXT
    paper_box = ""
    """What goes into a box on paper, where it has another size there."""
    words: tuple[str, ...] = ()
    """Every possible answer, where there are few: the names of catalogue entries `paper.word.<word>`."""
    on_the_tree: frozenset[str] = frozenset()
    """What the tree on a sheet leaves space for, or shows."""
    exact = False
    """Whether its numbers may be fractions on trees with chance nodes, and are then wanted exactly."""
    key_is_names = False
    """Whether its printed key is names, whose digits are not translated."""
    own_items: tuple[str, ...] = ()
    """The names of items that are words of ours, not of the tree: the catalogue's entries `item.<name>`."""
    missing_key = "verdict.missing"
    """What is said of an item that an answer leaves out while it has others."""
    nested = False
    """Whether an answer is a mapping of mappings, such as one for each depth."""

    selects = ""
    """What a selection of nodes says, where that is a whole answer: `SKIPPED_LEAVES` or `VISITS`."""
    offers = ""
    """What can be offered as whole answers where the tree has few: `WHOLE_LINES` or `WHOLE_PLANS`."""
    nodes_asked = False
    """Whether it asks which nodes there is something to write about."""
    nodes_change = False
    """Whether it asks which nodes change."""

    # Wording.

    def wording(self, question: KeyedQuestion) -> Sentence:
        """What the question asks, with all of its parameters: by default the catalogue's entry `ask.<name>`."""
        return Sentence(f"ask.{self.name}")

    def names_algorithm(self, question: KeyedQuestion) -> bool:
        """Whether the wording says which algorithm is meant."""
        return True

    def remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        """How an answer is to be given: what its text does not say, and what never tells the key."""
        algorithm = ALGORITHMS.get(question.algorithm or "")
        if algorithm is not None and algorithm.another_game and not self.names_algorithm(question):
            yield Sentence("paper.use", None, {"algorithm": algorithm_name(algorithm.name)})
        if question.depth is not None:
            yield Sentence("paper.depth", None, {"depth": Amount(question.depth)})
        if question.digits is not None:
            yield Sentence("paper.digits", None, {"digits": Amount(question.digits)})
        elif self.exact and CHANCE in question.tree.turns:
            yield Sentence("paper.exact")
        yield from self.own_remarks(question)

    def own_remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        """Those of this type alone."""
        yield from ()

    # Boxes.

    def options(self, question: KeyedQuestion, item: str) -> Sequence[str]:
        """All that can be chosen for an item, where that depends on the tree."""
        return ()

    def beside_numbers(self, question: KeyedQuestion, item: str) -> Sequence[str]:
        """All that can be chosen for an item of a type whose other items are numbers."""
        return ()

    def within(self, question: KeyedQuestion, item: str, expected: Any) -> tuple[str, str] | None:
        """A decimal near an irrational number, and how far from it is still right; None for other keys."""
        return None

    def assembled(self, written: Mapping[str, str]) -> Any:
        """An answer from what is written in its boxes, by item; the one box of a question has no item."""
        return written[""] if list(written) == [""] else dict(written)

    # Paper.

    def paper_fields(self, question: KeyedQuestion, fields: Sequence[Field]) -> Sequence[Field]:
        """The boxes on paper, where there are others than on a screen."""
        return fields

    def paper_kind(self, question: KeyedQuestion, field: Field) -> str:
        """What goes into a box on paper."""
        return CHOICE if self.words else self.paper_box or field.box

    def label(self, item: str) -> Sentence | None:
        """What is printed beside a box, where that is not the item's own name."""
        return None

    def called(self, item: str) -> Fact:
        """What an item is called where people read of it; names of the tree stay as they are."""
        if item in self.own_items:
            return Sentence(f"item.{item}", otherwise=item)
        return self.label(item) or item

    def left_blank(self, question: KeyedQuestion) -> bool:
        """Whether boxes that the key has nothing for are to be left blank, and not crossed."""
        return False

    def longest(self, question: KeyedQuestion) -> tuple[int, str]:
        """How many parts the longest possible answer has, and what kind of parts."""
        return 1, TEXT

    # Notes beside the key.

    def key_notes(self, question: KeyedQuestion) -> Iterator[Sentence]:
        """What explains the printed key."""
        yield from ()

    def share_notes(self, question: KeyedQuestion, scheme: str) -> Sequence[Sentence] | None:
        """What earns how much, where items do not share the marks; None where they do."""
        return None


def algorithm_name(algorithm: str) -> Sentence:
    """As the catalogue calls it, or else by its own name."""
    return Sentence(f"paper.algorithm.{algorithm}", otherwise=algorithm)


def searched(question: KeyedQuestion) -> dict[str, Fact]:
    """The name of the algorithm that a question is about."""
    found = question.attempt()
    return {"algorithm": algorithm_name("alpha-beta" if isinstance(found, Refusal) else found.algorithm)}


def listed(names: Sequence[str], joint: str = "and") -> Items:
    return Items(tuple(map(str, names)), len(names), joint)


def by_name(text: str, separator: str) -> Any:
    """By name what is written after it, as in `x = 3, y = 7`; the text itself if it has no such parts."""
    parts = [re.split("[:=]", part, maxsplit=1) for part in re.split(separator, text) if part.strip()]
    return {part[0].strip(): part[1].strip() for part in parts} if all(len(part) == 2 for part in parts) else text
