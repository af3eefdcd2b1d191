"""Which mistake explains an answer: the answer, the key and every model's are compared cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.mistakes.behaviour import mistake_of
from grader.mistakes.cells import Cell
from grader.mistakes.guessing import Guessing, guessing_of

FEWEST_EXPLAINED = 2
"""A mistake needs more than one cell that it explains and the key does not."""
MARGIN = 2
"""By how many cells a class must be nearer to the answer than any rival, to be named without a doubt."""
FEWEST_CELLS = 3
"""A single answer fits too many mistakes to name one."""
MOST_ALIKE = 3
"""More classes that fit equally well do not make a diagnosis."""
SLIPS = Fraction(1, 20)
CONVENTIONS = frozenset({"A1", "A11", "A18", "M8"})
"""Mistakes only where the exercise says which way is right."""
BY_CHANCE = Fraction(1, 20)
"""The largest share of guessed answers that may come as near to some class as the answer does."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    mistake: str
    explains: Fraction
    """Of the cells where the answer or the model differs from the key, the share on which the two agree."""
    same_here: tuple[str, ...]
    """Mistakes that cannot be told apart from this one by what was answered."""
    sure: bool = True
    """Whether it looks like this mistake; otherwise it could be, on thin evidence."""


@dataclass(frozen=True, slots=True)
class Class:
    """Models with the same cells on this tree."""

    models: tuple[str, ...]
    different: Mapping[Cell, object]
    """Where they differ from the key, and what they say there."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """A class beside an answer."""

    of: Class
    misses: int
    """Answered cells on which the two do not agree."""
    explained: int
    """Answered cells on which the two agree, and the key does not."""
    explains: Fraction

    @property
    def mistakes(self) -> list[str]:
        return list(dict.fromkeys(map(mistake_of, self.of.models)))


def fit(found: Sequence[Diagnosis]) -> tuple[bool, bool, Fraction]:
    """How well an answer is explained by the first of these: exactly, without a doubt, how much of it."""
    first = found[0]
    return first.explains == 1, first.sure, first.explains


def is_a_convention(found: Sequence[Diagnosis]) -> bool:
    """Whether what explains the answer is taught as right elsewhere."""
    return any(not CONVENTIONS.isdisjoint((each.mistake, *each.same_here)) for each in found[:1])


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
    return diagnosed(student, key, classes_of(key, models), slip_rate=slip_rate)


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
    student: Mapping[Cell, object],
    key: Mapping[Cell, object],
    classes: Sequence[Class],
    guessing: Guessing | None = None,
    slip_rate: Fraction = SLIPS,
) -> list[Diagnosis]:
    """The classes nearest to the answer, if there are only a few, they are nearer than the key, and no more slips are
    needed than are allowed.

    With slips, nothing is named where guesses by coin come as near too often. One class is sure if it is nearer than
    the key by `MARGIN` cells, with slips than every other class too, and guesses with some sense seldom come as near.
    """
    answered = {cell: value for cell, value in student.items() if cell in key}
    wrong = sum(value != key[cell] for cell, value in answered.items())
    if wrong < FEWEST_EXPLAINED or len(answered) < FEWEST_CELLS:
        return []
    compared = [_compared(each, answered, key, wrong) for each in classes]
    compared = [each for each in compared if each.explained >= FEWEST_EXPLAINED and each.misses < wrong]
    fewest = min((each.misses for each in compared), default=wrong)
    alike = [each for each in compared if each.misses == fewest]
    if not 0 < len(alike) <= MOST_ALIKE or fewest > max(1, round(slip_rate * len(answered))):
        return []
    if guessing is None:
        guessing = guessing_of(key, [each.different for each in classes])
    if fewest and len(classes) * guessing.by_coin(answered, fewest) > BY_CHANCE:
        return []
    near = [each for each in compared if each.misses < fewest + MARGIN] if fewest else alike
    sure = (
        len(near) == 1
        and fewest + MARGIN <= wrong
        and len(classes) * guessing.with_some_sense(answered, {**key, **near[0].of.different}, fewest) <= BY_CHANCE
    )
    return [_diagnosis(each, alike, sure) for each in alike]


def _compared(of: Class, student: Mapping[Cell, object], key: Mapping[Cell, object], wrong: int) -> _Compared:
    explained = contradicted = 0
    for cell, says in of.different.items():
        if cell in student:
            explained += student[cell] == says
            contradicted += student[cell] == key[cell]
    # Where the two do not agree, one of them differs from the key.
    concerned = wrong + contradicted
    return _Compared(of, concerned - explained, explained, Fraction(explained, concerned))


def _diagnosis(named: _Compared, alike: Sequence[_Compared], sure: bool) -> Diagnosis:
    mistake, *rest = named.mistakes
    others = [other for each in alike if each is not named for other in each.mistakes]
    same_here = dict.fromkeys(each for each in (*rest, *others) if each != mistake)
    return Diagnosis(mistake, named.explains, tuple(same_here), sure)
