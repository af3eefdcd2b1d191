"""`plymark paper`: exercises in, exam papers out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.command import Command, choice, refuse_idle, typer_app
from grader.cli.command_options import (
    Exercises,
    Jobs,
    LimitSettings,
    OwnLanguage,
    Quiet,
    ToWrite,
    limits_from,
    read_beside,
    read_secret,
)
from grader.cli.command_outcome import Meter, stoppable
from grader.cli.exercise_arguments import exam_in, load_exercises
from grader.delivery.papers.latex_paper import USUAL, tex_packages
from grader.delivery.papers.paper_content import Header, PaperFile
from grader.delivery.papers.paper_registry import FORMATS, Printing, file_names, index_names, paper_files
from grader.documents.exam import Exam, set_name, variants_of
from grader.documents.exam_file import exam_of
from grader.kernel.atomic_files import check_place, write_file
from grader.kernel.option_values import PAPER_KINDS, PAPER_SIZES, PAPERS
from grader.people.roster import Student, roster_from
from grader.people.variant_allocation import (
    NO_SECRET,
    RECORD_ENDING,
    Allocation,
    deal,
    deal_parts,
    exam_record,
    find_record,
    record_sheet,
)
from grader.questions.exercise import Exercise
from solver.kernel import DEFAULT_LIMITS, Limits, UsageError

BOOKLET, HEADER = "Booklet", "Header of the sheet"
NO_HEADER = Header()

app = typer_app()


def _header_option(name: str, help: str) -> Any:
    return typer.Option(name, metavar="TEXT", rich_help_panel=HEADER, help=help)


@app.command(cls=Command)
def paper(
    context: typer.Context,
    exercises: Exercises,
    out: ToWrite,
    to: Annotated[
        str | None,
        choice(
            "--to",
            what="format",
            among=PAPERS,
            help=f"{', '.join(PAPERS)} (default: from the extension of --out).",
            show_default=False,
        ),
    ] = None,
    language: OwnLanguage = None,
    kind: Annotated[str, choice("--kind", what="kind", among=PAPER_KINDS, help=f"{', '.join(PAPER_KINDS)}.")] = "sheet",
    together: Annotated[
        bool, typer.Option("--together", help="The exercises are parts of one exam, not variants.")
    ] = False,
    size: Annotated[
        str, choice("--size", what="size", among=PAPER_SIZES, help=f"Paper size: {' or '.join(PAPER_SIZES)}.")
    ] = "a4",
    duplex: Annotated[
        bool,
        typer.Option("--duplex", help="Double-sided printing: start each student's copy on a new sheet of paper."),
    ] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="key: one table of all variants and their answers.")
    ] = False,
    answer_form: Annotated[
        bool,
        typer.Option(
            "--answer-form",
            help="Also write answers.csv to type answers into, and print its column names at the boxes.",
        ),
    ] = False,
    qr: Annotated[bool, typer.Option("--qr", help="A QR code of the variant and the student on each page.")] = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    limit: LimitSettings = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            "--roster", readable=False, metavar="CSV", rich_help_panel=BOOKLET, help="The students of the booklet."
        ),
    ] = None,
    secret_file: Annotated[
        Path | None,
        typer.Option(
            "--secret-file",
            readable=False,
            metavar="FILE",
            rich_help_panel=BOOKLET,
            help="A file with the secret used to assign variants to students.",
        ),
    ] = None,
    course: Annotated[str, _header_option("--course", "The course.")] = "",
    title: Annotated[str, _header_option("--title", "The title.")] = "",
    date: Annotated[str, _header_option("--date", "The date.")] = "",
    institution: Annotated[str, _header_option("--institution", "The institution.")] = "",
    time: Annotated[str, _header_option("--time", "How long the exam takes: minutes, or any text.")] = "",
    aids: Annotated[str, _header_option("--aids", "What students may use.")] = "",
    instructions: Annotated[
        str, _header_option("--instructions", "Instructions printed at the top of the sheet.")
    ] = "",
) -> int:
    """Make exam papers from exercises: sheets, answer keys, solutions, or a booklet with a sheet for each student.
    Several exercises are variants.
    """
    if kind != "booklet":
        refuse_idle(context, "it is for --kind booklet", "roster", "secret_file")
    if kind in ("key", "solution"):
        refuse_idle(context, "it is for sheets and booklets", "time", "aids", "instructions")
    if compact and kind == "key":
        refuse_idle(context, "it is not printed with --compact", "course", "date")
    return write_papers(
        exercises,
        to or _format_of(out),
        out,
        kind,
        language=language,
        roster=roster,
        together=together,
        secret_file=secret_file,
        limits=limits_from(limit),
        size=size,
        duplex=duplex,
        compact=compact,
        answer_form=answer_form,
        qr=qr,
        jobs=jobs,
        quiet=quiet,
        header=Header(course, title, date, institution, time, aids, instructions),
    )


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
    header: Header = NO_HEADER,
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
        header,
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


def _format_of(out: Path) -> str:
    """By the extension of a file."""
    found = next((name for name in PAPERS if FORMATS[name][0] == out.suffix.lower()), None)
    if found is None:
        raise UsageError(
            f"--to is missing, and {out.name!r} does not say the format: choose one of {', '.join(PAPERS)}"
        )
    return found


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
    if exam is not None and together:
        raise UsageError("--together does nothing here: this is an exam already")
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
) -> tuple[Path | None, Sequence[Allocation]]:
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
    path, before = find_record(folder, ids) or (folder / f"{set_name(ids)}{RECORD_ENDING}", [])
    lines = deal(students, ids, secret or NO_SECRET, set_name(ids), before)
    return (None if lines == before else path), lines


def paper_places(kind: str, ending: str, out: Path, names: Sequence[str]) -> Callable[[str], Path]:
    """Where each file of a paper is written: below a folder, or to `out` and beside it if that is the name of such a
    file and it is no booklet. UsageError if others than `names` are there, of an earlier class."""
    is_name = out.suffix.lower() == ending
    if kind != "booklet" and is_name:
        return lambda name: out if name.endswith(ending) else out.with_suffix(f".{name}")
    if is_name or out.is_file():
        raise UsageError(f"a {kind} of these is several files; --out is a folder to write into, not {out.name!r}")
    others: list[str] = []
    if kind == "booklet":
        there = (path.name for pattern in ("booklet", "index") for path in out.glob(f"{pattern}*{ending}"))
        others = sorted(set(there) - set(names))
    if others:
        more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
        raise UsageError(
            f"{out} has {others[0]}{more} of an earlier booklet, which would be taken for a part of this one; "
            "delete it or choose another folder"
        )
    return lambda name: out / name
