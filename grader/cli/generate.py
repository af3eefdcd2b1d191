"""`plymark generate`: a recipe in, exercises with their quality cards out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from grader.cli.command import Command, typer_app
from grader.cli.command_options import LimitSettings, Quiet, SecretFile, limits_from, read_beside, read_secret
from grader.cli.command_outcome import report_problems, stoppable
from grader.generating.exercise_folder import check_folder, files_of, record_for, write_folder
from grader.generating.generation import Generation
from grader.generating.guessability import guess_sentences, guessability
from grader.generating.quality_card import Generated
from grader.generating.recipe_file import MOST_EXERCISES, load_recipe
from grader.generating.recipe_parts import BOUNDED, Recipe
from grader.generating.variant_overview import overview_of
from grader.people.roster import Student, roster_from
from grader.practice.ready_exercises import ready_recipes, recipes_folder
from solver.jobs import failure_of, named_source
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, UsageError, nearest

app = typer_app()


def _recipe_completion(incomplete: str) -> list[str]:
    """The ready ones; a shell adds files where there is none."""
    return [name for name in ready_recipes() if name.startswith(incomplete)]


@app.command(cls=Command)
def generate(
    recipe: Annotated[
        str,
        typer.Argument(
            metavar="RECIPE",
            autocompletion=_recipe_completion,
            help="A recipe/1 file or the name of a built-in recipe, such as minimax-easy.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", readable=False, metavar="DIR", help="Write the exercises into this folder."),
    ],
    count: Annotated[
        int | None,
        typer.Option("--count", "-n", min=1, metavar="N", help="How many exercises (default: as the recipe says)."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="S", help="The same seed gives the same exercises (default: one is drawn and printed)."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace other exercises of this recipe in the folder.")
    ] = False,
    roster: Annotated[
        Path | None,
        typer.Option(
            "--roster",
            readable=False,
            metavar="CSV",
            help="A class roster: also record which student gets which variant.",
        ),
    ] = None,
    secret_file: SecretFile = None,
    quiet: Quiet = False,
    limit: LimitSettings = None,
) -> int:
    """Generate exercises from a recipe: randomly drawn and checked, optionally as parallel variants, each with a
    quality report.
    """
    return generate_exercises(recipe, count, seed, out, limits_from(limit), roster, secret_file, force, quiet)


def generate_exercises(
    recipe: str,
    count: int | None,
    seed: str | None,
    out: Path,
    limits: Limits = DEFAULT_LIMITS,
    roster: Path | None = None,
    secret_file: Path | None = None,
    force: bool = False,
    quiet: bool = False,
) -> int:
    """Write every exercise and card, a look at them all and, with a roster, who gets which; the exit code. A run that
    fails, or is stopped while it searches, writes nothing."""
    if count is not None and not 1 <= count <= MOST_EXERCISES:
        raise UsageError(f"so many exercises cannot be made: --count is from 1 to {MOST_EXERCISES:,}")
    check_folder(out)
    students, secret = _students(roster, secret_file, limits)
    recipe = _file_of(recipe)
    exercises: list[Generated] = []
    try:
        loaded = load_recipe(recipe, limits)
        asked = loaded.count if count is None else count
        stopped = stoppable(lambda: f"{len(exercises):,} of {asked:,} exercises made, nothing written")
        with stopped, nullcontext() if quiet else search_progress(asked) as heard:
            generation = Generation(loaded, count, seed, heard)
            if seed is None and not quiet:
                print(f"--seed {generation.seed.text} makes the same again", file=sys.stderr)
            exercises.extend(generation)
    except DocumentError as error:
        report_problems(failure_of(named_source(recipe), error))
        return 1
    guesses = generation.spread.guesses()
    looks = {**overview_of(exercises), "guessability": guessability(guesses)}
    record = record_for(loaded, exercises, out)
    files = files_of(loaded, generation.seed.text, exercises, looks, students, secret, record)
    write_folder(loaded, files, out, force)
    counts = [] if quiet else _counts(loaded, exercises, looks, out)
    for line in (*counts, *_warnings(looks), *guess_sentences(guesses)):
        print(line)
    return 0


def _file_of(recipe: str) -> str:
    """A ready recipe's, unless a file of this name is there."""
    if os.path.exists(recipe) or not re.fullmatch(r"[\w-]+", recipe):
        return recipe
    names = list(ready_recipes())
    if recipe not in names:
        meant = nearest(recipe, names)
        advice = f"did you mean {meant}?" if meant else f"ready ones are {', '.join(names[:3])}, …: docs/generating.md"
        raise UsageError(f"there is neither a file nor a ready recipe {recipe!r}; {advice}")
    return str(recipes_folder() / f"{recipe}.yaml")


