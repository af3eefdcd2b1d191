"""Statements about search that lectures make, each judged for one particular tree, with what shows it.

The statement of a claim is the catalogue's entry `claim.<id>`. Many are true of every tree, or false of every one; they
are computed all the same, so that what is printed beside them is this tree's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from grader.questions.answer_key import AnswerKey, KeyedQuestion
from solver.analysis import (
    horizon,
    increasing_changes,
    leaves_evaluated,
    opponent_mistakes,
    order_with_fewest,
    order_with_most,
    read_formula,
    shape,
    transform_compared,
)
from solver.game import CHANCE, MAX, MIN, ROOT, ChildOrder, Convention, Node, Tree, expected
from solver.kernel import Refusal, UsageError
from solver.languages import Amount, Fact, Formula, Items, Limit, Sentence
from solver.pipeline import solve
from solver.search import Search, Solution, expectiminimax, pruned_nodes, rules_of, shallow_pruning


@dataclass(frozen=True, slots=True)
class Judgement:
    truth: bool
    why: tuple[Sentence, ...] = ()
    """What shows it; where the claim is false, a witness."""


def _search(key: AnswerKey) -> Search:
    search = key.solution("alpha-beta").search
    assert search is not None
    return search


def _pruned(key: AnswerKey) -> list[Node]:
    """The leaves that alpha-beta prunes."""
    return [node for node in key.solution("alpha-beta").pruned if key.tree.turn[node] is None]


def _named(key: AnswerKey, nodes: Sequence[int]) -> Items:
    shown = tuple(str(key.tree.ids[node]) for node in nodes[:12]) or ("∅",)
    return Items(shown, max(1, len(nodes)))


def _refuse(key: AnswerKey, reason: str) -> Refusal:
    return Refusal(key.tree.ids[0], "algorithm", reason)


def judge(claim: str, key: AnswerKey) -> Judgement:
    """Whether a claim is true of a game; Refusal where it makes no sense there, UsageError for an unknown one."""
    if claim not in CLAIMS:
        nearest = get_close_matches(claim, CLAIMS, n=1)
        advice = f"did you mean {nearest[0]}? " if nearest else ""
        raise UsageError(f"unknown claim {claim!r}; {advice}docs/claims.md lists them all")
    return CLAIMS[claim](key)


def why_not(claim: str, key: AnswerKey) -> str | None:
    """Why a claim cannot be asked about a game, or None."""
    try:
        judge(claim, key)
    except (Refusal, UsageError) as error:
        return error.message if isinstance(error, Refusal) else str(error)
    return None


def claim_known(question: KeyedQuestion) -> str | None:
    """Why a question's claim cannot be asked about its game; a condition of `choice`."""
    claim = question.parameters.get("claim")
    return None if claim is None else why_not(str(claim), question.answer_key)


def statement(claim: str) -> Sentence:
    """What a claim says. Formulas are facts, so that they run from left to right in every language."""
    return Sentence(f"claim.{claim}", None, _FORMULAS.get(claim, {}))


_TESTS: dict[str, Fact] = {"at_test": Formula(("v ≥ β, v ≤ α",)), "past_test": Formula(("v > β, v < α",))}
_FORMULAS: dict[str, dict[str, Fact]] = {
    "perfect-order-halves-exponent": {"formula": Formula(("b^⌈m/2⌉ + b^⌊m/2⌋ − 1",))},
    "affine-invariant": {"formula": Formula((2, Sentence("sign.times"), "v + ", 3))},
    "strict-same-pruning": _TESTS,
}


def _judged(truth: bool, entry: str, **facts: Fact) -> Judgement:
    return Judgement(truth, (Sentence(f"why.claim.{entry}", None, facts),))


def _same_value(key: AnswerKey) -> Judgement:
    returned, search = _search(key).returned[0], _search(key)
    assert returned is not None
    found, value = search.scale.number(returned), search.scale.number(search.true[0])
    return _judged(found == value, "values", found=Limit(found), value=Limit(value))


def _order_changes_value(key: AnswerKey) -> Judgement:
    value = key.solution("alpha-beta").value
    turned = solve(key.exercise.game, "alpha-beta", replace(key.convention, order=_other_order(key.convention)))
    return _judged(turned.value != value, "any-order", value=value)


