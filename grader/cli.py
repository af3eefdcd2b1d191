"""The command line: thin; it reads options, calls the solver and says what happened.

Exit 0: done; 1: some document was missing, invalid or refused; 2: wrong use.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.choices import (
    CHANGE_FORMATS,
    GRADEBOOKS,
    LEVELS,
    MARK_FORMATS,
    PAPER_KINDS,
    PAPERS,
    SYSTEMS,
    VISIBILITIES,
)
from grader.files import check_place, write_file
from grader.outcome import Outcome, report_problems
from solver import (
    ALGORITHMS,
    CONVENTIONS,
    DETAILS,
    FORMATS,
    LANGUAGES,
    SHOWN,
    THEMES,
    DocumentError,
    Limits,
    Result,
    Sampling,
    SolveTask,
    Source,
    UsageError,
    convention_from_text,
    failed,
    load_tree,
    named_source,
    output_names,
    parse_number,
    run,
    sources,
    tree_source,
)

app = typer.Typer(
    name="plymark",
    help="Plymark solves, draws and explains game trees exactly, and marks answers about them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Jobs = Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes to use; all cores without it.")]
LimitSettings = Annotated[
    list[str] | None,
    typer.Option("--limit", metavar="NAME=NUMBER", help="Set a limit, such as nodes=20000 or nesting=200."),
]

ConventionText = Annotated[
    str,
    typer.Option(
        "--convention",
        "-c",
        help=f"{', '.join(CONVENTIONS)}, or a mapping such as '{{like: aima3, cut: past-bound}}'.",
        autocompletion=lambda: list(CONVENTIONS),
    ),
]


TreeText = Annotated[
    str | None, typer.Option("--tree", metavar="TEXT", help="A tree in place of a file: '[[3,12],[2,4]]'.")
]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm", "-a", help=f"auto, {', '.join(ALGORITHMS)}.", autocompletion=lambda: ["auto", *ALGORITHMS]
    ),
]
Depth = Annotated[
    int | None, typer.Option("--depth", "-d", min=0, help="Search only so deep, and use the estimates there.")
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, help="mcts: how many steps to make.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="mcts: what the drawn playouts depend on.")]
Digits = Annotated[int, typer.Option("--digits", min=0, max=100, help="mcts: decimals to print.")]
LanguageCode = Annotated[
    str,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        help=", ".join(f"{code} ({name})" for code, name in LANGUAGES.items()) + ".",
        autocompletion=lambda: list(LANGUAGES),
    ),
]

OwnLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        help=f"{', '.join(LANGUAGES)}; the exercise's own without it.",
        autocompletion=lambda: list(LANGUAGES),
    ),
]
Answers = Annotated[
    list[str], typer.Argument(metavar="ANSWER", help="Answers: files, folders, .jsonl, .csv; - reads stdin.")
]


@app.command()
def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Documents or folders; - reads stdin.")],
    jobs: Jobs = None,
    limit: LimitSettings = None,
) -> None:
    """Check documents: every problem of every file, at its line and column."""
    # Imported only here: solving needs no exercises.
    from grader.checking import CheckTask

    found = sources(paths)
    outcome = Outcome("valid")
    with outcome.progress(len(found)):
        for result in run(CheckTask(Limits().with_settings(limit or [])), found, jobs):
            outcome.take(result)
    raise typer.Exit(outcome.finish(several=_several(found), paths=paths))


@app.command()
def solve(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Games or folders; - reads stdin.")] = None,
    tree: TreeText = None,
    algorithm: AlgorithmName = "auto",
    convention: ConventionText = "aima3",
    depth: Depth = None,
    steps: Steps = None,
    seed: Seed = 0,
    digits: Digits = 4,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help=f"{', '.join(FORMATS)}; text for one game, json for several.",
            autocompletion=lambda: list(FORMATS),
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write a file for each game into this folder.")
    ] = None,
    jobs: Jobs = None,
    limit: LimitSettings = None,
) -> None:
    """Solve games: every value, window and cut, the pruned leaves, the move and the line."""
    if bool(paths) == (tree is not None):
        raise UsageError("give PATHs or --tree, one of the two")
    limits = Limits().with_settings(limit or [])
    found = sources(paths or []) if tree is None else [_checked_tree(tree, limits)]
    several = _several(found)
    task = SolveTask(
        algorithm=_one_of("algorithm", algorithm, ["auto", *ALGORITHMS]),
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        format=_one_of("format", format or ("json" if several or out else "text"), list(FORMATS)),
        limits=limits,
        name_file=several and out is None,
        colour=sys.stdout.isatty() and "NO_COLOR" not in os.environ and out is None,
    )
    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"--out is a folder to write into, and {out} is a file")
    outcome = Outcome("solved")
    names = output_names(found, FORMATS[task.format].ending) if out is not None else {}

    def write(result: Result) -> None:
        write_file((out or Path()) / names[result.source], result.output)

    with outcome.progress(len(found)):
        for result in run(task, found, jobs):
            outcome.take(result, write if out is not None else None)
    raise typer.Exit(outcome.finish(several, paths or ()))


@app.command()
def analyse(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A game; - reads stdin.")],
    pruned: Annotated[
        str | None, typer.Option("--pruned", metavar="NAMES", help="Judge a pruned set: L5,L6 (nodes or moves).")
    ] = None,
    errs: Annotated[
        str | None, typer.Option("--errs", metavar="P", help="How likely MIN errs at each node: 0.1 or 1/3.")
    ] = None,
    transform: Annotated[
        str | None, typer.Option("--transform", metavar="FORMULA", help="Change the leaves: '2*v + 3'.")
    ] = None,
    convention: ConventionText = "aima3",
    format: Annotated[
        str, typer.Option("--format", "-f", help="text or json.", autocompletion=lambda: ["text", "json"])
    ] = "text",
    digits: Annotated[int, typer.Option("--digits", min=0, max=100, help="Decimals of irrational numbers.")] = 4,
    limit: LimitSettings = None,
) -> None:
    """Analyse a game: orders, prunable leaves, unknowns, MIN's mistakes, changes of the leaves, depths."""
    # Imported only here: the analyses are many, and no other command needs them.
    from solver import AnalyseTask, Asked

    chance = None if errs is None else parse_number(errs)
    if errs is not None and (chance is None or not 0 <= chance <= 1):
        raise UsageError(f"--errs is a probability from 0 to 1, not {errs!r}")
    names = None if pruned is None else [name.strip() for name in pruned.split(",") if name.strip()]
    limits = Limits().with_settings(limit or [])
    task = AnalyseTask(
        convention=convention_from_text(convention),
        asked=Asked(names, chance, transform, digits),
        format=_one_of("format", format, ["text", "json"]),
        limits=limits,
    )
    outcome = Outcome("analysed")
    for result in run(task, [_one_game("analyse", path, None, limits)]):
        outcome.take(result)
    raise typer.Exit(outcome.finish(several=False))


