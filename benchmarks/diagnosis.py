"""Diagnosis: how often a model's own output is named, with a slip too, and how often answers at random are."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.exam_games import GAMES, LARGE, SMALL, exam_tree
from benchmarks.games import SEED
from benchmarks.graded_mistakes import graded_mistakes
from benchmarks.measure import title
from grader.mistakes.behaviour import key_behaviour, mistake_of
from grader.mistakes.cells import Cell, cells_of
from grader.mistakes.diagnosis import Class, Diagnosis, classes_of, diagnosed
from grader.mistakes.guessing import Guessing, guessing_of
from grader.mistakes.registry import MODELS
from grader.mistakes.words import CROSSED, ENTRY, PLAYED, WORTH
from solver.game import ROOT, Tree
from solver.search import Solution

FULL = (WORTH, ENTRY, CROSSED, PLAYED)
SETTINGS = {
    "values, windows, pruned leaves and the move": FULL,
    "values, pruned leaves and the move": (WORTH, CROSSED, PLAYED),
    "pruned leaves only": (CROSSED,),
}
SIZES = {"8 leaves": SMALL, "12 to 24 leaves": LARGE}
TREES, QUICK_TREES = 100, 10
VISIBLE = 2
"""A model is judged where it differs from the key in so many cells."""
FOUND = 0.9
"""The share of answers with one slip in which the mistake is to be found."""
ANSWERS = 10
"""Of each kind that no mistake made, for every game."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A game with the cells of its key and of its models."""

    tree: Tree
    key: dict[Cell, object]
    models: dict[str, dict[Cell, object]]
    pool: dict[str, list[object]]
    """What could stand in a cell of each kind: whatever the key or some model writes there, and nonsense."""
    classes: Sequence[Class]
    guessing: Guessing

    def diagnosed(self, answer: dict[Cell, object]) -> list[Diagnosis]:
        return diagnosed(answer, self.key, self.classes, self.guessing)


def diagnosis(quick: bool) -> None:
    count = QUICK_TREES if quick else TREES
    draw = random.Random(SEED)
    exams: list[tuple[Solution, Tree]] = []
    for size, shapes in SIZES.items():
        exams = [exam_tree(draw, shapes) for _ in range(count)]
        for name, asked in SETTINGS.items():
            title(f"Diagnosis: % of {count} exam-like MAX/MIN trees of {size}; asked are {name}")
            _table(draw, [_drawn(solution, asked, exam) for solution, exam in exams])
    for name, (asked, judged, game) in GAMES.items():
        title(f"Diagnosis: % of {count} {name}; asked are {', '.join(asked)}")
        drawn = [game(draw) for _ in range(count)]
        _table(draw, [_drawn(solution, asked, whole) for solution, whole in drawn], judged)
    graded_mistakes(draw, quick)
    title("Time")
    _time(exams)


def _table(draw: random.Random, games: list[Drawn], judged: tuple[str, ...] = ("M", "A")) -> None:
    """All models that apply are rivals; those whose id begins so are judged."""
    print(f"  {'':<14}{'':>9}{'own output':>18}{'one slip':>18}")
    head = ("visible", "named", "sure", "named", "sure", "alone", "another", "none")
    print(f"  {'model':<14}" + "".join(f"{each:>9}" for each in head))
    total: Counter[str] = Counter()
    for name in (each for each in MODELS if each.startswith(judged)):
        seen: Counter[str] = Counter()
        for game in games:
            output = game.models.get(name)
            if output is not None and sum(output[cell] != game.key[cell] for cell in game.key) >= VISIBLE:
                seen += _seen(name, game.diagnosed(output), game.diagnosed(_slipped(draw, game, output, 1)))
        if seen:
            _row(name, seen, len(games))
            total += seen
    _row("all", total, 0)
    _without_mistake(draw, games)


def _seen(name: str, own: list[Diagnosis], slipped: list[Diagnosis]) -> Counter[str]:
    found = _names(name, slipped)
    return Counter(
        {
            "visible": 1,
            "named": _names(name, own),
            "named sure": _names(name, own) and own[0].sure,
            "slip" if found else "another" if slipped else "none": 1,
            "slip sure": found and slipped[0].sure,
            "alone": found and len(slipped) == 1,
        }
    )


