"""A caption for each stage of a search: what happened at the leaf, and all that followed from it, in that order.

Everything comes from the events, and in their order, so a premise is told before what follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from solver.game.game_tree import CHANCE, MAX, MIN, ROOT, Node
from solver.languages.facts import MOST_ITEMS, Fact, Formula, Items, Limit, Sentence
from solver.languages.translation import Language
from solver.search.solution import Solution
from solver.search.trace import BACKED_UP, ENTERED, EVALUATED, Cut
from solver.story.node_sentences import (
    cut_premise,
    cut_reason,
    is_clamped,
    leaf_sentence,
    leaves_pruned_by,
    value_formula,
    value_sentence,
)
from solver.story.opening_and_closing import result
from solver.story.search_facts import About, Happening, Probes, fact, happenings, is_less
from solver.story.search_story import bound_change, full_story

MOST_SENTENCES = 3
"""Of an algorithm without windows: with more to tell, formulas are listed."""
MOST_CUTS = 2
"""Told with their reasons between two leaves; more are counted."""

_WORTH = {
    "exact": "worth.exact",
    "at-most": "worth.at-most",
    "at-least": "worth.at-least",
}

_KEEPS = {MAX: "caption.keeps.max", MIN: "caption.keeps.min"}


def captions(solution: Solution, language: Language, fine: bool = False) -> list[str]:
    """One for each evaluated leaf, after one for the start, or if `fine` for each node entered, evaluated or finished;
    none for MCTS, which has no stages."""
    if solution.sampled is not None:
        return []
    about = About(solution)
    told = _fine_captions(about) if fine else _captions(about)
    return [" ".join(map(language.tell, sentences)) for sentences in told]


def _fine_captions(about: About) -> Iterator[list[Sentence]]:
    """Every event with its numbers."""
    before = [_start(about)]
    for step in full_story(about):
        yield before
        before = [*step.sentences]
    yield [*before, *result(about)]


def _captions(about: About) -> Iterator[list[Sentence]]:
    stage = _Stage(about, Probes(about), {}, [_start(about)])
    for happening in happenings(about.solution):
        stage.probes.reenters(happening)
        if happening.kind == ENTERED:
            continue
        if happening.kind == EVALUATED:
            yield stage.caption()
            stage = _Stage(about, stage.probes, stage.best, [leaf_sentence(about, happening)])
        stage.take(happening)
    yield [*stage.caption(), *result(about)]


def _start(about: About) -> Sentence:
    if about.search is not None and about.tree.turn[0] is not None:
        return Sentence("start.window", None, {"node": about.name(ROOT), "window": about.window(ROOT)})
    return Sentence("start.plain", None, {"node": about.name(ROOT)})


@dataclass(frozen=True, slots=True)
class _CaptionPart:
    """Something to tell, in sentences, and in short for where there is much of it."""

    sentences: tuple[Sentence, ...]
    short: Formula | None = None
    apart: bool = False
    """Whether it is a sentence of its own even if what is around it is told in short."""


class _Stage:
    """What happened between two leaves."""

    def __init__(self, about: About, probes: Probes, best: dict[Node, Any], first: list[Sentence]) -> None:
        self.about, self.probes, self.first = about, probes, first
        self.best = best
        """The best value so far at nodes whose search is under way."""
        self.told: list[_CaptionPart] = []
        self.cuts: list[Items] = []
        """What each cut pruned."""
        self.bounded: Formula | None = None
        """What the last cut showed about its node, to be told once."""

    def take(self, happening: Happening) -> None:
        if happening.kind == BACKED_UP:
            self.backed_up(happening)
        cut = happening.cut
        if cut is not None:
            self.premise(happening, cut)
        else:
            self.compare(happening)
        if happening.moved is not None:
            up = self.about.tree.parent[happening.node]
            bound = happening.moved[0 if self.about.tree.turn[up] == MAX else 1]
            sign = "α" if self.about.tree.turn[up] == MAX else "β"
            short = Formula((sign, "(", self.about.name(up), ") = ", Limit(bound)))
            # A bound that moves at a last child is told in short: nothing is searched with it.
            last = happening.cut is None and happening.node == self.about.last_child(up)
            self.tell(_CaptionPart(tuple(bound_change(self.about, happening)), short, apart=not last))
        if cut is not None:
            self.cut(cut)
            self.probes.cut(cut.node)

    def backed_up(self, happening: Happening) -> None:
        about, node, value = self.about, happening.node, happening.value
        if node not in self.probes.left_open:
            self.best.pop(node, None)
        if about.search is None:
            few = len(self.told) < MOST_SENTENCES
            self.tell(
                _CaptionPart(
                    tuple(value_sentence(about, node, value)) if few else (), value_formula(about, node, value)
                )
            )
            return
        known = about.known(node)
        if node in self.probes.left_open:
            known = "at-least" if about.tree.turn[node] == MAX else "at-most"
        short = about.equation(node, value, known)
        if short == self.bounded:
            return
        worth = Sentence(_WORTH[known], None, {"node": about.name(node), "value": fact(value)})
        how: Formula = value_formula(about, node, value) if known == "exact" else short
        # How a value came about says more than the value alone.
        self.tell(_CaptionPart((worth,) if how == short else (_follows([how]),), how))

    def premise(self, happening: Happening, cut: Cut) -> None:
        """What shows that a cut may be made: a bound of the node's value."""
        about, leaf = self.about, happening.kind == EVALUATED
        turn = about.tree.turn[cut.node]
        if turn == CHANCE:
            self.tell(_CaptionPart(tuple(cut_premise(about, happening, self.probes.left_open)), apart=True))
            return
        self.bounded = about.equation(cut.node, happening.value, "at-most" if turn == MIN else "at-least")
        if leaf:
            self.first = cut_premise(about, happening, self.probes.left_open)
            return
        key = "worth.at-most" if turn == MIN else "worth.at-least"
        worth = Sentence(key, None, {"node": about.name(cut.node), "value": fact(happening.value)})
        self.tell(_CaptionPart((worth,), self.bounded))

    def compare(self, happening: Happening) -> None:
        """Keep the best value so far at the parent; say so if a child does not change it."""
        about, child, value = self.about, happening.node, happening.value
        up = about.tree.parent[child]
        turn = about.tree.turn[up] if up >= 0 else None
        if turn not in _KEEPS:
            return
        best = self.best.get(up)
        leaf, last = happening.kind == EVALUATED, child == about.last_child(up)
        if best is None or (is_less(best, value) if turn == MAX else is_less(value, best)):
            self.best[up] = value
            if leaf and happening.moved is None and not last and not is_clamped(about, happening):
                key = "worth.at-least" if turn == MAX else "worth.at-most"
                self.tell(
                    _CaptionPart((Sentence(key, None, {"node": about.name(up), "value": fact(value)}),), apart=True)
                )
        elif not last and (leaf or self.has_moved(up, best)):
            facts: dict[str, Fact] = {"node": about.name(up), "value": fact(best)}
            self.tell(_CaptionPart((about.by_mover(up, _KEEPS[turn], None, facts),), apart=True))

    def has_moved(self, node: Node, best: Any) -> bool:
        """Whether the best value so far is inside of the window that a node was entered with."""
        if self.about.search is None:
            return False
        low, high = self.about.window(node).ends
        return is_less(low, best) if self.about.tree.turn[node] == MAX else is_less(best, high)

    def cut(self, cut: Cut) -> None:
        left_open = self.probes.left_open
        self.tell(_CaptionPart((cut_reason(self.about, cut, left_open),), apart=True))
        self.cuts.append(leaves_pruned_by(self.about, cut, left_open))

    def tell(self, told: _CaptionPart) -> None:
        self.told.append(told)

    def caption(self) -> list[Sentence]:
        return [*self.first, *(self.in_short() if len(self.cuts) > MOST_CUTS else self.in_order())]

    def in_order(self) -> Iterator[Sentence]:
        for apart, group in groupby(self.told, key=lambda told: told.apart):
            told = list(group)
            sentences = [each for one in told for each in one.sentences]
            few = len(told) == 1 or (self.about.search is None and len(sentences) < MOST_SENTENCES)
            if apart or few:
                yield from sentences
            else:
                yield _follows([each.short for each in told])

    def in_short(self) -> Iterator[Sentence]:
        # A bound that moved last is what the search goes on with.
        goes_on = self.told.pop() if self.told[-1].apart and self.told[-1].short is not None else None
        yield _follows([each.short for each in self.told])
        yield self.all_cuts()
        yield from goes_on.sentences if goes_on is not None else ()

    def all_cuts(self) -> Sentence:
        leaves = [leaf for pruned in self.cuts for leaf in pruned.shown]
        pruned: Fact = Items(tuple(leaves[:MOST_ITEMS]), sum(each.total for each in self.cuts))
        return Sentence("caption.cuts", len(self.cuts), {"leaves": pruned})


def _follows(formulas: list[Formula | None]) -> Sentence:
    listed = tuple(each for each in formulas if each is not None)
    return Sentence("caption.follows", None, {"facts": Items(listed[:MOST_ITEMS], len(listed))})
