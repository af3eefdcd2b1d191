"""Nodes visited per second by our alpha-beta, recording everything, and by peers that record nothing."""

from __future__ import annotations

from benchmarks.games import Uniform, uniform
from benchmarks.measure import Ratio, Work, interleaved, show, title
from benchmarks.peers import Count, peers
from solver.game import Game, Tree
from solver.pipeline import paused_collection, solve
from solver.render import solution_data
from solver.search import Solution
from solver.search.algorithms.alpha_beta import Rules, search_on_scale
from solver.search.algorithms.minimax import minimax
from solver.search.trace import LOWEST, Scale, Search, scale_of, stages

SHAPES = ((3, 6, False), (5, 5, False), (10, 4, False), (3, 9, False), (10, 5, False), (3, 9, True))
QUICK_SHAPES = ((3, 5, False), (3, 4, True))
VISITS = 20_000
"""A small tree is searched again and again until about so many nodes have been visited."""


def search(quick: bool) -> list[Ratio]:
    return [ratio for shape in (QUICK_SHAPES if quick else SHAPES) for ratio in _compared(uniform(*shape), quick)]


def _compared(drawn: Uniform, quick: bool) -> list[Ratio]:
    game = drawn.game()
    tree = game.tree
    ours, others = _counted(game), peers(drawn)
    for peer in others:
        assert (count := peer.count()) == ours, f"{peer.name} searched another way: {count} instead of {ours}"
    scale = scale_of(tree)
    contenders: dict[str, Work] = {
        "search": lambda: _searched(tree, scale),
        "derived": lambda: _derived(tree, scale),
        "ranking": lambda: scale_of(tree),
        "true": lambda: minimax(tree, scale.utility),
        "data": lambda: solution_data(_recorded(game)),
        **{peer.name: peer.search for peer in others},
    }
    visited = ours.inner + ours.leaves
    times = max(1, VISITS // visited)
    found = interleaved({name: _repeated(work, times) for name, work in contenders.items()}, 2 if quick else 5)
    title(f"Search, {drawn.label}: {visited:,} of {len(tree):,} nodes visited, {ours.leaves:,} leaves; all agree")
    labels = {
        "search": "ours, windows, values and cuts",
        "derived": "ours, all derived for visited nodes",
        "ranking": "ranking all leaves, alone",
        "true": "true values of all nodes, alone",
        "data": "ours, and the whole solution as data",
    }
    for name in contenders:
        rate = visited * times / min(found[name].cpu) / 1e6
        print(f"  {labels.get(name, name):<64} {rate:7.2f} M visited nodes/s")
    print()
    return show(
        [
            Ratio(
                f"{drawn.label}: {label} / {peer.name}",
                found[name].cpu,
                found[peer.name].cpu,
                target=(0.5 if peer is others[0] else 1) if name == "derived" else None,
                inverse=True,
            )
            for name, label in (
                ("search", "windows, cuts"),
                ("derived", "all derived"),
                ("true", "true values alone"),
            )
            for peer in others
        ]
    )


def _repeated(work: Work, times: int) -> Work:
    def repeated() -> None:
        with paused_collection():
            for _ in range(times):
                work()

    return repeated


def _searched(tree: Tree, scale: Scale) -> Search:
    """Windows, returned values and cuts, of all nodes that the search visits."""
    return search_on_scale(tree, scale, (LOWEST, scale.infinity), Rules())


def _derived(tree: Tree, scale: Scale) -> list[object]:
    """The same, and intervals and stages."""
    search = _searched(tree, scale)
    return [list(stages(tree, search)), search.ends]


def _recorded(game: Game) -> Solution:
    return solve(game, "alpha-beta")


def _counted(game: Game) -> Count:
    tree = game.tree
    turns = [tree.turn[node] for node in _searched(tree, scale_of(tree)).visited]
    leaves = turns.count(None)
    return Count(float(_recorded(game).value), len(turns) - leaves, leaves)  # type: ignore[arg-type]
