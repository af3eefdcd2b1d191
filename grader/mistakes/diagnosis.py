"""Which mistake explains an answer: the answer, the key and every model's are compared cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.mistakes.behaviour import mistake_of
from grader.mistakes.cells import Cell

MARGIN = 2
"""By how many cells a class must be nearer to the answer than a rival."""
FEWEST_CELLS = 3
"""A single answer fits too many mistakes to name one."""
MOST_EXACT = 3
"""More classes that fit exactly, since most cells were left blank, do not make a diagnosis."""
MOST_NEAR = 2
"""This many classes are named together when the margin does not separate them."""
SLIPS = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    mistake: str
    explains: Fraction
    """Of the cells where the answer or the model differs from the key, the share on which the two agree."""
    same_here: tuple[str, ...]
    """Mistakes that cannot be told apart from this one by what was answered."""


@dataclass(frozen=True, slots=True)
class Class:
    """Models with the same cells on this tree."""

    models: tuple[str, ...]
    different: Mapping[Cell, object]
    """Where they differ from the key, and what they say there."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """A class beside an answer."""

    models: tuple[str, ...]
    misses: int
    """Answered cells on which the two do not agree."""
    explains: Fraction

    @property
    def mistakes(self) -> list[str]:
        return list(dict.fromkeys(map(mistake_of, self.models)))


def diagnose(
    student: Mapping[Cell, object],
    key: Mapping[Cell, object],
    models: Mapping[str, Mapping[Cell, object]],
    slip_rate: Fraction = SLIPS,
) -> list[Diagnosis]:
    """The mistakes that explain an answer, best first; none rather than a guess.

    Cells that were left blank are not in `student`, and are not compared. For many answers to one exercise, make the
    classes once and call `diagnosed`.
    """
    return diagnosed(student, key, classes_of(key, models), slip_rate)


def classes_of(key: Mapping[Cell, object], models: Mapping[str, Mapping[Cell, object]]) -> list[Class]:
    """Models by what they say of all cells, in the order given; those that say what the key does are invisible."""
    found: list[tuple[list[str], dict[Cell, object]]] = []
    for name, cells in models.items():
        different = {cell: value for cell, value in cells.items() if cell in key and value != key[cell]}
        if not different:
            continue
        for names, of in found:
            if of == different:
                names.append(name)
                break
        else:
            found.append(([name], different))
    return [Class(tuple(names), of) for names, of in found]


def diagnosed(
    student: Mapping[Cell, object], key: Mapping[Cell, object], classes: Sequence[Class], slip_rate: Fraction = SLIPS
) -> list[Diagnosis]:
    """A class that fits exactly is named, and all of them if blanks leave several.

    With slips, the best class is named if it is within the slips allowed and `MARGIN` cells nearer to the answer than
    the key. Classes that it does not beat by that margin are named with it; if they are more than a few, none is.
    """
    answered = [cell for cell in student if cell in key]
    wrong = sum(student[cell] != key[cell] for cell in answered)
    if not wrong or len(answered) < FEWEST_CELLS:
        return []
    compared = [found for each in classes if (found := _compared(each, student, key, wrong)) is not None]
    if not compared:
        return []
    compared.sort(key=lambda each: each.misses)
    best = compared[0]
    if not best.misses:
        exact = [each for each in compared if not each.misses]
        return [_diagnosis(each, exact) for each in exact] if len(exact) <= MOST_EXACT else []
    allowed = max(1, round(slip_rate * len(answered)))
    if best.misses > allowed or best.misses + MARGIN > wrong:
        return []
    near = [each for each in compared if each.misses < best.misses + MARGIN]
    return [_diagnosis(each, near) for each in near] if len(near) <= MOST_NEAR else []


def _compared(of: Class, student: Mapping[Cell, object], key: Mapping[Cell, object], wrong: int) -> _Compared | None:
    """A class beside an answer; None if on what was answered it is the key."""
    misses = concerned = wrong
    answered = False
    for cell, says in of.different.items():
        if cell not in student:
            continue
        answered = True
        given = student[cell]
        if given == key[cell]:
            misses += 1
            concerned += 1
        elif given == says:
            misses -= 1
    # Where the two do not agree, one of them differs from the key.
    return _Compared(of.models, misses, Fraction(concerned - misses, concerned)) if answered else None


def _diagnosis(named: _Compared, alike: Sequence[_Compared]) -> Diagnosis:
    mistake, *rest = named.mistakes
    others = [other for each in alike if each is not named for other in each.mistakes]
    same_here = dict.fromkeys(each for each in (*rest, *others) if each != mistake)
    return Diagnosis(mistake, named.explains, tuple(same_here))
