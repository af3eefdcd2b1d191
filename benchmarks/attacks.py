"""Attacks on the marking: what answers earn that were found without searching the tree."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.blind import BLIND, Guess, answers, at_random, carried_up
from benchmarks.climbing import LEVELS, climbed
from benchmarks.constants import Best, best_constant, chance_level, other_trees
from benchmarks.games import SEED
from benchmarks.measure import title
from benchmarks.students import Habit, PaperTree, search
from benchmarks.variants import FIGURE, TWO_PLY, TWO_VALUED, Variant, by_position, drawn, figure, recipe_names
from solver.kernel import number_text

VARIANTS, QUICK_VARIANTS = 20, 3
QUICK_RECIPES = ("alpha-beta-easy", "concepts-easy")
DRAWS = 3
"""Of each answer at random."""
SHUFFLES = 3
"""Trees of the same shape for each variant, which tell the chance level."""
ABOVE_CHANCE, OVERALL, OF_FIGURE = 0.10, 0.35, 4
TRIES, QUICK_TRIES = 500, 20
CLIMBED = (
    "alpha-beta-easy",
    "alpha-beta-medium",
    "alpha-beta-trace",
    "concepts-medium",
    "minimax-medium",
    "star1-easy",
)

Shares = dict[str, dict[str, list[float]]]
"""By strategy, and there by type of question, `whole` being all questions together."""
WHOLE = "whole"
FAMILIES = {
    "constant": "constant",
    "first leaf": "first leaf below",
    "crossed": "all",
    "later": "later",
    "bounds": "a bound",
    "two": "two",
    "random": "random",
    "another": "another variant",
}
"""What the names of strategies begin with, for the table by type of question."""


@dataclass
class Attacked:
    """What a recipe gave away."""

    recipe: str
    two_valued: bool
    shares: Shares
    constants: list[tuple[Best, float]] = field(default_factory=list)
    """The best constant answer to each question, and its chance level."""
    together: float = 0.0
    """What these earn together, of the whole exercise."""


def attacks(
    quick: bool, recipes: str | None = None, variants: int | None = None, kept: Path | None = None, climb: str = "yes"
) -> None:
    """`climb`: `yes`, `no` or `only`."""
    names = QUICK_RECIPES if quick and not recipes else recipe_names(recipes)
    if climb != "only":
        _guesses(names, variants or (QUICK_VARIANTS if quick else VARIANTS), kept)
    if climb != "no":
        _climbs([name for name in CLIMBED if name in names][: 1 if quick else None], quick, kept)


def _guesses(names: Sequence[str], count: int, kept: Path | None) -> None:
    _figure()
    title(f"Attacks on {len(names)} recipes, {count} variants of each; * has two-valued questions")
    found = []
    for name in names:
        found.append(attacked(name, drawn(name, count, kept)))
        _by_recipe(found[-1])
    title("Attacks by strategy: share of marks, mean and best")
    _by_strategy(found)
    title("Attacks by type of question: mean share of the best strategy of each family, and of the best constant")
    _by_type(found)
    title(f"The best constant answer to each question that earns more than chance + {ABOVE_CHANCE:.2f}")
    _flagged(found)


def _figure() -> None:
    """Figure 5.2 out of 11. One number may be what fail-hard returns at every node: right then, and not judged."""
    found = figure()
    hard = {number_text(int(each)) for each in search(PaperTree(TWO_PLY), Habit(hard=True)).handed_up.values()}
    title("Figure 5.2: values 4, windows 4, pruned 2, move 1")
    for name, guess in BLIND.items():
        given = answers(found.exercise, guess)
        marks = found.marked(given).exact_marks
        right = set(given["values"].values()) == hard
        missed = name.startswith("constant") and marks > OF_FIGURE and not right
        note = "  the values of fail-hard" if right else "  MISSED" if missed else ""
        print(f"  {name:<44}{number_text(marks):>7}{note}")


def strategies(variants: Sequence[Variant]) -> Iterator[tuple[str, Callable[[int], dict[str, Any]]]]:
    """Each with its answers to the variant at a place of the set."""
    for name, guess in BLIND.items():
        yield name, partial(_guessed, variants, guess)
    for turn in range(DRAWS):
        yield "random", partial(_drawn_guess, variants, at_random, turn)
        yield "random bottoms carried up", partial(_drawn_guess, variants, carried_up, turn)
    if len(variants) > 1:
        yield "another variant's key, by position", lambda place: _another(variants, place, False)
        yield "another variant's key, numbers too", lambda place: _another(variants, place, True)


def _guessed(variants: Sequence[Variant], guess: Guess, place: int) -> dict[str, Any]:
    return answers(variants[place].exercise, guess)


def _drawn_guess(
    variants: Sequence[Variant], drawn_by: Callable[[random.Random], Guess], turn: int, place: int
) -> dict[str, Any]:
    return answers(variants[place].exercise, drawn_by(random.Random(SEED + 1000 * turn + place)))


def _another(variants: Sequence[Variant], place: int, with_numbers: bool) -> dict[str, Any]:
    source, target = variants[place - 1], variants[place]
    key = source.key
    if with_numbers:
        numbers: dict[str, Any] = {}
        for mine, theirs in zip(source.tree.leaves, target.tree.leaves, strict=False):
            old, new = source.tree.leaf[mine], target.tree.leaf[theirs]
            if isinstance(old, int) and isinstance(new, int):
                numbers.setdefault(number_text(old), number_text(new))
        key = {name: _replaced(each, numbers) for name, each in key.items()}
    return {name: by_position(each, source.tree, target.tree) for name, each in key.items()}


def _replaced(answer: Any, numbers: dict[str, Any]) -> Any:
    """Every number of the answer that is a leaf's, by the number of the leaf at the same place."""
    if isinstance(answer, dict):
        return {key: _replaced(each, numbers) for key, each in answer.items()}
    if isinstance(answer, list | tuple):
        return [_replaced(each, numbers) for each in answer]
    text = str(answer)
    if text.startswith("("):
        return [_replaced(end.strip(), numbers) for end in text.strip("()").split(",")]
    sign, _, number = text.rpartition(" ")
    return f"{sign} {numbers.get(number, number)}".strip()


