"""Which trees can answer a question: conditions that the types of question are made of.

A condition is a function of a question beside its key that gives the reason why the tree cannot answer it, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from grader.questions.answer_key import KeyedQuestion
from solver.analysis import read_formula
from solver.game import AND, CHANCE, MAX, MIN, OR, ROOT, Tree, Unknown
from solver.kernel import Refusal, UsageError
from solver.search import ALGORITHMS

Reason: TypeAlias = str | None
Condition: TypeAlias = Callable[[KeyedQuestion], Reason]


def unknowns_of(tree: Tree) -> list[str]:
    """The unknowns that stand at some leaf, in document order."""
    return list(dict.fromkeys(leaf.name for leaf in tree.leaf if isinstance(leaf, Unknown)))


def solved(question: KeyedQuestion) -> Reason:
    found = question.attempt()
    return found.message if isinstance(found, Refusal) else None


def prunes(question: KeyedQuestion) -> Reason:
    """There is a search with windows."""
    found = question.attempt()
    if isinstance(found, Refusal):
        return found.message
    if found.search is not None:
        return None
    natural, needs = ALGORITHMS[found.algorithm].natural, ALGORITHMS[found.algorithm].needs
    others = [each.name for each in ALGORITHMS.values() if natural and each.prunes and each.needs == needs]
    advice = f"; name algorithm: {' or '.join(others)}" if others else ""
    return f"{found.algorithm} has no windows and prunes nothing{advice}"


def has_numbers(question: KeyedQuestion) -> Reason:
    """Values are numbers, not vectors or outcomes."""
    found = question.attempt()
    if isinstance(found, Refusal):
        return found.message
    if isinstance(found.value, tuple):
        return "its values are vectors; ask vectors"
    return "its values are true and false; ask plan" if isinstance(found.value, bool) else None


def somebody_moves(question: KeyedQuestion) -> Reason:
    found = question.attempt()
    if isinstance(found, Refusal):
        return found.message
    if found.move is not None:
        return None
    root = found.tree.name(ROOT)
    return f"no plan succeeds from {root}" if found.plan is not None else f"nobody moves at the root, {root}"


def only(*turns: str) -> Condition:
    def condition(question: KeyedQuestion) -> Reason:
        tree = question.tree
        strange = next((node for node in tree.inner if tree.turn[node] not in turns), None)
        return None if strange is None else f"only for {_listed(turns)} nodes; there is {tree.name(strange)}"

    return condition


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def numbers_known(question: KeyedQuestion) -> Reason:
    unknowns = unknowns_of(question.tree)
    return f"the leaves must be numbers; {unknowns[0]} is unknown" if unknowns else None


def inner_root(question: KeyedQuestion) -> Reason:
    if not question.tree.inner:
        return "the tree is a single leaf"
    return "at depth 0 no inner node is left" if question.depth == 0 else None


def extreme(question: KeyedQuestion) -> Reason:
    found = question.attempt()
    if isinstance(found, Refusal):
        return found.message
    fewest, most = found.fewest_and_most
    if fewest is None:
        return "the fewest and most leaves are for trees of max and min nodes"
    if question.parameters.get("what") == "most" and most is None:
        return "the most leaves are counted only up to 16 leaves and 4 children a node"
    return None


def unknown_given(question: KeyedQuestion) -> Reason:
    unknowns = unknowns_of(question.tree)
    if not unknowns:
        return "no leaf of the game is unknown"
    return None if len(unknowns) == 1 else f"a range is for one unknown; the game has {_listed(tuple(unknowns))}"


def some_unknown(question: KeyedQuestion) -> Reason:
    return None if unknowns_of(question.tree) else "no leaf of the game is unknown"


def no_chance_if_pruning(question: KeyedQuestion) -> Reason:
    """Alpha-beta prunes nothing below chance nodes."""
    wanted = question.parameters.get("when", question.parameters.get("goal"))
    about_pruning = isinstance(wanted, str) or (isinstance(wanted, Mapping) and "pruned" in wanted)
    return only(MAX, MIN)(question) if about_pruning else None


def a_move_if_asked(question: KeyedQuestion) -> Reason:
    wanted = question.parameters.get("when", question.parameters.get("goal"))
    about_move = (isinstance(wanted, Mapping) and "move" in wanted) or question.parameters.get("errs") == "threshold"
    return moves_at_root(question) if about_move else None


def moves_at_root(question: KeyedQuestion) -> Reason:
    turn = question.tree.turn[0]
    return f"nobody moves at the root, {question.tree.name(ROOT)}" if turn in (None, CHANCE) else None


def min_moves(question: KeyedQuestion) -> Reason:
    return None if MIN in question.tree.turns else "there is no min node"


def players(question: KeyedQuestion) -> Reason:
    return None if question.tree.players else "the game has no players; ask values"


def and_or(question: KeyedQuestion) -> Reason:
    return None if question.tree.turns & {OR, AND} else "a plan is for trees of `or` and `and` nodes"


def every_depth(question: KeyedQuestion) -> Reason:
    for depth in question.parameters.get("depths", ()):
        found = question.answer_key.attempt(question.algorithm or "auto", depth)
        if isinstance(found, Refusal):
            return f"at depth {depth}, {found.message}"
    return None


def statistics(question: KeyedQuestion) -> Reason:
    tree = question.tree
    if not tree.visits or not tree.visits.get(ROOT):
        return "the root has no visits"
    found = question.answer_key.attempt("mcts")
    return found.message if isinstance(found, Refusal) else None


def root_chooses(question: KeyedQuestion) -> Reason:
    return (
        None if question.tree.turn[0] in (MAX, MIN) else f"UCB1 chooses at max and min nodes, not at {_root(question)}"
    )


def _root(question: KeyedQuestion) -> str:
    return question.tree.name(ROOT)


def listed_playout(question: KeyedQuestion) -> Reason:
    return None if question.tree.playouts else "the game lists no playout: mcts: {playouts: [1]}"


def formula_computes(question: KeyedQuestion) -> Reason:
    """The formula has a value at every leaf; that it can be read is checked where it is written."""
    tree = question.tree
    try:
        formula = read_formula(str(question.parameters.get("by", "v")))
    except UsageError:
        return None
    for leaf in tree.leaves:
        value: Any = tree.leaf[leaf]
        try:
            formula(value)
        except ZeroDivisionError:
            return f"{formula.text} divides by 0 at {tree.name(leaf)}"
        except OverflowError:
            return f"{formula.text} has too many digits at {tree.name(leaf)}"
    return None


PLAIN = (inner_root, only(MAX, MIN), numbers_known)
WITH_CHANCE = (only(MAX, MIN, CHANCE), numbers_known)
ALPHA_BETA = ("alpha-beta",)
