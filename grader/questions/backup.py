"""`backup`: the counts along the path after one playout: the results added up, and the visits; never simplified."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from grader.answers import Counts, counts
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import NODES, Ask, Given
from grader.questions.conditions import listed_playout, statistics
from grader.questions.presentation import NUMBER, STATISTICS, Field
from solver.game import MAX, Node, Tree
from solver.languages import Fact, Formula, Limit, Sentence
from solver.render import value_text
from solver.search import mcts


class Backup(Ask):
    name = "backup"
    conditions = (statistics, listed_playout)
    takes = ("nodes",)
    items_are = NODES
    algorithms = ("mcts",)
    nodes_change = True
    on_the_tree = frozenset({STATISTICS})
    paper_box = NUMBER
    usual_algorithm = "mcts"
    box = "counts"
    unreadable = "unreadable.whole.backup"
    names_tell = True

    def blank(self, question: KeyedQuestion) -> Sequence[Field]:
        """For leaves too: a playout may start at one."""
        return [Field(item, self.box) for item in self.items(question)]

    def key(self, question: KeyedQuestion) -> Mapping[str, Counts]:
        """The nodes of the path; or those asked about, which may lie beside it and then keep their counts."""
        tree, found = question.tree, _mcts(question)
        index: Mapping[Any, Node] = tree.index
        nodes = found.trace[0].path if question.nodes is None else [index[name] for name in question.nodes]
        return {str(tree.ids[node]): Counts(found.totals[node], found.visits[node]) for node in nodes}

    def asked(self, question: KeyedQuestion) -> Sequence[str]:
        """A box for every inner node is on paper, whatever the path."""
        return question.nodes or [str(question.tree.ids[node]) for node in question.tree.inner]

    def items(self, question: KeyedQuestion) -> Collection[str]:
        """Under another convention the path may be another."""
        return question.nodes or [str(name) for name in question.tree.ids]

    def perfect(self, question: KeyedQuestion) -> Any:
        return {item: [value_text(each.total), str(each.visits)] for item, each in self.keyed(question).items()}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Counts:
        return counts(raw)

    def fact(self, question: KeyedQuestion, item: str, expected: Counts) -> Fact:
        return Formula((Limit(expected.total), "/", Limit(expected.visits)))

    def read_fact(self, question: KeyedQuestion, item: str, value: Counts) -> Fact:
        return self.fact(question, item, value)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        tree, found = question.tree, _mcts(question)
        node: Node = tree.index[item]  # type: ignore[index]
        step = found.trace[0]
        if node not in step.path:
            return (Sentence("why.backup.beside", None, {"node": item}),)
        before = (tree.totals or {}).get(node, 0), (tree.visits or {}).get(node, 0)
        added = found.totals[node] - before[0]
        facts: dict[str, Any] = {
            "node": item,
            "side": Sentence("side.max" if found.credited[node] == MAX else "side.min"),
            "total": Formula((Limit(before[0]), " + ", Limit(added), " = ", Limit(found.totals[node]))),
            "visits": Formula((Limit(before[1]), " + ", Limit(1), " = ", Limit(found.visits[node]))),
        }
        return (Sentence("why.backup", None, facts),)

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return ("counts",)

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        index: Mapping[Any, Node] = question.tree.index
        return {("counts", index[item]): tuple(here.value) for item, here in given.items() if here.read}  # type: ignore[arg-type]

    def own_remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        if question.tree.playouts:
            yield _playout(question.tree)

    def paper_fields(self, question: KeyedQuestion, fields: Sequence[Field]) -> Sequence[Field]:
        """Which counts change is asked, so every inner node has a box."""
        if question.nodes is not None:
            return fields
        return [Field(str(question.tree.ids[node]), self.box) for node in question.tree.inner]

    def left_blank(self, question: KeyedQuestion) -> bool:
        return question.nodes is None


def _playout(tree: Tree) -> Sentence:
    """How the playout ends. Results between 0 and 1 are shares of a win, and add up to it."""
    result = tree.playouts[0]
    numbers = [number for number in (*tree.leaf, *tree.playouts) if isinstance(number, int | Fraction)]
    other = 1 - result if all(0 <= number <= 1 for number in numbers) else -result
    sides: dict[str, Fact] = {"max": Sentence("side.max"), "min": Sentence("side.min")}
    return Sentence("paper.playout", None, {"result": result, "other": other, **sides})


def _mcts(question: KeyedQuestion) -> Any:
    """One step from the statistics of the game, with the first playout that it lists."""
    right_to_left = question.convention.order == "right-to-left"
    return question.once("backup", lambda: mcts(question.tree, 1, right_to_left=right_to_left))
