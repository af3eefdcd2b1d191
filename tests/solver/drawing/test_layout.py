"""The tidy tree: as another program lays it out, without overlaps, symmetrical, and in linear time."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from solver.drawing.picture_style import PICTURE_FONTS, covered, text_width
from solver.drawing.tidy_tree import Blocks, tidy
from tests.support.paths import ROOT

# Positions relative to the root, laid out by d3-hierarchy 3.1.3: tree().nodeSize([1, 1]), with a separation of
# right[a] + left[b] + the gap, that is the larger sibling gap between siblings and subtree_gap between others.
OTHERS = json.loads((ROOT / "tests" / "layouts" / "d3-hierarchy.json").read_bytes())


@st.composite
def blocks(draw: Any) -> Blocks:
    """Trees of up to 40 blocks in preorder, with reaches of their own."""
    children: list[list[int]] = [[]]
    path = [0]
    for node in range(1, draw(st.integers(1, 40))):
        path = path[: draw(st.integers(1, len(path)))]
        children[path[-1]].append(node)
        children.append([])
        path.append(node)
    reach = st.lists(st.integers(1, 60), min_size=len(children), max_size=len(children))
    gaps = st.lists(st.integers(0, 20), min_size=len(children), max_size=len(children))
    return Blocks(children, draw(reach), draw(reach), draw(gaps), draw(st.integers(0, 20)))


def rows(children: Any) -> list[list[int]]:
    """The blocks of each depth from left to right."""
    found, level = [], [0]
    while level:
        found.append(level)
        level = [child for node in level for child in children[node]]
    return found


def mirrored(given: Blocks) -> Blocks:
    return Blocks(
        [list(reversed(children)) for children in given.children],
        given.right,
        given.left,
        given.sibling_gap,
        given.subtree_gap,
    )


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: f"{len(case['children'])} blocks")
def test_as_d3_hierarchy(case: Any) -> None:
    x = tidy(Blocks(case["children"], case["left"], case["right"], case["gap"], case["subtree_gap"]))
    assert [place - x[0] for place in x] == pytest.approx(case["x"], abs=1e-5)


@given(blocks())
def test_nothing_overlaps(given: Blocks) -> None:
    x = tidy(given)
    parent = {child: node for node, children in enumerate(given.children) for child in children}
    for row in rows(given.children):
        for left, right in pairwise(row):
            siblings = parent[left] == parent[right]
            gap = max(given.sibling_gap[left], given.sibling_gap[right]) if siblings else given.subtree_gap
            assert x[right] - x[left] >= given.right[left] + given.left[right] + gap - 1e-6


@given(blocks())
def test_parents_stand_above_the_middle_of_their_children(given: Blocks) -> None:
    x = tidy(given)
    for node, children in enumerate(given.children):
        if children:
            assert x[node] == pytest.approx((x[children[0]] + x[children[-1]]) / 2, abs=1e-6)


@given(blocks())
def test_a_mirrored_tree_is_drawn_mirrored(given: Blocks) -> None:
    x, reflected = tidy(given), tidy(mirrored(given))
    assert [place - x[0] for place in x] == pytest.approx([reflected[0] - place for place in reflected], abs=1e-5)


@given(blocks(), st.integers(1, 4))
def test_equal_subtrees_are_drawn_equally(given: Blocks, copies: int) -> None:
    size = len(given.children)
    children: list[list[int]] = [[1 + copy * size for copy in range(copies)]]
    for copy in range(copies):
        children += [[1 + copy * size + child for child in here] for here in given.children]
    x = tidy(
        Blocks(
            children,
            [1, *list(given.left) * copies],
            [1, *list(given.right) * copies],
            [0, *list(given.sibling_gap) * copies],
            given.subtree_gap,
        )
    )
    shapes = [x[1 + copy * size : 1 + (copy + 1) * size] for copy in range(copies)]
    for shape in shapes:
        assert [place - shape[0] for place in shape] == pytest.approx(
            [place - shapes[0][0] for place in shapes[0]], abs=1e-5
        )


def test_a_uniform_tree_is_as_narrow_as_its_leaves() -> None:
    children = [[3 * node + 1, 3 * node + 2, 3 * node + 3] for node in range(13)] + [[] for _ in range(27)]
    x = tidy(Blocks(children, [5] * 40, [5] * 40, [2] * 40, 2))
    assert sorted(x[13:]) == pytest.approx([x[13] + 12 * place for place in range(27)])


def test_a_chain_deeper_than_pythons_stack() -> None:
    size = 100_000
    children = [[node + 1] for node in range(size - 1)] + [[]]
    assert set(tidy(Blocks(children, [1] * size, [1] * size, [1] * size, 1))) == {0.0}


def test_widths_are_the_fonts_own() -> None:
    font = TTFont(PICTURE_FONTS / "DejaVuSans.ttf")
    advances, glyphs = font["hmtx"], font.getBestCmap()
    for sign in "AZaz09 (),[]/−∞≤≥αβ✓✗↺…çñüگچ۲٫":
        advance = Fraction(advances[glyphs[ord(sign)]][0], font["head"].unitsPerEm)
        assert text_width(sign, 16) == pytest.approx(float(16 * advance)), sign
    assert covered("A − ∞ گ") and not covered("漢") and not covered("🙂")
