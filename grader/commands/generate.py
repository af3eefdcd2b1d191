"""`plymark generate`: a recipe in, exercises with their quality cards out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grader.commands.options import LimitSettings
from grader.files import check_place, write_file
from grader.generating.generate import Generated, generated
from grader.generating.parts import Recipe
from grader.generating.recipe import MOST_EXERCISES, load_recipe
from grader.generating.spread import spread
from grader.outcome import Outcome, report_problems
from solver import DocumentError, Limits, UsageError, failed, json_bytes, named_source


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
    raise typer.Exit(generate_exercises(recipe, count, seed, out, Limits().with_settings(limit or [])))


def generate_exercises(recipe: str, count: int | None, seed: str, out: Path, limits: Limits) -> int:
    """Write every exercise and card, and one look at them all; the exit code. A run that fails writes nothing."""
    if count is not None and not 1 <= count <= MOST_EXERCISES:
        raise UsageError(f"so many exercises cannot be made: --count is from 1 to {MOST_EXERCISES:,}")
    if out.is_file():
        raise UsageError(f"{out} is a file, not a folder to write to")
    check_place(out / "any")
    try:
        loaded = load_recipe(recipe, limits)
        found = _made(loaded, count, seed)
    except DocumentError as error:
        report_problems(failed(named_source(recipe), error))
        return 1
    for each in found:
        write_file(out / f"{each.id}.yaml", each.document)
        write_file(out / f"{each.id}.card.json", json_bytes(each.card, indented=True))
    summary = spread([each.card for each in found])
    variants = {each.id: f"{each.id}.yaml" for each in found}
    together = {"recipe": loaded.id, "seed": seed, "variants": variants, **summary}
    write_file(out / f"{loaded.id}.variants.json", json_bytes(together, indented=True))
    print(_said(loaded, found, summary, out))
    return 0


def _made(recipe: Recipe, count: int | None, seed: str) -> list[Generated]:
    outcome = Outcome("generated")
    found: list[Generated] = []
    with outcome.progress(recipe.count if count is None else count):
        for each in generated(recipe, count, seed):
            found.append(each)
            outcome.advance()
    return found


def _said(recipe: Recipe, found: list[Generated], summary: dict[str, Any], out: Path) -> str:
    examined = sum(each.examined for each in found)
    lines = [f"{_counted(len(found), 'exercise')} in {out}, {_counted(examined, 'tree')} examined"]
    if recipe.parallel and len(found) > 1:
        measures = summary["measures"]
        parts = [f"{_ends(measures['steps'])} steps", f"{_ends(measures['pruned'])} leaves pruned"]
        parts.append(f"{_ends(measures['different_wrong_answers'])} different wrong answers")
        lines.append(f"parallel: {', '.join(parts)}")
    for name, which in summary["outliers"].items():
        lines.append(f"{name} lies far from the others: {', '.join(which).replace('_', ' ')}")
    return "\n".join(lines)


def _ends(measure: dict[str, Any]) -> str:
    low, high = measure["least"], measure["most"]
    return str(low) if low == high else f"{low} to {high}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
