"""`plymark paper`: exercises in, exam papers out."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from grader.cli.command import Decorator, all_of, chosen, command, option
from grader.cli.loading import load_exercises
from grader.cli.options import FILE, INPUT, limits_option, own_language_option, read_beside, read_secret
from grader.delivery.papers.content import Header
from grader.delivery.papers.registry import FORMATS
from grader.delivery.papers.registry import paper as made_paper
from grader.delivery.placing import write_paper
from grader.documents.variants import set_name, variants_of
from grader.kernel.choices import PAPER_KINDS, PAPER_SIZES, PAPERS
from grader.kernel.files import check_place, write_file
from grader.people.dealing import NO_SECRET, Dealt, deal
from grader.people.record import ENDING, find_record, record_sheet
from grader.people.roster import Student, roster_from
from grader.questions.exercise import Exercise
from solver.kernel import DEFAULT_LIMITS, Limits

BOOKLET, HEADER = "Booklet", "Header of the sheet"


def paper_options(hidden: bool = False) -> Decorator[Any]:
    """What only papers have; `export` takes it too, hidden, as it made papers before `paper` did."""
    return all_of(
        chosen(
            "--kind",
            what="kind",
            among=PAPER_KINDS,
            default="sheet",
            hidden=hidden,
            help=f"{', '.join(PAPER_KINDS)}.",
        ),
        option("--together", is_flag=True, hidden=hidden, help="The exercises are parts of one exam, not variants."),
        chosen(
            "--size",
            what="size",
            among=PAPER_SIZES,
            default="a4",
            hidden=hidden,
            help=f"Paper size: {' or '.join(PAPER_SIZES)}.",
        ),
        option(
            "--duplex",
            is_flag=True,
            hidden=hidden,
            help="For printing on both sides: each sheet starts on a new sheet of paper.",
        ),
        option("--roster", type=FILE, metavar="CSV", group=BOOKLET, hidden=hidden, help="The students of the booklet."),
        option(
            "--secret-file",
            type=FILE,
            metavar="FILE",
            group=BOOKLET,
            hidden=hidden,
            help="A secret text that decides who gets which variant.",
        ),
        *(
            option(f"--{name}", default="", metavar="TEXT", group=HEADER, hidden=hidden, help=f"{shown}.")
            for name, shown in (
                ("course", "The course"),
                ("title", "The title"),
                ("date", "The date"),
                ("institution", "The institution"),
            )
        ),
    )


@command("paper")
@click.argument("exercises", nargs=-1, required=True, type=INPUT, metavar="EXERCISE...")
@chosen("--to", what="format", among=PAPERS, required=True, help=f"{', '.join(PAPERS)} (required).")
@option("--out", "-o", type=FILE, required=True, metavar="PATH", help="The file or folder to write (required).")
@own_language_option
@paper_options()
@limits_option
def paper(exercises: tuple[str, ...], to: str, out: Path, **options: Any) -> int:
    """Make exam papers from exercises: sheets, answer keys, solutions, or a booklet with a sheet for each student.

    EXERCISE is an exercise or a folder of them; several are variants.
    """
    return write_papers(exercises, to, out, **options)


def write_papers(
    paths: Sequence[str],
    to: str,
    out: Path,
    kind: str = "sheet",
    language: str | None = None,
    roster: Path | None = None,
    together: bool = False,
    secret_file: Path | None = None,
    limits: Limits = DEFAULT_LIMITS,
    size: str = "a4",
    duplex: bool = False,
    **header: str,
) -> int:
    """Write the files of a paper; the exit code.

    Nothing is written if an exercise is broken: a class must not get half of its variants.
    """
    secret = read_secret(secret_file, limits)
    check_place(out)
    exercises = load_exercises(paths, limits)
    if kind == "booklet" and not together:
        variants_of(exercises)
    students = None if roster is None else roster_from(read_beside(roster, limits), roster.name)
    folder = next((Path(path) for path in paths if len(paths) == 1 and Path(path).is_dir()), out)
    there, lines = _record(exercises, students or (), secret, folder if kind == "booklet" else None)
    made = made_paper(
        exercises,
        kind,
        language,
        to,
        students,
        header=Header(**header),
        together=together,
        secret=secret,
        size=size,
        duplex=duplex,
        record=lines,
    )
    for path, content in zip(write_paper(made, kind, FORMATS[to][0], out), made.values(), strict=True):
        print(f"wrote {path}{_pages(content) if to == 'pdf' else ''}", file=sys.stderr)
    if there is not None:
        write_file(there, record_sheet(lines))
        print(f"who got which variant: {there}", file=sys.stderr)
    return 0


def _pages(pdf: bytes) -> str:
    """How many pages a file has, as its own list of pages says."""
    found = re.search(rb"/Type\s*/Pages\b.*?/Count\s+(\d+)", pdf, re.DOTALL)
    count = int(found[1]) if found else 0
    return f", {count:,} page{'' if count == 1 else 's'}" if count else ""


def _record(
    exercises: Sequence[Exercise], students: Sequence[Student], secret: bytes, folder: Path | None
) -> tuple[Path | None, Sequence[Dealt]]:
    """Who gets which variant of a booklet, and where that is to be written down, unless it is already."""
    if folder is None or not students or len(exercises) == 1:
        return None, ()
    ids = [each.id for each in exercises]
    path, before = find_record(folder, ids) or (folder / f"{set_name(ids)}{ENDING}", [])
    lines = deal(students, ids, secret or NO_SECRET, set_name(ids), before)
    return (None if lines == before else path), lines
