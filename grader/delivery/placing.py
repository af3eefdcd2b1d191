"""Where papers and exports are written: nothing that is there already is lost, or taken for a part of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from grader.kernel.files import write_file
from grader.questions.exercise import Exercise
from solver.kernel import UsageError


def require_other_place(exercises: Sequence[Exercise], out: Path) -> None:
    """UsageError if one of the exercises would be replaced by what is made of it."""
    if any(Path(each.source).resolve() == out.resolve() for each in exercises if each.source):
        raise UsageError(f"{out} is one of the exercises; it would be replaced")


def write_export(content: bytes | Mapping[str, bytes], out: Path) -> None:
    """A file, or files below a folder; UsageError where an earlier export left variants."""
    if isinstance(content, bytes):
        write_file(out, content)
        return
    if out.is_file():
        raise UsageError(f"{out} is a file; a folder is to be written there")
    _refuse_leftovers(out, content)
    for path, each in content.items():
        write_file(out / path, each)


def paper_places(kind: str, ending: str, out: Path, names: Sequence[str]) -> Callable[[str], Path]:
    """Where each file of a paper is written: below a folder, or to `out` and beside it if that is the name of such a
    file and it is no booklet. UsageError if others than `names` are there, of an earlier class."""
    is_name = out.suffix.lower() == ending
    if kind != "booklet" and is_name:
        return lambda name: out if name.endswith(ending) else out.with_suffix(f".{name}")
    if is_name or out.is_file():
        raise UsageError(f"a {kind} of these is several files; --out is a folder to write into, not {out.name!r}")
    others: list[str] = []
    if kind == "booklet":
        there = (path.name for pattern in ("booklet", "index") for path in out.glob(f"{pattern}*{ending}"))
        others = sorted(set(there) - set(names))
    if others:
        more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
        raise UsageError(
            f"{out} has {others[0]}{more} of an earlier booklet, which would be taken for a part of this one; "
            "delete it or choose another folder"
        )
    return lambda name: out / name


def _refuse_leftovers(out: Path, content: Mapping[str, bytes]) -> None:
    """Variants of an earlier export would be given to students as well."""
    written = {out / path for path in content}
    for folder in {path.parent for path in written if path.parent.name == "exercises"}:
        if left := sorted(path.name for path in folder.glob("*") if path not in written):
            raise UsageError(f"{folder} has variants of an earlier export, such as {left[0]}; delete that folder first")
