"""`move` and `line`: what is played at the root, and on from there. Every optimal move is right unless the exercise
writes out how ties are broken."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from grader.answers import Ambiguous, Unreadable, folded, move, names
from grader.questions.answer_key import Setting
from grader.questions.ask import NOTHING, Ask, Field, Given
from grader.questions.exercise import Question
from grader.questions.following import Following
from solver.game import ROOT, Node
from solver.languages import Sentence
from solver.search import Solution


class MoveAsk(Ask):
    name = "move"
    box = "move"

    def key(self, question: Question, setting: Setting) -> Mapping[str, frozenset[Node]]:
        return {"move": _right_moves(setting, setting.solution(question), ROOT)}

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Node:
        return _child(setting, setting.solution(question), ROOT, move(raw))

    def agrees(self, question: Question, setting: Setting, item: str, value: Node, expected: frozenset[Node]) -> bool:
        return value in expected

    def follows(self, question: Question, setting: Setting, item: str, value: Node, own: Following) -> bool:
        return value in _followed(setting, own, ROOT)

    def refuses(self, question: Question, setting: Setting, own: Following) -> bool:
        return own.too_easy(ROOT, own.left(ROOT))

    def show(self, question: Question, setting: Setting, item: str, expected: frozenset[Node]) -> str:
        return _moves_text(setting.solution(question), expected)

    def perfect(self, question: Question, setting: Setting) -> Any:
        solution = setting.solution(question)
        choice = solution.choice(ROOT)
        return None if choice is None else str(solution.tree.move[choice])

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        return setting.reasons(question).of_value(0)

    def compared(self, question: Question, setting: Setting) -> Collection[str]:
        return ("move",)

    def cells(self, question: Question, setting: Setting, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        here = given.get("move", NOTHING)
        if not here.read:
            return {}
        solution = setting.solution(question)
        optimal = here.value in self.keyed(question, setting)["move"]
        return {("move",): solution.choice(ROOT) if optimal else here.value}


class LineAsk(Ask):
    """An item for each move. Each is judged where the student's own moves have led."""

    name = "line"
    box = "moves"
    names_tell = True

    def blank(self, question: Question, setting: Setting) -> Sequence[Field]:
        return [Field("", self.box)]

    def key(self, question: Question, setting: Setting) -> Mapping[str, int]:
        line = setting.solution(question).line
        return {str(place): node for place, node in enumerate(line, start=1)}

    def read(self, question: Question, setting: Setting, raw: Any) -> Mapping[str, Given]:
        if raw is None:
            return {}
        solution = setting.solution(question)
        try:
            written = names(raw, _move_known(solution))
        except Unreadable as problem:
            return {item: Given(raw, problem=problem) for item in self.key(question, setting)}
        found: dict[str, Given] = {}
        node = ROOT
        for place, text in enumerate(written, start=1):
            try:
                if isinstance(text, Unreadable):
                    raise text
                node = _child(setting, solution, node, str(text))
                found[str(place)] = Given(text, node)
            except Unreadable as problem:
                # Where an unknown move leads to, nobody can say: the rest is not judged.
                found[str(place)] = Given(str(text), problem=problem)
                break
        return found

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Any:
        raise AssertionError("a line is read as a whole")

    def agrees(self, question: Question, setting: Setting, item: str, value: Node, expected: int) -> bool:
        solution = setting.solution(question)
        path = list(_path(solution, value))
        return all(node in _right_moves(setting, solution, solution.tree.parent[node]) for node in path)

    def follows(self, question: Question, setting: Setting, item: str, value: Node, own: Following) -> bool:
        up = own.tree.parent[value]
        return value in _followed(setting, own, up) and not own.too_easy(up, own.left(up))

    def show(self, question: Question, setting: Setting, item: str, expected: int) -> str:
        return str(setting.solution(question).tree.move[expected])

    def perfect(self, question: Question, setting: Setting) -> Any:
        tree = setting.solution(question).tree
        return [str(tree.move[node]) for node in self.key(question, setting).values()]

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        solution = setting.solution(question)
        return setting.reasons(question).of_value(solution.tree.parent[solution.line[int(item) - 1]])


def _followed(setting: Setting, own: Following, node: Node) -> set[Node]:
    """The best moves by the student's own values; the one that ties pick, where the exercise writes that out."""
    best, ties = own.best(node), setting.convention.ties
    if "ties" not in setting.exercise.printed or ties == "any" or not best:
        return best
    first = (ties == "first") == (setting.convention.order == "left-to-right")
    return {min(best) if first else max(best)}


def _right_moves(setting: Setting, solution: Solution, node: Node) -> frozenset[Node]:
    if "ties" in setting.exercise.printed and setting.convention.ties != "any":
        choice = solution.choice(node)
        return frozenset() if choice is None else frozenset({choice})
    return frozenset(solution.best[node])


def _move_known(solution: Solution) -> Callable[[str], str]:
    """So that `a1 b1` is two moves, where no move is called so."""
    known = {folded(str(name)) for name in (*solution.tree.move, *solution.tree.ids) if name is not None}

    def resolve(text: str) -> str:
        if folded(text) not in known:
            raise KeyError(text)
        return text

    return resolve


def _child(setting: Setting, solution: Solution, node: Node, name: str) -> Node:
    try:
        return setting.names(solution.tree).child(node, name)
    except Ambiguous:
        raise Unreadable("unreadable.name.ambiguous", given=name, name=name) from None
    except KeyError:
        raise Unreadable("unreadable.name", given=name, name=name) from None


def _path(solution: Solution, node: Node) -> Iterator[Node]:
    while node > 0:
        yield node
        node = solution.tree.parent[node]


def _moves_text(solution: Solution, nodes: frozenset[Node]) -> str:
    return " / ".join(str(solution.tree.move[node]) for node in sorted(nodes))
