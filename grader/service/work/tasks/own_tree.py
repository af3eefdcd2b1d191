"""A student's own answer on the tree. Nothing here tells the key: it is drawn from what was written alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.delivery.wording.blank_tree import blank_tree
from grader.languages.words import words_of
from grader.marking.mark import read as read_answers
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Given
from grader.questions.presentation import MOVE, MOVES, SPACE_FOR_VALUES, SPACE_FOR_WINDOWS
from grader.questions.registry import ask_of
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.variants import answer_of, grader_of
from solver.drawing import Board, BoardItem, page_figure
from solver.languages import Language

LEFT_OUT = "pruned"
LONGEST = 14
"""What is longer is drawn with its beginning only; all of it stands in the list of answers."""


@dataclass(slots=True)
class Written:
    """By node or by name what belongs there."""

    values: dict[str, str] = field(default_factory=dict)
    windows: dict[str, str] = field(default_factory=dict)
    crossed: set[str] = field(default_factory=set)
    """Leaves that were left out."""
    chosen: dict[int, list[str]] = field(default_factory=dict)
    """The nodes that a chosen move or line leads to, and in which words that is said."""


def own_tree(variant_raw: bytes, body: bytes, language: str, move: str, line: str) -> str:
    """A picture for a page. `move` and `line` are what is said of a node that the chosen move or line leads to."""
    with refusing(places=False):
        answer_key, words = grader_of(variant_raw).declared, words_of(language)
        answers = answer_of(body, answer_key.exercise.id, language).answers
        given, _ = read_answers(answer_key, answers, language)
        written = _written(answer_key.questions, given, {MOVE: move, MOVES: line})
        return page_figure(_drawn(blank_tree(answer_key.exercise, words).board, written, words), "own-")


def _written(
    questions: Sequence[KeyedQuestion], given: Mapping[str, Mapping[str, Given]], said: Mapping[str, str]
) -> Written:
    found = Written()
    for question in questions:
        ask, here = ask_of(question), given[question.id]
        texts = {item: _short(each.text) for item, each in here.items() if each.text}
        if SPACE_FOR_VALUES in ask.on_the_tree:
            found.values |= texts
        elif SPACE_FOR_WINDOWS in ask.on_the_tree:
            found.windows |= texts
        elif ask.box in said:
            for node in _nodes(here):
                found.chosen.setdefault(node, []).append(said[ask.box])
        found.crossed |= ask.stated(question, here).crossed or set()
    return found


def _nodes(given: Mapping[str, Given]) -> Iterator[int]:
    """As far as the moves could be read."""
    for here in given.values():
        if isinstance(here.value, int):
            yield here.value


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _drawn(blank: Board, written: Written, words: Language) -> Board:
    """Values in the shapes, windows beside them, what was left out crossed out, what was chosen heavy."""
    joint: str = words.say("picture.joint")
    below = _left_out(blank, written.crossed)
    up = {child: place for place, children in enumerate(blank.children) for child in children}
    items = list(blank.items)
    for place, item in enumerate(blank.items):
        said = [text for text in (written.values.get(item.name), written.windows.get(item.name)) if text]
        chosen = written.chosen.get(item.node, [])
        drawn = item
        if place in below:
            first = up.get(place) not in below
            drawn = replace(drawn, state=LEFT_OUT, cut=first and place in up)
            said = [*said, words.say("picture.pruned")]
        elif blank.children[place]:
            drawn = _filled_in(drawn, written)
        items[place] = replace(drawn, best=bool(chosen), spoken=joint.join([item.spoken, *said, *chosen]))
    return replace(blank, items=items)


def _filled_in(item: BoardItem, written: Written) -> BoardItem:
    if item.name in written.values:
        item = replace(item, value=written.values[item.name])
    if item.name in written.windows:
        item = replace(item, windows=(written.windows[item.name],), blank_note=False)
    return item


def _left_out(drawn: Board, crossed: set[str]) -> set[int]:
    """Crossed-out leaves, and the nodes below which there are no others."""
    found: set[int] = set()
    for place in reversed(range(len(drawn.items))):
        children = drawn.children[place]
        gone = all(child in found for child in children) if children else drawn.items[place].name in crossed
        if gone:
            found.add(place)
    return found
