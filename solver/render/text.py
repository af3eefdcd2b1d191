"""A solution as a tree that a person reads in a terminal, with a summary in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from solver.game.building.build import Game
from solver.game.convention import Notation
from solver.game.tree import ROOT, TURN_WORDS, Node
from solver.render.lines import Line, aligned, bold, turn_sign
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
        parts.append("\n".join(aligned(list(_lines(solution)), colour)))
    parts.append("\n".join(summary(solution)))
    return "\n\n".join(parts) + "\n"


def _lines(solution: Solution) -> Iterator[Line]:
    tree, search = solution.tree, solution.search
    on_line, unvisited = set(solution.line), set(solution.pruned)
    cut_at = {cut.node: cut for cut in search.cuts} if search is not None else {}
    # Each entry: the node, the stem that its children's lines start with, and whether it is the last child.
    stack: list[tuple[Node, str, bool]] = [(ROOT, "", True)]
    count = 0
    while stack:
        node, before, last = stack.pop()
        count += 1
        if count > MOST_LINES:
            yield Line("", f"… and {len(tree) - MOST_LINES:,} more nodes", "", "--format json prints them all")
            return
        best = node in on_line
        stem, below = before, before
        if node:
            stem += ("┕━━ " if last else "┝━━ ") if best else ("└── " if last else "├── ")
            below += "    " if last else "│   "
        yield Line(
            stem,
            _label(solution, node),
            _value(solution, node),
            "pruned" if node in unvisited else _notes(solution, node, cut_at.get(node)),
            pruned=node in unvisited,
            best=best or node == 0,
        )
        children = tree.children[node]
        if children and tree.depth[node] >= DEEPEST:
            folded = tree.last[node] - node
            yield Line(below + "└── ", f"… {folded:,} nodes below", "", "")
            continue
        for child in reversed(children):
            stack.append((child, below, child == children[-1]))


def _label(solution: Solution, node: Node) -> str:
    tree = solution.tree
    turn, move, chance = tree.turn[node], tree.move[node], tree.probability[node]
    edge = "" if move is None else f"{move} "
    if chance is not None:
        edge += f"({number(chance)}) "
    mover = f" ({turn} moves)" if turn is not None and turn not in TURN_WORDS else ""
    return f"{edge}{turn_sign(turn)} {tree.ids[node]}{mover}"


def _value(solution: Solution, node: Node) -> str:
    search = solution.search
    returned = None if search is None else search.returned[node]
    if search is None or (returned is not None and solution.tree.turn[node] is None):
        own = f"= {value_text(solution.values[node])}"
        if search is None or returned is None or returned == search.true[node]:
            return own
        # Fail-hard clamps what a leaf returns.
        return f"{own} → {bound_text(search.scale.number(returned))}"
    if returned is None:
        # A pruned leaf keeps its number on the page, as in the textbook's figure.
        return "" if solution.tree.turn[node] is not None else f"  {value_text(solution.values[node])}"
    return f"{KNOWN_SIGNS[search.known(node)]} {bound_text(search.scale.number(returned))}"


def _notes(solution: Solution, node: Node, cut: Cut | None) -> str:
    search = solution.search
    if search is None or solution.tree.turn[node] is None:
        return ""
    written = _written(solution.convention.write, search, node)
    return "  ".join(part for part in (written, _cut_note(solution, search, cut)) if part)


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


def _cut_note(solution: Solution, search: Search, cut: Cut | None) -> str:
    if cut is None:
        return ""
    ids = solution.tree.ids
    sign, name = ("≤", "α") if cut.kind == "alpha" else ("≥", "β")
    if solution.convention.cut == "past-bound":
        sign = "<" if cut.kind == "alpha" else ">"
    whose = "" if cut.set_by is None else f" from {ids[cut.set_by]}"
    value, reached = bound_text(search.scale.number(cut.value)), bound_text(search.scale.number(cut.bound))
    return f"✂ after {ids[cut.after]}: {value} {sign} {name} = {reached}{whose}{', a deep cut' if cut.deep else ''}"


def window(search: Search, ranks: Ranks) -> str:
    return f"({bound_text(search.scale.number(ranks[0]))}, {bound_text(search.scale.number(ranks[1]))})"
