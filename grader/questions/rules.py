"""What each `ask` takes, and which trees can answer it: one table, for checking exercises.

A condition is a function of what is asked that gives the reason why the tree cannot answer it, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grader.questions.claims import why_not as why_not_claim
from solver.analysis import read_formula
from solver.game import AND, CHANCE, MAX, MIN, OR, ROOT, Convention, Game, Tree, Unknown
from solver.kernel import Refusal, UsageError
from solver.pipeline import solve
from solver.search import ALGORITHMS, Sampling, Solution

# What an item of the answer belongs to.
ONE = "one"
PLACES = "places"
"""Of a list."""
INNER = "inner nodes"
STOPS = "stops"
"""Called by the inner node that is cut."""
LEAVES = "leaves"
NODES = "nodes"
DEPTHS = "depths"
UNKNOWNS = "unknowns"
PARTS = "move and pruned"

Reason: TypeAlias = str | None


class Subject:
    """A game as the questions of one exercise look at it; each solution is made once."""

    def __init__(self, game: Game, convention: Convention) -> None:
        self.game, self.convention = game, convention
        self._solutions: dict[tuple[str, int | None], Solution | Refusal] = {}

    @property
    def tree(self) -> Tree:
        return self.game.tree

    def solution(self, algorithm: str, depth: int | None = None) -> Solution | Refusal:
        # Deeper than the tree is as deep as the tree, in whatever unit.
        asked = (algorithm, None if depth is None else min(depth, max(self.tree.depth)))
        if asked not in self._solutions:
            try:
                # One step is enough to learn whether MCTS can start from the statistics.
                self._solutions[asked] = solve(self.game, algorithm, self.convention, asked[1], Sampling(steps=1))
            except Refusal as refusal:
                self._solutions[asked] = refusal
        return self._solutions[asked]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as far as its tree must fit it."""

    subject: Subject
    algorithm: str = "auto"
    depth: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tree(self) -> Tree:
        return self.subject.tree

    def solution(self) -> Solution | Refusal:
        return self.subject.solution(self.algorithm, self.depth)


Condition: TypeAlias = Callable[[Asked], Reason]


