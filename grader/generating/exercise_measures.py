"""What can be measured in an exercise: cuts, near misses, visible mistakes, conventions that share a key; and in its
keys: ranges of unknown leaves, moves by depth, an opponent's threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product, zip_longest
from typing import Any

from grader.answers import IntervalSet
from grader.marking.diagnose import Diagnosing
from grader.mistakes.behaviour import Behaviour, mistake_of
from grader.mistakes.diagnosis import Class
from grader.mistakes.registry import MODELS
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from solver.game import CHANCE, CONVENTION_CHOICES, MAX, MIN, Convention, Unknown, sensible
from solver.kernel import Number, Refusal, UsageError, decimal_text
from solver.search import Cut, Search, Solution

LARGEST_DENOMINATOR = 12
"""The largest denominator of a threshold that students can be expected to find by hand."""


@dataclass(frozen=True, slots=True)
class KeyFacts:
    ranges: tuple[IntervalSet, ...] = ()
    """The answers to `range`, within the game's bounds."""
    depth_moves: int | None = None
    """How many different moves are best at the depths of `depths`."""
    thresholds: tuple[Fraction | None, ...] = ()
    """The probability from which another move is best; None if there is none, or if it is not a simple fraction."""
    unanswered: int = 0
    """How many `assign` questions have a goal that no values reach."""

    @property
    def forms(self) -> tuple[str, ...]:
        """What the ranges look like without their numbers: x < n and x ≤ n are two forms."""
        return tuple(" ".join(map(_form, each.parts)) for each in self.ranges)


def key_facts(answer_key: AnswerKey) -> KeyFacts:
    found = [ask_of(question).exam_facts(question) for question in answer_key.questions]
    moves = [each.depth_moves for each in found if each.depth_moves is not None]
    return KeyFacts(
        ranges=tuple(part for each in found for part in each.ranges),
        depth_moves=len(frozenset().union(*moves)) if moves else None,
        thresholds=tuple(_simple(threshold) for each in found for threshold in each.thresholds),
        unanswered=sum(each.unanswered for each in found),
    )


def _simple(threshold: Fraction | None) -> Fraction | None:
    return threshold if threshold is not None and threshold.denominator <= LARGEST_DENOMINATOR else None


def set_width(found: IntervalSet) -> Fraction | None:
    """The total length of its intervals; None if infinite."""
    total = Fraction(0)
    for low, high, _, _ in found.parts:
        if isinstance(low, str) or isinstance(high, str):
            return None
        total += high - low
    return total


def _form(part: Any) -> str:
    low, high, low_closed, high_closed = part
    if low == high:
        return "n"
    start = "…" if isinstance(low, str) else "[" if low_closed else "("
    return start + ("…" if isinstance(high, str) else "]" if high_closed else ")")


GAP_DIGITS = 6
MISSING_CUT = 3
"""What a cut that the other exercise lacks adds to `unlikeness`."""
ROOT_MISTAKES = ("M1", "M2", "M3", "M4", "M5", "M6")


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """Counts of one search; all 0 if the algorithm does not prune."""

    leaves: int
    pruned: int
    alpha_cuts: int = 0
    beta_cuts: int = 0
    deep_cuts: int = 0
    inner_cuts: int = 0
    tempting_non_cut: int = 0
    last_child_cuts: int = 0
    visits: int = 0
    updates: int = 0
    events: tuple[tuple[str, int, int], ...] = ()
    """The cuts that skip something, in order: kind, depth, and how many nodes are skipped."""
    pruned_at: tuple[int, ...] = ()
    """The positions of the pruned leaves among all leaves, from 1."""
    forms: tuple[str, ...] = ()
    """What the answers about unknown leaves look like, without their numbers."""

    @property
    def pruned_share(self) -> Fraction:
        return Fraction(self.pruned, self.leaves)


def main_solution(answer_key: AnswerKey) -> Solution | None:
    """Of the solutions that the questions are about, the first with a search, or else the first. None if a leaf is
    unknown: then there is no solution."""
    first: Solution | None = None
    if any(isinstance(leaf, Unknown) for leaf in answer_key.tree.leaf):
        return None
    for question in answer_key.questions:
        searches = not ask_of(question).of_values or question.algorithm is not None
        solution = question.solution if searches else answer_key.solution("expectiminimax", question.depth)
        if solution.search is not None:
            return solution
        first = first or solution
    return first


