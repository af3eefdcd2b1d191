"""`plymark export`: exercises in, what a learning system or a printer takes out."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.loading import load_exercises
from grader.cli.options import LimitSettings, OwnLanguage, SecretFile, one_of, read_secret
from grader.cli.paper import write_papers
from grader.delivery.papers.content import Header
from grader.delivery.systems.base import Export, ExportOptions
from grader.delivery.systems.registry import EXPORTERS
from grader.kernel.choices import LEVELS, PAPER_KINDS, PAPER_SIZES, PAPERS, SYSTEMS, VISIBILITIES
from grader.kernel.files import check_place, write_file
from grader.people.variants import variants_of
from solver.kernel import Limits, UsageError
from solver.languages import LANGUAGES


def export(
    exercises: Annotated[list[str], typer.Argument(metavar="EXERCISE", help="Exercises, or folders of them.")],
    to: Annotated[
        str,
        typer.Option("--to", help=f"{', '.join((*SYSTEMS, *PAPERS))}.", autocompletion=lambda: [*SYSTEMS, *PAPERS]),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="PATH", help="The file, or folder, to write.")],
    language: OwnLanguage = None,
    faithful_only: Annotated[
        bool, typer.Option("--faithful-only", help="Learning systems: leave out what they cannot mark as plymark does.")
    ] = False,
    feedback: Annotated[
        str, typer.Option("--feedback", help=f"prairielearn, gradescope: {', '.join(LEVELS)}.")
    ] = "hints",
    visibility: Annotated[
        str, typer.Option("--visibility", help=f"gradescope: {', '.join(VISIBILITIES)}.")
    ] = "after_published",
    wheels: Annotated[
        Path | None,
        typer.Option(
            "--wheels", metavar="DIR", help="gradescope, prairielearn: wheels to pack; fetched if there are none."
        ),
    ] = None,
    kind: Annotated[str, typer.Option("--kind", help=f"Papers: {', '.join(PAPER_KINDS)}.")] = "sheet",
    roster: Annotated[
        Path | None, typer.Option("--roster", metavar="CSV", help="Papers: the students of a booklet.")
    ] = None,
    course: Annotated[str, typer.Option("--course", help="Papers: printed in the head.")] = "",
    heading: Annotated[str, typer.Option("--title", help="Papers: printed in the head.")] = "",
    date: Annotated[str, typer.Option("--date", help="Papers: printed in the head.")] = "",
    institution: Annotated[str, typer.Option("--institution", help="Papers: printed in the head.")] = "",
    together: Annotated[bool, typer.Option("--together", help="Papers: parts of one exam, not variants.")] = False,
    secret_file: SecretFile = None,
    size: Annotated[str, typer.Option("--size", help=f"Papers: {', '.join(PAPER_SIZES)}.")] = "a4",
    duplex: Annotated[
        bool, typer.Option("--duplex", help="Papers: printed on both sides, no two sheets on one leaf.")
    ] = False,
    limit: LimitSettings = None,
) -> None:
    """Deliver exercises: to Moodle, Canvas, PrairieLearn or Gradescope, or as an exam paper with its key."""
    limits = Limits().with_settings(limit or [])
    one_of("target", to, [*SYSTEMS, *PAPERS])
    if language is not None:
        one_of("language", language, list(LANGUAGES))
    if to in PAPERS:
        head = Header(course, heading, date, institution)
        kind = one_of("kind", kind, list(PAPER_KINDS))
        size = one_of("size", size, list(PAPER_SIZES))
        secret = b"" if secret_file is None else read_secret(secret_file, limits)
        code = write_papers(
            exercises, to, out, kind, language, roster, head, together, secret, limits, size=size, duplex=duplex
        )
        raise typer.Exit(code)
    options = ExportOptions(
        language=language,
        faithful_only=faithful_only,
        wheels=wheels,
        level=one_of("feedback", feedback, list(LEVELS)),
        visibility=one_of("visibility", visibility, list(VISIBILITIES)),
        limits=limits,
    )
    export_exercises(exercises, to, out, options)


def export_exercises(paths: Sequence[str], to: str, out: Path, options: ExportOptions) -> None:
    """Write what the target takes, and say what it cannot mark or carry."""
    check_place(out)
    exercises = load_exercises(paths, options.limits)
    if to in ONE_QUESTION:
        variants_of(exercises)
    if any(Path(each.source).resolve() == out.resolve() for each in exercises if each.source):
        raise UsageError(f"{out} is one of the exercises; it would be replaced")
    made = EXPORTERS[to].write(exercises, options)
    _tell(made, options)
    if made.is_empty:
        print("plymark: nothing is left to export, so nothing is written", file=sys.stderr)
        raise typer.Exit(1)
    if isinstance(made.content, bytes):
        write_file(out, made.content)
        return
    if out.is_file():
        raise UsageError(f"{out} is a file; a folder is to be written there")
    _refuse_leftovers(out, made.content)
    for path, content in made.content.items():
        write_file(out / path, content)


ONE_QUESTION = ("prairielearn", "gradescope")
"""Here several exercises are one question, so they must be variants."""


def _refuse_leftovers(out: Path, content: Mapping[str, bytes]) -> None:
    """Variants of an earlier export would be given to students as well."""
    written = {out / path for path in content}
    for folder in {path.parent for path in written if path.parent.name == "exercises"}:
        if left := sorted(path.name for path in folder.glob("*") if path not in written):
            raise UsageError(f"{folder} has variants of an earlier export, such as {left[0]}; delete that folder first")


def _tell(made: Export, options: ExportOptions) -> None:
    word = "left out" if options.faithful_only else "provisional"
    for kind, remarks in ((word, made.provisional), ("cannot be exported", made.left_out)):
        told: dict[tuple[str, str], list[str]] = {}
        for remark in remarks:
            told.setdefault((remark.question, remark.reason), []).append(remark.exercise)
        for (question, reason), names in told.items():
            print(f"{kind}: {_who(names)}: {question}: {reason}", file=sys.stderr)
    notes: dict[str, list[str]] = {}
    for note in made.notes:
        name, _, rest = note.partition(": ")
        notes.setdefault(rest, []).append(name)
    for rest, names in notes.items():
        print(f"{_who(names)}: {rest}" if rest else names[0], file=sys.stderr)
    if made.provisional and not options.faithful_only:
        print("provisional marks become final when the answers are brought back: plymark grade", file=sys.stderr)


def _who(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