def _order_changes_pruning(key: AnswerKey) -> Judgement:
    tree, rules = _plain(key), rules_of(key.convention)
    turned = rules_of(replace(key.convention, order=_other_order(key.convention)))
    counts = {len(leaves_evaluated(tree, {}, each)) for each in (rules, turned)}
    counts.add(order_with_fewest(tree, rules).leaves)
    if len(counts) == 1:
        counts.add(order_with_most(tree, rules).leaves)
    few, many = Amount(min(counts)), Amount(max(counts))
    return _judged(True, "orders", few=few, many=many) if few != many else _judged(False, "one-count", few=few)


def _worst_order_evaluates_all(key: AnswerKey) -> Judgement:
    tree = _plain(key)
    most = order_with_most(tree, rules_of(key.convention)).leaves
    return _judged(most == len(tree.leaves), "worst-order", most=Amount(most), leaves=Amount(len(tree.leaves)))


def _half_exponent(key: AnswerKey) -> Judgement:
    tree = _plain(key)
    its = shape(tree)
    formula = its.uniform_fewest
    if formula is None or its.branching is None:
        raise _refuse(key, "the formula is for uniform trees: nodes have equally many children, leaves the same depth")
    fewest = order_with_fewest(tree, rules_of(key.convention)).leaves
    b, m = its.branching.largest, its.depth
    return _judged(fewest == formula, "formula", fewest=Amount(fewest), b=b, m=m, formula=Amount(formula))


def _half_the_leaves(key: AnswerKey) -> Judgement:
    tree = _plain(key)
    fewest = order_with_fewest(tree, rules_of(key.convention)).leaves
    truth = 2 * fewest == len(tree.leaves)
    return _judged(truth, "best-order", fewest=Amount(fewest), leaves=Amount(len(tree.leaves)))


def _leaf_irrelevant(key: AnswerKey) -> Judgement:
    solution = key.solution("alpha-beta")
    relevant = _relevant(solution)
    leaf = next((leaf for leaf in key.tree.leaves if leaf not in relevant), None)
    if leaf is None:
        return _judged(False, "every-leaf")
    return _judged(True, "irrelevant", leaf=str(key.tree.ids[leaf]), value=solution.value)


def _relevant(solution: Solution) -> set[Node]:
    """The leaves that alone can change the root's value.

    A node reaches the root while its value stays in an open interval: below MAX above the best of its brothers, below
    MIN under the least of them.
    """
    tree, search = solution.tree, solution.search
    assert search is not None
    true, infinity = search.true, search.scale.infinity
    reach: list[tuple[int, int]] = [(-1, infinity)] * len(tree)
    for node in tree.inner:
        low, high = reach[node]
        # Only the two best children matter to the others: each is compared with the best of the rest.
        ranked = sorted((true[child] for child in tree.children[node]), reverse=tree.turn[node] == MAX)
        for child in tree.children[node]:
            rest = ranked[1:] if true[child] == ranked[0] else ranked
            if rest:
                reach[child] = (max(low, rest[0]), high) if tree.turn[node] == MAX else (low, min(high, rest[0]))
            else:
                reach[child] = (low, high)
    return {leaf for leaf in tree.leaves if reach[leaf][0] < reach[leaf][1]}


def _pruned_leaf_matters(key: AnswerKey) -> Judgement:
    if not _pruned(key):
        return _judged(False, "nothing-pruned")
    numbers: list[Any] = [key.tree.leaf[leaf] for leaf in key.tree.leaves]
    values, pruned = [], set(_pruned(key))
    for extreme in (min(numbers) - 1, max(numbers) + 1):
        leaf: Any = [extreme if node in pruned else each for node, each in enumerate(key.tree.leaf)]
        values.append(expectiminimax(key.tree, leaf)[0])
    low, high = values
    return _judged(low != high, "pruned-any", leaves=_named(key, _pruned(key)), low=low, high=high)


def _first_child_visited(key: AnswerKey) -> Judgement:
    tree, returned = key.tree, _search(key).returned
    first = -1 if key.convention.order == "right-to-left" else 0
    skipped = [
        node for node in tree.inner if returned[node] is not None and returned[tree.children[node][first]] is None
    ]
    return _judged(not skipped, "first-child")


def _prunes(key: AnswerKey) -> Judgement:
    if _pruned(key):
        return _judged(True, "pruned", leaves=_named(key, _pruned(key)))
    return _judged(False, "nothing-pruned")