@app.command()
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
    # Imported only here, like the analyses.
    from solver import Request, drawings, shown_from

    if stage is not None and stages:
        raise UsageError("give --stage or --stages, one of the two")
    check_place(out)
    limits = Limits().with_settings(limit or [])
    source = _one_game("draw", path, tree, limits)
    request = Request(
        ending=out.suffix.lower() if out is not None else ".txt",
        algorithm=_one_of("algorithm", algorithm, ["auto", *ALGORITHMS]),
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed),
        language=language,
        show=shown_from(show),
        blank=blank,
        stages="all" if stages else stage,
        theme=_one_of("theme", theme, list(THEMES)),
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


@app.command()
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
    # Imported only here, like the analyses.
    from solver import Telling, explained

    check_place(out)
    limits = Limits().with_settings(limit or [])
    source = _one_game("explain", path, tree, limits)
    telling = Telling(
        algorithm=_one_of("algorithm", algorithm, ["auto", *ALGORITHMS]),
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        language=language,
        detail=_one_of("detail", detail, list(DETAILS)),
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


@app.command()
def grade(
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="An exercise.")],
    answers: Answers,
    format: Annotated[
        str,
        typer.Option("--format", "-f", help=f"{', '.join(MARK_FORMATS)}.", autocompletion=lambda: list(MARK_FORMATS)),
    ] = "text",
    feedback: Annotated[
        str,
        typer.Option("--feedback", help=f"{', '.join(LEVELS)}: how much is told.", autocompletion=lambda: list(LEVELS)),
    ] = "full",
    language: OwnLanguage = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write the results into this folder.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="FILE", help="Write a summary of the class: .html, .csv or .txt."),
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option("--roster", metavar="CSV", help="Names, logins and e-mail addresses, for a system's responses."),
    ] = None,
    gradebook: Annotated[
        str,
        typer.Option("--gradebook", help=f"csv: {', '.join(GRADEBOOKS)}.", autocompletion=lambda: list(GRADEBOOKS)),
    ] = "plain",
    visibility: Annotated[
        str,
        typer.Option(
            "--visibility", help=f"gradescope: {', '.join(VISIBILITIES)}.", autocompletion=lambda: list(VISIBILITIES)
        ),
    ] = "after_published",
    limit: LimitSettings = None,
) -> None:
    """Mark answers to an exercise: partial credit, follow-through, conventions, the mistake behind the errors."""
    # Imported only here: solving needs nothing of it.
    from grader.commands.grade import grade_answers, summary_kind

    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"--out is a folder to write into, and {out} is a file")
    if summary is not None:
        summary_kind(summary)
    code = grade_answers(
        exercise,
        answers,
        format=_one_of("format", format, list(MARK_FORMATS)),
        language=None if language is None else _one_of("language", language, list(LANGUAGES)),
        feedback=_one_of("feedback", feedback, list(LEVELS)),
        gradebook=_one_of("gradebook", gradebook, list(GRADEBOOKS)),
        visibility=_one_of("visibility", visibility, list(VISIBILITIES)),
        out=out,
        summary=summary,
        roster=roster,
        limits=Limits().with_settings(limit or []),
    )
    raise typer.Exit(code)


