"""Nodes visited per second by our alpha-beta, recording everything, and by peers that record nothing."""

from __future__ import annotations

from benchmarks.games import Uniform, uniform
from benchmarks.measure import Ratio, Work, interleaved, show, title
from benchmarks.peers import Count, peers
from solver.game import Game, Tree
from solver.pipeline import solve
from solver.pipeline.stages import paused_collection
from solver.render import solution_data
from solver.search import Solution
from solver.search.algorithms.alpha_beta import Rules, alpha_beta
from solver.search.events import ENTERED, EVALUATED, Event
from solver.search.ranks import LOWEST, Scale, scale_of

SHAPES = ((3, 3, False), (3, 9, False), (5, 6, False), (10, 4, False), (3, 9, True))
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
        "search": lambda: _events(tree, scale),
        "ranked": lambda: _events(tree, scale_of(tree)),
        "recorded": lambda: _recorded(game),
        "data": lambda: solution_data(_recorded(game)),
        **{peer.name: peer.search for peer in others},
    }
    visited = ours.inner + ours.leaves
    times = max(1, VISITS // visited)
    found = interleaved({name: _repeated(work, times) for name, work in contenders.items()}, 2 if quick else 9)
    title(f"Search, {drawn.label}: {visited:,} of {len(tree):,} nodes visited, {ours.leaves:,} leaves; all agree")
    labels = {
        "search": "ours, all events",
        "ranked": "ours, all events, ranking the leaves first",
        "recorded": "ours, and every window, cut, interval and true value",
        "data": "ours, and the whole solution as data",
    }
    for name in contenders:
        rate = visited * times / min(found[name].cpu) / 1e6
        print(f"  {labels.get(name, name):<64} {rate:7.2f} M visited nodes/s")
    print()
    return show(
        [
            Ratio(f"{label} / {peer.name}", found[name].cpu, found[peer.name].cpu, target=target, inverse=True)
            for name, label, target in (
                ("search", "all events", 1),
                ("ranked", "all events and ranking", None),
                ("recorded", "everything derived", None),
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


def _events(tree: Tree, scale: Scale) -> list[Event]:
    return alpha_beta(tree, scale.utility, (LOWEST, scale.infinity), scale.infinity, Rules())


def _recorded(game: Game) -> Solution:
    return solve(game, "alpha-beta")


def _counted(game: Game) -> Count:
    kinds = [kind for kind, _, _ in _events(game.tree, scale_of(game.tree))]
    return Count(float(_recorded(game).value), kinds.count(ENTERED), kinds.count(EVALUATED))  # type: ignore[arg-type]
