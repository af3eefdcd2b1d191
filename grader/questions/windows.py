"""`windows`: (α, β) at every inner node that the search visits: on entry, on leaving, or all that it went through."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from grader.answers import says_unvisited, window, windows
from grader.mistakes.diagnosis import window_cell
from grader.questions.answer_key import Setting
from grader.questions.ask import SEARCH_KEYS, Given
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.nodes import NodeAsk, asked_nodes, node_of, search_of
from grader.questions.shown import windows_text
from solver.game import Window
from solver.languages import Sentence
from solver.search import Search

Windows = tuple[Window, ...]
"""None where a node is said to be never visited."""

LONGEST_WORDS = 100


class WindowsAsk(NodeAsk):
    name = "windows"
    depends_on = (*SEARCH_KEYS, "update", "write")
    box = "window"
    names_tell = True

    def when(self, question: Question, setting: Setting) -> str:
        """As the question says; under another convention than the declared one, as that one writes."""
        written, asked = setting.convention.write, question.parameters.get("at")
        if asked is not None and written == setting.exercise.convention.write:
            return str(asked)
        return written if written in ("exit", "all") else "entry"

    def key(self, question: Question, setting: Setting) -> Mapping[str, Windows]:
        solution, search = setting.solution(question), search_of(setting, question)
        visited = [node for node in solution.tree.inner if search.returned[node] is not None]
        nodes = asked_nodes(question, solution, visited)
        return {
            str(solution.tree.ids[node]): windows_at(search, node, self.when(question, setting))
            for node in nodes
            if search.returned[node] is not None
        }

    def read_alike(self, question: Question, setting: Setting) -> str:
        return "windows" if self.when(question, setting) == "all" else "window"

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Windows:
        if isinstance(raw, str) and len(raw) < LONGEST_WORDS and says_unvisited(raw):
            return ()
        return tuple(windows(raw)) if self.when(question, setting) == "all" else (window(raw),)

    def follows(self, question: Question, setting: Setting, item: str, value: Windows, own: Following) -> bool:
        again, node = own.again, node_of(setting, question, item)
        if not value:
            return own.never_visited(node)
        return (
            again is not None
            and again.returned[node] is not None
            and windows_at(again, node, self.when(question, setting)) == value
        )

    def refuses(self, question: Question, setting: Setting, own: Following) -> bool:
        """No window moves any more, while in the key some do."""
        search, again = search_of(setting, question), own.again
        return again is not None and again is not search and _moves(search) and not _moves(again)

    def rightly_left_out(self, value: object) -> bool:
        return value == ()

    def show(self, question: Question, setting: Setting, item: str, expected: Windows) -> str:
        return windows_text(expected)

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        return tuple(
            setting.reasons(question).of_window(node_of(setting, question, item), self.when(question, setting))
        )

    def compared(self, question: Question, setting: Setting) -> Collection[str]:
        return (self.when(question, setting),)

    def cells(self, question: Question, setting: Setting, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        when = self.when(question, setting)
        return {
            ("window", node_of(setting, question, item)): window_cell(here.value, when)  # type: ignore[arg-type]
            for item, here in given.items()
            if here.read
        }


def windows_at(search: Search, node: int, when: str) -> Windows:
    """The windows that were written at a visited node. A leaf's never move."""
    entry, leaving = search.entry[node], search.exit[node]
    assert entry is not None and leaving is not None
    number = search.scale.number
    ranked = {"entry": [entry], "exit": [leaving], "all": search.windows[node] or [entry]}[when]
    return tuple((number(low), number(high)) for low, high in ranked)


def _moves(search: Search) -> bool:
    return any(len(passed) > 1 for passed in search.windows)
