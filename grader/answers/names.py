"""Names of nodes and moves, one or several: `[L5, L6]`, `L5, L6`, `{L5 L6}`, `L5 to L8`, `none`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from grader.answers.refusal import Unreadable, quoted, reader
from grader.answers.signs import text_of
from grader.answers.words import (
    AND_SET,
    DENYING,
    EXCEPTING,
    FROM_SET,
    NONE_SET,
    NOTHING_FILL,
    NOUNS,
    ONWARDS_SET,
    RELATING,
    RUN_SET,
    WITHOUT_ANY,
    phrase,
)

Resolve: TypeAlias = Callable[[str], object]
"""Gives what a name names; KeyError if nothing, Ambiguous if several things."""
Stop: TypeAlias = Callable[[str], Sequence[object] | None]
"""Gives what a phrase such as `C after L4` leaves out; None if it is no such phrase."""
Found: TypeAlias = list[object | Unreadable]


class Runs(Protocol):
    """What can be counted through: `L5 to L8`."""

    def named(self, name: str) -> Any:
        """By name alone, never by value."""

    def between(self, first: Any, last: Any) -> Sequence[object]:
        """Both and all between them; KeyError where there is no such run."""

    def onwards(self, first: Any) -> Sequence[object]:
        """It and all after it; KeyError where there is no such run."""


_SEPARATORS = re.compile(r"[,;،؛、，；]|[-=]?>|[→⟶⇒➝➔]")
_RUN = re.compile(r"\s*(?:\.{2,}|…|[-–—‐‑‒−])\s*")
_STEM = re.compile(r"(.*?)\d+\Z")
_PAIRS = {"{": "}", "[": "]", "(": ")"}
_OTHERWISE = DENYING | EXCEPTING | NONE_SET
_NOTHING = ("-", "–", "—", "−", "[]", "{}", "()")
_LONGEST_RUN_WORDS = 3


class Ambiguous(LookupError):
    """A name that several things have, such as the value of two leaves."""


@reader
def move(raw: Any) -> str:
    """A name as it was written, trimmed; compare it with `same_name`."""
    return text_of(raw[0] if isinstance(raw, list) and len(raw) == 1 else raw)


@reader
def names(raw: Any, resolve: Resolve, runs: Runs | None = None, stop: Stop | None = None) -> Found:
    """What the names name, in the order written; in place of a name that cannot be read, the reason."""
    reading = _Reading(resolve, runs, stop)
    if isinstance(raw, list):
        return reading.listed(raw)
    return reading.text(text_of(raw))


def says_nothing(text: str) -> bool:
    """Whether a string answers "nothing": `none`, `∅`, `[]`, `nenhuma`, `—`, `no leaves`, `nothing is pruned`."""
    if text in _NOTHING:
        return True
    plain = phrase(text.rstrip("."))
    if plain in NONE_SET:
        return True
    words = plain.split()
    denied = [word for word in words if word in NONE_SET or word in WITHOUT_ANY]
    return bool(denied) and all(word in denied or word in NOTHING_FILL for word in words)


class _Reading:
    def __init__(self, resolve: Resolve, runs: Runs | None, stop: Stop | None) -> None:
        self.resolve, self.runs, self.stop = resolve, runs, stop
        self._capitals = True
        """Of the part that is being read."""

    def listed(self, raw: list[Any]) -> Found:
        if len(raw) == 1 and isinstance(raw[0], str) and self._is_nothing(raw[0]):
            return []
        self._refuse_denials([each for item in raw if isinstance(item, str) for each in item.split()])
        found: Found = []
        for item in self._runs_folded(raw):
            found.extend(self._part(item) if isinstance(item, str) else [self._resolved(item)])
        return found

    def text(self, text: str) -> Found:
        whole = self._resolved(text)
        if not isinstance(whole, Unreadable):
            return [whole]
        if says_nothing(text):
            return []
        inside = text[1:-1].strip() if _PAIRS.get(text[0]) == text[-1] and len(text) > 1 else text
        if says_nothing(inside):
            return []
        stopped = self._stopped(inside)
        if stopped is not None:
            return stopped
        self._refuse_denials(re.split(r"[\s,;،؛]+", inside))
        parts = [part.strip() for part in _SEPARATORS.split(inside)]
        if len(parts) > 1 and parts[-1] in ("", "."):
            parts.pop()  # A separator, or the full stop of a sentence, at the end.
        found: Found = []
        for part in self._runs_folded(parts):
            found.extend(self._part(part) if part else [Unreadable("unreadable.name", given=quoted(text), name="")])
        return found

    def _refuse_denials(self, words: Iterable[str]) -> None:
        """`not L5` and `none, L5` say something else than the names in them; what, is for a person to judge."""
        for word in words:
            if phrase(word) in _OTHERWISE and isinstance(self._resolved(word), Unreadable):
                raise Unreadable("unreadable.name", name=quoted(word))

    def _is_nothing(self, text: str) -> bool:
        return isinstance(self._resolved(text), Unreadable) and says_nothing(text.strip())

    def _runs_folded(self, parts: Sequence[Any]) -> list[Any]:
        """`L5, ..., L8` as one part, where runs are read."""
        found: list[Any] = []
        rest = list(parts)
        while rest:
            part = rest.pop(0)
            if self.runs is not None and found and rest and self._joins(part) and self._between(found[-1], rest[0]):
                found[-1] = f"{found[-1]} … {rest.pop(0)}"
            else:
                found.append(part)
        return found

    def _joins(self, part: Any) -> bool:
        return isinstance(part, str) and phrase(part) in RUN_SET and isinstance(self._resolved(part), Unreadable)

    def _part(self, part: str) -> Found:
        """A move may have spaces in its name, so a part is tried as a whole first."""
        whole = self._resolved(part)
        if not isinstance(whole, Unreadable):
            return [whole]
        found = self._stopped(part)
        found = self._one(part) if found is None else found
        if found is not None:
            return found
        words = self._joined(part.split())
        return self._spaced(words) if len(words) > 1 else [whole]

    def _stopped(self, text: str) -> Found | None:
        try:
            found = None if self.stop is None else self.stop(text)
        except Unreadable as refusal:
            return [refusal]
        return None if found is None else list(found)

    def _one(self, text: str) -> Found | None:
        """The ends of a run with a sign between them, or moves with dashes; None if it is neither."""
        if self.runs is None:
            moves = [self._resolved(each) for each in _RUN.split(text)]
            return moves if len(moves) > 1 and not any(isinstance(each, Unreadable) for each in moves) else None
        for sign in _RUN.finditer(text):
            found = self._between(text[: sign.start()], text[sign.end() :].rstrip("."))
            if found:
                return found
        return None

    def _between(self, first: Any, last: Any) -> Found | None:
        if self.runs is None or not isinstance(first, str) or not isinstance(last, str):
            return None
        try:
            start = self.runs.named(first)
            try:
                end = self.runs.named(last)
            except KeyError:
                # `L5-8`
                stem = _STEM.fullmatch(first.strip())
                if stem is None or not last.strip().isdigit():
                    raise
                end = self.runs.named(stem[1] + last.strip())
            return list(self.runs.between(start, end))
        except (KeyError, Ambiguous):
            return None

    def _joined(self, words: list[str]) -> list[str]:
        """`L 5` is one name; and where nothing is called so, 5 is not the leaf worth 5."""
        found: list[str] = []
        for word in words:
            before = found[-1] if found else ""
            if before.isalpha() and word.rstrip(".").isdigit() and not self._is_named(word):
                together = f"{before} {word}"
                if self._is_named(together) or not (self._is_named(before) or phrase(before) in AND_SET | RUN_SET):
                    found[-1] = together
                    continue
            found.append(word)
        return found

    def _is_named(self, name: str) -> bool:
        try:
            (self.resolve if self.runs is None else self.runs.named)(name.rstrip("."))
        except (LookupError, Unreadable):
            return False
        return True

    def _spaced(self, words: list[str]) -> Found:
        """Names, and runs of names, with spaces and perhaps an "and" between them."""
        self._capitals = any(word != word.lower() for word in words)
        found: Found = []
        place = 0
        while place < len(words):
            taken, here = self._next(words, place)
            found.extend(here)
            place += taken
        related = next((word for word in words if phrase(word) in RELATING and not self._is_named(word)), None)
        if related is not None and any(isinstance(each, Unreadable) for each in found):
            # `before L5` is not L5.
            return [Unreadable("unreadable.name", given=quoted(" ".join(words)), name=quoted(related))]
        return found

    def _next(self, words: list[str], place: int) -> tuple[int, Found]:
        """How many words belong together, and what they name."""
        word, plain = words[place], phrase(words[place])
        more = len(words) - place - 1
        if self.runs is not None and more:
            skipped = int(plain in FROM_SET and self._is_word(word))
            run = self._run(words[place + skipped :])
            if run is not None:
                return skipped + run[0], run[1]
        named = self._resolved(word)
        if plain in AND_SET and more and (word == word.lower() or isinstance(named, Unreadable)):
            if not self._capitals and not isinstance(named, Unreadable):
                # `L5 e L6` is "and" even where a node is called E; in `d e f` it may be either.
                return 1, [Unreadable("unreadable.name.ambiguous", given=quoted(" ".join(words)), name=word)]
            return 1, []
        if plain in NOUNS and isinstance(named, Unreadable) and more and self._is_named(words[place + 1]):
            return 1, []  # `the leaves L5 and L6`
        return 1, self._one(word) or [named]

    def _run(self, words: list[str]) -> tuple[int, Found] | None:
        """`L5 to L8` or `L5 onwards` at the beginning of these words."""
        for length in range(min(_LONGEST_RUN_WORDS, len(words) - 1), 0, -1):
            between = words[1 : 1 + length]
            if not all(map(self._is_word, between)):
                continue
            joint = phrase(" ".join(between))
            if joint in RUN_SET and len(words) > length + 1:
                found = self._between(words[0], words[length + 1].rstrip("."))
                return (length + 2, found) if found else None
            if joint.rstrip(".") in ONWARDS_SET and self.runs is not None:
                try:
                    return length + 1, list(self.runs.onwards(self.runs.named(words[0])))
                except (KeyError, Ambiguous):
                    return None
        return None

    def _is_word(self, word: str) -> bool:
        """Whether it may be a word of a language: in lower case among capitals, or nothing here is called so."""
        return (word == word.lower() and self._capitals) or not self._is_named(word)

    def _resolved(self, raw: Any) -> object | Unreadable:
        try:
            name = text_of(raw)
        except Unreadable as refusal:
            return Unreadable(refusal.reason, given=quoted(raw), **refusal.facts)
        reason = "unreadable.name"
        for spelling in dict.fromkeys((name, name.rstrip(".").rstrip() or name)):
            try:
                return self.resolve(spelling)
            except Ambiguous:
                reason = "unreadable.name.ambiguous"
            except KeyError:
                continue
            except Unreadable as refusal:
                return refusal
        return Unreadable(reason, given=quoted(raw), name=quoted(name))
