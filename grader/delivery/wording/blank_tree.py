"""The tree that students start from: no key, room to write, and every number that an answer needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.questions.exercise import Exercise
from grader.questions.presentation import SPACE_FOR_VALUES, SPACE_FOR_WINDOWS, STATISTICS
from grader.questions.registry import ask_of
from solver.drawing import Board, View, board
from solver.game import CHANCE, Node
from solver.languages import Language

GIVEN = frozenset({"names", "moves", "probabilities"})


@dataclass(frozen=True, slots=True)
class BlankTree:
    board: Board
    caption: str


def blank_tree(exercise: Exercise, words: Language, room: bool = True) -> BlankTree:
    """With room for values and, unless there is no `room`, for windows, if they are asked for."""
    asks, tree = [ask_of(question) for question in exercise.questions], exercise.game.tree
    wanted = frozenset(each for ask in asks for each in ask.on_the_tree)
    show = GIVEN | (wanted & ({SPACE_FOR_VALUES, SPACE_FOR_WINDOWS} if room else {SPACE_FOR_VALUES}))
    made = board(tree, View(show, blank=True, most_leaves=None), words, exercise.game.title or "")
    captions = [words.say("paper.working")]
    if STATISTICS in wanted:
        made = _with_statistics(made, words)
        captions.insert(0, words.say("paper.statistics"))
    elif tree.estimates and any(ask_of(each).has_depth(each) for each in exercise.questions):
        made = _with_estimates(made, words)
        captions.insert(0, words.say("paper.estimates"))
    return BlankTree(made, " ".join(captions))


def without_usual_outcomes(made: Board) -> Board:
    """Without the names that outcomes of chance have only for want of others: no answer has them."""
    tree, items = made.tree, list(made.items)
    for place, children in enumerate(made.children):
        node = made.items[place].node
        if node < 0 or tree.turn[node] != CHANCE:
            continue
        usual = str(tree.ids[node]).casefold()
        for number, child in enumerate(children, 1):
            if items[child].move == f"{usual}{number}":
                items[child] = replace(items[child], move="")
    return replace(made, items=items)


def _with_statistics(made: Board, words: Language) -> Board:
    """What was counted before the playout, in the shapes: the questions start from it."""
    visits, totals = made.tree.visits or {}, made.tree.totals or {}
    counts = {node: f"{words.number(totals.get(node, 0))}/{words.number(count)}" for node, count in visits.items()}
    return _with_texts(made, counts, words, lambda text: {"value": text})


def _with_estimates(made: Board, words: Language) -> Board:
    """Beside the shapes, which are left for the values."""
    estimates = {node: words.number(estimate) for node, estimate in (made.tree.estimates or {}).items()}
    return _with_texts(made, estimates, words, lambda text: {"windows": (text,), "blank_note": False})


def _with_texts(
    made: Board, texts: Mapping[Node, str], words: Language, shown: Callable[[str], dict[str, Any]]
) -> Board:
    """By inner node a string, and what it is drawn as; a screen reader reads it aloud, too."""
    joint: str = words.say("picture.joint")
    items = list(made.items)
    for place, item in enumerate(made.items):
        if made.children[place] and item.node in texts:
            text = texts[item.node]
            items[place] = replace(item, spoken=joint.join([item.spoken, text]), **shown(text))
    return replace(made, items=items)
