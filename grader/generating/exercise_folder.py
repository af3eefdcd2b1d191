"""Writing exercises to a folder without losing what is there, and without leaving exercises of an earlier run."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.documents.exam import set_name
from grader.generating.quality_card import Generated
from grader.generating.recipe_parts import Recipe
from grader.kernel.atomic_files import check_place, write_file
from grader.people.roster import Student
from grader.people.variant_allocation import RECORD_ENDING, Allocation, deal, read_record, record_sheet
from solver.kernel import UsageError
from solver.render import json_bytes

NAMED = 3
"""At most this many files are named in an error."""


def check_folder(out: Path) -> None:
    """UsageError if the folder cannot be written to; called before the search."""
    if out.is_file():
        raise UsageError(f"{out} is a file, not a folder to write to")
    check_place(out / "any")
    there = next(folder for folder in (out.absolute(), *out.absolute().parents) if folder.exists())
    if not os.access(there, os.W_OK):
        raise UsageError(f"cannot write to {there}: permission denied")


def files_of(
    recipe: Recipe,
    seed: str,
    exercises: Sequence[Generated],
    looks: Mapping[str, Any],
    students: Sequence[Student],
    secret: bytes,
    record: Sequence[Allocation] = (),
) -> dict[str, bytes]:
    """By name: every exercise and its card, the look at all of them and, if there are students, who gets which. A
    record goes on where it ends."""
    variants = {each.id: f"{each.id}.yaml" for each in exercises}
    files = {variants[each.id]: each.document for each in exercises}
    files |= {f"{each.id}.card.json": json_bytes(each.card, indented=True) for each in exercises}
    together = {"recipe": recipe.id, "seed": seed, "variants": variants, **looks}
    files[f"{recipe.id}.variants.json"] = json_bytes(together, indented=True)
    if students:
        ids = list(variants)
        lines = deal(students, ids, secret, set_name(ids), record)
        # A list that stays as it is keeps whatever else somebody noted in it.
        files |= {f"{recipe.id}{RECORD_ENDING}": record_sheet(lines)} if lines != list(record) else {}
    return files


def record_for(recipe: Recipe, exercises: Sequence[Generated], out: Path) -> list[Allocation]:
    """Who was dealt which of these exercises before; nothing if the folder's list is about others."""
    path = out / f"{recipe.id}{RECORD_ENDING}"
    lines = read_record(path.read_bytes(), str(path)) if path.is_file() else []
    return lines if {line.variant for line in lines} <= {each.id for each in exercises} else []


def write_folder(recipe: Recipe, files: Mapping[str, bytes], out: Path, force: bool) -> None:
    """UsageError if there are different files with these names, or exercises of an earlier run that could be mistaken
    for these. With `force` the files are replaced and the earlier exercises removed."""
    earlier = [name for name in _earlier(recipe, files, out) if name not in files and (out / name).is_file()]
    other = [name for name, content in files.items() if (out / name).exists() and not _goes_on(out / name, content)]
    if (earlier or other) and not force:
        names = sorted({*earlier, *other})
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        raise UsageError(
            f"{out} has other exercises of this recipe: {', '.join(names[:NAMED])}{more}; "
            f"choose another folder, or --force to replace them{_seed_hint(recipe, out)}"
        )
    for name in earlier:
        (out / name).unlink()
    paths: list[Path] = []
    try:
        for name, content in files.items():
            path = out / name
            is_new = not path.exists()
            write_file(path, content)
            paths += [path] if is_new else []
    except (OSError, KeyboardInterrupt):
        # A disk that is full, or somebody who has second thoughts: half a set of variants is worse than none.
        for path in paths:
            path.unlink(missing_ok=True)
        raise


def _seed_hint(recipe: Recipe, out: Path) -> str:
    """To go on with the earlier run, whose seed was perhaps drawn."""
    seed = _overview(recipe, out).get("seed")
    return f"; --seed {shlex.quote(seed)} makes them again" if isinstance(seed, str) and seed.isprintable() else ""


def _overview(recipe: Recipe, out: Path) -> dict[str, Any]:
    """Of the earlier run; empty where there was none."""
    try:
        data = json.loads((out / f"{recipe.id}.variants.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _earlier(recipe: Recipe, files: Mapping[str, bytes], out: Path) -> Iterator[str]:
    """The files of the earlier run whose overview is in the folder, and a list of who got exercises that go."""
    students = out / f"{recipe.id}{RECORD_ENDING}"
    if students.is_file() and any(
        f"{line.variant}.yaml" not in files for line in read_record(students.read_bytes(), str(students))
    ):
        yield students.name
    variants = _overview(recipe, out).get("variants")
    for name in variants if isinstance(variants, dict) else ():
        # Only what such a run writes: whatever the file says, nothing else is touched.
        if name.startswith(f"{recipe.id}-") and "/" not in name and "\\" not in name:
            yield f"{name}.yaml"
            yield f"{name}.card.json"


def _goes_on(path: Path, content: bytes) -> bool:
    """Whether nothing would be lost: the same content, or a list of students with more lines."""
    there = path.read_bytes() if path.is_file() else None
    if path.name.endswith(RECORD_ENDING) and there is not None:
        return read_record(content, path.name)[: len(lines := read_record(there, str(path)))] == lines
    return there == content
