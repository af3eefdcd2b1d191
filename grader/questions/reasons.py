"""Why a key is right, from the story of the search: the sentences that a teacher would write in the margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from solver.analysis import Comparison
from solver.game import Node
from solver.languages import Between, Fact, Formula, Items, Limit, Sentence
from solver.search import Cut, Solution
from solver.story import story_of


class Reasons:
    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    @cached_property
    def _told(self) -> dict[Node, tuple[Sentence, ...]]:
        """What the story says when a node is finished or cut."""
        if self.solution.sampled is not None:
            return {}
        steps = list(story_of(self.solution, "brief"))[1:-1]
        return {step.node: step.sentences for step in steps}

    def of_value(self, node: Node) -> Sequence[Sentence]:
        return self._told.get(node, ())

    def of_window(self, node: Node, when: str) -> Iterator[Sentence]:
        """Who had set the bounds that a node was entered with, and what became of them there."""
        search, tree = self.solution.search, self.solution.tree
        assert search is not None
        entry = search.entry[node]
        if entry is None:
            return
        number = search.scale.number
        window = Between((number(entry[0]), number(entry[1])))
        up = tree.parent[node]
        if up < 0:
            yield Sentence("why.window.root", None, {"node": tree.ids[node], "window": window})
        else:
            yield Sentence("why.window.entry", None, {"node": tree.ids[node], "window": window, "parent": tree.ids[up]})
        passed = search.windows[node]
        if when != "entry" and len(passed) > 1:
            low, high = passed[-1]
            yield Sentence(
                "why.window.moved",
                None,
                {"node": tree.ids[node], "window": Between((number(low), number(high)))},
            )
        elif when != "entry":
            yield Sentence("why.window.stays", None, {"node": tree.ids[node]})

    def of_cut(self, cut: Cut) -> Iterator[Sentence]:
        """The comparison that stops the search, with what it spares."""
        tree, search = self.solution.tree, self.solution.search
        assert search is not None
        number = search.scale.number
        sign = {"alpha": "≤", "beta": "≥"}[cut.kind]
        if self.solution.convention.cut == "past-bound":
            sign = {"≤": "<", "≥": ">"}[sign]
        letter = "α" if cut.kind == "alpha" else "β"
        test = Formula(("v = ", Limit(number(cut.value)), f" {sign} {letter} = ", Limit(number(cut.bound))))
        skipped = Items(tuple(str(tree.ids[node]) for node in cut.skipped[:12]), len(cut.skipped))
        facts: dict[str, Fact] = {
            "node": tree.ids[cut.node],
            "after": tree.ids[cut.after],
            "test": test,
            "skipped": skipped,
        }
        if cut.set_by is None:
            yield Sentence("why.cut.window", None, facts)
        else:
            yield Sentence("why.cut", None, {**facts, "setter": tree.ids[cut.set_by]})

    def of_test(self, test: Comparison) -> Iterator[Sentence]:
        """The comparison that did not allow a stop."""
        at_min = test.sign in ("≤", "<")
        letter = "α" if at_min else "β"
        opposite = {"≤": ">", "<": "≥", "≥": "<", ">": "≤"}[test.sign]
        shown = opposite if not test.holds else test.sign
        formula = Formula(("v = ", Limit(test.value), f" {shown} {letter} = ", Limit(test.bound)))
        key = "why.no-stop" if not test.holds else "why.stop"
        yield Sentence(key, None, {"node": test.node, "test": formula})
