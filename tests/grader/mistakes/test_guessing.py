"""The chance that guesses come near to a mistake: judged by writing down every guess."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.mistakes.cells import Cell
from grader.mistakes.guessing import Guessing, guessing_of
from solver.game import Tree
from solver.pipeline import load_tree

SHAPES = ["[[1,2],[3,4]]", "[[1,2,3],[4,5]]", "[1,[2,3],[4,[5,6]]]", "[[[1,2],[3,4]],[5,6]]"]


def crosses(tree: Tree, crossed: Any) -> dict[Cell, object]:
    return {("crossed", leaf): leaf in crossed for leaf in tree.leaves}


def misses(one: Mapping[Cell, object], other: Mapping[Cell, object]) -> int:
    return sum(one[cell] != other[cell] for cell in one)


def stopped(tree: Tree, node: int, step: int) -> Iterator[tuple[Fraction, frozenset[int]]]:
    """Every way to visit what is below a node: its chance, and the leaves that are evaluated."""
    children = tree.children[node][::step]
    if not children:
        yield Fraction(1), frozenset({node})
    for place in range(1, len(children) + 1):
        for ways in product(*(list(stopped(tree, child, step)) for child in children[:place])):
            chance = Fraction(1, len(children))
            for each, _ in ways:
                chance *= each
            yield chance, frozenset().union(*(leaves for _, leaves in ways))


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@given(draw=st.data())
def test_leaves_by_writing_down_every_guess(shape: str, backwards: bool, draw: st.DataObject) -> None:
    tree = load_tree(shape).tree
    student, says = (crosses(tree, draw.draw(st.sets(st.sampled_from(tree.leaves)))) for _ in range(2))
    most = draw.draw(st.integers(0, 3))
    number = sum(value is True for value in student.values())
    as_many = [crosses(tree, each) for each in combinations(tree.leaves, number)]
    by_stops = [
        (chance, crosses(tree, set(tree.leaves) - leaves))
        for chance, leaves in stopped(tree, 0, -1 if backwards else 1)
    ]
    assert sum(chance for chance, _ in by_stops) == 1
    expected = max(
        Fraction(sum(misses(each, says) <= most for each in as_many), len(as_many)),
        sum((chance for chance, each in by_stops if misses(each, says) <= most), Fraction(0)),
    )
    guessing = guessing_of(student, [says], tree, right_to_left=backwards)
    assert guessing.with_some_sense(student, says, most) == expected
    every = [dict(zip(student, each, strict=True)) for each in product((False, True), repeat=len(student))]
    near = sum(misses(each, says) <= most for each in every)
    assert guessing.by_coin(student, most) == Fraction(near, len(every))


@given(st.lists(st.integers(2, 4), min_size=1, max_size=5), st.integers(0, 3))
def test_other_cells_by_writing_down_every_guess(sizes: list[int], most: int) -> None:
    cells: list[Cell] = [("worth", place) for place in range(len(sizes))]
    guessing = Guessing(dict(zip(cells, sizes, strict=True)))
    every = list(product(*(range(size) for size in sizes)))
    near = sum(sum(value != 0 for value in each) <= most for each in every)
    assert guessing.by_coin(cells, most) == Fraction(near, len(every))


def test_one_cross_and_none_are_easily_guessed() -> None:
    tree = load_tree("[[1,2,3,4],[5,6,7,8],[9,10,11,12]]").tree
    guessing = guessing_of(crosses(tree, ()), [], tree)
    for leaves in ((), tree.leaves[:1], tree.leaves[1:]):
        says = crosses(tree, leaves)
        assert guessing.with_some_sense(says, says, 0) >= Fraction(1, 12)
        assert guessing.by_coin(says, 0) == Fraction(1, 4096)


def test_what_could_stand_in_a_cell() -> None:
    key: dict[Cell, object] = {("worth", 0): 3, ("worth", 1): 5, ("played",): 1, ("selected", 0): 1, ("selected", 2): 4}
    other: dict[Cell, object] = {("worth", 1): 7, ("selected", 0): 2}
    found = guessing_of(key, [other]).alternatives
    assert found == {("worth", 0): 3, ("worth", 1): 3, ("played",): 2, ("selected", 0): 2, ("selected", 2): 2}


def test_nobody_guesses_hundreds_of_cells() -> None:
    cells: dict[Cell, object] = {("worth", place): 0 for place in range(1000)}
    assert guessing_of(cells, []).by_coin(cells, 50) == 0
