"""A problem of a document: a stable code, the place, what was expected and what was found.

Every code is declared here once; `docs/errors.md` lists them and `tests/bad/` holds a file for each of `CODES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

MESSAGE_LENGTH = 400

CODES = {
    # the file and its text
    "no-file": "the file is missing or cannot be opened",
    "too-large": "the file is larger than its limit",
    "encoding": "the text is not UTF-8",
    "character": "a control, bidirectional-override or zero-width character",
    "syntax": "not YAML or JSON",
    "nesting": "mappings and lists nested deeper than the limit",
    "empty-document": "there is no document",
    "many-documents": "more than one document in a file",
    "directive": "a YAML directive (%YAML, %TAG)",
    "anchor": "a YAML anchor (&name)",
    "alias": "a YAML alias (*name)",
    "merge-key": "a YAML merge key (<<)",
    "tag": "a YAML tag (!name)",
    "duplicate-key": "a key written twice in a mapping",
    "complex-key": "a list or mapping used as a key",
    "null": "null, ~ or an empty string",
    "long-text": "a string longer than the limit",
    # the shape
    "kind": "the header does not name a kind and version that Plymark knows",
    "unknown-key": "a key that has no meaning there",
    "missing-key": "a key that must be there",
    "conflicting-keys": "two keys that exclude each other",
    "wrong-type": "a list, mapping or string where something else is expected",
    "wrong-value": "a value that is not one of those allowed",
    "no-children": "an inner node, or a list that should hold something, is empty",
    "bad-id": "an id with white space, a path separator or too many characters",
    # the meaning
    "number": "not a number, or written in a way that is not accepted",
    "unknown-turn": "a turn that is neither a turn word nor a declared player",
    "bad-name": "a player, team or unknown with a name that is taken, a number or a turn word",
    "teams": "teams that do not divide the players among them",
    "duplicate-id": "two nodes with the same id",
    "duplicate-move": "two moves with the same name at one node",
    "levels": "a nested list deeper than `levels` says",
    "probability": "a probability outside 0 to 1",
    "probability-place": "a probability where there is no chance node above",
    "probability-missing": "a chance node with probabilities on some children only",
    "probability-sum": "probabilities that do not add up to exactly 1",
    "leaf-value": "a leaf whose value does not fit this kind of tree",
    "vector": "a vector that does not have one number for each player or team",
    "feature": "a feature without a weight",
    "loop": "a loop that does not lead back to an ancestor",
    "sum-claim": "a leaf that breaks the claim `sum`",
    "bounds-claim": "a leaf that breaks the claim `bounds`, or bounds the wrong way round",
    "unknown-node": "a name that should be a node's, and is not",
    "shared-node": "a node with two parents",
    "unreachable-node": "a node that the root does not lead to",
    "cycle": "a node that is its own ancestor",
    "many-nodes": "more nodes than the limit",
    # importing
    "efg": "not a well-formed Gambit .efg file",
    "import": "a game of another program that cannot be expressed as a tree",
    # solving
    "crash": "the process that worked on the file died",
    "timeout": "the file took longer than it may",
    "picture": "one of several games that cannot be drawn as it was asked for",
    "bounds-needed": "nothing may be pruned without known bounds on the leaf values",
    "too-hard": "a tree too large for an exact answer",
    "no-estimate": "a depth limit stops at a node without an estimate",
    "algorithm": "the algorithm does not accept a node of this tree",
    "window": "the window does not fit this tree",
    "result-size": "a value with too many digits to print exactly",
}

EXERCISE_CODES = {
    "game": "the game of an exercise is missing or not valid",
    "convention": "a convention that is not known or makes no sense",
    "duplicate-question": "two questions with the same id",
    "marks-sum": "marks that do not add up to `out_of`",
    "parameter": "a parameter of a question that does not fit it or its game",
    "rubric": "a rubric that does not fit its question",
    "unanswerable": "a question that the tree cannot answer",
    "other-exercise": "an answer to another exercise",
    "override": "a line of marks given by hand that cannot be applied",
}
"""What only exercises and answers can get wrong; `tests/bad_exercises/` holds a file for each."""

EXAM_CODES = {
    "part": "a part of an exam that is missing or not valid",
    "duplicate-exercise": "two exercises of an exam with the same id",
    "variants": "variants of a part that ask different questions or have different marks",
}
"""What only exams can get wrong; `tests/bad_exams/` holds a file for each."""

RECIPE_CODES = {
    "impossible": "what a recipe requires cannot hold together",
    "not-found": "no exercise with everything that a recipe requires was found",
}
"""What only recipes can get wrong; `tests/bad_recipes/` holds a file for each."""


class Place(NamedTuple):
    """Line and column, both counted from 1."""

    line: int
    column: int


WHOLE_FILE = Place(1, 1)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    place: Place
    code: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.place.line}:{self.place.column}: {clipped(self.message)} [{self.code}]"


class ProblemLog:
    """Collects problems: keeps the first `most` in document order of finding, counts all."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.total = 0
        self.kept: list[Problem] = []

    def add(self, place: Place, code: str, message: str, hint: str = "") -> None:
        assert any(code in known for known in (CODES, EXERCISE_CODES, EXAM_CODES, RECIPE_CODES)), code
        self.total += 1
        if not self.full:
            self.kept.append(Problem(place, code, clipped(message), clipped(hint)))

    @property
    def full(self) -> bool:
        return len(self.kept) >= self.most

    def extend(self, other: ProblemLog) -> None:
        self.total += other.total
        self.kept.extend(other.kept[: max(0, self.most - len(self.kept))])

    def __bool__(self) -> bool:
        return self.total > 0


def quoted(text: object) -> str:
    """User text inside a message: short, on one line, nothing in it that a terminal would obey."""
    shown = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in str(text)[:60])
    return f'"{shown}…"' if len(str(text)) > 60 else f'"{shown}"'


def clipped(message: str) -> str:
    return message if len(message) <= MESSAGE_LENGTH else message[: MESSAGE_LENGTH - 1] + "…"
