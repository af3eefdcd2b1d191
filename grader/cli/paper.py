"""`plymark paper`: exercises in, exam papers out."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from grader.cli.command import Decorator, all_of, chosen, command, option
from grader.cli.loading import exam_in, load_exercises
from grader.cli.options import (
    FILE,
    INPUT,
    jobs_option,
    limits_option,
    own_language_option,
    quiet_option,
    read_beside,
    read_secret,
)
from grader.cli.outcome import stoppable
from grader.cli.progress import Meter
from grader.delivery.papers.content import Header, PaperFile
from grader.delivery.papers.latex_parts import USUAL, tex_packages
from grader.delivery.papers.registry import FORMATS, Printing, file_names, index_names, paper_files
from grader.delivery.placing import paper_places
from grader.documents.exam import Exam
from grader.documents.exam_file import exam_of
from grader.documents.variants import set_name, variants_of
from grader.kernel.choices import PAPER_KINDS, PAPER_SIZES, PAPERS
from grader.kernel.files import check_place, write_file
from grader.people.dealing import NO_SECRET, Dealt, deal, deal_parts
from grader.people.record import ENDING, exam_record, find_record, record_sheet
from grader.people.roster import Student, roster_from
from grader.questions.exercise import Exercise
from solver.kernel import DEFAULT_LIMITS, Limits, UsageError

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
            help="Double-sided printing: start each student's copy on a new sheet of paper.",
        ),
        option("--compact", is_flag=True, hidden=hidden, help="key: one table of all variants and their answers."),
        option(
            "--answer-form",
            is_flag=True,
            hidden=hidden,
            help="Also write answers.csv to type answers into, and print its column names at the boxes.",
        ),
        option("--qr", is_flag=True, hidden=hidden, help="A QR code of the variant and the student on each page."),
        option("--roster", type=FILE, metavar="CSV", group=BOOKLET, hidden=hidden, help="The students of the booklet."),
        option(
            "--secret-file",
            type=FILE,
            metavar="FILE",
            group=BOOKLET,
            hidden=hidden,
            help="A file with the secret used to assign variants to students.",
        ),
        *(
            option(f"--{name}", default="", metavar="TEXT", group=HEADER, hidden=hidden, help=f"{shown}.")
            for name, shown in (
                ("course", "The course"),
                ("title", "The title"),
                ("date", "The date"),
                ("institution", "The institution"),
                ("time", "How long the exam takes: minutes, or any text"),
                ("aids", "What students may use"),
                ("instructions", "Instructions printed at the top of the sheet"),
            )
        ),
    )


@command("paper")
@click.argument("exercises", nargs=-1, required=True, type=INPUT, metavar="EXERCISE...")
@chosen("--to", what="format", among=PAPERS, required=True, help=f"{', '.join(PAPERS)} (required).")
@option("--out", "-o", type=FILE, required=True, metavar="PATH", help="The file or folder to write (required).")
@own_language_option
@paper_options()
@jobs_option
@quiet_option
@limits_option
def paper(exercises: tuple[str, ...], to: str, out: Path, **options: Any) -> int:
    """Make exam papers from exercises: sheets, answer keys, solutions, or a booklet with a sheet for each student.

    EXERCISE is an exercise, a folder of them or an exam; several are variants.
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
    compact: bool = False,
    answer_form: bool = False,
    qr: bool = False,
    jobs: int | None = None,
    quiet: bool = False,
    **header: str,
) -> int:
    """Write the files of a paper; the exit code.

    Nothing is written if an exercise is broken: a class must not get half of its variants.
    """
    secret = read_secret(secret_file, limits)
    check_place(out)
    handed_out = _handed_out(paths, together, limits)
    if kind == "booklet" and not isinstance(handed_out, Exam):
        variants_of(handed_out)
    students = None if roster is None else roster_from(read_beside(roster, limits), roster.name)
    there, lines = _record(handed_out, paths, students or (), secret, out) if kind == "booklet" else (None, ())
    printing = Printing(
        language,
        to,
        Header(**header),
        size=size,
        duplex=duplex,
        compact=compact,
        answer_form=answer_form,
        qr=qr,
        jobs=jobs or os.cpu_count() or 1,
    )
    files = paper_files(handed_out, kind, printing, students, secret, lines)
    sheets = file_names(kind, len(students or ()), to)
    place = paper_places(kind, FORMATS[to][0], out, [*sheets, *index_names(len(students or ()), to)])
    written: list[Path] = []
    with Meter(len(students or ()), "students", quiet) as meter, stoppable(lambda: _so_far(written)):
        for each in files:
            path = place(each.name)
            write_file(path, each.content)
            written.append(path)
            meter.say(f"wrote {path}{_pages(each)}", each.students)
            if each.name == sheets[0] and to == "latex" and not quiet:
                _tell_packages(each.content)
    if there is not None:
        write_file(there, record_sheet(lines))
    if there is not None and not quiet:
        print(f"who got which variant: {there}", file=sys.stderr)
    return 0


def _so_far(written: Sequence[Path]) -> str:
    return f"{len(written):,} file{'' if len(written) == 1 else 's'} written"


def _pages(each: PaperFile) -> str:
    return "" if each.pages is None else f", {each.pages:,} page{'' if each.pages == 1 else 's'}"


def _tell_packages(content: bytes) -> None:
    """What a small TeX may lack."""
    more = [name for name in tex_packages(content.decode()) if name not in USUAL]
    engine = content.split(b",", 1)[0].decode().removeprefix("% Compile with ")
    print(f"compile it twice with {engine}; TeX packages it needs: {', '.join(more)}", file=sys.stderr)


def _handed_out(paths: Sequence[str], together: bool, limits: Limits) -> list[Exercise] | Exam:
    """An exam, or exercises that are variants; --together makes an exam of single exercises."""
    exam = exam_in(paths, limits)
    if exam is not None:
        return exam
    if together and (folder := next((path for path in paths if Path(path).is_dir()), None)):
        raise UsageError(
            f"--together takes single exercises, and {folder} is a folder; write an exam in which it is a part: "
            f"plymark: exam/1, id: exam, parts: [{{variants: {folder}}}]"
        )
    exercises = load_exercises(paths, limits)
    return exam_of(exercises) if together else exercises


def _record(
    handed_out: Sequence[Exercise] | Exam, paths: Sequence[str], students: Sequence[Student], secret: bytes, out: Path
) -> tuple[Path | None, Sequence[Dealt]]:
    """Who gets which variant of a booklet, and where that is to be written down, unless it is already."""
    if isinstance(handed_out, Exam):
        beside = Path(handed_out.source).parent if handed_out.source else out
        path, before = exam_record(handed_out.id, beside)
        lines = deal_parts(students, handed_out.several, secret or NO_SECRET, before)
        return (None if lines == before else path), lines
    if not students or len(handed_out) == 1:
        return None, ()
    folder = next((Path(path) for path in paths if len(paths) == 1 and Path(path).is_dir()), out)
    ids = [each.id for each in handed_out]
    path, before = find_record(folder, ids) or (folder / f"{set_name(ids)}{ENDING}", [])
    lines = deal(students, ids, secret or NO_SECRET, set_name(ids), before)
    return (None if lines == before else path), lines
