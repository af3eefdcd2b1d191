"""Where the stages compose: text → document → game → solution (read → check → build → solve), on one page and nowhere
else.
"""

from __future__ import annotations

import gc
import os
from dataclasses import replace
from pathlib import Path

from solver.documents.document import REPORTED, Data, Document
from solver.documents.document_reader import read_raw, too_large
from solver.documents.document_schemas import KINDS, conforms
from solver.game.convention import DEFAULT, Convention, convention_from
from solver.game.game_builder import Game, build, cut_off, plies
from solver.game.game_tree import require
from solver.kernel.errors import (
    DEFAULT_LIMITS,
    WHOLE_FILE,
    DocumentError,
    Limits,
    Problem,
    ProblemLog,
    Refusal,
    UsageError,
    nearest,
    one_of,
    quoted,
)
from solver.search.algorithms.algorithm_registry import ALGORITHMS, natural_algorithm
from solver.search.solution import Sampling, Solution

__all__ = [
    "build_inside",
    "check_bytes",
    "checked_as",
    "convention_from_text",
    "load",
    "load_bytes",
    "load_tree",
    "paused_collection",
    "read_document",
    "read_file",
    "refused",
    "solve",
]

GAME = "game/1"
DEFAULT_SAMPLING = Sampling()


def load(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Game:
    """The game in a file; DocumentError with every problem of it otherwise."""
    return load_bytes(read_file(path, limits), str(path), limits)


def load_bytes(raw: bytes, name: str = "", limits: Limits = DEFAULT_LIMITS) -> Game:
    """The game in a file's bytes; a name that ends in .json says that it must be JSON."""
    kind, game = check_bytes(raw, name, limits)
    if game is None:
        raise DocumentError([Problem(WHOLE_FILE, "kind", f"this is {kind}, not {GAME}")])
    if game.document.reread is not None:
        # The tree has it all, and places are read again: a large document need not be kept twice.
        game.document.data = {"plymark": GAME}
    return game


def load_tree(text: str, limits: Limits = DEFAULT_LIMITS) -> Game:
    """The game whose tree alone is given, such as `[[3, 12], [2, 4]]`."""
    problems = ProblemLog(limits.problems)
    document = read_raw(text.encode(), "", limits, problems, careful=True)
    if document is not None:
        document.data = {"plymark": GAME, "tree": document.data}
    _, game = _examined(document, limits, problems)
    if game is None or problems:
        raise DocumentError(sorted(problems.kept), problems.total)
    return game


def check_bytes(raw: bytes, name: str = "", limits: Limits = DEFAULT_LIMITS) -> tuple[str, Game | None]:
    """The kind of a valid document, and its game if it is one; DocumentError with every problem otherwise."""
    with paused_collection():
        problems = ProblemLog(limits.problems)
        document = read_raw(raw, name, limits, problems)
        if document is not None and document.reread is not None:
            # Without places nothing can be explained: it is valid, or read again with them.
            kind, game = _if_valid(document, limits)
            if kind is not None:
                return kind, game
            document = read_raw(raw, name, limits, problems, careful=True)
        kind, game = _examined(document, limits, problems)
    if problems or kind is None:
        raise DocumentError(sorted(problems.kept), problems.total)
    return kind, game


def read_document(raw: bytes, name: str, kind: str, limits: Limits, problems: ProblemLog) -> Document | None:
    """A document of a kind with the place of everything in it, checked by its schema; None if it is another or cannot
    be read. What is wrong goes to `problems` and is blanked, so that checks of meaning can go on with the rest."""
    document = read_raw(raw, name, limits, problems, careful=True)
    return None if document is None else checked_as(document, kind, problems)


def checked_as(document: Document, kind: str, problems: ProblemLog) -> Document | None:
    """The same document; None if it is of another kind than this."""
    found = _kind(document, problems)
    if found is None:
        return None
    if found != kind:
        problems.add(WHOLE_FILE, "kind", f"this is {found}, not {kind}")
        return None
    if problems or not conforms(kind, document.data):
        _explain(document, kind, problems)
    return None if problems.full else document


def build_inside(document: Document, data: dict[str, Data], limits: Limits, problems: ProblemLog) -> Game | None:
    """The game that a part of a document describes, its problems at their places in that document."""
    return build(Document(data, document.marks), limits, problems)


def solve(
    game: Game,
    algorithm: str = "auto",
    convention: Convention | str = DEFAULT,
    depth: int | None = None,
    sampling: Sampling = DEFAULT_SAMPLING,
) -> Solution:
    """Solve a game, perhaps only down to a depth; Refusal, naming the node, where it is not for the algorithm."""
    if isinstance(convention, str):
        convention = convention_from(convention)
    if depth is not None:
        game = cut_off(game, plies(game.tree, depth, convention))
    tree = game.tree
    one_of("algorithm", algorithm, ["auto", *ALGORITHMS])
    chosen = natural_algorithm(tree) if algorithm == "auto" else ALGORITHMS[algorithm]
    with paused_collection():
        require(tree, chosen.needs, chosen.name, lambda: natural_algorithm(tree).name)
        return replace(chosen.solve(tree, convention, sampling), title=game.title or "")


def convention_from_text(text: str) -> Convention:
    """A convention from the command line: a name, or a mapping in YAML."""
    problems = ProblemLog(1)
    document = read_raw(text.encode(), "", DEFAULT_LIMITS, problems, careful=True) if text.strip() else Document("")
    if problems or document is None:
        raise UsageError(f"the convention cannot be read: {'; '.join(str(problem) for problem in problems.kept)}")
    return convention_from(document.data)


def refused(error: Refusal, game: Game) -> DocumentError:
    """A refusal as a problem at the place of its node."""
    return DocumentError([Problem(game.place(error.node), error.code, error.message, error.hint)])


def read_file(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """A file's bytes, unless it is larger than any document may be."""
    problems = ProblemLog(limits.problems)
    largest = max(limits.yaml_bytes, limits.json_bytes)
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if not too_large(size, largest, problems):
                # A pipe or a device does not tell its size; one byte more than allowed is enough to refuse it.
                return file.read(size or largest + 1)
    except OSError as error:
        problems.add(WHOLE_FILE, "no-file", f"cannot be read: {error.strerror or error}")
    except ValueError as error:
        problems.add(WHOLE_FILE, "no-file", f"cannot be read: {error}")
    raise DocumentError(problems.kept)


class paused_collection:  # noqa: N801
    """Without cyclic garbage collection: it would walk millions of fresh objects again and again and find nothing."""

    def __enter__(self) -> None:
        self.was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self.was_enabled:
            gc.enable()


def _if_valid(document: Document, limits: Limits) -> tuple[str | None, Game | None]:
    """The kind of a document, and its game if it is one; no kind if anything is wrong with it."""
    kind = document.kind
    if kind not in KINDS or not conforms(kind, document.data):
        return None, None
    problems = ProblemLog(0)
    game = build(document, limits, problems) if kind == GAME else None
    return (None, None) if problems else (kind, game)


def _examined(document: Document | None, limits: Limits, problems: ProblemLog) -> tuple[str | None, Game | None]:
    """Check a document as far as it could be read: its kind, and its game if it is one."""
    kind = None if document is None else _kind(document, problems)
    if document is None or kind is None:
        return None, None
    if problems or not conforms(kind, document.data):
        _explain(document, kind, problems)
        if problems.full:
            # The rest was counted, not repaired; what is built from it could not be reported anyway.
            return kind, None
    return kind, build(document, limits, problems) if kind == GAME else None


def _explain(document: Document, kind: str, problems: ProblemLog) -> None:
    """Report what is wrong with a document of a kind, and blank it."""
    # Imported only here: explaining loads a library that a valid document never needs.
    from solver.documents.schema_errors import explain_invalid

    assert isinstance(document.data, dict)
    # A header that is wrong was reported already.
    document.data["plymark"] = kind
    explain_invalid(document, kind, problems)


def _kind(document: Document, problems: ProblemLog) -> str | None:
    """Which kind a document is to be checked as; a header that is wrong is reported."""
    data, kind = document.data, document.kind
    if kind in KINDS:
        return kind
    if data == REPORTED:
        return None
    if not isinstance(data, dict):
        problems.add(
            document.place_of_root(), "wrong-type", f"a Plymark document is a mapping that starts with plymark: {GAME}"
        )
        return None
    if kind is None:
        place = document.place(data, "plymark") if "plymark" in data else document.place(data)
        problems.add(place, "kind", "the document does not say what it is", f"start it with plymark: {GAME}")
    elif kind:
        meant = nearest(kind, KINDS)
        hint = f"did you mean {meant}?" if meant else f"the kinds are {', '.join(KINDS)}"
        problems.add(
            document.place(data, "plymark"), "kind", f"{quoted(kind)} is not a kind of document known here", hint
        )
    # By its looks: the rest of its problems can be shown in the same run.
    return next((kind for key, kind in _LOOKS.items() if key in data), None)


_LOOKS = {"tree": GAME, "nodes": GAME, "shape": "recipe/1", "questions": "exercise/1", "answers": "answer/1"}
"""A key that only one kind of those that people write has."""
