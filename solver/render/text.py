"""A solution as a tree that a person reads in a terminal, with a summary in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from solver.game.building.build import Game
from solver.game.convention import Notation
from solver.game.tree import ROOT, Node
from solver.render.lines import BEST, USUAL, Line, TreeRow, aligned, bold, mover_at, tree_lines, turn_sign
from solver.render.numbers import bound_text, number, value_text
from solver.render.summary import summary
from solver.search.ranks import Ranks
from solver.search.solution import Solution
from solver.search.trace import Cut, Search

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