@app.command()
def regrade(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The exercise as it was.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The exercise as corrected.")],
    answers: Answers,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", help=f"{', '.join(CHANGE_FORMATS)}.", autocompletion=lambda: list(CHANGE_FORMATS)
        ),
    ] = "text",
    language: OwnLanguage = None,
    limit: LimitSettings = None,
) -> None:
    """Show what a corrected exercise changes, for each student, before it is applied."""
    # Imported only here, like `grade`.
    from grader.commands.grade import regrade_answers

    raise typer.Exit(
        regrade_answers(
            old,
            new,
            answers,
            format=_one_of("format", format, list(CHANGE_FORMATS)),
            language=None if language is None else _one_of("language", language, list(LANGUAGES)),
            limits=Limits().with_settings(limit or []),
        )
    )


@app.command()
def generate(
    recipe: Annotated[str, typer.Argument(metavar="RECIPE", help="A recipe; recipes/ has ready ones.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Write the exercises into this folder.")],
    count: Annotated[
        int | None, typer.Option("--count", "-n", min=1, help="How many; as many as the recipe says without it.")
    ] = None,
    seed: Annotated[str, typer.Option("--seed", help="What the draws depend on: equal seeds, equal exercises.")] = "0",
    limit: LimitSettings = None,
) -> None:
    """Make exercises from a recipe: drawn, verified, parallel if wanted, each with a card of its qualities."""
    # Imported only here, like `grade`.
    from grader.commands.generate import generate_exercises

    raise typer.Exit(generate_exercises(recipe, count, seed, out, Limits().with_settings(limit or [])))


