"""Outputs in a language, as people read them: explanations, reports, a class, papers."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from tests.support.command import plymark_within
from tests.support.pseudo import page_says

_EXERCISES = ("deep-cut", "halves", "horizon", "three-players", "two-ply", "unknown-leaf", "vacuum-plan")
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
  erring: "4"
""",
    "three-players": "  vectors: {A: [1, 2]}\n",
    "vacuum-plan": "  plan: none\n",
    "halves": """\
  bounds: {A: "<= 3", B: "<= 3", C: "<= 2"}
  windows: {A: "(-inf, inf)", B: "(-inf, inf)", C: "(3.5, inf)", D: "(3, inf)"}
  move: a2
  erring: "4"
  seen: [L1, L2, L3, L4]
""",
    "whole": "  move: a2\n",
}
_OWN = {
    "halves": """\
plymark: exercise/1
id: halves
game: {tree: [[3, 12.5], [2, [4, 6]]]}
convention: aima3
questions:
  - {id: bounds, ask: inequalities, marks: 0.25}
  - {id: windows, ask: windows, at: entry, marks: 0.5}
  - {id: move, ask: move, marks: 0.25}
  - {id: erring, ask: opponent, errs: 0.25, marks: 0.25}
  - {id: seen, ask: visited, what: leaves, marks: 0.25}
marking: {follow_through: 0.5, other_convention: half}
""",
    "whole": """\
plymark: exercise/1
id: whole
game: {tree: [[3, 12.5], [2, [4, 6]]]}
questions:
  - {id: move, ask: move, marks: 1}
""",
}
"""Shares of marks, one mark, and claims too many: no ready exercise has them."""


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
        said("explain", "specs/mcts-textbook.yaml", "--algorithm", "mcts", "--steps", "20")
        for exercise, answers in _ANSWERS.items():
            file, asked = folder / f"{exercise}-s1.yaml", _path(exercise, folder)
            file.write_text(f"plymark: answer/1\nexercise: {exercise}\nstudent: s1\nanswers:\n{answers}", "utf-8")
            said("grade", asked, file, "--summary", folder / "class.txt")
            found.append((folder / "class.txt").read_text("utf-8"))
        for exercise in _EXERCISES:
            paper = folder / f"{exercise}.html"
            said("paper", _path(exercise, folder), "--to", "html", "--kind", "key", "-o", paper)
            found.append(page_says(paper.read_text("utf-8")))
    return "\n".join(line for text in found for line in text.splitlines() if "Figure" not in line)


def _path(exercise: str, folder: Path) -> str | Path:
    """Of a ready exercise, or of one of those here, which is written there."""
    if exercise not in _OWN:
        return f"exercises/{exercise}.yaml"
    (folder / f"{exercise}.yaml").write_text(_OWN[exercise], "utf-8")
    return folder / f"{exercise}.yaml"
