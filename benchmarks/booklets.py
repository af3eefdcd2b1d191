"""Booklets of large classes: the time per student stays level, and so does memory."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable

from benchmarks.commands import ROOT
from benchmarks.measure import Ratio, processor_time, show, title
from grader.delivery.papers.paper_registry import Printing, paper_files
from grader.documents.exercise_file import load_exercise_bytes, load_exercise_data
from grader.generating.generation import generate
from grader.generating.recipe_file import load_recipe
from grader.people.roster import Student
from grader.questions.exercise import Exercise

RECIPE, VARIANTS = ROOT / "recipes" / "minimax-medium.yaml", 20
SIZES, QUICK_SIZES = (100, 1_000, 10_000), (100, 1_000)
LEVEL = 1.3


def booklets(quick: bool, students: int | None = None) -> list[Ratio]:
    """Up to this many students, where that is given; if quick, with the smallest tree that asks something."""
    title("Booklets: a PDF of a sheet for each student, an index and a key; ms per student stay level")
    exercises = _smallest() if quick else _drawn()
    sizes = [size for size in (QUICK_SIZES if quick else SIZES) if students is None or size <= students]
    head = (
        ("students", 10),
        ("files", 7),
        ("pages", 8),
        ("seconds", 10),
        ("cpu", 9),
        ("ms per student", 16),
        ("a second", 10),
    )
    print("  " + "".join(f"{name:>{width}}" for name, width in (*head, ("MB", 7))))
    spent: dict[int, float] = {}
    for size in sizes:
        people = [Student(f"Student Number {number}", f"s{number:05}") for number in range(size)]
        # The start of a process weighs much where a sheet is set in a moment.
        printing = Printing("en", jobs=1 if quick else os.cpu_count() or 1)

        def work(people: list[Student] = people, printing: Printing = printing) -> tuple[int, int]:
            made = [each.pages or 0 for each in paper_files(exercises, "booklet", printing, people, "secret")]
            return len(made), sum(made)

        spent[size] = _measured(size, work)
    first, *others = sizes
    return show(
        [
            Ratio(
                f"time per student, {size:,} students / {first:,} students",
                [spent[size]],
                [spent[first]],
                scale=size / first,
                target=LEVEL,
            )
            for size in others
        ]
    )


def _drawn() -> list[Exercise]:
    drawn = generate(load_recipe(str(RECIPE)), VARIANTS, "booklets")
    return [load_exercise_bytes(each.document, each.id) for each in drawn]


def _smallest() -> list[Exercise]:
    """Two variants, on a page each."""
    questions = [{"id": "move", "ask": "move", "marks": 1}]
    return [
        load_exercise_data(
            {"plymark": "exercise/1", "id": f"tiny-{number}", "game": {"tree": tree}, "questions": questions}
        )
        for number, tree in enumerate(([3, 5], [9, 2]), 1)
    ]


def _measured(size: int, work: Callable[[], tuple[int, int]]) -> float:
    """Seconds of processors; the line with everything else is printed."""
    clock, cpu = time.perf_counter(), processor_time()
    files, pages = work()
    wall, used = time.perf_counter() - clock, processor_time() - cpu
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // 1024
    print(
        f"  {size:>10,}{files:>7,}{pages:>8,}{wall:>10.1f}{used:>9.1f}{1000 * used / size:>16.1f}"
        f"{size / wall:>10.0f}{most:>7,}",
        flush=True,
    )
    return used
