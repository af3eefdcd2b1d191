"""Cells: the form in which answers, keys and mistakes are compared, whatever question they are about.

A cell says what is asked, and where: (WORTH, node), ("window", node), (CROSSED, leaf), (SEQUENCE, leaf), (PLAYED,),
(UCB1, node), (SELECTED, node), (COUNTS, node), (STRATEGY,).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from grader.mistakes.behaviour import Behaviour
from grader.mistakes.words import ALL, COUNTS, CROSSED, ENTRY, EXIT, PLAYED, SELECTED, SEQUENCE, STRATEGY, UCB1, WORTH
from solver.game import Tree, Window
from solver.kernel import decimal_text

Cell: TypeAlias = tuple[Any, ...]

UNVISITED = "-"
START = "start"


def cells_of(
    behaviour: Behaviour,
    key: Behaviour,
    tree: Tree,
    asked: Collection[str],
    nodes: Collection[int] | None = None,
    digits: int = 4,
) -> dict[Cell, object]:
    """What a behaviour puts into the cells that are asked; the key's own are `cells_of(key, key, …)`.

    `nodes` limits values and windows to some nodes. UCB1 values are rounded to `digits` places.
    """
    cells: dict[Cell, object] = {}
    inner = tree.inner if nodes is None else [node for node in tree.inner if node in nodes]
    if WORTH in asked and key.values is not None:
        values = key.values if behaviour.values is None else behaviour.values
        for node in inner:
            worth = values.get(node)
            cells[WORTH, node] = UNVISITED if worth is None else worth
    for at in (ENTRY, EXIT, ALL):
        if at in asked and key.windows is not None:
            windows = key.windows if behaviour.windows is None else behaviour.windows
            cells.update({("window", node): window_cell(windows.get(node, ()), at) for node in inner})
    if CROSSED in asked and key.pruned is not None:
        pruned = key.pruned if behaviour.pruned is None else behaviour.pruned
        cells.update({(CROSSED, leaf): leaf in pruned for leaf in tree.leaves})
    if SEQUENCE in asked and key.visited is not None:
        cells.update(visited_cells(tree, key.visited if behaviour.visited is None else behaviour.visited))
    if PLAYED in asked and key.move is not None:
        cells[PLAYED,] = key.move if behaviour.move is None else behaviour.move
    return cells | _fact_cells(behaviour.facts, key.facts, asked, digits)


def window_cell(windows: Sequence[Window], at: str) -> object:
    """The window on entry, on leaving, or all of them; `-` where a node was not visited."""
    if not windows:
        return UNVISITED
    return tuple(windows) if at == ALL else windows[0 if at == ENTRY else -1]


def visited_cells(tree: Tree, order: Iterable[int]) -> dict[Cell, object]:
    """Each leaf with the one evaluated before it: a leaf too many spoils two cells, not all that come after."""
    cells: dict[Cell, object] = {(SEQUENCE, leaf): UNVISITED for leaf in tree.leaves}
    before: object = START
    for leaf in order:
        cells[SEQUENCE, leaf] = before
        before = leaf
    return cells


def _fact_cells(
    facts: Mapping[str, Any], key: Mapping[str, Any], asked: Collection[str], digits: int
) -> dict[Cell, object]:
    cells: dict[Cell, Any] = {}
    for word in (UCB1, SELECTED, COUNTS):
        if word in asked and word in key:
            # A behaviour that has the word but not the node went another way down the tree.
            says = facts.get(word, key[word])
            cells.update({(word, node): says.get(node, UNVISITED) for node in key[word]})
    for cell, value in cells.items():
        if cell[0] == UCB1 and not isinstance(value, str):
            cells[cell] = decimal_text(value, digits)
    if STRATEGY in asked and STRATEGY in key:
        cells[STRATEGY,] = facts.get(STRATEGY, key[STRATEGY])
    return cells
