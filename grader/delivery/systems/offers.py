"""What a student chooses from instead of writing: leaves to tick, whole lines or plans in a list.

Nothing that is chosen can be misspelt. What is offered depends on the tree and the convention alone, never on the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

from grader.delivery.systems.exporter import System
from grader.questions.answer_key import KeyedQuestion
from grader.questions.presentation import SKIPPED_LEAVES, WHOLE_LINES
from grader.questions.registry import ask_of
from solver.analysis import leaves_below
from solver.game import AND, CHANCE, OR, ROOT, Node, Tree
from solver.search import plan_text

MOST_TICKS = 100
MOST_WHOLES = 60
"""Lines or plans in one list."""
LONGEST_WHOLE = 200
ARROW = " → "
RUNS = ("–", "-", "..", " to ", " - ", "...")
"""Between the first and the last of a run of leaves."""
NOTHING = {"en": "none", "pt": "nenhuma", "es": "ninguna", "fa": "هیچ‌کدام"}
"""By language, what is ticked to say that no leaf is meant; Plymark reads all of them."""


@dataclass(frozen=True, slots=True)
class Ticks:
    """Names to tick, in the order in which an answer lists them, and what each tick earns of the question's marks."""

    names: tuple[str, ...]
    shares: Mapping[str, Fraction]
    """Of those that are right."""
    wrong: Fraction
    """What a wrong tick takes away."""
    wrong_is_fatal: bool = False
    """Whether that has to be everything, since less would give marks for what earns none."""

    def share(self, name: str) -> Fraction:
        return self.shares.get(name, -self.wrong)


def ticks_of(question: KeyedQuestion, language: str) -> Ticks | None:
    """None if an answer to the question is more than a selection of nodes."""
    selects = ask_of(question).selects
    if not selects:
        return None
    found = _pruned(question, language) if selects == SKIPPED_LEAVES else _visited(question)
    return None if found is None or len(found.names) > MOST_TICKS else found


def _pruned(question: KeyedQuestion, language: str) -> Ticks:
    """A stop's leaves share what the stop is worth.

    A stop that is wrong costs more than one that is right earns, and two of them may cost everything. A tick does not
    know of the others, so each wrong one has to.
    """
    tree, nothing = question.solution.tree, NOTHING.get(language, NOTHING["en"])
    cuts = ask_of(question).keyed(question).values()
    weights = [question.rubric.weights.get(str(tree.ids[cut.node]), Fraction(1)) for cut in cuts]
    shares: dict[str, Fraction] = {}
    for cut, weight in zip(cuts, weights, strict=True):
        leaves = sorted(leaves_below(tree, cut.skipped))
        shares |= {str(tree.ids[leaf]): weight / sum(weights) / len(leaves) for leaf in leaves}
    names = (*(str(tree.ids[leaf]) for leaf in tree.leaves), nothing)
    return Ticks(names, shares or {nothing: Fraction(1)}, Fraction(1), wrong_is_fatal=True)


def _visited(question: KeyedQuestion) -> Ticks | None:
    """The order of the names is that of the search, so a selection says all; Star2 probes before it searches."""
    solution = question.solution
    if solution.algorithm == "star2":
        return None
    tree, leaves_only = solution.tree, question.parameters.get("what", "leaves") == "leaves"
    backwards = question.convention.order == "right-to-left"
    names = tuple(
        str(tree.ids[node]) for node in _in_order(tree, backwards) if not leaves_only or not tree.children[node]
    )
    key = ask_of(question).keyed(question)
    return Ticks(names, {name: Fraction(1, len(key)) for name in key}, Fraction(1, len(key)))


def _in_order(tree: Tree, backwards: bool) -> Iterator[Node]:
    waiting: list[Node] = [ROOT]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(tree.children[node] if backwards else reversed(tree.children[node]))


def wholes_of(question: KeyedQuestion) -> tuple[str, ...]:
    """Every whole answer as it is written, where the tree has few; empty where it has many."""
    offers = ask_of(question).offers
    if not offers:
        return ()
    if offers == WHOLE_LINES:
        found = [ARROW.join(moves) for moves in islice(_lines(question.solution.tree), MOST_WHOLES + 1)]
    else:
        plans = [plan_text(plan) for plan in islice(_plans(question.solution.tree, ROOT), MOST_WHOLES)]
        found = [*plans, "failure"]
    return tuple(found) if 1 < len(found) <= MOST_WHOLES and max(map(len, found)) <= LONGEST_WHOLE else ()


def in_one_text(question: KeyedQuestion, system: System) -> bool:
    """Whether which nodes are written about is what is asked, and boxes for all of them would be marked otherwise."""
    ask = ask_of(question)
    return question.nodes is None and (ask.nodes_asked or (ask.nodes_change and not system.free_boxes))


def choices_of(question: KeyedQuestion, item: str) -> tuple[str, ...]:
    """What can be chosen beside numbers: the move at a depth, the child that is selected."""
    return tuple(ask_of(question).beside_numbers(question, item))


def lists_of(question: KeyedQuestion) -> Iterator[str]:
    """What was pruned as a list of leaves, which is what is asked for, and with runs of them written short."""
    if ask_of(question).selects != SKIPPED_LEAVES:
        return
    tree = question.solution.tree
    shares = _pruned(question, "en").shares
    leaves = [str(tree.ids[leaf]) for leaf in tree.leaves]
    runs: list[list[str]] = []
    for before, leaf in zip([None, *leaves], leaves, strict=False):
        if leaf in shares:
            if before in shares and runs:
                runs[-1].append(leaf)
            else:
                runs.append([leaf])
    if not runs:
        return
    yield ", ".join(leaf for run in runs for leaf in run)
    if any(len(run) > 1 for run in runs):
        for dash in RUNS:
            yield ", ".join(run[0] if len(run) == 1 else f"{run[0]}{dash}{run[-1]}" for run in runs)


def _lines(tree: Tree) -> Iterator[Sequence[str]]:
    """The moves to every leaf, or to the first chance node on the way."""
    waiting: list[tuple[Node, tuple[str, ...]]] = [(ROOT, ())]
    while waiting:
        node, moves = waiting.pop()
        if not tree.children[node] or tree.turn[node] == CHANCE:
            if moves:
                yield moves
            continue
        waiting.extend((child, (*moves, str(tree.move[child]))) for child in reversed(tree.children[node]))


def _plans(tree: Tree, node: Node) -> Iterator[list[Any]]:
    """Every plan that says what to do after each outcome; a tree with few plans is not deep."""
    children = tree.children[node]
    if tree.turn[node] == OR:
        for child in children:
            yield from ([str(tree.move[child]), *rest] for rest in _plans(tree, child))
    elif tree.turn[node] == AND and len(children) > 1:
        names = [str(tree.ids[child]) for child in children]
        for each in product(*(list(islice(_plans(tree, child), MOST_WHOLES)) for child in children)):
            yield [dict(zip(names, each, strict=True))]
    elif children:
        yield from _plans(tree, children[0])
    else:
        yield []
