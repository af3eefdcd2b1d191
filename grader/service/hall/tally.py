"""What the class has said so far: counts by field and by node, and nothing of who said it. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Said = Sequence[tuple[str, str, bool]]
"""Of one answer: a field, what was written there, whether that is right."""
WARMEST = 4
MOST_SHOWN = 6
"""Different texts that are shown of a field; the rest is summed up."""


@dataclass(frozen=True, slots=True)
class SaidText:
    text: str
    """Empty for what cannot be read."""
    count: int
    right: bool
    share: int
    """Tenths of the fullest row, from 1 to 10."""


@dataclass
class HallTally:
    """Each answer is counted once; a changed one is taken out and put in again."""

    nodes: frozenset[str]
    fields: dict[str, Counter[tuple[str, bool]]] = field(default_factory=dict)
    at_nodes: Counter[str] = field(default_factory=Counter)
    right_at: Counter[str] = field(default_factory=Counter)
    asked_at: Counter[str] = field(default_factory=Counter)
    answers: int = 0

    def add(self, said: Said, times: int = 1) -> None:
        """-1 times takes it out."""
        self.answers += times
        for name, text, right in said:
            self.fields.setdefault(name, Counter())[text, right] += times
            _, dot, item = name.partition(".")
            if dot and item in self.nodes:
                self.asked_at[item] += times
                self.right_at[item] += times * right
        for node in self._touched(said):
            self.at_nodes[node] += times

    def _touched(self, said: Said) -> set[str]:
        """Nodes of which the answer says something: those of its fields, and those that it names in a list."""
        found: set[str] = set()
        for name, text, _ in said:
            item = name.partition(".")[2]
            found |= {item} if item else set(re.split(r"[,،;\s]+", text))
        return found & self.nodes

    def given(self, name: str) -> tuple[list[SaidText], int]:
        """The most frequent first, and how many more there were."""
        counts = sorted(((count, each) for each, count in self.fields.get(name, {}).items() if count > 0), reverse=True)
        most = counts[0][0] if counts else 1
        shown = [
            SaidText(text, count, right, max(1, round(10 * count / most)))
            for count, (text, right) in counts[:MOST_SHOWN]
        ]
        return shown, sum(count for count, _ in counts[MOST_SHOWN:])

    def warmth(self, judged: bool) -> Mapping[str, tuple[int, int]]:
        """By node: how many said something of it and how warm that is; or, judged, how many per cent were right."""
        if judged:
            asked = {node: count for node, count in self.asked_at.items() if count > 0}
            return {
                node: (100 * self.right_at[node] // count, _band(self.right_at[node], count))
                for node, count in asked.items()
            }
        return {node: (count, _band(count, self.answers)) for node, count in self.at_nodes.items() if count > 0}


def _band(part: int, whole: int) -> int:
    return min(WARMEST, (WARMEST + 1) * part // max(1, whole))
