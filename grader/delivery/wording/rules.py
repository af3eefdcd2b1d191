"""The rules that a sheet must state: every key of the convention that can change an answer, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from grader.marking.mark import ask_of
from grader.questions.answer_key import Setting
from grader.questions.exercise import Exercise, Question
from grader.questions.windows import WindowsAsk
from solver.game import CONVENTION_CHOICES, Convention, sensible
from solver.kernel import Refusal, UsageError
from solver.languages import Between, Fact, Formula, Sentence

KEYS = ("order", "window", "cut", "update", "returns", "write", "depth_unit", "ties")
"""In the order in which a sheet states them."""
OF_A_SEARCH = ("window", "cut", "update", "returns")
MANY_RIGHT = ("plan", "reorder", "assign")
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
    declared = Setting(exercise, exercise.convention)
    varied = {key: choices for key in KEYS if (choices := _choices(exercise, key))}
    found: set[str] = set()
    for size in range(1, len(varied) + 1):
        for keys in combinations(varied, size):
            if not found.isdisjoint(keys):
                continue
            if any(_differs(declared, other) for other in _others(exercise.convention, keys, varied)):
                found.update(keys)
    return tuple(key for key in KEYS if key in found)


def rules(exercise: Exercise) -> Iterator[Sentence]:
    """What the sheet says of the convention: what decides, and what the exercise itself writes out."""
    convention, tree = exercise.convention, exercise.game.tree
    deciding = {*deciding_keys(exercise), *exercise.printed}
    for key in (key for key in KEYS if key in deciding):
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


def _same_answers(one: Setting, other: Setting) -> bool:
    """Whether two conventions have the same key to every question."""
    for question in one.exercise.questions:
        ask = ask_of(question)
        if question.ask in MANY_RIGHT:
            # The key that is printed is an example: what counts is whether each takes the other's.
            if not (_takes(question, one, other) and _takes(question, other, one)):
                return False
            continue
        mine, yours = ask.shown(question, one), ask.shown(question, other)
        if mine != yours or (question.ask == "visited" and list(mine) != list(yours)):
            return False
    return True


def _takes(question: Question, here: Setting, there: Setting) -> bool:
    """Whether an answer that is right under one convention is right under another."""
    ask = ask_of(question)
    key, given = ask.keyed(question, here), ask.read(question, here, ask.perfect(question, there))
    return all(
        each.read and item in key and ask.agrees(question, here, item, each.value, key[item])
        for item, each in given.items()
    )


def _differs(declared: Setting, other: Convention) -> bool:
    try:
        return not _same_answers(declared, Setting(declared.exercise, other))
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
        choices = list(_WRITTEN) if any(question.ask == "windows" for question in questions) else []
    elif key == "depth_unit" and not any(each.depth is not None or each.ask == "depths" for each in questions):
        choices = []
    if key in OF_A_SEARCH and not _searches(exercise):
        choices = []
    return [choice for choice in choices if choice != own]


def _searches(exercise: Exercise) -> bool:
    """Whether some question is about a search with windows; a tree that cannot be solved as it stands may be."""
    setting = Setting(exercise, exercise.convention)
    for question in exercise.questions:
        try:
            if setting.solution(question).search is not None:
                return True
        except Refusal:
            return True
    return any(each.ask in ("reorder", "transform", "prunable", "choice", "fewest") for each in exercise.questions)


def _window(exercise: Exercise) -> Sentence:
    convention, tree = exercise.convention, exercise.game.tree
    if convention.window == "utilities":
        return Sentence("paper.window.utilities")
    ends = tree.bounds if convention.window == "bounds" else convention.window
    assert ends is not None and not isinstance(ends, str)
    return Sentence("rule.window", None, {"window": Between(ends)})


def _written(exercise: Exercise) -> Iterator[Sentence]:
    """Each once; a question may ask for other windows than the convention writes."""
    setting = Setting(exercise, exercise.convention)
    asked = {}
    for question in exercise.questions:
        ask = ask_of(question)
        if isinstance(ask, WindowsAsk):
            asked[ask.when(question, setting)] = True
    for when in asked:
        yield Sentence(_WRITTEN[when])
