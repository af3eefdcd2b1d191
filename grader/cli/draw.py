"""`plymark draw`: a game in, pictures out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.command import Command, choice, completing, refuse_idle, typer_app
from grader.cli.command_batch import Batch
from grader.cli.command_options import (
    Algorithm,
    Cluster,
    ConventionText,
    Depth,
    Force,
    Games,
    GameTree,
    Jobs,
    LanguageName,
    LimitSettings,
    Quiet,
    Seed,
    Steps,
    Timeout,
    are_several,
    limits_from,
    refuse_idle_sampling,
)
from grader.cli.command_outcome import CommandOutcome, report_problems
from grader.kernel.atomic_files import check_place, write_file
from solver.drawing import LEAST_PICTURE, PICTURES, SHOWN, SIZES, THEMES, Request, check_one_file, shown_from
from solver.jobs import DrawTask, Source, draw_source, failure_of
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import convention_from_text
from solver.search import Sampling

app = typer_app()


@app.command(cls=Command)
def draw(
    context: typer.Context,
    paths: Games = None,
    tree: GameTree = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            readable=False,
            metavar="PATH",
            help="A file, such as tree.svg; of several games, a folder.",
        ),
    ] = None,
    format: Annotated[
        str | None,
        choice("--format", "-f", what="format", among=PICTURES, help=f"{', '.join(PICTURES)} (default: from --out)."),
    ] = None,
    blank: Annotated[bool, typer.Option("--blank", help="For students: with empty boxes to fill in.")] = False,
    stage: Annotated[
        str | None, typer.Option("--stage", metavar="N", help="Draw the search after N leaves, such as 4 or 1-5,7.")
    ] = None,
    stages: Annotated[bool, typer.Option("--stages", help="Draw the search after each leaf.")] = False,
    fine: Annotated[bool, typer.Option("--fine", help="Also add a stage when a node is entered or finished.")] = False,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="A title above the picture.")] = None,
    legend: Annotated[bool, typer.Option("--legend", help="Add a legend below the picture.")] = False,
    show: Annotated[
        str | None,
        typer.Option(
            "--show",
            metavar="NAMES",
            autocompletion=completing(SHOWN, ","),
            help=f"Comma-separated list of {', '.join(SHOWN)}.",
        ),
    ] = None,
    language: LanguageName = "en",
    theme: Annotated[
        str, choice("--theme", what="theme", among=THEMES, help="Colour theme: auto, light or dark.")
    ] = "auto",
    leaves: Annotated[
        int | None,
        typer.Option("--leaves", min=0, metavar="N", help="Draw at most N leaves (default: 120); 0 draws all."),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            "--width", min=LEAST_PICTURE, metavar="N", help="Pixels across: a wider tree is drawn row by row."
        ),
    ] = None,
    size: Annotated[
        str | None,
        choice("--size", what="size", among=SIZES, help=f"Pages: {', '.join(SIZES)} (16:9, also .svg and .png)."),
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option(
            "--scale", min=0.1, max=20, metavar="X", help=".png: pixels for each unit (default: 2 if it fits)."
        ),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    force: Force = False,
    timeout: Timeout = None,
    quiet: Quiet = False,
    limit: LimitSettings = None,
    algorithm: Algorithm = "auto",
    convention: ConventionText = "aima3",
    depth: Depth = None,
    steps: Steps = None,
    seed: Seed = 0,
) -> int:
    """Draw games: blank, solved or stage by stage."""
    if stage is not None and stages:
        raise UsageError("use either --stage or --stages, not both")
    refuse_idle_sampling(context, algorithm)
    if blank:
        refuse_idle(context, "a blank picture needs no search", "steps", "seed")
    limits = limits_from(limit)
    batch = Batch(
        out=None if out is None else str(out), jobs=jobs, cluster=cluster, force=force, timeout=timeout, quiet=quiet
    )
    sources = batch.games(paths, tree, limits)
    several = are_several(sources)
    request = Request(
        ending=_ending(format, out, several),
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed),
        language=language,
        show=shown_from(show),
        blank=blank,
        stages="all" if stages else stage,
        fine=fine,
        theme=theme,
        most_leaves=Request().most_leaves if leaves is None else leaves or None,
        width=width,
        scale=scale,
        title=title,
        legend=legend,
        size=size,
    )
    if request.ending in (".txt", ".tex"):
        refuse_idle(context, f"{request.ending} has no colours", "theme")
    if request.ending != ".png":
        refuse_idle(context, "it is for .png", "scale")
    if not several:
        batch.require_one()
        return _draw_one(sources[0], request, out, limits, quiet)
    if out is None:
        raise UsageError("several games are drawn into a folder: give --out DIR")
    check_one_file(request)
    outcome = CommandOutcome("drawn", len(sources), quiet)
    return batch.run(DrawTask(request, limits), sources, outcome, paths or (), request.ending, limits)


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
        pictures = draw_source(source, request, limits)
    except DocumentError as error:
        report_problems(failure_of(source, error))
        return 1
    for drawing in pictures:
        if out is None:
            sys.stdout.buffer.write(drawing.content)
        else:
            name = f"{out.stem}-{drawing.number}{out.suffix}" if drawing.number else out.name
            write_file(out.with_name(name), drawing.content)
    if out is not None and len(pictures) > 1 and not quiet:
        names = f"{out.stem}-{pictures[0].number}{out.suffix} to {out.stem}-{pictures[-1].number}{out.suffix}"
        print(f"{len(pictures):,} pictures: {names}", file=sys.stderr)
    sys.stdout.buffer.flush()
    return 0
