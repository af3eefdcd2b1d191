"""`windows`: (α, β) at every inner node that the search visits: on entry, on leaving, or all that it went through."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from grader.answers import says_unvisited, window, windows
from grader.mistakes.cells import window_cell
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import INNER, SEARCH_KEYS, Given, Parameter
from grader.questions.conditions import inner_root, prunes
from grader.questions.following import Following
from grader.questions.nodes import NodeAsk, asked_nodes, node_of, search_of
from grader.questions.presentation import SPACE_FOR_WINDOWS, WINDOWS, Field, searched
from grader.questions.shown import NEVER_VISITED, spelt, windows_fact
from grader.questions.unexplained import reach_of, unexplained_windows
from solver.game import Node, Window
from solver.languages import Between, Fact, Sentence
from solver.search import Search

Windows = tuple[Window, ...]
"""None where a node is said to be never visited."""

LONGEST_WORDS = 100


class WindowsAsk(NodeAsk):
    name = "windows"
    conditions = (inner_root, prunes)
    parameters = (Parameter("at", "word"),)
    takes = ("nodes", "depth")
    items_are = INNER
    writes_windows = True
    on_the_tree = frozenset({SPACE_FOR_WINDOWS})
    about_search = True
    depends_on = (*SEARCH_KEYS, "update", "write")
    read_by = ("depth_unit", "write")
    box = "window"
    unreadable = "unreadable.whole.windows"
    names_tell = True
    where_nothing = NEVER_VISITED
    shows_search = True
    claims_cost = True

    def when(self, question: KeyedQuestion) -> str:
        """As the question says. Where its exercise lets others count, as the convention writes them."""
        exercise, written, asked = question.exercise, question.convention.write, question.parameters.get("at")
        binds = exercise.marking.other_convention is None or written == exercise.convention.write
        if asked is not None and binds:
            return str(asked)
        return written if written in ("exit", "all") else "entry"

    def windows_written(self, question: KeyedQuestion) -> str | None:
        return self.when(question)

    def key(self, question: KeyedQuestion) -> Mapping[str, Windows]:
        solution, search = question.solution, search_of(question)
        visited = [node for node in solution.tree.inner if search.returned[node] is not None]
        nodes = asked_nodes(question, solution, visited)
        return {
            str(solution.tree.ids[node]): windows_at(search, node, self.when(question))
            for node in nodes
            if search.returned[node] is not None
        }

    def read_alike(self, question: KeyedQuestion) -> str:
        return "windows" if self.when(question) == "all" else "window"

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Windows:
        if isinstance(raw, str) and len(raw) < LONGEST_WORDS and says_unvisited(raw):
            return ()
        return tuple(windows(raw)) if self.when(question) == "all" else (window(raw),)

    def follows(self, question: KeyedQuestion, item: str, value: Windows, own: Following) -> bool:
        again, node, when = own.rerun, node_of(question, item), self.when(question)
        if not value:
            return own.never_visited(node)
        if again is not None and again.returned[node] is not None and windows_at(again, node, when) == value:
            leads_there = True
        else:
            leads_there = any(_written(windows, when) == value for windows in own.own_windows.get(node, ()))
        return leads_there and not (own.below_flat(node) or (when != "entry" and own.is_flat(node)))

    def refuses(self, question: KeyedQuestion, own: Following) -> bool:
        """No window moves any more, while in the key some do."""
        search, again = search_of(question), own.rerun
        return again is not None and again is not search and _moves(search) and not _moves(again)

    def rightly_beyond(self, question: KeyedQuestion, item: str, value: Windows) -> bool:
        return value == ()

    def fact(self, question: KeyedQuestion, item: str, expected: Windows) -> Fact:
        return windows_fact(expected)

    def read_fact(self, question: KeyedQuestion, item: str, value: Windows) -> Fact:
        return windows_fact(value)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return tuple(question.reasons.of_window(node_of(question, item), self.when(question)))

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (self.when(question),)

    def unexplained(
        self,
        questions: Sequence[KeyedQuestion],
        given: Mapping[str, Given],
        stated: Sequence[Mapping[str, Any]],
    ) -> Collection[str]:
        # Another way to write windows may be another way to read them.
        comparable = questions[0].once(
            "comparable",
            lambda: questions[0].marks > 0 and len({self.when(question) for question in questions}) == 1,
        )
        reach = questions[0].once("reach", lambda: reach_of(questions)) if comparable else None
        if reach is None:
            return ()
        # What some key has need not be looked at again.
        keys = questions[0].once(
            "keys",
            lambda: {item for question in questions for item in self.keyed(question).items()},
        )
        odd = {name: here for name, here in given.items() if here.read and (name, here.value) not in keys}
        return unexplained_windows(reach, odd, stated, self.when(questions[0]) == "entry") if odd else ()

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        when = self.when(question)
        return {
            ("window", node_of(question, item)): window_cell(here.value, when)  # type: ignore[arg-type]
            for item, here in given.items()
            if here.read
        }

    def written_with(self, question: KeyedQuestion, item: str, different: Mapping[Any, Any]) -> str | None:
        window = different.get(("window", node_of(question, item)))
        return window if window is None or isinstance(window, str) else spelt(Between(window))

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence(f"ask.windows.{self.when(question)}", None, searched(question))

    def own_remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        yield Sentence("paper.unvisited")

    def paper_kind(self, question: KeyedQuestion, field: Field) -> str:
        return WINDOWS if self.when(question) == "all" else field.box

    def proof_problem(self, question: Mapping[str, Any], proof: Collection[str], about_search: bool) -> str | None:
        if "update" not in proof or question.get("at") not in ("exit", "all"):
            return None
        return "the window on leaving a cut node depends on `update`; ask for at: entry"


def windows_at(search: Search, node: Node, when: str) -> Windows:
    """The windows that were written at a visited node. A leaf's never move."""
    entry, leaving = search.entry[node], search.exit[node]
    assert entry is not None and leaving is not None
    number = search.scale.number
    ranked = {"entry": [entry], "exit": [leaving], "all": search.windows[node] or [entry]}[when]
    return tuple((number(low), number(high)) for low, high in ranked)


def _written(windows: Windows, when: str) -> Windows:
    """Of all that a node went through, what was asked for."""
    return windows if when == "all" else windows[:1] if when == "entry" else windows[-1:]


def _moves(search: Search) -> bool:
    return any(len(passed) > 1 for passed in search.windows)
