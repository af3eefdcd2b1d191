"""`plymark export --to pdf|latex|html`: exercises in, exam papers out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.cli.loading import load_exercises
from grader.cli.options import read_beside
from grader.delivery.papers.content import Header
from grader.delivery.papers.registry import FORMATS, paper
from grader.kernel.files import check_place, write_file
from grader.people.roster import roster_from
from grader.people.variants import variants_of
from solver.kernel import DEFAULT_LIMITS, Limits, UsageError


def write_papers(
    paths: Sequence[str],
    to: str,
    out: Path,
    kind: str = "sheet",
    language: str | None = None,
    roster: Path | None = None,
    header: Header | None = None,
    together: bool = False,
    secret: str | bytes = "",
    limits: Limits = DEFAULT_LIMITS,
    size: str = "a4",
    duplex: bool = False,
) -> int:
    """Write the files of a paper, into a folder or, if there is one, to a file's name; the exit code.

    Nothing is written if an exercise is broken: a class must not get half of its variants.
    """
    check_place(out)
    exercises = load_exercises(paths, limits)
    if kind == "booklet" and not together:
        variants_of(exercises)
    students = None if roster is None else roster_from(read_beside(roster, limits), roster.name)
    made = paper(
        exercises,
        kind,
        language,
        to,
        students,
        header=header,
        together=together,
        secret=secret,
        size=size,
        duplex=duplex,
    )
    ending = FORMATS[to][0]
    if out.suffix.lower() == ending and len(made) == 1:
        write_file(out, next(iter(made.values())))
        return 0
    if out.suffix.lower() == ending or out.is_file():
        raise UsageError(f"a {kind} of these is {len(made)} files; --out is a folder to write into, not {out.name!r}")
    for name, content in made.items():
        write_file(out / name, content)
    return 0
