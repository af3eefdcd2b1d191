"""`visited`: the leaves, or all nodes, in the order in which the search comes to them.

Marks go by the longest sequence that the answer and the key have in common, less the entries that are not in the key or
are repeated. Entries that the student's own stops leave in cost half where at least half of the key's stops are found.
An answer that leaves out nothing, where the key does, earns half.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers import Unreadable, names
from grader.answers.refusal import quoted
from grader.kernel.verdicts import FOLLOW_THROUGH, MISSING, RIGHT, UNREADABLE, WRONG, Verdict
from grader.mistakes.cells import visited_cells
from grader.mistakes.words import SEQUENCE
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import NOTHING, PLACES, Ask, Given, Parameter, in_document_order
from grader.questions.conditions import solved
from grader.questions.following import Following
from grader.questions.items import AnswerRow, Item, Marked, marked, unread_row
from grader.questions.presentation import NAMES, VISITS, Field, searched
from solver.game import Node
from solver.languages import Fact, Sentence
from solver.search import Search, Solution

MOST_COMPARED = 4_000
"""Longer sequences are compared place by place: the common sequence takes time by the product of both lengths."""


class Visited(Ask):
    name = "visited"
    conditions = (solved,)
    parameters = (Parameter("what", "word", "leaves", choices=("leaves", "nodes")),)
    takes = ("depth",)
    items_are = PLACES
    is_list = True
    ordered = True
    shows_search = True
    selects = VISITS
    box = "names"
    missing_key = "verdict.missing.visit"
    unreadable = "unreadable.whole.names"

    def key(self, question: KeyedQuestion) -> Mapping[str, int]:
        solution = question.solution
        return {str(solution.tree.ids[node]): node for node in self._visited(question, solution, solution.search)}

    def _visited(self, question: KeyedQuestion, solution: Solution, search: Search | None) -> list[Node]:
        nodes = solution.visited if search is None else search.visited
        leaves_only = question.parameters.get("what", "leaves") == "leaves"
        return [node for node in nodes if not leaves_only or solution.tree.turn[node] is None]

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        if raw is None:
            return {}
        called = question.names(question.solution.tree)
        try:
            written = names(raw, called.node, called)
        except Unreadable as problem:
            return {"visited": Given(raw, problem=problem)}
        if len(written) > 1 and all(isinstance(each, Unreadable) for each in written):
            return {"visited": Given(raw, problem=Unreadable(self.unreadable, given=quoted(raw)))}
        return {"visited": Given(raw, tuple(written))}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Any:
        raise AssertionError("a sequence is read as a whole")

    def asked(self, question: KeyedQuestion) -> Sequence[str]:
        solution = question.solution
        return [str(solution.tree.ids[node]) for node in self._asked_about(question, solution)]

    def rows(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Sequence[AnswerRow]:
        """Every leaf or node, listed or not, and what could not be read."""
        here = given.get("visited", NOTHING)
        ids = question.solution.tree.ids
        entries: Any = here.value if here.read else ()
        listed = {str(ids[node]) for node in entries if not isinstance(node, Unreadable)}
        names = in_document_order(question, {**dict.fromkeys(self.asked(question)), **dict.fromkeys(sorted(listed))})
        rows = [AnswerRow(name, name if name in listed else None, here.problem, name not in listed) for name in names]
        return [*rows, *(unread_row(entry) for entry in entries if isinstance(entry, Unreadable))]

    def fact(self, question: KeyedQuestion, item: str, expected: int) -> Fact:
        return item

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        here = given.get("visited", NOTHING)
        solution = question.solution
        by_key = self._compared(question, here, own, self._visited(question, solution, solution.search))
        again = own.rerun
        if not follow_through or again is solution.search or again is None or not here.read:
            return by_key
        if own.nothing_cut:
            return replace(by_key, refused=True)
        followed = self._compared(question, here, own, self._visited(question, solution, again), follow_through)
        return followed if followed.marks > by_key.marks else by_key

    def _compared(
        self,
        question: KeyedQuestion,
        here: Given,
        own: Following,
        key: Sequence[Node],
        share: Fraction = Fraction(1),
    ) -> Marked:
        solution = question.solution
        ids, each = solution.tree.ids, question.marks / len(key)
        if not here.read:
            verdict: Verdict = MISSING if here.problem is None else UNREADABLE
            hint = None if here.problem is None else Sentence(here.problem.reason, None, dict(here.problem.facts))
            items = [Item(str(ids[node]), None, str(ids[node]), verdict, Fraction(0), (), hint) for node in key]
            return Marked(items, [each] * len(key), Fraction(0))
        written: Any = here.value
        read = [node for node in written if not isinstance(node, Unreadable)]
        common, asked = _common(key, read), self._asked_about(question, solution)
        if len(key) < len(asked) == len(set(read)):
            share /= 2
        by_key = set(self._visited(question, solution, solution.search))
        items = [
            Item(
                str(ids[node]),
                str(ids[node]) if node in common else None,
                str(ids[node]),
                MISSING if node not in common else RIGHT if node in by_key else FOLLOW_THROUGH,
                share if node in common else Fraction(0),
            )
            for node in key
        ]
        seen: set[Node] = set()
        for node in written:
            if isinstance(node, Unreadable):
                text, hint = node.given, Sentence(node.reason, None, dict(node.facts))
                items.append(Item(text, text, None, UNREADABLE, Fraction(0), (), hint))
                continue
            if node in seen or node not in common:
                cost = self._cost(own, node) if node in seen or node not in key else Fraction(0)
                lost = each * share * cost
                items.append(Item(str(ids[node]), str(ids[node]), None, WRONG, Fraction(0), penalty=lost))
            seen.add(node)
        return marked(items, [each] * len(key) + [Fraction(0)] * (len(items) - len(key)))

    def _asked_about(self, question: KeyedQuestion, solution: Solution) -> Sequence[Node]:
        """Every leaf or node that could be listed."""
        leaves_only = question.parameters.get("what", "leaves") == "leaves"
        return solution.tree.leaves if leaves_only else list(solution.tree.nodes)

    def _cost(self, own: Following, node: Node) -> Fraction:
        """Of an entry that does not belong: half where the student's stops, most of which are found, leave it in."""
        left_in = own.own.crossed is not None and not own.crossed_out_whole[node]
        return Fraction(1, 2) if left_in and own.finds_half_of_the_stops else Fraction(1)

    def blank(self, question: KeyedQuestion) -> Sequence[Field]:
        return [Field("", self.box)]

    def perfect(self, question: KeyedQuestion) -> Any:
        return list(self.key(question))

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (SEQUENCE,)

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        here = given.get("visited", NOTHING)
        if not here.read:
            return {}
        written: Any = here.value
        tree = question.solution.tree
        # What cannot be read may be any leaf, and the order around it any.
        if any(isinstance(node, Unreadable) for node in written):
            return {}
        return visited_cells(tree, [node for node in written if tree.turn[node] is None])

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence(f"ask.visited.{question.parameters['what']}", None, searched(question))

    def longest(self, question: KeyedQuestion) -> tuple[int, str]:
        tree = question.tree
        return len(tree.ids) if question.parameters["what"] == "nodes" else len(tree.leaves), NAMES

    def share_notes(self, question: KeyedQuestion, scheme: str) -> Sequence[Sentence] | None:
        return [Sentence("paper.note.sequence")]


def _common(key: Sequence[Node], read: Sequence[Node]) -> set[Node]:
    """The nodes of a longest common subsequence; a node is counted once however often it is written."""
    if len(key) > MOST_COMPARED or len(read) > MOST_COMPARED:
        return {one for one, other in zip(key, read, strict=False) if one == other}
    lengths = [[0] * (len(read) + 1) for _ in range(len(key) + 1)]
    for row in range(len(key) - 1, -1, -1):
        for column in range(len(read) - 1, -1, -1):
            if key[row] == read[column]:
                lengths[row][column] = lengths[row + 1][column + 1] + 1
            else:
                lengths[row][column] = max(lengths[row + 1][column], lengths[row][column + 1])
    found: set[Node] = set()
    row = column = 0
    while row < len(key) and column < len(read):
        if key[row] == read[column]:
            found.add(key[row])
            row, column = row + 1, column + 1
        elif lengths[row + 1][column] >= lengths[row][column + 1]:
            row += 1
        else:
            column += 1
    return found
