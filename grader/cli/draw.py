"""`plymark draw`: a game in, pictures out."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.command import chosen, command, completing, option
from grader.cli.options import (
    FILE,
    INPUT,
    language_option,
    limits_option,
    one_game,
    quiet_option,
    search_options,
    tree_option,
)
from grader.cli.outcome import report_problems
from grader.kernel.files import check_place, write_file
from solver.drawing import LEAST_PICTURE, SHOWN, SIZES, THEMES, Request, shown_from
from solver.jobs import drawings, failed
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import convention_from_text
from solver.search import Sampling


@command("draw")
@click.argument("path", required=False, type=INPUT, metavar="[PATH]")
@tree_option
@option("--out", "-o", type=FILE, metavar="FILE", help=".svg, .png, .pdf, .tex, .txt, .html (default: print).")
@option("--blank", is_flag=True, help="For students: with empty boxes to fill in.")
@option("--stage", metavar="N", help="The search after N leaves; 1-5,7 chooses several.")
@option("--stages", is_flag=True, help="The search after each leaf.")
@option("--fine", is_flag=True, help="Stages also where a node is entered or finished.")
@option("--title", metavar="TEXT", help="A title above the picture.")
@option("--legend", is_flag=True, help="Below the picture: what its signs mean.")
@option(
    "--show",
    metavar="NAMES",
    shell_complete=completing(SHOWN, ","),
    help=f"What to show, with commas: {', '.join(SHOWN)}.",
)
@language_option
@chosen("--theme", what="theme", among=THEMES, default="auto", help="Colour theme: auto, light or dark.")
@option(
    "--leaves",
    type=click.IntRange(min=0),
    metavar="N",
    help="Draw at most N leaves (default: 120) and collapse the rest; 0 draws all.",
)
@option(
    "--width",
    type=click.IntRange(min=LEAST_PICTURE),
    metavar="N",
    help="Pixels across, such as 340 for a phone: a wider tree is drawn row by row.",
)
@chosen(
    "--size",
    what="size",
    among=SIZES,
    help=f"Pages: {', '.join(SIZES)} (16:9, as .pdf, .svg or .png); stages as .pdf are on a4.",
)
@option(
    "--scale", type=click.FloatRange(0.1, 20), metavar="X", help=".png: pixels for each unit (default: 2 if it fits)."
)
@quiet_option
@limits_option
@search_options
def draw(
    path: str | None,
    tree: str | None,
    out: Path | None,
    blank: bool,
    stage: str | None,
    stages: bool,
    fine: bool,
    title: str | None,
    legend: bool,
    show: str | None,
    algorithm: str,
    convention: str,
    depth: int | None,
    steps: int | None,
    seed: int,
    language: str,
    theme: str,
    leaves: int | None,
    width: int | None,
    size: str | None,
    scale: float | None,
    quiet: bool,
    limits: Limits,
) -> int:
    """Draw a game: blank, solved or stage by stage; as SVG, PNG, PDF, LaTeX, text or a page to click through.

    PATH is a game; - reads stdin.
    """
    if stage is not None and stages:
        raise UsageError("use either --stage or --stages, not both")
    check_place(out)
    source = one_game("draw", path, tree, limits)
    request = Request(
        ending=out.suffix.lower() if out is not None else ".txt",
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed),
        language=language,
        show=shown_from(show),
        blank=blank,
        stages="all" if stages else stage,
        fine=fine,
        title=title,
        legend=legend,
        theme=theme,
        most_leaves=Request().most_leaves if leaves is None else leaves or None,
        width=width,
        scale=scale,
        size=size,
    )
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
