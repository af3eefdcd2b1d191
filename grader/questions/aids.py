"""What several questions need: refusals that quote what was written, and hints that depend on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from grader.answers import Ambiguous, Unreadable, move, raw_text
from grader.answers.node_names import NodeNames
from grader.kernel.verdicts import WRONG
from grader.questions.ask import Given
from grader.questions.items import Marked
from solver.game import Node
from solver.languages import Sentence

LONGEST_QUOTED = 80


def unreadable(reason: str, raw: Any, **facts: str | int) -> Unreadable:
    return Unreadable(reason, given=raw_text(raw)[:LONGEST_QUOTED], **facts)


def child_named(called: NodeNames, node: Node, raw: Any) -> Node:
    """The child that a move leads to, or that is called so itself."""
    name = move(raw)
    try:
        return called.child(node, name)
    except Ambiguous:
        raise unreadable("unreadable.name.ambiguous", raw, name=name[:LONGEST_QUOTED]) from None
    except KeyError:
        raise unreadable("unreadable.name", raw, name=name[:LONGEST_QUOTED]) from None


def hinted(marked: Marked, given: Mapping[str, Given], hint_of: Callable[[str, Any], Sentence | None]) -> Marked:
    """The same marks, with a hint at each item that was read and is wrong, where there is one."""
    items = [
        replace(item, hint=hint_of(item.name, given[item.name].value) or item.hint)
        if item.verdict == WRONG and item.name in given
        else item
        for item in marked.items
    ]
    return replace(marked, items=items)