def count_search(solution: Solution) -> SearchCounts:
    tree, search = solution.tree, solution.search
    leaves = len(tree.leaves)
    gone = set(solution.pruned)
    places = tuple(place for place, leaf in enumerate(tree.leaves, 1) if leaf in gone)
    pruned = len(places)
    if not isinstance(search, Search):
        return SearchCounts(leaves, pruned, visits=len(solution.visited), pruned_at=places)
    cuts = [cut for cut in search.cuts if cut.skipped]
    return SearchCounts(
        leaves=leaves,
        pruned=pruned,
        alpha_cuts=sum(cut.kind == "alpha" for cut in cuts),
        beta_cuts=sum(cut.kind == "beta" for cut in cuts),
        deep_cuts=sum(1 for _ in deep_cuts(solution)),
        inner_cuts=sum(any(tree.children[child] for child in cut.skipped) for cut in cuts),
        tempting_non_cut=sum(1 for _ in near_misses(solution)),
        last_child_cuts=sum(1 for _ in last_child_cuts(solution)),
        visits=len(search.visited),
        updates=sum(len(windows) - 1 for windows in search.windows if windows),
        events=tuple(
            (cut.kind, tree.depth[cut.node], sum(tree.last[child] - child + 1 for child in cut.skipped)) for cut in cuts
        ),
        pruned_at=places,
    )


def deep_cuts(solution: Solution) -> Iterator[Cut]:
    """Cuts by a bound that was set above the parent, if a search that knows the parent's bound alone (A2) evaluates
    some leaf that they skip."""
    tree, search = solution.tree, solution.search
    assert search is not None
    deep = [cut for cut in search.cuts if cut.deep and cut.skipped]
    shallow = MODELS["A2"].run(tree, solution.convention, solution) if deep else None
    for cut in deep:
        below = (node for child in cut.skipped for node in range(child, tree.last[child] + 1))
        skipped = {node for node in below if tree.turn[node] is None}
        if shallow is None or shallow.pruned is None or not skipped <= shallow.pruned:
            yield cut


def last_child_cuts(solution: Solution) -> Iterator[int]:
    """Nodes that meet the cut test only at their last child, where nothing is left to skip."""
    tree, search = solution.tree, solution.search
    assert search is not None
    stopped = {cut.node for cut in search.cuts}
    past = solution.convention.cut == "past-bound"
    for node in tree.inner:
        entry = search.entry[node]
        if entry is None or node in stopped or tree.turn[node] not in (MAX, MIN):
            continue
        returned = [rank for child in tree.children[node] if (rank := search.returned[child]) is not None]
        best, bound = (max(returned), entry[1]) if tree.turn[node] == MAX else (-min(returned), -entry[0])
        if best > bound or (best == bound and not past):
            yield node


def denominators(solution: Solution) -> Iterator[int]:
    """The denominator of every inner node's value; of a vector, the largest one."""
    for node in solution.tree.inner:
        worth: Any = solution.values[node]
        numbers = worth if isinstance(worth, tuple) else (worth,)
        yield max((each.denominator for each in numbers if isinstance(each, int | Fraction)), default=1)


def unlikeness(one: SearchCounts, other: SearchCounts) -> int:
    """0 if two exercises are equally hard: the same cuts in the same order, as many visits, as many window updates, and
    answers of the same form. The larger, the less alike."""
    off = abs(one.visits - other.visits) + abs(one.updates - other.updates) + (one.forms != other.forms)
    for here, there in zip_longest(one.events, other.events):
        if here is None or there is None:
            off += MISSING_CUT
        else:
            off += (here[0] != there[0]) + abs(here[1] - there[1]) + abs(here[2] - there[2])
    return off


