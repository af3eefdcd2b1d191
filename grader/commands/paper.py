"""`plymark export --to pdf|latex|html`: exercises in, exam papers out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.exercise import EXERCISE, Exercise, load_exercise
from grader.files import check_place, write_file
from grader.outcome import report_problems
from grader.papers.content import Header
from grader.papers.registry import FORMATS, paper
from grader.papers.roster import roster_from
from grader.verifying import verified
from solver import DEFAULT_LIMITS, DocumentError, Limits, UsageError, carries, failed, read_file, read_source, sources


def write_papers(
    paths: Sequence[str],
    to: str,
    out: Path,
    kind: str = "sheet",
    language: str | None = None,
    roster: Path | None = None,
    header: Header | None = None,
    together: bool = False,
    secret: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> int:
    """Write the files of a paper, into a folder or, if there is one, to a file's name; the exit code.

    Nothing is written if an exercise is broken: a class must not get half of its variants.
    """
    check_place(out)
    exercises, broken = _exercises(paths, limits)
    if broken:
        return 1
    students = None if roster is None else roster_from(read_file(roster, limits), roster.name)
    made = paper(exercises, kind, language, to, students, header=header, together=together, secret=secret)
    ending = FORMATS[to][0]
    if out.suffix.lower() == ending and len(made) == 1:
        write_file(out, next(iter(made.values())))
        return 0
    if out.suffix.lower() == ending or out.is_file():
        raise UsageError(f"a {kind} is {len(made)} files; --out is a folder to write into, not {out.name!r}")
    for name, content in made.items():
        write_file(out / name, content)
    return 0


def _exercises(paths: Sequence[str], limits: Limits) -> tuple[list[Exercise], int]:
    found: list[Exercise] = []
    broken = 0
    for source in sources(list(paths)):
        try:
            if source.in_folder and not carries(read_source(source, limits), EXERCISE):
                continue
            found.append(verified(load_exercise(source.path or source.name, limits)))
        except DocumentError as error:
            broken += 1
            report_problems(failed(source, error))
    return found, broken
