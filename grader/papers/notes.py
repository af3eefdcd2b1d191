"""What a key says beside the answers: what earns what, what else counts, and which mistakes show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from grader.conventions import FORGIVEN, SHARES
from grader.diagnosing import Diagnosing
from grader.exercise import Exercise, Question
from grader.marking import ask_of
from grader.mistakes.behaviour import mistake_of
from grader.papers.content import Mistake
from grader.papers.stated import MANY_RIGHT, deciding_keys
from grader.scoring import worth
from grader.setting import Setting
from solver import Fact, Formula, Items, Language, Sentence, Tree, Window, bound_text, value_text

MOST_TRACES = 3
MOST_MISTAKES = 40


def question_notes(question: Question, setting: Setting) -> Iterator[Sentence]:
    rubric, key = question.rubric, ask_of(question).keyed(question, setting)
    if question.ask == "pruned":
        for cut in key.values():
            yield _stop(cut, setting.solution(question).tree)
    match rubric.scheme:
        case "all-or-nothing":
            yield Sentence("paper.note.all-or-nothing")
        case "per-error":
            yield Sentence("paper.note.per-error", None, {"each": rubric.each or Fraction(0)})
        case scheme if question.ask == "pruned" and scheme == "items":
            yield _stops(question, len(key))
            if key:
                yield Sentence("paper.note.stops.none")
        case scheme:
            yield from _shares(question, list(key), scheme)
    if question.ask in MANY_RIGHT:
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
        yield Sentence("paper.note.follow", None, {"share": share})
    if exercise.marking.accept:
        names = [each.name or str(each.as_data()) for each in exercise.marking.accept]
        yield Sentence("paper.note.accepted", None, {"names": Items(tuple(names), len(names))})
    by_share: dict[str, list[str]] = {}
    for key in deciding_keys(exercise):
        by_share.setdefault(_policy(exercise, key), []).append(key)
    for policy, keys in by_share.items():
        yield Sentence(f"paper.note.other.{policy}", None, {"names": Items(tuple(keys), len(keys))})


def mistakes(setting: Setting, words: Language) -> Iterator[Mistake]:
    """Those that some answer shows; mistakes that give the same answers stand together."""
    tree = setting.exercise.game.tree
    for found in Diagnosing(setting).classes[:MOST_MISTAKES]:
        names = list(dict.fromkeys(map(mistake_of, found.models)))
        titles = [words.say(f"mistake.{name}.title") for name in names]
        traces = [text for cell, says in found.different.items() if (text := _trace(cell, says, tree))]
        more = ", …" if len(traces) > MOST_TRACES else ""
        yield Mistake(", ".join(names), " / ".join(titles), ", ".join(traces[:MOST_TRACES]) + more)


def _policy(exercise: Exercise, key: str) -> str:
    policy = exercise.marking.other_convention
    if policy is None:
        return "full" if key in FORGIVEN or key not in exercise.printed else "none"
    return {1: "full", 0: "none"}.get(SHARES[policy], "half")  # type: ignore[call-overload, no-any-return]


def _stop(cut: Any, tree: Tree) -> Sentence:
    skipped = [str(tree.ids[node]) for node in cut.skipped]
    facts: dict[str, Fact] = {
        "node": str(tree.ids[cut.node]),
        "after": str(tree.ids[cut.after]),
        "skipped": Items(tuple(skipped[:12]), len(skipped)),
    }
    return Sentence("paper.note.stop", None, facts)


def _stops(question: Question, stops: int) -> Sentence:
    unit, rubric = question.marks / max(stops, 2), question.rubric
    costs = {name: unit * getattr(rubric, name) for name in ("missed", "late", "unsound", "unjustified")}
    return Sentence("paper.note.stops", None, costs)


def _shares(question: Question, items: Sequence[str], scheme: str) -> Iterator[Sentence]:
    if question.ask == "visited":
        yield Sentence("paper.note.sequence")
        return
    shares = worth(question.rubric, question.marks, items)
    if len(items) < 2:
        return
    if len(set(shares)) == 1:
        key = "paper.note.right-minus-wrong" if scheme == "right-minus-wrong" else "paper.note.each"
        yield Sentence(key, None, {"each": shares[0]})
        return
    listed = tuple(Formula((f"{item}: ", share)) for item, share in zip(items, shares, strict=True))
    yield Sentence("paper.note.weighted", None, {"shares": Items(listed[:12], len(listed), "then")})


def _trace(cell: tuple[Any, ...], says: Any, tree: Tree) -> str:
    """`C = 4`; empty for a cell that is not told in a few signs."""
    match cell[0]:
        case "value":
            return f"{tree.ids[cell[1]]} = {'–' if isinstance(says, str) else value_text(says)}"
        case "counts" if isinstance(says, tuple):
            return f"{tree.ids[cell[1]]} = {'/'.join(map(value_text, says))}"
        case "window" if isinstance(says, tuple) and len(says) == 2 and not isinstance(says[0], tuple):
            return f"{tree.ids[cell[1]]}: {_window(says)}"
        case "pruned":
            return f"{'✗' if says else '✓'} {tree.ids[cell[1]]}"
        case "move":
            return str(tree.move[says])
        case "ucb":
            return f"{tree.ids[cell[1]]} = {says}"
        case "select" if isinstance(says, int):
            return f"→ {tree.ids[says]}"
    return ""


def _window(window: Window) -> str:
    return f"({bound_text(window[0])}, {bound_text(window[1])})"
