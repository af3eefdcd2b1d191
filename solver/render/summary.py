"""What a solution comes to, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.game.tree import CHANCE, ROOT, TURN_WORDS
from solver.render.numbers import bound_text, value_text
from solver.search.solution import Solution

MOST_NAMES = 12


def summary(solution: Solution) -> Iterator[str]:
    if solution.plan is None:
        yield _outcome(solution)
    yield from _findings(solution)
    if solution.tree.players:
        yield from _equilibria(solution)
    yield _effort(solution)
    yield from _misfit(solution)


def _findings(solution: Solution) -> Iterator[str]:
    """What AND-OR search and MCTS add; their modules are loaded only for them."""
    if solution.plan is None and solution.sampled is None:
        return
    from solver.render.findings import plan_lines, sampled_lines

    if solution.plan is not None:
        yield from plan_lines(solution.plan)
    if solution.sampled is not None:
        yield from sampled_lines(solution, solution.sampled)


def _outcome(solution: Solution) -> str:
    tree, value = solution.tree, value_text(solution.value)
    turn = tree.turn[0]
    if turn is None:
        return f"The tree is a single leaf, worth {value}."
    if turn == CHANCE:
        return f"The root is a chance node, worth {value} on average."
    mover = turn.upper() if turn in TURN_WORDS else turn
    moves = [str(tree.move[node]) for node in solution.line]
    sentence = f"{mover} plays {solution.move}, and the game is worth {value}"
    if len(moves) > 1:
        sentence += f"; the line is {listed(moves)}"
    ties = [str(move) for move in solution.moves if move != solution.move]
    if ties:
        sentence += f"; {listed(ties)} {'is' if len(ties) == 1 else 'are'} just as good"
    return sentence + "."


def _equilibria(solution: Solution) -> Iterator[str]:
    if solution.vectors is None:
        yield "Ties allow more outcomes than can be listed."
    elif len(solution.vectors) > 1:
        outcomes = listed([value_text(vector) for vector in solution.vectors], " or ")
        yield f"Depending on how ties are broken, the outcome is {outcomes}."


def _effort(solution: Solution) -> str:
    tree, search = solution.tree, solution.search
    leaves = len(tree.leaves)
    name = f"{solution.algorithm} ({solution.convention.name or 'own convention'})"
    if solution.sampled is not None:
        steps = solution.sampled.found.steps
        return f"{solution.algorithm} made {steps:,} {'step' if steps == 1 else 'steps'}; the values are the true ones."
    pruned = [tree.ids[node] for node in solution.pruned if tree.turn[node] is None]
    sentence = f"{name} evaluated {leaves - len(pruned):,} of {leaves:,} {'leaf' if leaves == 1 else 'leaves'}"
    if search is None:
        return sentence + "."
    if search.cuts:
        kinds = [("α-cut", "alpha"), ("β-cut", "beta")]
        counted = [(sum(cut.kind == kind for cut in search.cuts), sign) for sign, kind in kinds]
        cuts = " and ".join(f"{count:,} {sign}{'' if count == 1 else 's'}" for count, sign in counted if count)
        sentence += f"; {cuts} pruned {listed(pruned)}"
    else:
        sentence += "; it made no cut"
    fewest, most = solution.fewest_and_most
    if fewest is not None and leaves > 1:
        sentence += f". The best order of children would evaluate {fewest:,}"
        sentence += f", the worst {most:,}" if most is not None else ""
    return sentence + "."


def _misfit(solution: Solution) -> Iterator[str]:
    """A word of warning where the initial window misses the value, so that the search could only bound it."""
    search = solution.search
    if search is not None and (returned := search.returned[0]) is not None and search.known(ROOT) != "exact":
        sign = "at least" if search.known(ROOT) == "at-least" else "at most"
        handed_up = bound_text(search.scale.number(returned))
        yield f"The initial window does not contain the value: the search shows only that it is {sign} {handed_up}."


def listed(names: Sequence[str], joint: str = ", ") -> str:
    if len(names) <= MOST_NAMES:
        return joint.join(names)
    return joint.join(names[:MOST_NAMES]) + f", … ({len(names):,} in all)"
