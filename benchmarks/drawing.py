"""Drawing whole trees, nothing folded: the time per node stays level where growth is linear."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.growth import SHAPES, as_json
from benchmarks.measure import Ratio, interleaved, show, title
from solver.drawing import Request, draw
from solver.drawing.boards import board
from solver.drawing.svg_picture import svg
from solver.drawing.tree_layout import pictures
from solver.drawing.view import View
from solver.languages.translation import language
from solver.pipeline import load_bytes, solve

SIZES = (1_000, 10_000, 100_000)
QUICK_SIZES = (100, 1_000)
ROUNDS, QUICK_ROUNDS = 5, 1


def drawing(quick: bool) -> list[Ratio]:
    title("Drawing: a solved game to SVG with every node drawn; µs per node stays level where growth is linear")
    print(f"  {'tree':<8}{'nodes':>9}{'seconds':>10}{'µs per node':>13}{'board':>9}{'layout':>9}{'SVG':>9}{'MB':>8}")
    ratios: list[Ratio] = []
    sizes = QUICK_SIZES if quick else SIZES
    for shape, grown in SHAPES.items():
        works = {str(size): _work(as_json(grown(size))) for size in sizes}
        seconds = interleaved({name: work for name, (_, _, work) in works.items()}, QUICK_ROUNDS if quick else ROUNDS)
        for name, (nodes, parts, work) in works.items():
            least = min(seconds[name].cpu)
            spent = interleaved(parts, 1)
            made = sum(min(each.cpu) for each in spent.values()) or 1.0
            shares = "".join(f"{min(spent[part].cpu) / made:>9.0%}" for part in parts)
            print(
                f"  {shape:<8}{nodes:>9,}{least:>10.3f}{least / nodes * 1e6:>13.1f}{shares}{len(work()) / 1e6:>8.1f}",
                flush=True,
            )
        small, large = works[str(sizes[0])][0], works[str(sizes[-1])][0]
        ratios.append(
            Ratio(
                f"{shape}: time per node, {large:,} nodes / {small:,} nodes",
                seconds[str(sizes[-1])].cpu,
                seconds[str(sizes[0])].cpu,
                scale=large / small,
                target=2,
            )
        )
    return show(ratios)


def _work(text: str) -> tuple[int, dict[str, Callable[[], object]], Callable[[], bytes]]:
    """The number of nodes, the parts of the work, and the whole of it."""
    game = load_bytes(text.encode(), "game.json")
    solution, words, view = solve(game), language("en"), View(most_leaves=None)
    made = board(solution.tree, view, words, "", solution)
    placed = pictures([made])[0]
    parts: dict[str, Callable[[], object]] = {
        "board": lambda: board(solution.tree, view, words, "", solution),
        "layout": lambda: pictures([made]),
        "SVG": lambda: svg(placed),
    }
    return len(game.tree), parts, lambda: draw(game, Request(most_leaves=None))[0].content
