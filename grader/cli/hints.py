"""What to do about a problem that says no more than what is wrong, where only the command line knows."""

from __future__ import annotations

import os
import re

from solver.kernel import Problem, nearest

_TAKEN_BY = {
    "game/1": "a game is for solve, analyse, draw and explain; an exercise asks questions about one",
    "solution/1": "a solution is what solve prints; give it the game",
    "exercise/1": "an exercise is for grade, regrade, paper and export",
    "exam/1": "an exam is for grade, regrade, paper and export",
    "answer/1": "an answer is for grade and regrade, after its exercise",
    "recipe/1": "a recipe is for generate, which writes exercises",
    "report/1": "a report is what grade prints; give it the exercise and the answers",
}
_FOREIGN = {
    ".csv": "a .csv file is for grade (answers) or for --roster; documents are .yaml or .json",
    ".xlsx": "save the sheet as .csv first",
    ".ods": "save the sheet as .csv first",
    ".html": "download the responses as .csv instead",
    ".md": "documents are .yaml or .json",
    ".txt": "documents are .yaml or .json",
    ".pdf": "documents are .yaml or .json",
    ".docx": "documents are .yaml or .json",
    ".efg": "plymark import reads .efg files, and writes games",
}
_NO_DOCUMENT = ("not YAML", "not JSON", "a Plymark document", "the document does not say", "byte 0x")
"""How problems begin that a file of another kind leads to."""


def hint_of(file: str, problem: Problem) -> str:
    """The problem's own hint, or one by the file's name."""
    if problem.code == "no-file":
        return problem.hint or _elsewhere(file)
    ending = os.path.splitext(file)[1].lower()
    # A sheet that is not in UTF-8 is still a sheet.
    if problem.message.startswith(_NO_DOCUMENT[: -1 if ending == ".csv" else None]) and ending in _FOREIGN:
        return _FOREIGN[ending]
    if problem.code == "efg" and ending in (".yaml", ".yml", ".json"):
        return "import is for games of other programs; a document of ours needs none"
    other = re.match(r"this is (\w+/1), not", problem.message) if problem.code == "kind" else None
    return problem.hint or (_TAKEN_BY.get(other[1], "") if other else "")


def _elsewhere(file: str) -> str:
    if os.path.isdir(file):
        return "this is a folder; name a file in it"
    meant = meant_path(file)
    if meant is not None:
        return f"did you mean {meant}?"
    folder = os.path.dirname(file)
    return f"the folder {folder} does not exist" if folder and not os.path.exists(folder) else ""


def meant_path(file: str) -> str | None:
    """A path that is there and differs from this one by slips of the pen, if this one is not."""
    if "\0" in file or os.path.lexists(file):
        return None
    drive, path = os.path.splitdrive(file)
    found = drive + os.sep if os.path.isabs(file) else ""
    for part in path.replace("\\", "/").split("/"):
        if not part:
            continue
        meant = part if os.path.exists(os.path.join(found, part)) else _entry(found, part)
        if meant is None:
            return None
        found = os.path.join(found, meant)
    return found


def _entry(folder: str, name: str) -> str | None:
    """What is nearest to a name in a folder, if possible with the same ending: endings are no likeness."""
    try:
        entries = sorted(entry for entry in os.listdir(folder or ".") if not entry.startswith("."))
    except OSError:
        return None
    stem, ending = os.path.splitext(name)
    for among in ([entry for entry in entries if entry.endswith(ending)], entries):
        stems = {os.path.splitext(entry)[0]: entry for entry in reversed(among)}
        if (meant := nearest(stem, stems)) is not None:
            return stems[meant]
    return None