def attacked(recipe: str, variants: Sequence[Variant]) -> Attacked:
    shares: Shares = defaultdict(lambda: defaultdict(list))
    for name, answer in strategies(variants):
        for place, variant in enumerate(variants):
            report = variant.marked(answer(place))
            shares[name][WHOLE].append(float(report.exact_marks / variant.exercise.out_of))
            for each in report.questions():
                shares[name][each.question.ask].append(float(each.marks / each.question.marks))
    questions = variants[0].exercise.questions
    found = Attacked(recipe, any(each.ask in TWO_VALUED for each in questions), shares)
    others = other_trees(variants, random.Random(SEED), SHUFFLES)
    for question in questions:
        found.constants.append((best_constant(question, variants), chance_level(question, variants, others)))
    best = [each for each, _ in found.constants]
    found.together = fmean(
        float(each.marked({one.question.id: one.answer(each) for one in best}).exact_marks / each.exercise.out_of)
        for each in variants
    )
    return found


def _by_recipe(found: Attacked) -> None:
    best = max(found.shares, key=lambda name: fmean(found.shares[name][WHOLE]))
    share = fmean(found.shares[best][WHOLE])
    worst = max(share, found.together)
    print(
        f"  {found.recipe + ('*' if found.two_valued else ''):<24} best constants together {found.together:.2f}, "
        f"best strategy {share:.2f} ({best}){'  MISSED' if worst > OVERALL and not found.two_valued else ''}",
        flush=True,
    )


def _by_strategy(found: list[Attacked]) -> None:
    plain, two = ([each for each in found if each.two_valued is which] for which in (False, True))
    print(f"  {'strategy':<44}{'mean':>7}{'best':>7}    with two-valued questions")
    for name in _strategy_names(found):
        line = f"  {name:<44}"
        for some in (plain, two):
            shares = [share for each in some for share in each.shares[name][WHOLE]]
            line += f"{fmean(shares):>7.2f}{max(shares):>7.2f}    " if shares else " " * 18
        over = [share for each in plain for share in each.shares[name][WHOLE]]
        print(line.rstrip() + ("  MISSED" if over and fmean(over) > OVERALL else ""))
    for name, some in (("recipes without", plain), ("with two-valued questions", two)):
        if some:
            together = [each.together for each in some]
            above = sum(share > OVERALL for share in together)
            print(
                f"  best constants together, {name}: mean {fmean(together):.2f}, best {max(together):.2f}, "
                f"above {OVERALL} in {above} of {len(together)} recipes"
            )


def _strategy_names(found: list[Attacked]) -> list[str]:
    return list(dict.fromkeys(name for each in found for name in each.shares))


def _by_type(found: list[Attacked]) -> None:
    asks = dict.fromkeys(best.question.ask for each in found for best, _ in each.constants)
    print(f"  {'':<14}" + "".join(f"{name:>11}" for name in (*FAMILIES, "constants", "chance")) + "   best of any")
    for ask in asks:
        line, most = f"  {ask:<14}", 0.0
        for start in FAMILIES.values():
            members = [name for name in _strategy_names(found) if name.startswith(start)]
            shares = [[share for each in found for share in each.shares[name].get(ask, ())] for name in members]
            line += f"{max((fmean(each) for each in shares if each), default=0):>11.2f}"
            most = max([most, *(max(each) for each in shares if each)])
        known = [(best.share, chance) for each in found for best, chance in each.constants if best.question.ask == ask]
        print(line + "".join(f"{fmean(column):>11.2f}" for column in zip(*known, strict=True)) + f"{most:>14.2f}")


def _flagged(found: list[Attacked]) -> None:
    asked = [(each, best, chance) for each in found for best, chance in each.constants]
    over = [(each, best, chance) for each, best, chance in asked if best.share > chance + ABOVE_CHANCE]
    for each, best, chance in over:
        print(
            f"  {each.recipe:<24}{best.question.id:<16}{best.question.ask:<14}{best.share:>5.2f}, chance {chance:.2f}"
        )
    print(f"  {len(over)} of {len(asked)} questions")


def _climbs(names: Sequence[str], quick: bool, kept: Path | None) -> None:
    tries = QUICK_TRIES if quick else TRIES
    title(f"A hill climb of {tries} answers: share in the end, by what the feedback shows")
    print(f"  {'':<24}" + "".join(f"{level:>8}" for level in LEVELS))
    ended: dict[str, list[float]] = {level: [] for level in LEVELS}
    for name in (FIGURE, *names):
        variant = figure() if name == FIGURE else drawn(name, 1, kept)[0]
        for level in LEVELS:
            ended[level].append(climbed(variant, level, tries, random.Random(SEED)))
        print(f"  {name:<24}" + "".join(f"{ended[level][-1]:>8.2f}" for level in LEVELS), flush=True)
    print(f"  {'mean':<24}" + "".join(f"{fmean(shares):>8.2f}" for shares in ended.values()))
