"""`plymark draw`: a game in, pictures out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.options import (
    AlgorithmName,
    ConventionText,
    Depth,
    LanguageCode,
    LimitSettings,
    Seed,
    Steps,
    TreeText,
    one_game,
    one_of,
)
from grader.cli.outcome import report_problems
from grader.kernel.files import check_place, write_file
from solver.drawing import SHOWN, THEMES, Request, shown_from
from solver.jobs import drawings, failed
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import convention_from_text
from solver.search import ALGORITHMS, Sampling


def draw(
    path: Annotated[str | None, typer.Argument(metavar="PATH", help="A game; - reads stdin.")] = None,
    tree: TreeText = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="tree.svg, .png, .pdf, .tex, .txt or .html; printed as text without it."
        ),
    ] = None,
    blank: Annotated[bool, typer.Option("--blank", help="With boxes to fill in, for students.")] = False,
    stage: Annotated[
        str | None, typer.Option("--stage", metavar="N", help="The search after N leaves; 1-5,7 chooses several.")
    ] = None,
    stages: Annotated[bool, typer.Option("--stages", help="The search after each leaf.")] = False,
    show: Annotated[
        str | None,
        typer.Option("--show", metavar="NAMES", help=f"What to show, with commas between: {', '.join(SHOWN)}."),
    ] = None,
    algorithm: AlgorithmName = "auto",
    convention: ConventionText = "aima3",
    depth: Depth = None,
    steps: Steps = None,
    seed: Seed = 0,
    language: LanguageCode = "en",
    theme: Annotated[
        str,
        typer.Option("--theme", help=f"{', '.join(THEMES)}: the paper.", autocompletion=lambda: list(THEMES)),
    ] = "auto",
    leaves: Annotated[
        int | None,
        typer.Option("--leaves", min=0, help="Draw so many leaves, 120 unless told, and fold the rest; 0 draws all."),
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option("--scale", min=0.1, max=20, help="png: pixels for each unit of the picture; 2 if it fits."),
    ] = None,
    limit: LimitSettings = None,
) -> None:
    """Draw a game: blank, solved, or stage by stage; as SVG, PNG, PDF, LaTeX, text or a page to click through."""
    if stage is not None and stages:
        raise UsageError("give --stage or --stages, one of the two")
    check_place(out)
    limits = Limits().with_settings(limit or [])
    source = one_game("draw", path, tree, limits)
    request = Request(
        ending=out.suffix.lower() if out is not None else ".txt",
        algorithm=one_of("algorithm", algorithm, ["auto", *ALGORITHMS]),
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed),
        language=language,
        show=shown_from(show),
        blank=blank,
        stages="all" if stages else stage,
        theme=one_of("theme", theme, list(THEMES)),
        most_leaves=Request().most_leaves if leaves is None else leaves or None,
        scale=scale,
    )
    try:
        made = drawings(source, request, limits)
    except DocumentError as error:
        report_problems(failed(source, error))
        raise typer.Exit(1) from None
    for drawing in made:
        if out is None:
            sys.stdout.buffer.write(drawing.content)
        else:
            name = f"{out.stem}-{drawing.number}{out.suffix}" if drawing.number else out.name
            write_file(out.with_name(name), drawing.content)
    if out is not None and len(made) > 1:
        names = f"{out.stem}-{made[0].number}{out.suffix} to {out.stem}-{made[-1].number}{out.suffix}"
        print(f"{len(made):,} pictures: {names}", file=sys.stderr)
    sys.stdout.buffer.flush()
