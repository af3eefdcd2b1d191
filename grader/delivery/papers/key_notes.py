"""What a key says beside the answers: what earns what, what else counts, and which mistakes show; its numbers in the
digits and with the decimal separator of a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.delivery.exercise_wording import deciding_keys
from grader.delivery.papers.paper_content import Mistake
from grader.marking.conventions import candidates
from grader.marking.diagnose import Diagnosing
from grader.mistakes import words as words_of_cells
from grader.mistakes.behaviour import mistake_of
from grader.mistakes.cells import UNVISITED
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.presentation import TEXT, VECTOR, WINDOW, WINDOWS
from grader.questions.registry import ask_of
from grader.questions.scoring import worth
from solver.game import Tree
from solver.languages import Formula, Items, Language, Percent, Sentence, choice_name, convention_name
from solver.search import Value

PARTED = (WINDOW, WINDOWS, VECTOR, TEXT)
"""What has several numbers with commas between them."""
_NUMBER = re.compile(r"(?<![\w.])\d+(\.\d+)?(?![\w.])")
_PERSIAN = str.maketrans(",;", "،؛")
_DECIMAL = re.compile(r"\d\.\d")


def localised(text: str, words: Language, kind: str = "number") -> str:
    """With the language's digits and decimal separator, except in names; semicolons part decimal-comma numbers."""
    commas = words.number(Decimal("0.5")) == "0,5"
    if commas and kind in PARTED and (kind != TEXT or _DECIMAL.search(text)):
        text = text.replace(", ", "; ")
    return punctuated(_NUMBER.sub(lambda match: words.number(Decimal(match[0])), text), words)


def punctuated(text: str, words: Language) -> str:
    """With the language's comma and semicolon between names and numbers."""
    return text.translate(_PERSIAN) if words.direction == "rtl" else text


_POLICIES = {Fraction(0): "none", Fraction(1): "full"}
MOST_TRACES, LONGEST_TRACE = 3, 24
MOST_MISTAKES = 40


def question_notes(question: KeyedQuestion) -> Iterator[Sentence]:
    rubric, ask = question.rubric, ask_of(question)
    yield from ask.key_notes(question)
    match rubric.scheme:
        case "all-or-nothing":
            yield Sentence("paper.note.all-or-nothing")
        case "per-error":
            yield Sentence("paper.note.per-error", None, {"each": rubric.each or Fraction(0)})
        case scheme:
            own = ask.share_notes(question, scheme)
            yield from _shares(question, list(ask.keyed(question)), scheme) if own is None else own
    if ask.many_right:
        yield Sentence("paper.note.any-right")
    if rubric.cap is not None:
        yield Sentence("paper.note.cap", None, {"cap": rubric.cap})
    if rubric.floor:
        yield Sentence("paper.note.floor", None, {"floor": rubric.floor})


def exercise_notes(exercise: Exercise) -> Iterator[Sentence]:
    """The policy: following through, and other conventions."""
    share = exercise.marking.follow_through
    if share in (0, 1):
        yield Sentence("paper.note.follow.full" if share else "paper.note.follow.none")
    else:
        yield Sentence("paper.note.follow", None, {"share": Percent(100 * share)})
    if exercise.marking.accept:
        names = tuple(map(convention_name, exercise.marking.accept))
        yield Sentence("paper.note.accepted", None, {"names": Items(names, len(names))})
    by_share: dict[str, list[str]] = {}
    counted = _counted(exercise)
    for key in deciding_keys(exercise):
        by_share.setdefault(_POLICIES.get(counted.get(key, Fraction(0)), "half"), []).append(key)
    for policy, keys in by_share.items():
        yield Sentence(f"paper.note.other.{policy}", None, {"names": Items(tuple(map(choice_name, keys)), len(keys))})
    if by_share.keys() - {"none"} and _prunes(exercise):
        yield Sentence("paper.note.other.pruned")


def mistakes(answer_key: AnswerKey, words: Language) -> Iterator[Mistake]:
    """Those that some answer shows; mistakes that give the same answers stand together."""
    tree = answer_key.tree
    for found in Diagnosing(answer_key).classes[:MOST_MISTAKES]:
        names = list(dict.fromkeys(map(mistake_of, found.models)))
        titles = [words.say(f"mistake.{name}.title") for name in names]
        traces = [text for cell, says in found.different.items() if (text := _trace(cell, says, tree, words))]
        yield Mistake(punctuated(", ".join(names), words), " / ".join(titles), punctuated(_some(traces), words))


def _some(traces: Sequence[str]) -> str:
    """The first of them, as many as are read at a glance."""
    some = [trace for place, trace in enumerate(traces[:MOST_TRACES]) if not place or len(trace) < LONGEST_TRACE]
    return "; ".join(some) + ("; …" if len(traces) > len(some) else "")


def _counted(exercise: Exercise) -> dict[str, Fraction]:
    """By key, what an answer counts for that follows another choice of it; nothing for one that is not considered."""
    found: dict[str, Fraction] = {} if "ties" in exercise.printed else {"ties": Fraction(1)}
    for candidate in candidates(exercise):
        if candidate.convention not in exercise.marking.accept:
            for key in candidate.changed:
                found[key] = max(found.get(key, Fraction(0)), candidate.share)
    return found


def _prunes(exercise: Exercise) -> bool:
    asked = [question for question in AnswerKey(exercise).questions if ask_of(question).may_be_nothing]
    return any(ask_of(question).keyed(question) for question in asked)


def _shares(question: KeyedQuestion, items: Sequence[str], scheme: str) -> Iterator[Sentence]:
    shares = worth(question.rubric, question.marks, items)
    if len(items) < 2:
        return
    if len(set(shares)) == 1:
        key = "paper.note.right-minus-wrong" if scheme == "right-minus-wrong" else "paper.note.each"
        yield Sentence(key, None, {"each": shares[0]})
        return
    listed = tuple(Formula((f"{item}: ", share)) for item, share in zip(items, shares, strict=True))
    yield Sentence("paper.note.weighted", None, {"shares": Items(listed[:12], len(listed), "then")})


def _trace(cell: tuple[Any, ...], says: Any, tree: Tree, words: Language) -> str:
    """`C = 4`; empty for a cell that cannot be shown in a few characters."""
    name = "" if len(cell) < 2 or not isinstance(cell[1], int) else str(tree.ids[cell[1]])
    match cell[0]:
        case words_of_cells.WORTH:
            return f"{name} = {'–' if isinstance(says, str) else _value(says, words)}"
        case words_of_cells.COUNTS if isinstance(says, tuple):
            return f"{name} = {'/'.join(map(words.number, says))}"
        case "window" if isinstance(says, tuple) and says:
            # One, or all that a node went through.
            passed = says if isinstance(says[0], tuple) else (says,)
            return f"{name}: {' → '.join(map(words.window, passed))}"
        case "window" if says == UNVISITED:
            return f"{name}: –"
        case words_of_cells.CROSSED:
            return f"{'✗' if says else '✓'} {name}"
        case words_of_cells.PLAYED:
            return str(tree.move[says])
        case words_of_cells.UCB1:
            return f"{name} = {localised(str(says), words)}"
        case words_of_cells.SELECTED if isinstance(says, int):
            return f"→ {tree.ids[says]}"
    return ""


def _value(value: Value, words: Language) -> str:
    text: str = words.vector(value) if isinstance(value, tuple) else words.number(value)
    return text
