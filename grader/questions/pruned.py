"""`pruned`: what the search never visits. Stops are marked, not leaves: "C after L4" is one decision.

With k stops in the key, u is the question's marks over the larger of k and 2. A missed stop costs u, a late one u/2, an
unsound or unjustified one 1.5 u; a stop that comes too early covers the key's own at that node, so that one error is
charged once. Where the key has a stop and the answer has none of them, right or late, it earns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from grader.answers import Unreadable
from grader.answers.crossings import Crossings
from grader.answers.refusal import quoted
from grader.kernel.verdicts import (
    FOLLOW_THROUGH,
    LATE,
    MISSING,
    RIGHT,
    UNJUSTIFIED,
    UNREADABLE,
    UNSOUND,
    WHOLE,
    WRONG,
    ZERO,
    Verdict,
)
from grader.mistakes.words import CROSSED
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import STOPS, Ask, Given
from grader.questions.conditions import prunes
from grader.questions.exercise import ITEMS, STOP_COSTS
from grader.questions.following import NO_OWN, Following, Own
from grader.questions.items import AnswerRow, Item, Marked, marked, unread_row
from grader.questions.nodes import search_of
from grader.questions.presentation import NAMES, SKIPPED_LEAVES, Field, searched
from grader.questions.shown import NOTHING_THERE, leaves_fact
from grader.questions.stops import judged, judged_at_best, origin, runs, stop_name, stops_of
from solver.analysis import Comparison, CrossedOutItem, Soundness, leaves_below
from solver.game import CHANCE, Node
from solver.languages import Fact, Items, Sentence
from solver.search import Cut

_STOP = re.compile(r"(\S+) after (\S+)")
MOST_PROBLEMS = 50
"""Names that cannot be read, of one answer."""
NO_STOP = "none"


@dataclass(frozen=True, slots=True)
class Crossed:
    """The leaves that were crossed out, and the names that could not be read."""

    leaves: frozenset[str]
    problems: tuple[Unreadable, ...] = ()


class Pruned(Ask):
    name = "pruned"
    conditions = (prunes,)
    takes = ("depth",)
    items_are = STOPS
    is_list = True
    may_be_nothing = True
    selects = SKIPPED_LEAVES
    about_search = True
    read_by = ("depth_unit", "order")
    box = "names"
    missing_key = "verdict.missing.stop"
    unreadable = "unreadable.whole.names"

    def key(self, question: KeyedQuestion) -> Mapping[str, Any]:
        return stops_of(question)

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        if raw is None:
            return {}
        tree = question.solution.tree
        try:
            written = Crossings(question.names(tree), question.convention.order == "right-to-left").read(raw)
        except Unreadable as problem:
            return {"pruned": Given(raw, problem=problem)}
        nodes: Any = [node for node in written if not isinstance(node, Unreadable)]
        problems = tuple(problem for problem in written if isinstance(problem, Unreadable))[:MOST_PROBLEMS]
        if problems and not nodes:
            told = problems[0] if len(problems) == 1 else Unreadable(self.unreadable, given=quoted(raw))
            return {"pruned": Given(raw, problem=told)}
        leaves = frozenset(str(tree.ids[leaf]) for leaf in leaves_below(tree, nodes))
        return {"pruned": Given(raw, Crossed(leaves, problems))}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Any:
        raise AssertionError("a pruned set is read as a whole")

    def rows(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Sequence[AnswerRow]:
        """The student's own stops, in document order; those of the key that were not found would tell it."""
        here = given.get("pruned")
        if here is None or not here.read:
            return ()
        crossed: Any = here.value
        tree = question.solution.tree
        rows = [
            AnswerRow(
                stop_name(tree.ids[node], None if after is None else tree.ids[after]), self.below(question, skipped)
            )
            for node, after, skipped, _ in runs(tree, question.convention, crossed.leaves)
        ]
        rows = rows or [AnswerRow(NO_STOP, here.text)]
        return [*rows, *map(unread_row, crossed.problems)]

    def fact(self, question: KeyedQuestion, item: str, expected: Any) -> Fact:
        """The leaves that a stop leaves out: leaves are what is asked for."""
        return self.below(question, expected.skipped)

    def below(self, question: KeyedQuestion, nodes: Sequence[Node]) -> Fact:
        tree = question.solution.tree
        return self.leaves(question, [str(tree.ids[leaf]) for leaf in leaves_below(tree, nodes)])

    def leaves(self, question: KeyedQuestion, leaves: Collection[str]) -> Fact:
        tree = question.solution.tree
        places = question.once("places", lambda: {str(tree.ids[leaf]): place for place, leaf in enumerate(tree.leaves)})
        return leaves_fact(leaves, places)

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        here = given.get("pruned")
        if here is None or not here.read:
            return self._unread(question, here)
        counts, outcome = self._counting(question, here, own, follow_through)
        return replace(counts.marked(), refused=outcome.refused)

    def outcome(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        here = given.get("pruned")
        if here is None or not here.read:
            return self._unread(question, here)
        search, again, rubric = search_of(question), own.rerun, question.rubric
        if rubric.scheme != ITEMS or rubric.floor or not search.cuts or CHANCE in question.solution.tree.turns:
            return self._counting(question, here, own, follow_through)[1]
        crossed: Any = here.value
        searches = [(search, WHOLE)]
        if follow_through and own.handed_up and again is not None and again.cuts:
            searches.append((again, follow_through))
        best = [
            _Judged(self, question, here, judged_at_best(question, crossed.leaves, each), share).at_best()
            for each, share in searches
        ]
        faults = [sum(item.is_fault for item in each.items) for each in best]
        most = max(range(len(best)), key=lambda each: (best[each].marks, -faults[each]))
        # Where one search leaves fewer faults and the other earns more, it must be found out which counts.
        return best[most] if faults[most] == min(faults) else self._counting(question, here, own, follow_through)[1]

    def _counting(
        self, question: KeyedQuestion, here: Given, own: Following, follow_through: Fraction
    ) -> tuple[_Judged, Marked]:
        """The set beside the key's search or beside the student's own, whichever it earns more by; and what it earns,
        without words."""
        crossed: Any = here.value
        by_key = _Judged(self, question, here, judged(question, crossed.leaves, {}))
        earned, handed_up = by_key.marked(in_words=False), own.handed_up
        if not follow_through or not handed_up or earned.marks == question.marks:
            return by_key, earned
        beside_own = judged(question, crossed.leaves, handed_up)
        with_own = _Judged(self, question, here, beside_own, follow_through, followed=True)
        if with_own.too_easy:
            return by_key, replace(earned, refused=True)
        followed = with_own.marked(in_words=False)
        return (with_own, followed) if followed.marks > earned.marks else (by_key, earned)

    def _unread(self, question: KeyedQuestion, here: Given | None) -> Marked:
        """Nothing was written, or nothing could be read: every stop of the key is missing."""
        problem = None if here is None else here.problem
        verdict: Verdict = MISSING if problem is None else UNREADABLE
        raw = None if here is None else here.text
        hint = None if problem is None else Sentence(problem.reason, None, dict(problem.facts))
        key = self.key(question)
        items = [
            Item(
                name,
                raw,
                self.fact(question, name, cut),
                verdict,
                ZERO,
                self.why_stop(question, cut),
                hint,
            )
            for name, cut in key.items()
        ] or [Item(NO_STOP, raw, NOTHING_THERE, verdict, ZERO, (), hint)]
        return Marked(items, [question.marks / len(items)] * len(items), ZERO)

    def blank(self, question: KeyedQuestion) -> Sequence[Field]:
        return [Field("", self.box)]

    def perfect(self, question: KeyedQuestion) -> Any:
        tree = question.solution.tree
        skipped = [node for cut in self.keyed(question).values() for node in cut.skipped]
        return [str(tree.ids[node]) for node in skipped] or "none"

    def why_stop(self, question: KeyedQuestion, cut: Any) -> tuple[Sentence, ...]:
        tree, cuts = question.solution.tree, search_of(question).cuts
        return tuple(question.reasons.of_cut(origin(tree, cuts, cut.node, cut.after) or cut))

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (CROSSED,)

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        here = given.get("pruned")
        if here is None or not here.read:
            return {}
        tree, crossed = question.solution.tree, here.value
        found = {(CROSSED, leaf): tree.ids[leaf] in crossed.leaves for leaf in tree.leaves}  # type: ignore[attr-defined]
        # What cannot be read may be any leaf.
        return {cell: value for cell, value in found.items() if value or not crossed.problems}  # type: ignore[attr-defined]

    def stated(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Own:
        crossed = [here.value.leaves for here in given.values() if isinstance(here.value, Crossed)]
        return Own(crossed=crossed[-1]) if crossed else NO_OWN

    def node_of_item(self, item: str) -> str | None:
        return item.split(" ", maxsplit=1)[0]

    def called(self, item: str) -> Fact:
        found = _STOP.fullmatch(item)
        if found is not None:
            return Sentence("item.stop", None, {"node": found[1], "after": found[2]})
        return Sentence("item.no-stop") if item == NO_STOP else item

    def written_with(self, question: KeyedQuestion, item: str, different: Mapping[Any, Any]) -> str | None:
        if not any(cell[0] == CROSSED for cell in different):
            return None
        solution = self.compared_by(question)
        tree = solution.tree
        pruned = {node for node in solution.pruned if tree.turn[node] is None}
        crossed = [leaf for leaf in tree.leaves if different.get((CROSSED, leaf), leaf in pruned)]
        return ", ".join(str(tree.ids[leaf]) for leaf in crossed) or "none"

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence("ask.pruned", None, searched(question))

    def own_remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        yield Sentence("paper.nothing-pruned")

    def longest(self, question: KeyedQuestion) -> tuple[int, str]:
        return len(question.tree.leaves) // 2, NAMES

    def key_notes(self, question: KeyedQuestion) -> Iterator[Sentence]:
        tree = question.solution.tree
        for cut in self.keyed(question).values():
            skipped = [str(tree.ids[node]) for node in cut.skipped]
            facts: dict[str, Fact] = {
                "node": str(tree.ids[cut.node]),
                "after": str(tree.ids[cut.after]),
                "skipped": Items(tuple(skipped[:12]), len(skipped)),
            }
            yield Sentence("paper.note.stop", None, facts)

    def share_notes(self, question: KeyedQuestion, scheme: str) -> Sequence[Sentence] | None:
        if scheme != ITEMS:
            return None
        stops, rubric = len(self.keyed(question)), question.rubric
        unit = question.marks / max(stops, 2)
        costs = {name: unit * getattr(rubric, name) for name in STOP_COSTS}
        return [Sentence("paper.note.stops", None, costs), *([Sentence("paper.note.stops.none")] if stops else [])]


@dataclass(frozen=True, slots=True)
class _Costs:
    """By verdict: the part of its marks that a stop of the search earns, and what a fault costs."""

    shares: Mapping[str, Fraction]
    penalties: Mapping[str, Fraction]


class _Judged:
    """A pruned set beside the stops of a search: the key's, or the one with the student's own values."""

    def __init__(
        self,
        ask: Pruned,
        question: KeyedQuestion,
        here: Given,
        found: Soundness,
        share: Fraction = WHOLE,
        followed: bool = False,
    ) -> None:
        self.ask, self.question, self.here, self.share = ask, question, here, share
        self.found, self.followed = found, followed
        self.crossed = cast(Crossed, here.value)
        self.key = ask.keyed(question)

    @cached_property
    def cuts(self) -> Mapping[str, Cut]:
        """Of the key, by node."""
        return {str(self.question.solution.tree.ids[cut.node]): cut for cut in self.key.values()}

    @property
    def too_easy(self) -> bool:
        return not self.found.key and bool(self.key)

    def at_best(self) -> Marked:
        """What it may come to where stops were taken to be sound that may not be. Those may cover stops of the key."""
        return self.marked(in_words=False, covering=[item for item in self.found.items if item.key is None])

    def marked(self, in_words: bool = True, covering: Sequence[CrossedOutItem] | None = None) -> Marked:
        """Without words, items have a name, a verdict and what it comes to. `covering` may excuse stops that are
        missed; None: what is wrong."""
        rubric, marks, found = self.question.rubric, self.question.marks, self.found
        stops = len(found.key)
        costs = self.question.once(("costs", stops, self.share), lambda: self._costs(stops))
        wrong = [(item, fault) for item in found.items if (fault := self._fault(item)) is not None]
        covering = [item for item, _ in wrong] if covering is None else covering
        hit = any(stop.verdict != "missed" for stop in found.key)
        items: list[Item] = []
        for stop in found.key:
            verdict = stop.verdict
            covered = verdict == "missed" and any(set(stop.stop.leaves) <= set(item.leaves) for item in covering)
            share = costs.shares[RIGHT if covered else verdict] if hit else ZERO
            items.append(self._stop_item(stop.stop, verdict, share, covered, in_words))
        if not rubric.weights:
            worth = [marks / stops] * stops if stops else [marks]
        else:
            weights = [rubric.weights.get(stop.stop.node, WHOLE) for stop in found.key]
            worth = [marks * weight / sum(weights) for weight in weights] if stops else [marks]
        if not stops:
            said: Verdict = WRONG if wrong else RIGHT
            items.append(Item(NO_STOP, self.here.text, NOTHING_THERE, self._named(said), self.share, ()))
        for item, its in wrong:
            leaves = self.ask.leaves(self.question, item.leaves) if in_words else None
            why = self._comparison(item.comparison) if in_words else None
            items.append(Item(item_name(item), leaves, None, its, ZERO, why, penalty=costs.penalties[its]))
        for problem in self.crossed.problems:
            text, hint = problem.given, Sentence(problem.reason, None, dict(problem.facts))
            items.append(Item(text, text, None, UNREADABLE, ZERO, (), hint))
        worth += [ZERO] * (len(items) - len(worth))
        return replace(marked(items, worth), rows=dict(self._rows()) if in_words else {})

    def _costs(self, stops: int) -> _Costs:
        """A single stop of the key costs half of what it is worth."""
        rubric, of_it = self.question.rubric, Fraction(stops, max(stops, 2))
        unit = self.question.marks / max(stops, 2) * self.share
        return _Costs(
            {
                RIGHT: self.share,
                LATE: (1 - rubric.late * of_it) * self.share,
                "missed": (1 - rubric.missed * of_it) * self.share,
            },
            {UNSOUND: rubric.unsound * unit, UNJUSTIFIED: rubric.unjustified * unit},
        )

    def _rows(self) -> Iterator[tuple[str, Verdict]]:
        """What becomes of each of the student's own stops, or of the claim that there is none."""
        for item in self.found.items:
            yield item_name(item), LATE if item.key == LATE else self._fault(item) or self._named(RIGHT)
        if not self.found.items:
            yield NO_STOP, WRONG if self.found.key else self._named(RIGHT)

    def _fault(self, item: CrossedOutItem) -> Verdict | None:
        """What is wrong with leaving these out, if anything: a gap is not a stop, so only the key's stop excuses it."""
        if item.key is not None:
            return None
        if not item.stop:
            return UNSOUND
        return None if item.soundness == "sound" else UNSOUND if item.soundness == UNSOUND else UNJUSTIFIED

    def _stop_item(self, stop: CrossedOutItem, verdict: str, share: Fraction, covered: bool, in_words: bool) -> Item:
        name = item_name(stop)
        shown: Verdict = RIGHT if verdict == RIGHT else LATE if verdict == LATE else MISSING
        in_key = name in self.key
        named = UNSOUND if covered else shown if in_key else self._named(shown)
        if not in_words:
            return Item(name, None, None, named, share)
        cut = self.cuts.get(stop.node)
        why = () if verdict == RIGHT or cut is None else self.why_stop(cut)
        if covered:
            why = (Sentence("why.covered"),)
        crossed = self.crossed.leaves.intersection(stop.leaves)
        given = self.ask.leaves(self.question, crossed) if crossed else None
        expected = self.ask.leaves(self.question, stop.leaves) if in_key else None
        return Item(name, given, expected, named, share, why)

    def why_stop(self, cut: Any) -> tuple[Sentence, ...]:
        return self.question.once(("why", cut.node, cut.after), lambda: tuple(self.ask.why_stop(self.question, cut)))

    def _named(self, verdict: Verdict) -> Verdict:
        return FOLLOW_THROUGH if verdict == RIGHT and self.followed else verdict

    def _comparison(self, test: Comparison | None) -> tuple[Sentence, ...]:
        return () if test is None else tuple(self.question.reasons.of_test(test))


def item_name(item: CrossedOutItem) -> str:
    return stop_name(item.node, item.after)
