"""Whether linear inequalities have a common solution, exactly (the first phase of the simplex method, Bland's rule)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from solver.kernel.exact import Number


def solution(inequalities: Sequence[Sequence[Number]]) -> list[Fraction] | None:
    """Some x ≥ 0 with c₀ + c₁x₁ + … + cₙxₙ ≥ 0 for each row (c₀, …, cₙ), or None if there is none.

    Each row says what a slack variable is in terms of the others. One more variable, added to every row, makes them
    feasible at first; the original ones are if it can be brought down to 0. Bland's rule never cycles.
    """
    size = len(inequalities[0]) - 1 if inequalities else 0
    helper = size
    # A row: constant, then the coefficients of the variables that are 0 now; `basic` and `free` name them.
    rows = [[*map(Fraction, row), Fraction(1)] for row in inequalities]
    free = list(range(size + 1))
    basic = [size + 1 + place for place in range(len(rows))]
    worst = min(range(len(rows)), key=lambda place: rows[place][0], default=None)
    if worst is None or rows[worst][0] >= 0:
        return [Fraction(0)] * size
    _pivot(rows, basic, free, worst, size)
    while helper in basic:
        goal = rows[basic.index(helper)]
        falling = [column for column in range(size + 1) if goal[column + 1] < 0]
        if goal[0] == 0 or not falling:
            break
        column = min(falling, key=lambda each: free[each])
        limits = [
            (-row[0] / row[column + 1], basic[place] != helper, basic[place], place)
            for place, row in enumerate(rows)
            if row[column + 1] < 0
        ]
        _pivot(rows, basic, free, min(limits)[3], column)
    if helper in basic and rows[basic.index(helper)][0] > 0:
        return None
    found = [Fraction(0)] * size
    for place, variable in enumerate(basic):
        if variable < size:
            found[variable] = rows[place][0]
    return found


def _pivot(rows: list[list[Fraction]], basic: list[int], free: list[int], place: int, column: int) -> None:
    """The row's variable becomes 0, the column's takes its place."""
    row = rows[place]
    factor = row[column + 1]
    solved = [-each / factor for each in row]
    solved[column + 1] = 1 / factor
    for other, each in enumerate(rows):
        if other != place and (share := each[column + 1]) != 0:
            changed = [one + share * two for one, two in zip(each, solved, strict=True)]
            changed[column + 1] = share * solved[column + 1]
            rows[other] = changed
    rows[place] = solved
    basic[place], free[column] = free[column], basic[place]
