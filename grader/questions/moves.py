"""`move` and `line`: what is played at the root, and on from there. Every optimal move is right unless the exercise
writes out how ties are broken."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from grader.answers import Ambiguous, Unreadable, move, names
from grader.answers.node_names import NodeNames
from grader.mistakes.words import PLAYED
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import NOTHING, PLACES, Ask, Given
from grader.questions.conditions import somebody_moves
from grader.questions.following import Following
from grader.questions.items import AnswerRow
from grader.questions.presentation import WHOLE_LINES, Field
from grader.questions.shown import either
from solver.game import ROOT, Node
from solver.languages import Amount, Fact, Sentence
from solver.search import Solution

_JOINTS = re.compile(r"[,;،؛→]|->")


class MoveAsk(Ask):
    name = "move"
    conditions = (somebody_moves,)
    takes = ("depth",)
    read_by = ("depth_unit",)
    box = "move"
    own_items = ("move",)

    def key(self, question: KeyedQuestion) -> Mapping[str, frozenset[Node]]:
        return {"move": _right_moves(question, question.solution, ROOT)}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Node:
        """The move, the child that it leads to, or both ends of its edge: `a1`, `B`, `A → B`."""
        try:
            return _child(question, question.solution, ROOT, move(raw))
        except Unreadable as problem:
            line = [here.value for here in _line(question, raw)]
            if len(line) != 1 or not isinstance(line[0], int):
                raise problem from None
            return Node(line[0])

    def agrees(self, question: KeyedQuestion, item: str, value: Node, expected: frozenset[Node]) -> bool:
        return value in expected

    def follows(self, question: KeyedQuestion, item: str, value: Node, own: Following) -> bool:
        return value in _followed(question, own, ROOT)

    def refuses(self, question: KeyedQuestion, own: Following) -> bool:
        return own.too_easy(ROOT)

    def fact(self, question: KeyedQuestion, item: str, expected: frozenset[Node]) -> Fact:
        return either(str(question.solution.tree.move[node]) for node in sorted(expected))

    def perfect(self, question: KeyedQuestion) -> Any:
        solution = question.solution
        choice = solution.choice(ROOT)
        return None if choice is None else str(solution.tree.move[choice])

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return question.reasons.of_value(ROOT)

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (PLAYED,)

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        here = given.get("move", NOTHING)
        if not here.read:
            return {}
        solution = question.solution
        optimal = here.value in self.keyed(question)["move"]
        return {(PLAYED,): solution.choice(ROOT) if optimal else here.value}

    def names_algorithm(self, question: KeyedQuestion) -> bool:
        return False

    def options(self, question: KeyedQuestion, item: str) -> Sequence[str]:
        tree = question.solution.tree
        return tuple(str(tree.move[child]) for child in tree.children[0])

    def written_with(self, question: KeyedQuestion, item: str, different: Mapping[Any, Any]) -> str | None:
        child = different.get((PLAYED,))
        return None if child is None else str(self.compared_by(question).tree.move[child])


class LineAsk(Ask):
    """An item for each move. Each is judged where the student's own moves have led."""

    name = "line"
    conditions = (somebody_moves,)
    takes = ("depth",)
    items_are = PLACES
    is_list = True
    offers = WHOLE_LINES
    box = "moves"
    unreadable = "unreadable.whole.line"
    names_tell = True

    def blank(self, question: KeyedQuestion) -> Sequence[Field]:
        return [Field("", self.box)]

    def key(self, question: KeyedQuestion) -> Mapping[str, int]:
        line = question.solution.line
        return {str(place): node for place, node in enumerate(line, start=1)}

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        if raw is None:
            return {}
        try:
            line = _line(question, raw)
        except Unreadable as problem:
            return self.unread(question, raw, problem)
        return {str(place): given for place, given in enumerate(line, start=1)}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Any:
        raise AssertionError("a line is read as a whole")

    def rows(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Sequence[AnswerRow]:
        """The moves that were written: how many there should be depends on the key."""
        rows = [self._row(question, place, here) for place, here in given.items() if not here.blank]
        return rows[:1] if len({id(row.problem) for row in rows}) == 1 and rows[0].problem is not None else rows

    def agrees(self, question: KeyedQuestion, item: str, value: Node, expected: Node) -> bool:
        solution = question.solution
        path = list(_path(solution, value))
        return all(node in _right_moves(question, solution, solution.tree.parent[node]) for node in path)

    def follows(self, question: KeyedQuestion, item: str, value: Node, own: Following) -> bool:
        up = own.tree.parent[value]
        return value in _followed(question, own, up) and not own.too_easy(up)

    def fact(self, question: KeyedQuestion, item: str, expected: Node) -> Fact:
        return str(question.solution.tree.move[expected])

    def perfect(self, question: KeyedQuestion) -> Any:
        tree = question.solution.tree
        return [str(tree.move[node]) for node in self.key(question).values()]

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        solution = question.solution
        return question.reasons.of_value(solution.tree.parent[solution.line[int(item) - 1]])

    def node_of_item(self, item: str) -> str | None:
        return None

    def called(self, item: str) -> Fact:
        return Sentence("item.place", None, {"place": Amount(int(item))}) if item.isdecimal() else item

    def names_algorithm(self, question: KeyedQuestion) -> bool:
        return False

    def assembled(self, written: Mapping[str, str]) -> Any:
        return [move.strip() for move in _JOINTS.split(written[""].strip("()[]")) if move.strip()]


def _followed(question: KeyedQuestion, own: Following, node: Node) -> set[Node]:
    """The best moves by the student's own values; the one that ties pick, where the exercise writes that out."""
    best, ties = own.best(node), question.convention.ties
    if "ties" not in question.exercise.printed or ties == "any" or not best:
        return best
    first = (ties == "first") == (question.convention.order == "left-to-right")
    return {min(best) if first else max(best)}


def _right_moves(question: KeyedQuestion, solution: Solution, node: Node) -> frozenset[Node]:
    if "ties" in question.exercise.printed and question.convention.ties != "any":
        choice = solution.choice(node)
        return frozenset() if choice is None else frozenset({choice})
    return frozenset(solution.best[node])


def _line(question: KeyedQuestion, raw: Any) -> list[Given]:
    """The moves from the root on, by their names or by those of the nodes that they lead to; the root may be named too.
    Where an unknown move leads, nobody can say: the rest is not judged."""
    tree = question.solution.tree
    called = question.names(tree)
    if isinstance(raw, dict):
        raw = [raw[key] for key in sorted(raw, key=lambda key: (len(key), key))]

    def known(text: str) -> str:
        called.named(text)
        return text

    def known_or_shared(text: str) -> str:
        try:
            return known(text)
        except Ambiguous:
            return text  # Which of several, the place in the line tells.

    found: list[Given] = []
    node = ROOT
    for place, text in enumerate(names(raw, known_or_shared)):
        if isinstance(text, Unreadable):
            return [*found, Given(text.facts["given"], problem=text)]
        try:
            node = _child(question, question.solution, node, str(text))
        except Unreadable as problem:
            if place == 0 and _is_root(called, str(text)):
                continue
            return [*found, Given(text, problem=problem)]
        found.append(Given(text, node))
    return found


def _is_root(called: NodeNames, name: str) -> bool:
    try:
        return called.named(name) == ROOT
    except LookupError:
        return False


def _child(question: KeyedQuestion, solution: Solution, node: Node, name: str) -> Node:
    try:
        return question.names(solution.tree).child(node, name)
    except Ambiguous:
        raise Unreadable("unreadable.name.ambiguous", given=name, name=name) from None
    except KeyError:
        raise Unreadable("unreadable.name", given=name, name=name) from None


def _path(solution: Solution, node: Node) -> Iterator[Node]:
    while node > 0:
        yield node
        node = solution.tree.parent[node]