def _deep_cut(key: AnswerKey) -> Judgement:
    cut = next((cut for cut in _search(key).cuts if cut.deep), None)
    if cut is None or cut.set_by is None:
        return _judged(False, "no-deep-cut")
    ids = key.tree.ids
    return _judged(True, "deep-cut", node=str(ids[cut.node]), after=str(ids[cut.after]), setter=str(ids[cut.set_by]))


def _cut_of(kind: str) -> Callable[[AnswerKey], Judgement]:
    def judged(key: AnswerKey) -> Judgement:
        cut = next((cut for cut in _search(key).cuts if cut.kind == kind), None)
        if cut is None:
            return _judged(False, f"no-{kind}-cut")
        return _judged(True, "cut", node=str(key.tree.ids[cut.node]), after=str(key.tree.ids[cut.after]))

    return judged


def _handed_up_is_value(key: AnswerKey) -> Judgement:
    search, number = _search(key), _search(key).scale.number
    for node in key.tree.inner:
        returned = search.returned[node]
        if returned is not None and returned != search.true[node]:
            facts = {"found": Limit(number(returned)), "value": Limit(number(search.true[node]))}
            return _judged(False, "bound", node=str(key.tree.ids[node]), **facts)
    return _judged(True, "no-bound")


def _other_test(key: AnswerKey) -> Judgement:
    tree = _plain(key)
    # Clamped values are never past a bound, so the two tests are compared without clamping.
    tests = [replace(key.convention, returns="fail-soft", cut=cut) for cut in ("at-bound", "past-bound")]
    at, past = ([node for node in pruned_nodes(tree, each) if tree.turn[node] is None] for each in tests)
    return _judged(at == past, "tests", **_TESTS, at=_named(key, at), past=_named(key, past))


def _other_direction(key: AnswerKey) -> Judgement:
    tree = _plain(key)
    orders = [replace(key.convention, order=order) for order in ("left-to-right", "right-to-left")]
    counts = [sum(tree.turn[node] is None for node in pruned_nodes(tree, each)) for each in orders]
    left, right = (Amount(len(tree.leaves) - count) for count in counts)
    return _judged(left == right, "directions", left=left, right=right)


def _unique_move(key: AnswerKey) -> Judgement:
    best = key.solution("auto").best[0]
    if not best:
        raise _refuse(key, f"nobody moves at the root, {key.tree.name(ROOT)}")
    moves = tuple(str(key.tree.move[child]) for child in best[:12])
    return _judged(len(best) == 1, "best-moves", moves=Items(moves, len(best)))


def _increasing_keeps(key: AnswerKey) -> Judgement:
    found = increasing_changes(_choosing(key), key.convention)
    if found.increasing == "undecided":
        raise _refuse(key, "whether an increasing change can alter the best move is not decided for this tree")
    example = found.counterexample
    if example is None:
        return _judged(True, "increasing")
    change = tuple(Formula((Limit(old), " → ", Limit(new))) for old, new in example.values[:12])
    return _judged(
        False, "increasing-not", change=Items(change, len(example.values)), before=_moves(example.moves[0]),
        after=_moves(example.moves[1]),
    )  # fmt: skip


def _changed_by(formula: str) -> Callable[[AnswerKey], Judgement]:
    def judged(key: AnswerKey) -> Judgement:
        found = transform_compared(_choosing(key), read_formula(formula), key.convention)
        before, after = found.moves
        return _judged(found.same_move, "changed", formula=found.by, before=_moves(before), after=_moves(after))

    return judged


def _safe_against_mistakes(key: AnswerKey) -> Judgement:
    """MAX keeps to its best moves, MIN may do anything: the least that can come of it, on average over chance."""
    tree, solution = _with_opponent(key), key.solution("auto")
    least: list[Any] = list(tree.leaf)
    for node in tree.bottom_up():
        choice = solution.choice(node) if tree.turn[node] == MAX else None
        below = [least[child] for child in tree.children[node]]
        if choice is not None:
            least[node] = least[choice]
        else:
            least[node] = expected(tree, node, below) if tree.turn[node] == CHANCE else min(below)
    entry = "at-least-on-average" if CHANCE in tree.turns else "at-least"
    return _judged(least[0] >= solution.value, entry, least=least[0], value=solution.value)


