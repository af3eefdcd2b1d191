"""A caption for each stage of a search: what happened at the leaf, and all that followed from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.game.tree import MAX, MIN, ROOT, Node
from solver.languages.facts import MOST_ITEMS, Fact, Formula, Items, Sentence
from solver.languages.lookup import Language
from solver.search.events import BACKED_UP, ENTERED, EVALUATED
from solver.search.solution import Solution
from solver.search.trace import Cut
from solver.story.about import About, fact, less
from solver.story.closing import result
from solver.story.cuts import pruned_by, why
from solver.story.finished import finished, reckoned
from solver.story.happenings import Happening, happenings
from solver.story.leaves import is_clamped, leaf_sentence
from solver.story.probes import Probes
from solver.story.telling import moved

MOST_SENTENCES = 3

_WORTH = {
    "exact": "worth.exact",
    "at-most": "worth.at-most",
    "at-least": "worth.at-least",
}

_KEEPS = {MAX: "caption.keeps.max", MIN: "caption.keeps.min"}


def captions(solution: Solution, language: Language) -> list[str]:
    """One for each evaluated leaf, after one for the start; none for MCTS, which has no stages."""
    if solution.sampled is not None:
        return []
    about = About(solution)
    return [" ".join(map(language.tell, sentences)) for sentences in _captions(about)]


def _captions(about: About) -> Iterator[list[Sentence]]:
    if about.search is not None and about.tree.turn[0] is not None:
        start = Sentence("start.window", None, {"node": about.name(ROOT), "window": about.window(ROOT)})
    else:
        start = Sentence("start.plain", None, {"node": about.name(ROOT)})
    stage = _Stage(about, Probes(about), {}, start)
    for happening in happenings(about.solution):
        stage.probes.reenters(happening)
        if happening.kind == ENTERED:
            continue
        if happening.kind == EVALUATED:
            yield stage.caption()
            stage = _Stage(about, stage.probes, stage.best, leaf_sentence(about, happening))
        stage.take(happening)
    yield [*stage.caption(), *result(about)]


class _Stage:
    """What happened between two leaves."""

    def __init__(self, about: About, probes: Probes, best: dict[Node, Any], first: Sentence) -> None:
        self.about, self.probes, self.first = about, probes, first
        self.best = best
        """The best value so far at nodes whose search is under way."""
        self.told: list[Sentence] = []
        self.offered = 0
        """How many there would be to tell."""
        self.cuts: list[tuple[Sentence, Items]] = []
        # The same in short, for when there is too much to tell; only the first few are kept.
        self.in_short: list[Fact] = []
        self.total = 0

    def take(self, happening: Happening) -> None:
        if happening.kind == BACKED_UP:
            self.backed_up(happening)
        self.compare(happening)
        if happening.moved is not None:
            self.moved(happening)
        if happening.cut is not None:
            self.cut(happening.cut)
            self.probes.cut(happening.cut.node)

    def backed_up(self, happening: Happening) -> None:
        about, node, value = self.about, happening.node, happening.value
        if node not in self.probes.left_open:
            self.best.pop(node, None)
        if about.search is None:
            if len(self.told) < MOST_SENTENCES:
                self.say(*finished(about, node, value))
            self.short(reckoned(about, node, value))
            return
        known = about.known(node)
        if node in self.probes.left_open:
            known = "at-least" if about.tree.turn[node] == MAX else "at-most"
        self.say(Sentence(_WORTH[known], None, {"node": about.name(node), "value": fact(value)}))
        self.short(reckoned(about, node, value) if known == "exact" else about.equation(node, value, known))

    def moved(self, happening: Happening) -> None:
        self.say(*moved(self.about, happening))

    def compare(self, happening: Happening) -> None:
        """Keep the best value so far at the parent; say so if a leaf does not change it."""
        about, child, value = self.about, happening.node, happening.value
        up = about.tree.parent[child]
        turn = about.tree.turn[up] if up >= 0 else None
        if turn not in _KEEPS:
            return
        best = self.best.get(up)
        if best is None or (less(best, value) if turn == MAX else less(value, best)):
            self.best[up] = value
            open_end = happening.moved is None and happening.cut is None and child != about.last_child(up)
            if happening.kind == EVALUATED and open_end and not is_clamped(about, happening):
                key = "worth.at-least" if turn == MAX else "worth.at-most"
                self.say(Sentence(key, None, {"node": about.name(up), "value": fact(value)}))
        elif happening.kind == EVALUATED and child != about.last_child(up):
            self.say(Sentence(_KEEPS[turn], None, {"node": about.name(up), "value": fact(best)}))

    def cut(self, cut: Cut) -> None:
        left_open = self.probes.left_open
        reason = why(self.about, cut, left_open)
        self.say(reason)
        self.cuts.append((reason, pruned_by(self.about, cut, left_open)))

    def say(self, *sentences: Sentence) -> None:
        self.offered += len(sentences)
        if len(self.told) < MOST_SENTENCES:
            self.told.extend(sentences)

    def short(self, formula: Formula) -> None:
        self.total += 1
        if len(self.in_short) < MOST_ITEMS:
            self.in_short.append(formula)

    def caption(self) -> list[Sentence]:
        if self.offered < MOST_SENTENCES or (self.offered == MOST_SENTENCES and self.total < 2):
            return [self.first, *self.told]
        follows = Sentence("caption.follows", None, {"facts": Items(tuple(self.in_short), self.total)})
        if len(self.cuts) <= 1:
            return [self.first, *(reason for reason, _ in self.cuts), *([follows] if self.total else [])]
        leaves = [leaf for _, pruned in self.cuts for leaf in pruned.shown]
        pruned = Items(tuple(leaves[:MOST_ITEMS]), sum(each.total for _, each in self.cuts))
        cuts = Sentence("caption.cuts", len(self.cuts), {"leaves": pruned})
        return [self.first, cuts, follows]