def further_measures(one: SearchCounts, other: SearchCounts) -> int:
    """0 if two exercises are about as hard: at most a sixth more or fewer steps (or three), three updates, a sixth of
    all leaves pruned (or two) and one cut of each kind, and as many intervals in the answers. The larger, the less
    alike."""
    off = _beyond(one.visits, other.visits, max(3, other.visits // 6)) + _beyond(one.updates, other.updates, 3)
    off += _beyond(one.pruned, other.pruned, max(2, other.leaves // 6))
    for kind in ("alpha_cuts", "beta_cuts", "deep_cuts", "inner_cuts"):
        off += _beyond(getattr(one, kind), getattr(other, kind), 1)
    return off + ([len(form.split()) for form in one.forms] != [len(form.split()) for form in other.forms])


def _beyond(number: int, other: int, most: int) -> int:
    return max(0, abs(number - other) - most)


def near_misses(solution: Solution) -> Iterator[tuple[int, int]]:
    """Nodes and children after which a search goes on although no leaf's value lies between the node's value and the
    bound."""
    tree, search = solution.tree, solution.search
    assert search is not None
    step = -1 if solution.convention.order == "right-to-left" else 1
    stopped = {(cut.node, cut.after) for cut in search.cuts}
    for node in tree.inner:
        entry = search.entry[node]
        if entry is None:
            continue
        maximising = tree.turn[node] == MAX
        bound = entry[1] if maximising else entry[0]
        if not -1 < bound < search.scale.infinity:
            continue
        children = tree.children[node][::step]
        best: int | None = None
        for child in children[:-1]:
            value = search.returned[child]
            if value is None or (node, child) in stopped:
                break
            best = value if best is None else max(best, value) if maximising else min(best, value)
            if abs(best - bound) == 1:
                yield node, child


@dataclass(frozen=True, slots=True)
class Exposure:
    classes: Sequence[Class]
    """Mistakes that change the answer; those that give the same answer form one class."""
    made: tuple[str, ...]
    """Mistakes that can be made in this tree."""
    roots: dict[str, Number]
    """The root's value if M1, …, M6 is made."""

    @property
    def exposed(self) -> tuple[str, ...]:
        shown = {mistake_of(model) for each in self.classes for model in each.models}
        return tuple(mistake for mistake in self.made if mistake in shown)


def exposure(answer_key: AnswerKey) -> Exposure:
    diagnosing = Diagnosing(answer_key)
    roots: dict[str, Number] = {}
    possible: set[str] = set()
    for name, place, behaviour in diagnosing.behaviours:
        if name != "M7" or not _is_by_height(diagnosing.solution(place)):
            possible.add(mistake_of(name))
            _note_root(name, behaviour, roots)
    made = tuple(each for each in dict.fromkeys(map(mistake_of, MODELS)) if each in possible)
    return Exposure(diagnosing.classes, made, roots)


def _note_root(name: str, behaviour: Behaviour, roots: dict[str, Number]) -> None:
    worth = None if behaviour.values is None else behaviour.values.get(0)
    if name in ROOT_MISTAKES and isinstance(worth, int | Fraction) and not isinstance(worth, bool):
        roots.setdefault(name, worth)


def _is_by_height(solution: Solution) -> bool:
    """Whether turns taken from heights are the tree's own turns: then M7 is no mistake here."""
    tree = solution.tree
    height = [0] * len(tree)
    for node in tree.bottom_up():
        height[node] = 1 + max(height[child] for child in tree.children[node])
    return all(tree.turn[node] in (CHANCE, MIN if height[node] % 2 else MAX) for node in tree.inner)


def conventions(declared: Convention, keys: Sequence[str]) -> list[Convention]:
    """Every sensible choice of these keys, the declared one first."""
    found = [declared]
    choices: list[Any] = [
        [("-inf", "inf"), "utilities"] if key == "window" else CONVENTION_CHOICES[key] for key in keys
    ]
    for values in product(*choices):
        other = replace(declared, **dict(zip(keys, values, strict=True)))
        try:
            sensible(other)
        except UsageError:
            continue
        if other not in found:
            found.append(other)
    return found


def printed_key(answer_key: AnswerKey) -> dict[str, dict[str, str]]:
    """By question and item, what is printed. Refusal if there is no key under the convention."""
    return {question.id: dict(ask_of(question).shown(question)) for question in answer_key.questions}


def other_key(exercise: Exercise, keys: Sequence[str]) -> Convention | None:
    """A convention under which the key differs, if there is one."""
    right = _in_order(AnswerKey(exercise))
    for convention in conventions(exercise.convention, keys)[1:]:
        if _in_order(AnswerKey(exercise, convention)) != right:
            return convention
    return None


def _in_order(answer_key: AnswerKey) -> list[tuple[str, str, str]] | None:
    """The printed key as a list, since the order of visited nodes is part of the answer. None if there is no key."""
    try:
        key = printed_key(answer_key)
    except Refusal:
        return None
    return [(question, item, text) for question, shown in key.items() for item, text in shown.items()]


def ucb_gap(solution: Solution) -> Fraction | None:
    """The smallest distance between UCB1 values of siblings on the way down; None if there are no two to compare."""
    if solution.sampled is None or not solution.sampled.found.trace:
        return None
    least: Fraction | None = None
    for choice in solution.sampled.found.trace[0].choices:
        values = sorted(
            Fraction(decimal_text(value, GAP_DIGITS)) for value in choice.ucb1 or () if not isinstance(value, str)
        )
        for low, high in pairwise(values):
            least = high - low if least is None else min(least, high - low)
    return least
