"""Names of nodes and moves, one or several: `[L5, L6]`, `L5, L6`, `{L5 L6}`, `none`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from grader.answers.refusal import Unreadable, quoted, reader
from grader.answers.signs import text_of
from grader.answers.words import AND_SET, DENYING, EXCEPTING, NONE_SET, phrase

Resolve: TypeAlias = Callable[[str], object]
"""Gives what a name names; KeyError if nothing, Ambiguous if several things."""

_SEPARATORS = re.compile(r"[,;،؛、，；]|->|[→⟶⇒]")
_PAIRS = {"{": "}", "[": "]", "(": ")"}
_OTHERWISE = DENYING | EXCEPTING | NONE_SET
_NOTHING = ("-", "–", "—", "−", "[]", "{}", "()")


class Ambiguous(LookupError):
    """A name that several things have, such as the value of two leaves."""


@reader
def move(raw: Any) -> str:
    """A name as it was written, trimmed; compare it with `same_name`."""
    return text_of(raw)


@reader
def names(raw: Any, resolve: Resolve) -> list[object | Unreadable]:
    """What the names name, in the order written; in place of a name that cannot be read, the reason."""
    if isinstance(raw, list):
        if len(raw) == 1 and isinstance(raw[0], str) and _is_nothing(raw[0], resolve):
            return []
        _refuse_denials([each for item in raw if isinstance(item, str) for each in item.split()], resolve)
        return [_resolved(item, resolve) for item in raw]
    text = text_of(raw)
    whole = _resolved(text, resolve)
    if not isinstance(whole, Unreadable):
        return [whole]
    if says_nothing(text):
        return []
    inside = text[1:-1].strip() if _PAIRS.get(text[0]) == text[-1] and len(text) > 1 else text
    if says_nothing(inside):
        return []
    _refuse_denials(re.split(r"[\s,;،؛]+", inside), resolve)
    found = _several(inside, resolve)
    if inside.endswith(".") and isinstance(found[-1], Unreadable):
        return _several(inside[:-1], resolve)  # The full stop of a sentence.
    return found


def _refuse_denials(words: Iterable[str], resolve: Resolve) -> None:
    """`not L5` and `none, L5` say something else than the names in them; what, is for a person to judge."""
    for word in words:
        if phrase(word) in _OTHERWISE and isinstance(_resolved(word, resolve), Unreadable):
            raise Unreadable("unreadable.name", name=quoted(word))


def says_nothing(text: str) -> bool:
    """Whether a string answers "nothing": `none`, `∅`, `[]`, `nenhuma`, `—`."""
    return text in _NOTHING or phrase(text.rstrip(".")) in NONE_SET


def _is_nothing(text: str, resolve: Resolve) -> bool:
    return isinstance(_resolved(text, resolve), Unreadable) and says_nothing(text.strip())


def _several(text: str, resolve: Resolve) -> list[object | Unreadable]:
    found: list[object | Unreadable] = []
    for part in _SEPARATORS.split(text):
        if not part.strip():
            found.append(Unreadable("unreadable.name", given=quoted(text), name=""))
            continue
        # A move may have spaces in its name, so a part is tried as a whole first.
        whole = _resolved(part, resolve)
        if " " not in part.strip() or not isinstance(whole, Unreadable):
            found.append(whole)
            continue
        found.extend(_spaced(part.split(), resolve))
    return found


def _spaced(words: list[str], resolve: Resolve) -> list[object | Unreadable]:
    """Names with spaces, and perhaps an "and", between them."""
    capitals = any(word != word.lower() for word in words)
    found: list[object | Unreadable] = []
    for place, word in enumerate(words):
        named = _resolved(word, resolve)
        if phrase(word) not in AND_SET or word != word.lower() or place + 1 == len(words):
            found.append(named)
        elif not capitals and not isinstance(named, Unreadable):
            # `L5 e L6` is "and" even where a node is called E; in `d e f` it may be either.
            found.append(Unreadable("unreadable.name.ambiguous", given=quoted(" ".join(words)), name=word))
    return found


def _resolved(raw: Any, resolve: Resolve) -> object | Unreadable:
    try:
        name = text_of(raw)
    except Unreadable as refusal:
        return Unreadable(refusal.reason, given=quoted(raw), **refusal.facts)
    try:
        return resolve(name)
    except Ambiguous:
        reason = "unreadable.name.ambiguous"
    except KeyError:
        reason = "unreadable.name"
    except Unreadable as refusal:
        return refusal
    return Unreadable(reason, given=quoted(raw), name=quoted(name))