def _row(name: str, seen: Counter[str], games: int) -> None:
    visible = seen["visible"]
    how_often = f"{visible / games:>9.1%}" if games else " " * 9
    kinds = ("named", "named sure", "slip", "slip sure", "alone", "another", "none")
    shares = "".join(f"{seen[what] / visible:>9.1%}" for what in kinds)
    print(f"  {name:<14}{how_often}{shares}{'  MISSED' if seen['slip'] < FOUND * visible else ''}", flush=True)


def _without_mistake(draw: random.Random, games: list[Drawn]) -> None:
    """Answers that no mistake made, and the share of them that is called one."""
    kinds: dict[str, Callable[[Drawn], dict[Cell, object]]] = {
        "every cell at random": lambda game: {cell: draw.choice(game.pool[cell[0]]) for cell in game.key},
        "half the cells wrong": lambda game: _slipped(draw, game, game.key, len(game.key) // 2),
        "the key with three slips": lambda game: _slipped(draw, game, game.key, 3),
        "the key with two slips": lambda game: _slipped(draw, game, game.key, 2),
        "the key with one slip": lambda game: _slipped(draw, game, game.key, 1),
    }
    if {cell[0] for cell in games[0].key} == {CROSSED}:
        kinds = {"stops at random": lambda game: _stopped(draw, game)} | kinds
    for name, answer in kinds.items():
        answers = [(game, answer(game)) for game in games for _ in range(ANSWERS)]
        called = [found[0] for game, given in answers if (found := game.diagnosed(given))]
        sure = sum(found.sure for found in called)
        which = Counter(found.mistake for found in called).most_common(6)
        print(
            f"  {name:<26}{sure / len(answers):>8.2%} called a mistake{(len(called) - sure) / len(answers):>9.2%}"
            f" perhaps one   {', '.join(f'{mistake} {count}' for mistake, count in which)}".rstrip(),
            flush=True,
        )


def _names(name: str, found: list[Diagnosis]) -> bool:
    return bool(found) and mistake_of(name) in (found[0].mistake, *found[0].same_here)


def _slipped(draw: random.Random, game: Drawn, answer: dict[Cell, object], slips: int) -> dict[Cell, object]:
    """The answer with something else in so many cells."""
    changed = dict(answer)
    for cell in draw.sample(list(answer), min(slips, len(answer))):
        changed[cell] = draw.choice([other for other in game.pool[cell[0]] if other != answer[cell]])
    return changed


def _stopped(draw: random.Random, game: Drawn) -> dict[Cell, object]:
    """Leaves crossed out as by stops: each node that is visited is left after some child."""
    visited, unfinished = set(), [ROOT]
    while unfinished:
        node = unfinished.pop()
        visited.add(node)
        children = game.tree.children[node]
        unfinished += children[: draw.randint(1, len(children))] if children else ()
    return {cell: cell[1] not in visited for cell in game.key}


def _drawn(solution: Solution, asked: tuple[str, ...], whole: Tree) -> Drawn:
    tree, key = solution.tree, key_behaviour(solution)
    found = {name: model.run(whole, solution.convention, solution) for name, model in MODELS.items()}
    models = {name: cells_of(each, key, tree, asked) for name, each in found.items() if each is not None}
    cells = cells_of(key, key, tree, asked)
    pool: dict[str, list[object]] = {}
    for written in (cells, *models.values()):
        for cell, value in written.items():
            kind = pool.setdefault(cell[0], [True, False] if cell[0] == CROSSED else ["nonsense"])
            if value not in kind:
                kind.append(value)
    classes = classes_of(cells, models)
    return Drawn(tree, cells, models, pool, classes, guessing_of(cells, [each.different for each in classes], tree))


def _time(exams: list[tuple[Solution, Tree]]) -> None:
    start = time.process_time()
    for solution, whole in exams:
        for model in MODELS.values():
            model.run(whole, solution.convention, solution)
    models = time.process_time()
    games = [_drawn(solution, FULL, whole) for solution, whole in exams]
    ready = time.process_time()
    for game in games:
        game.diagnosed(game.models["A2"])
    end = time.process_time()
    nodes = sum(len(game.tree) for game in games) / len(games)
    run, one = (models - start) / len(games) * 1e3, (end - ready) / len(games) * 1e3
    print(f"  a tree of {nodes:.0f} nodes on average: all its models {run:.2f} ms, one answer {one:.3f} ms")
