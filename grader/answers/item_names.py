"""What an answer to a question is written under: the names of its items, and what is written under no such name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from grader.answers import Unreadable, folded, pairs
from grader.languages import words_of
from solver.languages import LANGUAGES, Sentence

MOST_COMPARED = 1_000
"""Names that a misspelt one is compared with."""
MOST_IGNORED = 50
"""Of one question, or of a whole answer; a student has seen enough by then."""
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Ignored:
    """Something that was answered and that nobody asked. What it may have meant is told from the tree and the exercise
    alone, never from the key."""

    question: str
    """Empty if it is the question itself that does not exist."""
    name: str
    nearest: str | None = None
    exists: bool = False
    """Whether there is such a node, only that the question does not ask about it."""

    @property
    def text(self) -> str:
        """As report/1 lists it."""
        name = f"{self.question}.{self.name}" if self.question else self.name
        return name if self.nearest is None else f"{name} (nearest: {self.nearest})"

    @property
    def sentence(self) -> Sentence:
        facts: dict[str, Any] = {"name": self.name, "question": self.question}
        if self.exists:
            return Sentence("ignored.not-asked", None, facts)
        of = "item" if self.question else "question"
        if self.nearest is None:
            return Sentence(f"ignored.{of}", None, facts)
        return Sentence(f"ignored.{of}.nearest", None, {**facts, "nearest": self.nearest})


def ignored(
    question: str, names: Collection[str], known: Collection[str], exist: Collection[str] = ()
) -> list[Ignored]:
    """Each name with the nearest of those that are known."""
    return [_ignored(question, name[:LONGEST_NAME], known, exist) for name in sorted(map(str, names))[:MOST_IGNORED]]


def _ignored(question: str, name: str, known: Collection[str], exist: Collection[str]) -> Ignored:
    if name in exist and name not in known:
        return Ignored(question, name, exists=True)
    plain = {folded(each): each for each in list(known)[:MOST_COMPARED]}
    close = get_close_matches(folded(name), plain, n=1)
    return Ignored(question, name, plain[close[0]] if close else None)


class ItemNames:
    """The names that items may be written under: as they are, in any case, or as any language calls them."""

    def __init__(self, items: Collection[str], label: Callable[[str], Sentence | None]) -> None:
        self.items, self._label = items, label
        self._spellings: dict[str, list[str]] = {}
        self._labels: dict[str, list[str]] | None = None

    def item(self, name: str) -> str | None:
        """The one item that is called so."""
        if name in self.items:
            return name
        if not self._spellings:
            for each in self.items:
                self._spellings.setdefault(_key(each), []).append(each)
        found = self._spellings.get(_key(name)) or self._labelled(name)
        return found[0] if len(found) == 1 else None

    def known(self, name: str) -> bool:
        return self.item(name) is not None

    def _labelled(self, name: str) -> list[str]:
        if self._labels is None:
            self._labels = {}
            for item in self.items:
                label = self._label(item)
                told = [] if label is None else [words_of(code).tell(label) for code in LANGUAGES]
                for each in told:
                    self._labels.setdefault(_key(each), []).append(item)
        return list(dict.fromkeys(self._labels.get(_key(name), ())))

    def sorted(self, raw: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
        """The items that were written and the names that they were written under; and the names of no item, or of one
        that was written already."""
        exact = {name: name for name in raw if name in self.items}
        found, left = dict(exact), []
        for name in raw:
            if name in exact:
                continue
            item = self.item(name)
            if item is None or item in found:
                left.append(name)
            else:
                found[item] = name
        return found, left


def _key(name: str) -> str:
    """`L 5` and `L5.` are L5."""
    return "".join(folded(name).rstrip(".").split())


def mapping_of(raw: Any, names: ItemNames, positional: bool = False) -> Mapping[str, Any] | None:
    """An answer by item: a mapping, a list of such, a text such as `A=3, B=3`; with `positional` also the items alone
    in their order. None if it is nothing of the kind."""
    if isinstance(raw, dict):
        return raw
    if isinstance(raw, list) and raw and all(isinstance(each, dict) for each in raw):
        together = [pair for each in raw for pair in each.items()]
    elif isinstance(raw, list):
        together = [pair for each in raw for pair in _pairs(each, names)]
        if len(together) < len(raw):
            return dict(zip(names.items, raw, strict=True)) if positional and len(raw) == len(names.items) else None
    else:
        together = _pairs(raw, names)
    if not together:
        return _by_place(raw, names) if positional else None
    mapping = dict(together)
    # Written twice, nobody can say which one is meant.
    return mapping if len(mapping) == len(together) else None


def _pairs(raw: Any, names: ItemNames) -> list[tuple[str, str]]:
    try:
        return pairs(raw, names.known) if isinstance(raw, str) else []
    except Unreadable:
        return []


def _by_place(raw: Any, names: ItemNames) -> Mapping[str, Any] | None:
    parts = list(_parts(raw)) if isinstance(raw, str) else []
    return dict(zip(names.items, parts, strict=True)) if len(parts) == len(names.items) else None


def _parts(text: str) -> Iterator[str]:
    for separator in (";", "؛", "،", ","):
        if separator in text:
            yield from (part.strip() for part in text.split(separator))
            return
