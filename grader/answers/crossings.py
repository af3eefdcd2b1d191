"""What was crossed out, as students say it: leaves, runs of leaves, nodes with all below them, and where the search
stopped, "C after L4"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from grader.answers import Ambiguous, Unreadable, boolean, names, says_unvisited
from grader.answers.node_names import NodeNames
from grader.answers.refusal import quoted
from grader.answers.signs import text_of
from grader.answers.words import phrase
from solver.game import Node

AFTER = (
    "after; stop after; stops after; cut after; cuts after; pruned after; everything after; all after; depois de; após;"
    "para depois de; poda depois de; corta depois de; tudo depois de; después de; tras; poda después de;"
    "corta después de; todo después de; پس از; بعد از; هرس پس از; هرس بعد از"
)


class Crossings:
    def __init__(self, called: NodeNames, right_to_left: bool) -> None:
        self.called, self.tree, self.right_to_left = called, called.tree, right_to_left

    def read(self, raw: Any) -> list[object | Unreadable]:
        """The nodes that were crossed out; in place of a name that cannot be read, the reason."""
        if isinstance(raw, dict):
            return [found for name, each in raw.items() for found in self._at(name, each)]
        return names(raw, self.called.node, self.called, self._stopped)

    def _at(self, name: str, raw: Any) -> Sequence[object]:
        """`{C: [L5, L6]}`, `{C: after L4}` or `{L5: yes, L7: no}`."""
        node = self._named(name)
        if isinstance(raw, str) and (after := self._stopped(f"{name} {raw}")) is not None:
            return after
        if isinstance(raw, str) and (crossed := _ticked(raw)) is not None:
            return [node] if crossed else []
        found = names(raw, self.called.node, self.called, self._stopped)
        for each in found:
            if isinstance(each, int) and not node <= each <= self.tree.last[node]:
                raise Unreadable("unreadable.not-below", name=str(self.tree.ids[Node(each)]), node=name)
        return found

    def _named(self, name: str) -> Node:
        try:
            return self.called.named(name)
        except Ambiguous:
            raise Unreadable("unreadable.name.ambiguous", given=quoted(name), name=quoted(name)) from None
        except KeyError:
            raise Unreadable("unreadable.name", given=quoted(name), name=quoted(name)) from None

    def _stopped(self, text: str) -> Sequence[object] | None:
        """What a stop leaves out: the children that come after one. None for a text of another kind."""
        found = _stops().fullmatch(text.strip())
        if found is None:
            return None
        after = self._named(found["after"].rstrip("."))
        parent = self.tree.parent[after]
        if not after or (found["node"] and self._named(found["node"]) != parent):
            raise Unreadable("unreadable.stop", given=quoted(text), name=found["after"], node=found["node"] or "")
        step = -1 if self.right_to_left else 1
        children = self.tree.children[parent][::step]
        return list(children[children.index(after) + 1 :])


def _ticked(text: str) -> bool | None:
    if says_unvisited(text_of(text)):
        return True
    try:
        return boolean(text)
    except Unreadable:
        return None


@cache
def _stops() -> re.Pattern[str]:
    """`C after L4`, `C: after L4`, `after L4`, in every language."""
    listed = {each.strip() for each in AFTER.split(";")}
    words = listed | {phrase(each) for each in listed}
    spelled = "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in sorted(words, key=len, reverse=True))
    named = r"(?:(?P<node>\S.*?)(?:\s*[:,]\s*|\s+))??"
    return re.compile(rf"{named}(?:{spelled})\s+(?P<after>\S+(?: \d+\.?)?)", re.IGNORECASE)
