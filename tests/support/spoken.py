"""Outputs in a language, as people read them: explanations, reports, a class, papers."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from tests.support.command import plymark_within
from tests.support.pseudo import page_says

_EXERCISES = ("deep-cut", "horizon", "three-players", "two-ply", "unknown-leaf")
_ANSWERS = {
    "two-ply": """\
  values: {A: "8", B: "0.5", C: "<= 2"}
  windows: {C: "(12, inf)"}
  pruned: [L8, L9, L3]
  move: a2
""",
    "deep-cut": """\
  how-many: "9"
  order: {B: [L4, C]}
  doubled: different
  prunable: {L1: "yes"}
  erring: "3.75"
""",
    "three-players": "  {}\n",
}


@cache
def outputs(code: str) -> str:
    """All of them in one text. What a document cites stays as it is, so lines with its source are left out."""
    found: list[str] = []

    def said(*arguments: str | Path) -> None:
        ran = plymark_within(*arguments, "--language", code)
        assert ran.code == 0, ran.stderr
        found.append(ran.stdout)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for spec in ("two-ply", "star-probing"):
            said("explain", f"specs/{spec}.yaml", "--detail", "full")
        said("explain", "specs/mcts-textbook.yaml", "--steps", "20")
        for exercise, answers in _ANSWERS.items():
            file = folder / f"{exercise}.yaml"
            file.write_text(f"plymark: answer/1\nexercise: {exercise}\nstudent: s1\nanswers:\n{answers}", "utf-8")
            said("grade", f"exercises/{exercise}.yaml", file, "--summary", folder / "class.txt")
            found.append((folder / "class.txt").read_text("utf-8"))
        for exercise in _EXERCISES:
            paper = folder / f"{exercise}.html"
            said("paper", f"exercises/{exercise}.yaml", "--to", "html", "--kind", "key", "-o", paper)
            found.append(page_says(paper.read_text("utf-8")))
    return "\n".join(line for text in found for line in text.splitlines() if "Figure" not in line)
