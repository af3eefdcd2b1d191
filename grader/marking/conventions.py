"""The conventions that an answer may follow, and what each counts for.

The whole answer is marked under the declared convention, each accepted one and each other one; the best after policy
counts, never a mixture. One that the exercise does not accept counts only if it leaves fewer items wrong, missing or
charged than the declared one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from grader.questions.exercise import Exercise, Question
from grader.questions.registry import ask_of
from solver.game import CONVENTION_CHOICES, Convention, sensible
from solver.kernel import UsageError

FORGIVEN = ("update", "returns", "write")
"""Counted in full even where the exercise prints them, unless its policy says otherwise."""
VARIED = ("cut", "update", "returns", "order", "window", "depth_unit", "write")
SHARES = {"full": Fraction(1), "half": Fraction(1, 2), "none": Fraction(0), "as-errors": Fraction(0)}


@dataclass(frozen=True, slots=True)
class Candidate:
    convention: Convention
    share: Fraction
    """What marks under it count for; 1 for the declared and the accepted ones."""
    changed: tuple[str, ...] = ()
    """The keys in which it is not the declared one."""
    accepted: bool = False
    """Whether the exercise accepts it: it is then considered for every answer."""


def candidates(exercise: Exercise) -> Iterator[Candidate]:
    """The declared one first, then the accepted ones, then the others, nearest first; none that counts for nothing."""
    declared = exercise.convention
    yield Candidate(declared, Fraction(1))
    seen = {declared}
    for accepted in exercise.marking.accept:
        if accepted not in seen:
            seen.add(accepted)
            yield Candidate(accepted, Fraction(1), _changed(declared, accepted), accepted=True)
    others = [other for other in _others(exercise) if other not in seen]
    for other in sorted(others, key=lambda each: len(_changed(declared, each))):
        changed = _changed(declared, other)
        share = min(_share(exercise, key) for key in changed)
        if share > 0:
            yield Candidate(other, share, changed)


def _choices(key: str, exercise: Exercise) -> Sequence[object]:
    """What others choose, as far as it can change an answer to this exercise."""
    match key:
        case "window":
            bounds = ["bounds"] if exercise.game.tree.bounds is not None else []
            return [("-inf", "inf"), "utilities", *bounds]
        case "write":
            asked = any(ask_of(question).writes_windows for question in exercise.questions)
            return ["entry", "exit", "all"] if asked else []
        case "update":
            # When windows move shows only in windows that are not those on entry.
            asked = any(
                ask_of(question).writes_windows and question.parameters.get("at") != "entry"
                for question in exercise.questions
            )
            return CONVENTION_CHOICES[key] if asked or exercise.marking.other_convention is not None else []
        case "depth_unit":
            return CONVENTION_CHOICES[key] if any(question.depth for question in exercise.questions) else []
    return CONVENTION_CHOICES[key]


def _others(exercise: Exercise) -> Iterator[Convention]:
    declared = exercise.convention
    choices: list[list[object]] = []
    for key in VARIED:
        own = getattr(declared, key)
        choices.append([own, *(choice for choice in _choices(key, exercise) if choice != own)])
    for values in product(*choices):
        other = replace(declared, **dict(zip(VARIED, values, strict=True)))  # type: ignore[arg-type]
        try:
            sensible(other)
        except UsageError:
            continue
        if other != declared:
            yield other


def _may_be_written(question: Question) -> bool:
    """Whether it asks for windows and leaves open which: `at` binds like a printed key."""
    return ask_of(question).writes_windows and "at" not in question.parameters


def _changed(declared: Convention, other: Convention) -> tuple[str, ...]:
    return tuple(key for key in (*VARIED, "ties") if getattr(declared, key) != getattr(other, key))


def _share(exercise: Exercise, key: str) -> Fraction:
    policy = exercise.marking.other_convention
    if policy is not None:
        return SHARES[policy]
    if key == "write" and not any(_may_be_written(question) for question in exercise.questions):
        return Fraction(0)
    return Fraction(1) if key in FORGIVEN or key not in exercise.printed else Fraction(0)