def _best_against_mistakes(key: AnswerKey) -> Judgement:
    tree = _with_opponent(key)
    found = opponent_mistakes(tree)
    optimal = [str(move) for move in key.solution("auto").moves]
    for move in optimal:
        if all(move in stretch.moves for stretch in found.stretches):
            return _judged(True, "always-best", move=move)
    worse = next(stretch for stretch in found.stretches if not set(stretch.moves) & set(optimal[:1]))
    return _judged(
        False,
        "not-always-best",
        move=optimal[0],
        where=worse.text(4).replace("<=", "≤").replace(">=", "≥"),
        moves=_moves(worse.moves),
    )


def _horizon_keeps(key: AnswerKey) -> Judgement:
    levels = [level for level in horizon(key.exercise.game, key.convention).levels if level.move is not None]
    if len(levels) < 2:
        raise _refuse(key, "there are no two depths with a move to compare: inner nodes need estimates")
    for sooner, later in pairwise(levels):
        if sooner.move not in later.moves:
            facts: dict[str, Fact] = {"depth": later.depth, "before": str(sooner.move), "after": _moves(later.moves)}
            return _judged(False, "horizon", **facts)
    return _judged(True, "no-horizon", moves=_moves(levels[-1].moves))


def _general_sum(key: AnswerKey) -> Judgement:
    tree = key.tree
    if len(tree.sides) < 2:
        raise _refuse(key, "the game has no players")
    convention = key.convention
    if tree.sum is None or tree.bounds is None:
        return _judged(False, "no-sum")
    utility: Any = tree.leaf
    found = shallow_pruning(tree, utility, convention.cut == "past-bound", convention.order == "right-to-left")
    leaves = [node for node in found.pruned if tree.turn[node] is None]
    return _judged(bool(leaves), "pruned", leaves=_named(key, leaves)) if leaves else _judged(False, "nothing-pruned")


def _value_is_a_leafs(key: AnswerKey) -> Judgement:
    value: Any = key.solution("auto").value
    leaf = next((leaf for leaf in key.tree.leaves if key.tree.leaf[leaf] == value), None)
    if leaf is None:
        return _judged(False, "no-such-leaf", value=value)
    return _judged(True, "such-a-leaf", leaf=str(key.tree.ids[leaf]), value=value)


def _moves(moves: Sequence[str]) -> Items:
    return Items(tuple(map(str, moves[:12])), len(moves), "or")


def _other_order(convention: Convention) -> ChildOrder:
    return "left-to-right" if convention.order == "right-to-left" else "right-to-left"


def _plain(key: AnswerKey) -> Tree:
    """The tree, which alpha-beta accepts; a refusal otherwise."""
    return key.solution("alpha-beta").tree


def _choosing(key: AnswerKey) -> Tree:
    if key.tree.players or not key.solution("auto").best[0]:
        raise _refuse(key, f"neither MAX nor MIN moves at the root, {key.tree.name(ROOT)}")
    return key.tree


def _with_opponent(key: AnswerKey) -> Tree:
    if key.tree.turn[0] != MAX or MIN not in key.tree.turns:
        raise _refuse(key, "the claim is about MAX at the root against MIN")
    return _choosing(key)


CLAIMS: dict[str, Callable[[AnswerKey], Judgement]] = {
    "alpha-beta-same-value": _same_value,
    "order-changes-value": _order_changes_value,
    "order-changes-pruning": _order_changes_pruning,
    "worst-order-no-pruning": _worst_order_evaluates_all,
    "perfect-order-halves-exponent": _half_exponent,
    "perfect-order-halves-leaves": _half_the_leaves,
    "leaf-irrelevant": _leaf_irrelevant,
    "pruned-leaf-matters": _pruned_leaf_matters,
    "first-child-never-pruned": _first_child_visited,
    "prunes-here": _prunes,
    "deep-cut-here": _deep_cut,
    "alpha-cut-here": _cut_of("alpha"),
    "beta-cut-here": _cut_of("beta"),
    "handed-up-is-value": _handed_up_is_value,
    "strict-same-pruning": _other_test,
    "right-to-left-same-count": _other_direction,
    "unique-best-move": _unique_move,
    "chance-monotone-invariant": _increasing_keeps,
    "affine-invariant": _changed_by("2*v + 3"),
    "negation-invariant": _changed_by("-v"),
    "minimax-optimal-vs-suboptimal": _safe_against_mistakes,
    "minimax-best-vs-suboptimal": _best_against_mistakes,
    "horizon-keeps-move": _horizon_keeps,
    "general-sum-prunable": _general_sum,
    "value-is-a-leaf": _value_is_a_leafs,
}