@app.command()
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
        Path | None, typer.Option("--wheels", metavar="DIR", help="gradescope: wheels to pack, to work offline.")
    ] = None,
    kind: Annotated[str, typer.Option("--kind", help=f"Papers: {', '.join(PAPER_KINDS)}.")] = "sheet",
    roster: Annotated[
        Path | None, typer.Option("--roster", metavar="CSV", help="Papers: the students of a booklet.")
    ] = None,
    course: Annotated[str, typer.Option("--course", help="Papers: printed in the head.")] = "",
    heading: Annotated[str, typer.Option("--title", help="Papers: printed in the head.")] = "",
    date: Annotated[str, typer.Option("--date", help="Papers: printed in the head.")] = "",
    together: Annotated[bool, typer.Option("--together", help="Papers: parts of one exam, not variants.")] = False,
    secret: Annotated[str, typer.Option("--secret", help="Papers: what decides who gets which variant.")] = "",
    limit: LimitSettings = None,
) -> None:
    """Deliver exercises: to Moodle, Canvas, PrairieLearn or Gradescope, or as an exam paper with its key."""
    limits = Limits().with_settings(limit or [])
    _one_of("target", to, [*SYSTEMS, *PAPERS])
    if language is not None:
        _one_of("language", language, list(LANGUAGES))
    # Imported only here, like `grade`.
    if to in PAPERS:
        from grader.commands.paper import write_papers
        from grader.papers.content import Header

        head = Header(course, heading, date)
        kind = _one_of("kind", kind, list(PAPER_KINDS))
        code = write_papers(exercises, to, out, kind, language, roster, head, together, secret, limits)
        raise typer.Exit(code)
    from grader.commands.export import export_exercises
    from grader.exporters.base import ExportOptions

    options = ExportOptions(
        language=language,
        faithful_only=faithful_only,
        wheels=wheels,
        level=_one_of("feedback", feedback, list(LEVELS)),
        visibility=_one_of("visibility", visibility, list(VISIBILITIES)),
        limits=limits,
    )
    raise typer.Exit(export_exercises(exercises, to, out, options))


@app.command(name="import")
def import_command(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="FILE.efg, openspiel:GAME or tictactoe:XO./.X./..O; - reads stdin.")
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the game here.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", min=0, help="Go only so deep.")] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format", "-f", help="yaml or json; yaml unless large.", autocompletion=lambda: ["yaml", "json"]
        ),
    ] = None,
    limit: LimitSettings = None,
) -> None:
    """Import a game of another program as a game/1 document."""
    # Imported only here, like the analyses.
    from solver import import_game

    try:
        game = import_game(source, depth, Limits().with_settings(limit or []))
        format = game.format(
            format or (out.suffix[1:] if out is not None and out.suffix in (".yaml", ".json") else None)
        )
        text = game.text(format)
    except DocumentError as error:
        report_problems(failed(named_source(source), error))
        raise typer.Exit(1) from None
    if out is not None:
        write_file(out, text.encode())
    else:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()


def _wrapped(line: str) -> str:
    """A paragraph as wide as the terminal, but not wider than a page."""
    # Imported only here: most commands wrap nothing.
    import textwrap

    width = min(100, os.get_terminal_size(sys.stdout.fileno()).columns or 100)
    return textwrap.fill(line, width, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)


def _several(found: list[Source]) -> bool:
    """A folder counts as several files, however many it holds."""
    return len(found) != 1 or found[0].in_folder


def _one_game(command: str, path: str | None, tree: str | None, limits: Limits) -> Source:
    """The game of a command that takes one, from a file or from --tree."""
    if (path is None) == (tree is None):
        raise UsageError("give a PATH or --tree, one of the two")
    if tree is not None:
        return _checked_tree(tree, limits)
    assert path is not None
    if os.path.isdir(path):
        raise UsageError(f"{command} takes one game, not a folder: {path}")
    return sources([path])[0]


def _one_of(what: str, name: str, names: list[str]) -> str:
    if name not in names:
        raise UsageError(f"there is no {what} {name!r}; the names are {', '.join(names)}")
    return name


def _checked_tree(text: str, limits: Limits) -> Source:
    """The source for --tree; a text that is no tree is wrong use."""
    source = tree_source(text)
    try:
        load_tree(text, limits)
    except DocumentError as error:
        report_problems(failed(source, error))
        raise typer.Exit(2) from None
    return source


def _print_version(wanted: bool) -> None:
    if wanted:
        # Imported only here: it reads the whole environment's metadata.
        from importlib.metadata import version

        typer.echo(f"plymark {version('plymark')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except UsageError as error:
        _stop(f"plymark: {error}", 2)
    except BrokenPipeError:
        # Whoever read our output has seen enough. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        _stop("plymark: stopped", 130)
    except OSError as error:
        _stop(": ".join(["plymark", *filter(None, [error.filename]), error.strerror or str(error)]), 1)


def _stop(message: str, code: int) -> None:
    print(message, file=sys.stderr)
    sys.exit(code)
