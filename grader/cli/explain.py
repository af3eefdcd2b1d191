"""`plymark explain`: a game in, the story of its search out."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.options import (
    AlgorithmName,
    ConventionText,
    Depth,
    Digits,
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
from solver.jobs import Telling, explained, failed
from solver.kernel import DocumentError, Limits
from solver.pipeline import convention_from_text
from solver.search import ALGORITHMS, Sampling
from solver.story import DETAILS


def explain(
    path: Annotated[str | None, typer.Argument(metavar="PATH", help="A game; - reads stdin.")] = None,
    tree: TreeText = None,
    language: LanguageCode = "en",
    detail: Annotated[
        str,
        typer.Option(
            "--detail",
            help=f"{' or '.join(DETAILS)}: a sentence or two for each node, or every comparison.",
            autocompletion=lambda: list(DETAILS),
        ),
    ] = "brief",
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the text here.")] = None,
    algorithm: AlgorithmName = "auto",
    convention: ConventionText = "aima3",
    depth: Depth = None,
    steps: Steps = None,
    seed: Seed = 0,
    digits: Digits = 4,
    limit: LimitSettings = None,
) -> None:
    """Explain a search: what happened, step by step, and why, in sentences."""
    check_place(out)
    limits = Limits().with_settings(limit or [])
    source = one_game("explain", path, tree, limits)
    telling = Telling(
        algorithm=one_of("algorithm", algorithm, ["auto", *ALGORITHMS]),
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        language=language,
        detail=one_of("detail", detail, list(DETAILS)),
    )
    try:
        lines = explained(source, telling, limits)
    except DocumentError as error:
        report_problems(failed(source, error))
        raise typer.Exit(1) from None
    if out is not None:
        write_file(out, "".join(f"{line}\n" for line in lines).encode())
        return
    for line in lines:
        sys.stdout.buffer.write(f"{_wrapped(line) if sys.stdout.isatty() else line}\n".encode())
    sys.stdout.buffer.flush()


def _wrapped(line: str) -> str:
    """A paragraph as wide as the terminal, but not wider than a page."""
    width = min(100, os.get_terminal_size(sys.stdout.fileno()).columns or 100)
    return textwrap.fill(line, width, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)