def _students(roster: Path | None, secret_file: Path | None, limits: Limits) -> tuple[list[Student], bytes]:
    """The students and the secret."""
    if roster is None:
        if secret_file is not None:
            raise UsageError("--secret-file decides which student gets which variant; it goes with --roster")
        return [], b""
    if secret_file is None:
        raise UsageError("--roster goes with --secret-file: a file with any text that students do not know")
    secret = read_secret(secret_file, limits)
    return roster_from(read_beside(roster, limits), roster.name), secret


def _counts(recipe: Recipe, exercises: list[Generated], looks: dict[str, Any], out: Path) -> Iterator[str]:
    examined = sum(each.examined for each in exercises)
    yield f"{_counted(len(exercises), 'exercise')} in {out}, {_counted(examined, 'tree')} examined"
    measures, several = looks["measures"], len(exercises) > 1
    if recipe.parallel and several:
        yield f"{BOUNDED if recipe.parallel == BOUNDED else 'parallel'}: {', '.join(_measured(measures))}"
    if several and measures["pruned"]["most"]:
        sets = _counted(looks["different_places_of_pruned_leaves"], "different set")
        yield f"the variants prune leaves at {sets} of positions"


def _warnings(looks: dict[str, Any]) -> Iterator[str]:
    for name in looks["solved_again"]["differ"]:
        yield f"{name} has another key when it is solved by other means: please report this"
    for name, which in looks["outliers"].items():
        yield f"{name} lies far from the others: {', '.join(which).replace('_', ' ')}"


def _measured(measures: dict[str, Any]) -> Iterator[str]:
    yield f"{_ends(measures['steps'])} steps"
    if measures["pruned"]["most"]:
        yield f"{_ends(measures['pruned'])} leaves pruned"
    if measures["different_wrong_answers"]["most"]:
        yield f"{_ends(measures['different_wrong_answers'])} different wrong answers"


def _ends(measure: dict[str, Any]) -> str:
    low, high = measure["least"], measure["most"]
    return str(low) if low == high else f"{low} to {high}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


OFTEN, SELDOM = 0.1, 10.0
"""Seconds between two updates, on a terminal and elsewhere."""
WIDTH = 20
CLEAR = "\r\x1b[K"


@contextmanager
def search_progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the number of exercises done and of trees examined.

    The progress bar of other commands would stand still: the first of several parallel exercises takes longest.
    """
    shows = sys.stderr.isatty()
    started = shown = monotonic()
    first: tuple[int, float] | None = None

    def show(done: int, examined: int) -> None:
        nonlocal shown, first
        now = monotonic()
        if now - shown < (OFTEN if shows else SELDOM):
            return
        shown = now
        # What is looked for before the first exercise is done does not slow down the others.
        if done and first is None:
            first = done, now
        more = 0 if first is None else done - first[0]
        pace = (now - first[1]) / more if first is not None and more else None
        line = progress_line(done, total, examined, now - started, pace)
        sys.stderr.write(f"{CLEAR}{progress_bar(done, total)} {line}" if shows else f"{line}\n")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if shows:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


def progress_bar(done: int, total: int) -> str:
    full = WIDTH * done // total
    return f"{'█' * full}{'░' * (WIDTH - full)}"


def progress_line(done: int, total: int, examined: int, seconds: float, pace: float | None) -> str:
    """With the remaining time, once the pace is known (in seconds for each exercise)."""
    line = f"{done:,} of {total:,}, {examined:,} trees examined"
    if pace is None:
        return f"{line}, {seconds:.0f} s"
    left = pace * (total - done)
    return f"{line}, about {left:.0f} s left" if left < 100 else f"{line}, about {left / 60:.0f} min left"
