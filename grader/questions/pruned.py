"""`pruned`: what the search never visits. Stops are marked, not leaves: "C after L4" is one decision.

With k stops in the key, u is the question's marks over the larger of k and 2. A missed stop costs u, a late one u/2, an
unsound or unjustified one 1.5 u; a stop that comes too early covers the key's own at that node, so that one error is
charged once. Where the key has a stop and the answer has none of them, right or late, it earns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.answers import Unreadable, names
from grader.answers.node_names import Names
from grader.kernel.verdicts import (
    FOLLOW_THROUGH,
    LATE,
    MISSING,
    RIGHT,
    UNJUSTIFIED,
    UNREADABLE,
    UNSOUND,
    WRONG,
    Verdict,
)
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask, Field, Given
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.items import Item, Marked
from grader.questions.nodes import search_of
from grader.questions.stops import by_cuts, origin, seen_stops
from solver.analysis import Comparison, Skipped, Soundness, leaves_below, soundness
from solver.game import CHANCE, Convention, Node, Tree, initial_window
from solver.languages import Sentence

MOST_PROBLEMS = 50
"""Names that cannot be read, of one answer."""
LONGEST_STOP = 200
_STOP = re.compile(r"(\S+) after (\S+)")


@dataclass(frozen=True, slots=True)
class Crossed:
    """The leaves that were crossed out, and the names that could not be read."""

    leaves: frozenset[str]
    problems: tuple[Unreadable, ...] = ()


class Pruned(Ask):
    name = "pruned"
    box = "names"

    def key(self, question: Question, setting: Setting) -> Mapping[str, Any]:
        solution, cuts = setting.solution(question), search_of(setting, question).cuts
        tree = solution.tree
        if CHANCE in tree.turns:
            leaves = [node for node in solution.pruned if not tree.children[node]]
            cuts = seen_stops(tree, setting.convention, cuts, leaves)
        return {stop_name(tree.ids[cut.node], tree.ids[cut.after]): cut for cut in cuts}

    def read(self, question: Question, setting: Setting, raw: Any) -> Mapping[str, Given]:
        if raw is None:
            return {}
        tree = setting.solution(question).tree
        try:
            written = names(_stops_spelled_out(raw, setting.names(tree), tree), setting.names(tree).node)
        except Unreadable as problem:
            return {"pruned": Given(raw, problem=problem)}
        nodes: Any = [node for node in written if not isinstance(node, Unreadable)]
        problems = tuple(problem for problem in written if isinstance(problem, Unreadable))[:MOST_PROBLEMS]
        if problems and not nodes:
            return {"pruned": Given(raw, problem=problems[0])}
        leaves = frozenset(str(tree.ids[leaf]) for leaf in leaves_below(tree, nodes))
        return {"pruned": Given(raw, Crossed(leaves, problems))}

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Any:
        raise AssertionError("a pruned set is read as a whole")

    def show(self, question: Question, setting: Setting, item: str, expected: Any) -> str:
        tree = setting.solution(question).tree
        return ", ".join(tree.ids[node] for node in expected.skipped)

    def mark(
        self, question: Question, setting: Setting, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        here = given.get("pruned")
        if here is None or not here.read:
            return self._unread(question, setting, here)
        crossed: Any = here.value
        by_key = _Judged(self, question, setting, here, crossed, {}).marked()
        handed_up = own.handed_up
        if not follow_through or not handed_up or by_key.marks == question.marks:
            return by_key
        judged = _Judged(self, question, setting, here, crossed, handed_up, follow_through)
        if judged.too_easy:
            return Marked(by_key.items, by_key.worth, by_key.marks, True, by_key.penalties)
        followed = judged.marked()
        return followed if followed.marks > by_key.marks else by_key

    def _unread(self, question: Question, setting: Setting, here: Given | None) -> Marked:
        """Nothing was written, or nothing could be read: every stop of the key is missing."""
        problem = None if here is None else here.problem
        verdict: Verdict = MISSING if problem is None else UNREADABLE
        raw = None if here is None else here.text
        hint = None if problem is None else Sentence(problem.reason, None, dict(problem.facts))
        key = self.key(question, setting)
        items = [
            Item(
                name,
                raw,
                self.show(question, setting, name, cut),
                verdict,
                Fraction(0),
                self.why_stop(question, setting, cut),
                hint,
                None,
            )
            for name, cut in key.items()
        ] or [Item("none", raw, "none", verdict, Fraction(0), (), hint, None)]
        return Marked(items, [question.marks / len(items)] * len(items), Fraction(0))

    def blank(self, question: Question, setting: Setting) -> Sequence[Field]:
        return [Field("", self.box)]

    def perfect(self, question: Question, setting: Setting) -> Any:
        tree = setting.solution(question).tree
        skipped = [node for cut in self.keyed(question, setting).values() for node in cut.skipped]
        return [str(tree.ids[node]) for node in skipped] or "none"

    def why_stop(self, question: Question, setting: Setting, cut: Any) -> tuple[Sentence, ...]:
        tree, cuts = setting.solution(question).tree, search_of(setting, question).cuts
        return tuple(setting.reasons(question).of_cut(origin(tree, cuts, cut.node, cut.after) or cut))

    def compared(self, question: Question, setting: Setting) -> Collection[str]:
        return ("pruned",)

    def cells(self, question: Question, setting: Setting, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        here = given.get("pruned")
        if here is None or not here.read:
            return {}
        tree, crossed = setting.solution(question).tree, here.value
        return {("pruned", leaf): tree.ids[leaf] in crossed.leaves for leaf in tree.leaves}  # type: ignore[attr-defined]


def _stops_spelled_out(raw: Any, known: Names, tree: Tree) -> Any:
    """A stop as reports call it, "C after L4", as the children that it leaves out."""
    if isinstance(raw, list):
        return [each for part in raw for each in _one_or_more(_stops_spelled_out(part, known, tree))]
    found = _STOP.fullmatch(raw.strip()) if isinstance(raw, str) and len(raw) < LONGEST_STOP else None
    if found is None:
        return raw
    try:
        node, after = known.node(found[1]), known.node(found[2])
    except LookupError:
        return raw
    below = tree.children[node]
    return [str(tree.ids[child]) for child in below[below.index(after) + 1 :]] if after in below else raw


def _one_or_more(part: Any) -> list[Any]:
    return part if isinstance(part, list) else [part]


MOST_REMEMBERED = 4_096
_FOUND: dict[Any, tuple[Tree, Soundness]] = {}
"""What was judged before: many students cross out the same leaves. The tree is kept, so that no other takes its id."""


def _judged(tree: Tree, leaves: frozenset[str], convention: Convention, handed_up: Mapping[Node, Any]) -> Soundness:
    window = initial_window(tree, convention)
    asked = (id(tree), leaves, convention.cut, convention.order, window, frozenset(handed_up.items()))
    if asked not in _FOUND:
        if len(_FOUND) >= MOST_REMEMBERED:
            _FOUND.clear()
        _FOUND[asked] = tree, soundness(tree, sorted(leaves), convention, window, handed_up)
    return _FOUND[asked][1]


class _Judged:
    """A pruned set beside the stops of a search: the key's, or the one with the student's own values."""

    def __init__(
        self,
        ask: Pruned,
        question: Question,
        setting: Setting,
        here: Given,
        crossed: Crossed,
        handed_up: Mapping[Node, Any],
        share: Fraction = Fraction(1),
    ) -> None:
        self.ask, self.question, self.setting, self.here, self.share = ask, question, setting, here, share
        self.crossed, self.followed = crossed, bool(handed_up)
        tree, convention = setting.solution(question).tree, setting.convention
        self.key = ask.keyed(question, setting)
        if CHANCE in tree.turns:
            self.found = by_cuts(tree, convention, crossed.leaves, self.key.values())
        else:
            self.found = _judged(tree, crossed.leaves, convention, handed_up)
        self.cuts = {str(tree.ids[cut.node]): cut for cut in self.key.values()}

    @property
    def too_easy(self) -> bool:
        return not self.found.key and bool(self.cuts)

    def marked(self) -> Marked:
        rubric, marks = self.question.rubric, self.question.marks
        cost = {"missed": rubric.missed, LATE: rubric.late, UNSOUND: rubric.unsound, UNJUSTIFIED: rubric.unjustified}
        stops = len(self.found.key)
        unit = marks / max(stops, 2)
        weights = [rubric.weights.get(stop.stop.node, Fraction(1)) for stop in self.found.key]
        wrong = [item for item in self.found.items if self._fault(item) is not None]
        items: list[Item] = []
        worth: list[Fraction] = []
        penalties: dict[str, Fraction] = {}
        hit = False
        for stop, weight in zip(self.found.key, weights, strict=True):
            verdict = stop.verdict
            covered = verdict == "missed" and any(set(stop.stop.leaves) <= set(item.leaves) for item in wrong)
            hit = hit or verdict in (RIGHT, LATE)
            # Of what the stop is worth; a single stop of the key costs half of it.
            lost = Fraction(0) if verdict == RIGHT or covered else cost[verdict] * Fraction(stops, max(stops, 2))
            items.append(self._stop_item(stop.stop, verdict, 1 - lost, covered))
            worth.append(marks * weight / sum(weights))
        if not stops:
            said: Verdict = WRONG if wrong else RIGHT
            public = "" if said == RIGHT else None
            raw = self.here.text
            items.append(Item("none", raw, "none", self._named(said), self.share, (), None, public))
            worth.append(marks)
        for fault in wrong:
            its = self._fault(fault) or UNSOUND
            name = item_name(fault)
            why = self._comparison(fault.comparison)
            items.append(Item(name, ", ".join(fault.skipped), "", its, Fraction(0), why))
            worth.append(Fraction(0))
            penalties[name] = cost[its] * unit * self.share
        for problem in self.crossed.problems:
            text, hint = problem.facts.get("given", ""), Sentence(problem.reason, None, dict(problem.facts))
            items.append(Item(text, text, "", UNREADABLE, Fraction(0), (), hint))
            worth.append(Fraction(0))
        earned = sum((whole * item.share for whole, item in zip(worth, items, strict=True)), Fraction(0))
        earned -= sum(penalties.values())
        if stops and not hit:
            earned = Fraction(0)
            items = [replace(item, share=Fraction(0)) for item in items]
        return Marked(items, worth, max(Fraction(0), earned), penalties=penalties)

    def _fault(self, item: Skipped) -> Verdict | None:
        """What is wrong with leaving these out, if anything is: a gap is no stop, so only the key's stop excuses it."""
        if item.key is not None:
            return None
        if not item.stop:
            return UNSOUND
        return None if item.soundness == "sound" else item.soundness

    def _stop_item(self, stop: Skipped, verdict: str, share: Fraction, covered: bool) -> Item:
        name = item_name(stop)
        cut = self.cuts.get(stop.node)
        why = () if verdict == RIGHT or cut is None else self.ask.why_stop(self.question, self.setting, cut)
        if covered:
            why = (Sentence("why.covered"),)
        shown: Verdict = RIGHT if verdict == RIGHT else LATE if verdict == LATE else MISSING
        given = ", ".join(leaf for leaf in stop.leaves if leaf in self.crossed.leaves)
        in_key = name in self.key
        named = UNSOUND if covered else shown if in_key else self._named(shown)
        # The name of a stop that was not found tells the key.
        public = "" if verdict == RIGHT else self._own_stop(stop) if verdict == LATE else None
        expected = ", ".join(stop.skipped) if in_key else ""
        return Item(name, given or None, expected, named, share * self.share, why, None, public)

    def _own_stop(self, stop: Skipped) -> str | None:
        """Where the student stopped, late, instead."""
        inside = set(stop.leaves)
        return next((item_name(item) for item in self.found.items if inside.intersection(item.leaves)), None)

    def _named(self, verdict: Verdict) -> Verdict:
        return FOLLOW_THROUGH if verdict == RIGHT and self.followed else verdict

    def _comparison(self, test: Comparison | None) -> tuple[Sentence, ...]:
        return () if test is None else tuple(self.setting.reasons(self.question).of_test(test))


def stop_name(node: str, after: str | None) -> str:
    return node if after is None else f"{node} after {after}"


def item_name(item: Skipped) -> str:
    return stop_name(item.node, item.after)