@dataclass(frozen=True, slots=True)
class AskRules:
    """`parameters` are the ask's own, with what they are where nothing is written (None: nothing)."""

    items: str
    conditions: tuple[Condition, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    algorithms: tuple[str, ...] | None = None
    """The only ones that it can be about; None: any that accepts the tree."""


def why_not(ask: str, asked: Asked) -> Reason:
    """The first reason why a tree cannot answer a question, or None."""
    rules = ASKS[ask]
    if rules.algorithms is not None and asked.algorithm not in ("auto", *rules.algorithms):
        return f"it is about {' or '.join(rules.algorithms)}, not {asked.algorithm}"
    return next((reason for condition in rules.conditions if (reason := condition(asked)) is not None), None)


def unknowns_of(tree: Tree) -> list[str]:
    """The unknowns that stand at some leaf, in document order."""
    return list(dict.fromkeys(leaf.name for leaf in tree.leaf if isinstance(leaf, Unknown)))


def _solved(asked: Asked) -> Reason:
    found = asked.solution()
    return found.message if isinstance(found, Refusal) else None


def _prunes(asked: Asked) -> Reason:
    """There is a search with windows."""
    found = asked.solution()
    if isinstance(found, Refusal):
        return found.message
    if found.search is not None:
        return None
    natural, needs = ALGORITHMS[found.algorithm].natural, ALGORITHMS[found.algorithm].needs
    others = [each.name for each in ALGORITHMS.values() if natural and each.prunes and each.needs == needs]
    advice = f"; name algorithm: {' or '.join(others)}" if others else ""
    return f"{found.algorithm} has no windows and prunes nothing{advice}"


def _has_numbers(asked: Asked) -> Reason:
    """Values are numbers, not vectors or outcomes."""
    found = asked.solution()
    if isinstance(found, Refusal):
        return found.message
    if isinstance(found.value, tuple):
        return "its values are vectors; ask vectors"
    return "its values are true and false; ask plan" if isinstance(found.value, bool) else None


def _somebody_moves(asked: Asked) -> Reason:
    found = asked.solution()
    if isinstance(found, Refusal):
        return found.message
    if found.move is not None:
        return None
    root = found.tree.name(ROOT)
    return f"no plan succeeds from {root}" if found.plan is not None else f"nobody moves at the root, {root}"


def _only(*turns: str) -> Condition:
    def condition(asked: Asked) -> Reason:
        tree = asked.tree
        strange = next((node for node in tree.inner if tree.turn[node] not in turns), None)
        return None if strange is None else f"only for {_listed(turns)} nodes; there is {tree.name(strange)}"

    return condition


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _numbers_known(asked: Asked) -> Reason:
    unknowns = unknowns_of(asked.tree)
    return f"the leaves must be numbers; {unknowns[0]} is unknown" if unknowns else None


def _inner_root(asked: Asked) -> Reason:
    if not asked.tree.inner:
        return "the tree is a single leaf"
    return "at depth 0 no inner node is left" if asked.depth == 0 else None


def _extreme(asked: Asked) -> Reason:
    found = asked.solution()
    if isinstance(found, Refusal):
        return found.message
    fewest, most = found.fewest_and_most
    if fewest is None:
        return "the fewest and most leaves are for trees of max and min nodes"
    if asked.parameters.get("what") == "most" and most is None:
        return "the most leaves are counted only up to 16 leaves and 4 children a node"
    return None


def _unknown_given(asked: Asked) -> Reason:
    unknowns = unknowns_of(asked.tree)
    if not unknowns:
        return "no leaf of the game is unknown"
    return None if len(unknowns) == 1 else f"a range is for one unknown; the game has {_listed(tuple(unknowns))}"


def _some_unknown(asked: Asked) -> Reason:
    return None if unknowns_of(asked.tree) else "no leaf of the game is unknown"


def _no_chance_if_pruning(asked: Asked) -> Reason:
    """Alpha-beta prunes nothing below chance nodes."""
    wanted = asked.parameters.get("when", asked.parameters.get("goal"))
    about_pruning = isinstance(wanted, str) or (isinstance(wanted, Mapping) and "pruned" in wanted)
    return _only(MAX, MIN)(asked) if about_pruning else None


def _a_move_if_asked(asked: Asked) -> Reason:
    wanted = asked.parameters.get("when", asked.parameters.get("goal"))
    about_move = (isinstance(wanted, Mapping) and "move" in wanted) or asked.parameters.get("errs") == "threshold"
    return _moves_at_root(asked) if about_move else None


def _moves_at_root(asked: Asked) -> Reason:
    turn = asked.tree.turn[0]
    return f"nobody moves at the root, {asked.tree.name(ROOT)}" if turn in (None, CHANCE) else None


def _min_moves(asked: Asked) -> Reason:
    return None if MIN in asked.tree.turns else "there is no min node"


def _players(asked: Asked) -> Reason:
    return None if asked.tree.players else "the game has no players; ask values"


def _and_or(asked: Asked) -> Reason:
    return None if asked.tree.turns & {OR, AND} else "a plan is for trees of `or` and `and` nodes"


def _every_depth(asked: Asked) -> Reason:
    for depth in asked.parameters.get("depths", ()):
        found = asked.subject.solution(asked.algorithm, depth)
        if isinstance(found, Refusal):
            return f"at depth {depth}, {found.message}"
    return None


def _statistics(asked: Asked) -> Reason:
    tree = asked.tree
    if not tree.visits or not tree.visits.get(ROOT):
        return "the root has no visits"
    found = asked.subject.solution("mcts")
    return found.message if isinstance(found, Refusal) else None


def _root_chooses(asked: Asked) -> Reason:
    return None if asked.tree.turn[0] in (MAX, MIN) else f"UCB1 chooses at max and min nodes, not at {_root(asked)}"


def _root(asked: Asked) -> str:
    return asked.tree.name(ROOT)


def _listed_playout(asked: Asked) -> Reason:
    return None if asked.tree.playouts else "the game lists no playout: mcts: {playouts: [1]}"


def _formula_computes(asked: Asked) -> Reason:
    """The formula has a value at every leaf; that it can be read is checked where it is written."""
    tree = asked.tree
    try:
        formula = read_formula(str(asked.parameters.get("by", "v")))
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


_PLAIN = (_inner_root, _only(MAX, MIN), _numbers_known)
_WITH_CHANCE = (_only(MAX, MIN, CHANCE), _numbers_known)
_ALPHA_BETA = ("alpha-beta",)


def _claim_known(asked: Asked) -> Reason:
    claim = asked.parameters.get("claim")
    return None if claim is None else why_not_claim(str(claim), asked.subject.game, asked.subject.convention)


ASKS: dict[str, AskRules] = {
    "values": AskRules(INNER, (_inner_root, _has_numbers), {"of": None}),
    "windows": AskRules(INNER, (_inner_root, _prunes), {"at": None}),
    "inequalities": AskRules(INNER, (_inner_root, _prunes)),
    "pruned": AskRules(STOPS, (_prunes,)),
    "move": AskRules(ONE, (_somebody_moves,)),
    "line": AskRules(PLACES, (_somebody_moves,)),
    "visited": AskRules(PLACES, (_solved,), {"what": "leaves"}),
    "count": AskRules(ONE, (_solved,), {"what": "evaluated"}),
    "fewest": AskRules(ONE, (_extreme,), {"what": "fewest"}, ("alpha-beta", "minimax")),
    "range": AskRules(
        ONE,
        (_only(MAX, MIN, CHANCE), _unknown_given, _no_chance_if_pruning, _a_move_if_asked),
        {"unknown": None, "when": None},
        _ALPHA_BETA,
    ),
    "reorder": AskRules(INNER, _PLAIN, {"goal": "most"}, _ALPHA_BETA),
    "assign": AskRules(
        ONE,
        (_only(MAX, MIN, CHANCE), _some_unknown, _no_chance_if_pruning, _a_move_if_asked),
        {"unknowns": None, "goal": None},
        _ALPHA_BETA,
    ),
    "prunable": AskRules(LEAVES, (_only(MAX, MIN),), algorithms=_ALPHA_BETA),
    "vectors": AskRules(INNER, (_inner_root, _players, _solved), algorithms=("maxn",)),
    "depths": AskRules(DEPTHS, (*_WITH_CHANCE, _every_depth), {"depths": None}),
    "opponent": AskRules(
        ONE,
        (*_WITH_CHANCE, _min_moves, _a_move_if_asked),
        {"errs": None, "model": "worst"},
        ("minimax", "alpha-beta", "expectiminimax"),
    ),
    "plan": AskRules(ONE, (_and_or, _solved), algorithms=("and-or",)),
    "ucb": AskRules(NODES, (_root_chooses, _statistics), {"exploration": None}, ("mcts",)),
    "backup": AskRules(NODES, (_statistics, _listed_playout), algorithms=("mcts",)),
    "transform": AskRules(
        PARTS,
        (*_WITH_CHANCE, _inner_root, _moves_at_root, _formula_computes),
        {"by": None},
        ("minimax", "alpha-beta", "expectiminimax"),
    ),
    "choice": AskRules(ONE, (_claim_known,), {"claim": None}),
}
