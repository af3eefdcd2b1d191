"""`plymark draw`: a game in, pictures out."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from grader.cli.batch import Batch, batch_options
from grader.cli.command import chosen, command, completing, option
from grader.cli.options import (
    FILE,
    INPUT,
    is_several,
    language_option,
    limits_option,
    search_options,
    tree_option,
)
from grader.cli.outcome import CommandOutcome, report_problems
from grader.kernel.files import check_place, write_file
from solver.drawing import LEAST_PICTURE, PICTURES, SHOWN, SIZES, THEMES, Request, check_one_file, shown_from
from solver.jobs import DrawTask, Source, drawings, failed
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import convention_from_text
from solver.search import Sampling


@command("draw")
@click.argument("paths", nargs=-1, type=INPUT, metavar="[PATH]...")
@tree_option
@option("--out", "-o", type=FILE, metavar="PATH", help="A file, such as tree.svg; of several games, a folder.")
@chosen(
    "--format",
    "-f",
    what="format",
    among=PICTURES,
    help=f"{', '.join(PICTURES)} (default: from --out).",
)
@option("--blank", is_flag=True, help="For students: with empty boxes to fill in.")
@option("--stage", metavar="N", help="Draw the search after N leaves, such as 4 or 1-5,7.")
@option("--stages", is_flag=True, help="Draw the search after each leaf.")
@option("--fine", is_flag=True, help="Also add a stage when a node is entered or finished.")
@option("--title", metavar="TEXT", help="A title above the picture.")
@option("--legend", is_flag=True, help="Add a legend below the picture.")
@option(
    "--show",
    metavar="NAMES",
    shell_complete=completing(SHOWN, ","),
    help=f"Comma-separated list of {', '.join(SHOWN)}.",
)
@language_option
@chosen("--theme", what="theme", among=THEMES, default="auto", help="Colour theme: auto, light or dark.")
@option(
    "--leaves",
    type=click.IntRange(min=0),
    metavar="N",
    help="Draw at most N leaves (default: 120); 0 draws all.",
)
@option(
    "--width",
    type=click.IntRange(min=LEAST_PICTURE),
    metavar="N",
    help="Pixels across: a wider tree is drawn row by row.",
)
@chosen(
    "--size",
    what="size",
    among=SIZES,
    help=f"Pages: {', '.join(SIZES)} (16:9, also .svg and .png).",
)
@option(
    "--scale", type=click.FloatRange(0.1, 20), metavar="X", help=".png: pixels for each unit (default: 2 if it fits)."
)
@batch_options
@limits_option
@search_options
def draw(
    paths: tuple[str, ...],
    tree: str | None,
    out: Path | None,
    format: str | None,
    stage: str | None,
    stages: bool,
    show: str | None,
    convention: str,
    steps: int | None,
    seed: int,
    leaves: int | None,
    limits: Limits,
    batch: Batch,
    **as_named: Any,
) -> int:
    """Draw games: blank, solved or stage by stage.

    PATH is a game, a folder, a zip or tar archive, or .jsonl; - reads stdin.
    """
    if stage is not None and stages:
        raise UsageError("use either --stage or --stages, not both")
    found = batch.games(paths, tree, limits)
    several = is_several(found)
    request = Request(
        ending=_ending(format, out, several),
        convention=convention_from_text(convention),
        sampling=Sampling(steps, seed),
        show=shown_from(show),
        stages="all" if stages else stage,
        most_leaves=Request().most_leaves if leaves is None else leaves or None,
        **as_named,
    )
    if not several:
        batch.require_one()
        return _draw_one(found[0], request, out, limits, batch.quiet)
    if out is None:
        raise UsageError("several games are drawn into a folder: give --out DIR")
    check_one_file(request)
    batch = replace(batch, out=str(out))
    outcome = CommandOutcome("drawn", len(found), batch.quiet)
    return batch.run(DrawTask(request, limits), found, outcome, paths, request.ending, limits)


def _ending(format: str | None, out: Path | None, several: bool) -> str:
    """Of the files: as --format says, or as the only one is called."""
    named = "" if out is None or several else out.suffix.lower()
    if format is not None and named not in ("", f".{format}"):
        raise UsageError(f"--format {format} and {out} are different kinds of pictures")
    if format is not None:
        return f".{format}"
    return ".svg" if several else ".txt" if out is None else named


def _draw_one(source: Source, request: Request, out: Path | None, limits: Limits, quiet: bool) -> int:
    check_place(out)
    try:
        made = drawings(source, request, limits)
    except DocumentError as error:
        report_problems(failed(source, error))
        return 1
    for drawing in made:
        if out is None:
            sys.stdout.buffer.write(drawing.content)
        else:
            name = f"{out.stem}-{drawing.number}{out.suffix}" if drawing.number else out.name
            write_file(out.with_name(name), drawing.content)
    if out is not None and len(made) > 1 and not quiet:
        names = f"{out.stem}-{made[0].number}{out.suffix} to {out.stem}-{made[-1].number}{out.suffix}"
        print(f"{len(made):,} pictures: {names}", file=sys.stderr)
    sys.stdout.buffer.flush()
    return 0
