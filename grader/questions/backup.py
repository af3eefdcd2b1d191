"""`backup`: the counts along the path after one playout: the results added up, and the visits; never simplified."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from grader.answers import Counts, counts
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask, Field, Given
from grader.questions.exercise import Question
from solver.game import MAX, Node
from solver.languages import Formula, Limit, Sentence
from solver.render import value_text
from solver.search import mcts


class Backup(Ask):
    name = "backup"
    box = "counts"
    names_tell = True

    def blank(self, question: Question, setting: Setting) -> Sequence[Field]:
        """For leaves too: a playout may start at one."""
        return [Field(item, self.box) for item in self.items(question, setting)]

    def key(self, question: Question, setting: Setting) -> Mapping[str, Counts]:
        """The nodes of the path; or those asked about, which may lie beside it and then keep their counts."""
        tree, found = setting.exercise.game.tree, _mcts(question, setting)
        index: Mapping[Any, int] = tree.index
        nodes = found.trace[0].path if question.nodes is None else [index[name] for name in question.nodes]
        return {str(tree.ids[node]): Counts(found.totals[node], found.visits[node]) for node in nodes}

    def items(self, question: Question, setting: Setting) -> Collection[str]:
        """Under another convention the path may be another."""
        return question.nodes or [str(name) for name in setting.exercise.game.tree.ids]

    def perfect(self, question: Question, setting: Setting) -> Any:
        return {
            item: [value_text(each.total), str(each.visits)] for item, each in self.keyed(question, setting).items()
        }

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Counts:
        return counts(raw)

    def show(self, question: Question, setting: Setting, item: str, expected: Counts) -> str:
        return f"{value_text(expected.total)}/{expected.visits}"

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        tree, found = setting.exercise.game.tree, _mcts(question, setting)
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

    def compared(self, question: Question, setting: Setting) -> Collection[str]:
        return ("counts",)

    def cells(self, question: Question, setting: Setting, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        index: Mapping[Any, int] = setting.exercise.game.tree.index
        return {("counts", index[item]): tuple(here.value) for item, here in given.items() if here.read}  # type: ignore[arg-type]


def _mcts(question: Question, setting: Setting) -> Any:
    """One step from the statistics of the game, with the first playout that it lists."""
    right_to_left = setting.convention.order == "right-to-left"
    return setting.once(
        ("backup", question.id), lambda: mcts(setting.exercise.game.tree, 1, right_to_left=right_to_left)
    )
