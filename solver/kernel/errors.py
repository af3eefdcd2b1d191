"""What can go wrong: problems of documents, the errors that carry them, and misspelt names in words.

PlymarkError
├── DocumentError    a document cannot be read or is not valid: its problems, each at its line
├── Refusal          a sound tree that this algorithm, window or limit does not accept: names the node
└── UsageError       the call itself is wrong: an option, a convention, an unknown algorithm

A problem has a stable code, the place, what was expected and what was found. Every code is declared here once;
`docs/errors.md` lists them and `tests/bad/` holds a file for each of `CODES`. The limits of the reading rules are
here, too, each of which can be set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import islice
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


class PlymarkError(Exception):
    """Everything Plymark raises on purpose."""


class DocumentError(PlymarkError):
    """All problems of one document; `total` counts those too that were not kept."""

    def __init__(self, problems: list[Problem], total: int | None = None) -> None:
        # All of them: what goes to another process is made again from these.
        super().__init__(problems, total)
        self.problems = problems
        self.total = len(problems) if total is None else total

    def __str__(self) -> str:
        return "; ".join(str(problem) for problem in self.problems[:3])


class Refusal(PlymarkError):
    """A tree that is sound but not for this algorithm; `node` is the id of the node that does not fit."""

    def __init__(self, node: str, code: str, message: str, hint: str = "") -> None:
        super().__init__(node, code, message, hint)
        self.node = node
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


class UsageError(PlymarkError):
    """A wrong option, convention or name of an algorithm."""


MOST_COMPARED = 1_000
LONGEST = 100
"""A comparison takes a time that grows with the product of the lengths."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of the names that was probably meant, however it was capitalised."""
    # Imported only here: whoever spells well does not wait for it.
    from difflib import get_close_matches

    folded = {each.casefold(): each for each in islice(names, MOST_COMPARED)}
    matches = get_close_matches(name[:LONGEST].casefold(), folded, n=1)
    return folded[matches[0]] if matches else None


def one_of(what: str, name: str, names: Iterable[str]) -> str:
    """The same name; UsageError, with the nearest one, if it is none of these."""
    choices = list(names)
    if name not in choices:
        meant = nearest(name, choices)
        advice = "choose one of" if meant is None else f"did you mean {meant}? The choices are"
        raise UsageError(f"unknown {what} {name!r}; {advice} {', '.join(choices)}")
    return name


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Around the import of an optional library: a missing one is reported in words."""
    try:
        yield
    except ImportError as error:
        raise UsageError(f"this needs {error.name}: pip install 'plymark[{name}]'") from None


MIB = 1024 * 1024

# The validator walks a document natively and recursively: it is kept far from where that could overflow.
DEEPEST_NESTING = 250


@dataclass(frozen=True, slots=True)
class Limits:
    yaml_bytes: int = 16 * MIB
    json_bytes: int = 128 * MIB
    nesting: int = 128
    nodes: int = 10_000_000
    id_length: int = 64
    text_length: int = 4_096
    problems: int = 20

    def with_settings(self, settings: list[str]) -> Limits:
        """A copy with settings such as `nodes=500` applied."""
        limits = self
        names = [field.name for field in fields(self)]
        for setting in settings:
            name, _, text = setting.partition("=")
            if text:
                one_of("limit", name, names)
            if name not in names or not re.fullmatch("[1-9][0-9]{0,17}", text):
                raise UsageError(f"a limit is NAME=NUMBER, NAME one of {', '.join(names)}; not {setting!r}")
            limits = replace(limits, **{name: int(text)})
        if limits.nesting > DEEPEST_NESTING:
            raise UsageError(f"nesting can be at most {DEEPEST_NESTING}; the flat form has no depth limit")
        return limits


DEFAULT_LIMITS = Limits()
