"""Bytes → document: decides between JSON and YAML, applies the size limits, collects every problem."""

from __future__ import annotations

from functools import partial

from solver.documents.characters import decode
from solver.documents.document import Document, Doubtful, Marks
from solver.documents.line_reader import read_lines
from solver.documents.plain_json import plain_json
from solver.kernel.limits import Limits
from solver.kernel.problems import WHOLE_FILE, ProblemLog

_BLANKS = b"\xef\xbb\xbf \t\r\n"


def read_raw(raw: bytes, name: str, limits: Limits, problems: ProblemLog, careful: bool = False) -> Document | None:
    """The document in a file's bytes, as far as it could be read; what is wrong with it goes to `problems`.

    What looks harmless takes a quick path, without places unless `careful` asks for them; all else the careful one.
    """
    must_be_json = name.lower().endswith(".json")
    may_be_json = must_be_json or raw[:4096].lstrip(_BLANKS).startswith(b"{")
    if too_large(len(raw), limits.json_bytes if may_be_json else limits.yaml_bytes, problems):
        return None
    text = decode(raw, problems)
    if text is None:
        return None
    if not text.strip():
        problems.add(WHOLE_FILE, "empty-document", "there is no document in this file")
        return None
    document = None if problems else _quickly(text, may_be_json, limits, careful)
    if document is None:
        return _carefully(text, len(raw), must_be_json, may_be_json, limits, problems)
    if not careful:
        # Not a lambda: where processes share no memory, what they are given to work with is pickled.
        document.reread = partial(_with_places, raw, name, limits)
    return document


def _with_places(raw: bytes, name: str, limits: Limits) -> Document | None:
    return read_raw(raw, name, limits, ProblemLog(limits.problems), careful=True)


def _quickly(text: str, may_be_json: bool, limits: Limits, with_places: bool) -> Document | None:
    marks: Marks = {}
    try:
        if may_be_json and not with_places:
            return Document(plain_json(text, limits))
        if not may_be_json:
            return Document(read_lines(text, limits, marks if with_places else None), marks)
    except Doubtful:
        pass
    return None


def _carefully(
    text: str, size: int, must_be_json: bool, may_be_json: bool, limits: Limits, problems: ProblemLog
) -> Document | None:
    # Imported only here: most documents never need it.
    from solver.documents.careful import NotJson, careful_json, careful_yaml

    if may_be_json:
        try:
            return careful_json(text, must_be_json, limits, problems)
        except NotJson:
            if too_large(size, limits.yaml_bytes, problems):
                return None
    return careful_yaml(text, limits, problems)


def too_large(size: int, largest: int, problems: ProblemLog) -> bool:
    if size > largest:
        problems.add(WHOLE_FILE, "too-large", f"the file has {size:,} bytes; at most {largest:,} are read")
    return size > largest
