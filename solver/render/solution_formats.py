"""The formats a solution can be written in, by name: as a tree that a person reads in a terminal, with what it comes to
in a few sentences; and for programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from solver.game.convention import Notation
from solver.game.game_builder import Game
from solver.game.game_tree import CHANCE, ROOT, TURN_WORDS, Node
from solver.render.data_format import ALL, NONE, solution_data, solution_parts
from solver.render.writers import (
    BEST,
    USUAL,
    Line,
    TreeRow,
    aligned,
    bold,
    bound_text,
    json_bytes,
    json_with,
    listed,
    mover_at,
    number,
    tree_lines,
    turn_sign,
    value_text,
)
from solver.render.yaml import yaml_bytes
from solver.search.solution import Solution
from solver.search.trace import Cut, Ranks, Search


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


KNOWN_SIGNS = {"exact": "=", "at-most": "≤", "at-least": "≥"}

DEEPEST = 40
"""Below this depth a subtree is folded to a line that counts it: indentation would run off any screen."""
MOST_LINES = 10_000


def solution_text(game: Game, solution: Solution, colour: bool = False, with_tree: bool = True) -> str:
    """The whole report: title, tree, summary."""
    parts: list[str] = []
    heading = [text for text in (game.title, game.source) if text]
    if heading:
        parts.append("\n".join([bold(heading[0], colour), *heading[1:]]))
    if with_tree:
        parts.append("\n".join(aligned(_lines(solution), colour)))
    parts.append("\n".join(summary(solution)))
    return "\n\n".join(parts) + "\n"


def _lines(solution: Solution) -> list[Line]:
    tree, search = solution.tree, solution.search
    on_line, unvisited = {ROOT, *solution.line}, set(solution.pruned)
    cut_at = {cut.node: cut for cut in search.cuts} if search is not None else {}

    def children(place: Node) -> Sequence[Node]:
        """~node stands for all that is below a node."""
        if place < 0:
            return ()
        if tree.children[place] and tree.depth[place] >= DEEPEST:
            return (Node(~place),)
        return tree.children[place]

    def row(place: Node) -> TreeRow:
        if place < 0:
            return TreeRow(f"… {tree.last[~place] - ~place:,} nodes below")
        turn, move, chance, mover = tree.turn[place], tree.move[place], tree.probability[place], mover_at(tree, place)
        pruned = place in unvisited
        known, value = _value(solution, place)
        return TreeRow(
            tree.ids[place],
            turn_sign(turn),
            move=move or "",
            probability="" if chance is None else number(chance),
            mover=f"{mover} moves" if mover else "",
            known=known,
            value=value,
            notes=("pruned",) if pruned else tuple(_notes(solution, place, cut_at.get(place))),
            edge=BEST if place in on_line else USUAL,
            pruned=pruned,
            best=place in on_line,
        )

    found = tree_lines(ROOT, children, row)
    lines = list(islice(found, MOST_LINES))
    if next(found, None) is not None:
        more = TreeRow(f"… and {len(tree) - MOST_LINES:,} more nodes", notes=("--format json prints them all",))
        lines.append(Line("", more))
    return lines


def _value(solution: Solution, node: Node) -> tuple[str, str]:
    """=, ≤ or ≥ and a number; a number alone for what the search did not come to."""
    search = solution.search
    returned = None if search is None else search.returned[node]
    if search is None or (returned is not None and solution.tree.turn[node] is None):
        own = value_text(solution.values[node])
        if search is None or returned is None or returned == search.true[node]:
            return "=", own
        # Fail-hard clamps what a leaf returns.
        return "=", f"{own} → {bound_text(search.scale.number(returned))}"
    if returned is None:
        # A pruned leaf keeps its number on the page, as in the textbook's figure.
        return "", "" if solution.tree.turn[node] is not None else value_text(solution.values[node])
    return KNOWN_SIGNS[search.known(node)], bound_text(search.scale.number(returned))


def _notes(solution: Solution, node: Node, cut: Cut | None) -> Iterator[str]:
    search = solution.search
    if search is None or solution.tree.turn[node] is None:
        return
    if written := _written(solution.convention.write, search, node):
        yield written
    if cut is not None:
        yield _cut_note(solution, search, cut)


def _written(write: Notation, search: Search, node: Node) -> str:
    """What the convention writes at a node: a window, all of them, or an interval."""
    entry, leaving = search.entry[node], search.exit[node]
    assert entry is not None and leaving is not None
    match write:
        case "entry":
            return window(search, entry)
        case "exit":
            return window(search, leaving)
        case "all":
            return " → ".join(window(search, each) for each in search.windows[node])
        case "interval":
            low, high = search.interval(node)
            return f"[{bound_text(search.scale.number(low))}, {bound_text(search.scale.number(high))}]"
    return ""


def _cut_note(solution: Solution, search: Search, cut: Cut) -> str:
    ids = solution.tree.ids
    sign, name = ("≤", "α") if cut.kind == "alpha" else ("≥", "β")
    if solution.convention.cut == "past-bound":
        sign = "<" if cut.kind == "alpha" else ">"
    whose = "" if cut.set_by is None else f" from {ids[cut.set_by]}"
    value, reached = bound_text(search.scale.number(cut.value)), bound_text(search.scale.number(cut.bound))
    return f"✂ after {ids[cut.after]}: {value} {sign} {name} = {reached}{whose}{', a deep cut' if cut.deep else ''}"


def window(search: Search, ranks: Ranks) -> str:
    return f"({bound_text(search.scale.number(ranks[0]))}, {bound_text(search.scale.number(ranks[1]))})"


class SolutionFormat(NamedTuple):
    ending: str
    """Of the output file's name."""
    writer: Callable[[Game, Solution, str, bool, str], bytes]

    def write(self, game: Game, solution: Solution, file: str, colour: bool, nodes: str = ALL) -> bytes:
        """From the game, its solution, the file to name in it (or nothing), whether colour is wanted, which nodes."""
        return self.writer(game, solution, file, colour, nodes)


def _named(data: dict[str, Any], file: str) -> dict[str, Any]:
    return {"plymark": data["plymark"], "file": file, **data} if file else data


def _text(game: Game, solution: Solution, file: str, colour: bool, nodes: str) -> bytes:
    heading = f"── {file} ──\n\n" if file else ""
    return (heading + solution_text(game, solution, colour, nodes == ALL) + ("\n" if file else "")).encode()


def _json(_game: Game, solution: Solution, file: str, _colour: bool, nodes: str) -> bytes:
    head, items = solution_parts(solution, nodes)
    named = _named(head, file)
    return json_bytes(named) if nodes == NONE else json_with(named, "nodes", items)


def _yaml(_game: Game, solution: Solution, file: str, _colour: bool, nodes: str) -> bytes:
    return (b"---\n" if file else b"") + yaml_bytes(_named(solution_data(solution, nodes), file))


FORMATS = {
    "text": SolutionFormat(".txt", _text),
    "json": SolutionFormat(".json", _json),
    "yaml": SolutionFormat(".yaml", _yaml),
}
