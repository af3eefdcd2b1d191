"""An exercise as students see it, on paper or on a screen: what a question asks in words, the rules that a sheet must
state, and the tree that they start from.

The rules are every key of the convention that can change an answer. The tree has no key, room to write, and every
number that an answer needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.presentation import SPACE_FOR_VALUES, SPACE_FOR_WINDOWS, STATISTICS
from grader.questions.registry import ask_of
from solver.drawing import Board, View, board
from solver.game import CHANCE, CONVENTION_CHOICES, Convention, Node, sensible
from solver.kernel import Refusal, UsageError
from solver.languages import Between, Fact, Formula, Language, Sentence


def question_wording(question: KeyedQuestion) -> Sentence | str:
    return question.text or ask_of(question).wording(question)


def question_remarks(question: KeyedQuestion) -> Iterator[Sentence]:
    """How an answer is to be given: what its text does not say, and what never tells the key."""
    return ask_of(question).remarks(question)


KEYS = ("order", "window", "cut", "update", "returns", "write", "depth_unit", "ties")
"""In the order in which a sheet states them."""
OF_A_SEARCH = ("window", "cut", "update", "returns")
_RULES = {
    "left-to-right": "rule.left-to-right",
    "right-to-left": "rule.right-to-left",
    "after-test": "rule.after-test",
    "before-test": "rule.before-test",
    "fail-soft": "rule.fail-soft",
    "fail-hard": "rule.fail-hard",
    "first": "rule.ties.first",
    "last": "rule.ties.last",
    "any": "rule.ties.any",
    "ply": "paper.depth-unit.ply",
    "round": "paper.depth-unit.round",
}
_WRITTEN = {"entry": "paper.write.entry", "exit": "paper.write.exit", "all": "paper.write.all"}


def deciding_keys(exercise: Exercise) -> tuple[str, ...]:
    """The keys that, once they are stated, leave one key to every question, whatever the others are.

    Those that change an answer alone come first; others count if they do so only together, the fewest first.
    """
    declared = AnswerKey(exercise)
    varied = {key: choices for key in KEYS if (choices := _choices(exercise, key))}
    found: set[str] = set()
    for size in range(1, len(varied) + 1):
        for keys in combinations(varied, size):
            if not found.isdisjoint(keys):
                continue
            if any(_differs(declared, other) for other in _others(exercise.convention, keys, varied)):
                found.update(keys)
    return tuple(key for key in KEYS if key in found)


def possible_keys(exercise: Exercise) -> tuple[str, ...]:
    """The keys that could change an answer to such questions about some tree: which of them do in this one would tell
    something of its answers, such as that two moves are equally good."""
    asked = {key for question in exercise.questions for key in ask_of(question).depends_on}
    return tuple(key for key in KEYS if key in asked and _choices(exercise, key))


def rules(exercise: Exercise) -> Iterator[Sentence]:
    """What a printed sheet says of the convention: what decides, and what the exercise itself writes out."""
    return _rules(exercise, deciding_keys(exercise))


def open_rules(exercise: Exercise) -> Iterator[Sentence]:
    """What is said of the convention where the choice of what is said must not depend on the answers."""
    return _rules(exercise, possible_keys(exercise))


def _rules(exercise: Exercise, keys: Sequence[str]) -> Iterator[Sentence]:
    convention, tree = exercise.convention, exercise.game.tree
    stated = {*keys, *exercise.printed}
    for key in (key for key in KEYS if key in stated):
        match key:
            case "window":
                yield _window(exercise)
            case "cut":
                past = convention.cut == "past-bound"
                tests: dict[str, Fact] = {
                    "max_test": Formula(("v", " > " if past else " ≥ ", "β")),
                    "min_test": Formula(("v", " < " if past else " ≤ ", "α")),
                }
                yield Sentence("rule.past-bound" if past else "rule.at-bound", None, tests)
            case "write":
                yield from _written(exercise)
            case _:
                yield Sentence(_RULES[getattr(convention, key)])
    if tree.bounds is not None:
        yield Sentence("paper.bounds", None, {"interval": Between(tree.bounds, closed=True)})


def _same_answers(one: AnswerKey, other: AnswerKey) -> bool:
    """Whether two conventions have the same key to every question."""
    for question, same in zip(one.questions, other.questions, strict=True):
        ask = ask_of(question)
        if ask.many_right:
            # The key that is printed is an example: what counts is whether each takes the other's.
            if not (_takes(question, same) and _takes(same, question)):
                return False
            continue
        mine, yours = ask.shown(question), ask.shown(same)
        if mine != yours or (ask.ordered and list(mine) != list(yours)):
            return False
    return True


def _takes(here: KeyedQuestion, there: KeyedQuestion) -> bool:
    """Whether an answer that is right under one convention is right under another."""
    ask = ask_of(here)
    key, given = ask.keyed(here), ask.read(here, ask.perfect(there))
    return all(
        each.read and item in key and ask.agrees(here, item, each.value, key[item]) for item, each in given.items()
    )


def _differs(declared: AnswerKey, other: Convention) -> bool:
    try:
        return not _same_answers(declared, AnswerKey(declared.exercise, other))
    except Refusal:
        # Nobody can follow a convention under which the questions have no key.
        return False


def _others(declared: Convention, keys: Sequence[str], varied: dict[str, list[object]]) -> Iterator[Convention]:
    """The conventions that are another one in each of these keys, and only in them."""
    for values in product(*(varied[key] for key in keys)):
        other = replace(declared, **dict(zip(keys, values, strict=True)))  # type: ignore[arg-type]
        try:
            yield sensible(other)
        except UsageError:
            continue


def _choices(exercise: Exercise, key: str) -> list[object]:
    """What else somebody could choose, if the exercise asks for anything that it could change."""
    questions, own = exercise.questions, getattr(exercise.convention, key)
    choices: Sequence[object] = CONVENTION_CHOICES[key]
    if key == "window":
        choices = [("-inf", "inf"), "utilities", *(["bounds"] if exercise.game.tree.bounds is not None else [])]
    elif key == "write":
        choices = list(_WRITTEN) if any(ask_of(question).writes_windows for question in questions) else []
    elif key == "depth_unit" and not any(ask_of(each).has_depth(each) for each in questions):
        choices = []
    if key in OF_A_SEARCH and not _searches(exercise):
        choices = []
    return [choice for choice in choices if choice != own]


def _searches(exercise: Exercise) -> bool:
    """Whether some question is about a search with windows; a tree that cannot be solved as it stands may be."""
    for question in AnswerKey(exercise).questions:
        found = question.attempt()
        if isinstance(found, Refusal) or found.search is not None:
            return True
    return any(ask_of(each).about_alpha_beta for each in exercise.questions)


def _window(exercise: Exercise) -> Sentence:
    convention, tree = exercise.convention, exercise.game.tree
    if convention.window == "utilities":
        return Sentence("paper.window.utilities")
    ends = tree.bounds if convention.window == "bounds" else convention.window
    assert ends is not None and not isinstance(ends, str)
    return Sentence("rule.window", None, {"window": Between(ends)})


def _written(exercise: Exercise) -> Iterator[Sentence]:
    """Each once; a question may ask for other windows than the convention writes."""
    asked = {}
    for question in AnswerKey(exercise).questions:
        when = ask_of(question).windows_written(question)
        if when is not None:
            asked[when] = True
    for when in asked:
        yield Sentence(_WRITTEN[when])


GIVEN_VALUES = frozenset({"names", "moves", "probabilities"})


@dataclass(frozen=True, slots=True)
class BlankTree:
    board: Board
    caption: str


def blank_tree(exercise: Exercise, words: Language, room: bool = True) -> BlankTree:
    """With room for values and, unless there is no `room`, for windows, if they are asked for."""
    asks, tree = [ask_of(question) for question in exercise.questions], exercise.game.tree
    wanted = frozenset(each for ask in asks for each in ask.on_the_tree)
    show = GIVEN_VALUES | (wanted & ({SPACE_FOR_VALUES, SPACE_FOR_WINDOWS} if room else {SPACE_FOR_VALUES}))
    blank_board = board(tree, View(show, blank=True, most_leaves=None), words, exercise.game.title or "")
    captions = [words.say("paper.working")]
    if STATISTICS in wanted:
        blank_board = _with_statistics(blank_board, words)
        captions.insert(0, words.say("paper.statistics"))
    elif tree.estimates and any(ask_of(each).has_depth(each) for each in exercise.questions):
        blank_board = _with_estimates(blank_board, words)
        captions.insert(0, words.say("paper.estimates"))
    return BlankTree(blank_board, " ".join(captions))


def without_usual_outcomes(blank_board: Board) -> Board:
    """Without the names that outcomes of chance have only for want of others: no answer has them."""
    tree, items = blank_board.tree, list(blank_board.items)
    for place, children in enumerate(blank_board.children):
        node = blank_board.items[place].node
        if node < 0 or tree.turn[node] != CHANCE:
            continue
        usual = str(tree.ids[node]).casefold()
        for number, child in enumerate(children, 1):
            if items[child].move == f"{usual}{number}":
                items[child] = replace(items[child], move="")
    return replace(blank_board, items=items)


def _with_statistics(blank_board: Board, words: Language) -> Board:
    """What was counted before the playout, in the shapes: the questions start from it."""
    visits, totals = blank_board.tree.visits or {}, blank_board.tree.totals or {}
    counts = {node: f"{words.number(totals.get(node, 0))}/{words.number(count)}" for node, count in visits.items()}
    return _with_texts(blank_board, counts, words, lambda text: {"value": text})


def _with_estimates(blank_board: Board, words: Language) -> Board:
    """Beside the shapes, which are left for the values."""
    estimates = {node: words.number(estimate) for node, estimate in (blank_board.tree.estimates or {}).items()}
    return _with_texts(blank_board, estimates, words, lambda text: {"windows": (text,), "blank_note": False})


def _with_texts(
    blank_board: Board, texts: Mapping[Node, str], words: Language, shown: Callable[[str], dict[str, Any]]
) -> Board:
    """By inner node a string, and what it is drawn as; a screen reader reads it aloud, too."""
    joint: str = words.say("picture.joint")
    items = list(blank_board.items)
    for place, item in enumerate(blank_board.items):
        if blank_board.children[place] and item.node in texts:
            text = texts[item.node]
            items[place] = replace(item, spoken=joint.join([item.spoken, text]), **shown(text))
    return replace(blank_board, items=items)
