"""Each click is a change of the text: the result can be read, comments stay, and nothing else is rewritten."""

from __future__ import annotations

from typing import Any

import pytest

from grader.service.tasks.document_commands import check, solve
from grader.service.tasks.tree_edits import OPERATIONS, edit_tree
from grader.service.workers.work_problems import Refused

COMPACT = "# mine\nplymark: game/1  # a game\ntree: [[3, 12], [2, 4]]  # small\n# the end\n"
BLOCK = """\
# mine
plymark: game/1
tree:  # the root is MAX
  id: A
  turn: max
  children:
    # the left side
    - move: l  # left
      turn: min
      children:
        - 3  # three
        - 12
    # the right side
    - - 2
      - 4  # four
# the end
"""
BARE = "plymark: game/1\ntree:\n- - 3  # three\n  - 12\n# between\n- [2, 4]\n"
EXERCISE = """\
plymark: exercise/1
id: one  # its id
game:
  # inside
  tree: {turn: chance, children: [{value: 3}, 5]}
questions:
  - {id: v, ask: values, marks: 1}  # one mark
"""
SHOWCASE = "[[4, [[7, 5], [0, 6]]], [15, [[2, 8, 1], [9, 19]]]]"


def change(text: str, op: str, path: list[int], to: str = "") -> str:
    return edit_tree(text, op, path, to).text


def comments(text: str) -> list[str]:
    return sorted(line[line.index("#") :] for line in text.splitlines() if "#" in line)


def paths(text: str) -> list[Any]:
    return [list(node.path) for node in edit_tree(text).nodes]


NOT_AT_THE_ROOT: list[tuple[str, list[int]]] = [("move", [])]
"""No move leads to a root: the document's problems say so, as they do where a question does not fit vectors."""
TO = {"players": "Ann, Bob, Cy", "value": "7", "turn": "min", "id": "Z", "move": "zz", "p": "1/4"}


@pytest.mark.parametrize("text", [COMPACT, BLOCK, BARE, EXERCISE])
@pytest.mark.parametrize("op", [each for each in OPERATIONS if each != "remove"])
def test_every_change_of_every_node_keeps_all_comments_and_checks(text: str, op: str) -> None:
    changed = 0
    for path in paths(text):
        try:
            after = change(text, op, path, TO.get(op, ""))
        except Refused:
            continue
        changed += 1
        assert comments(after) == comments(text), after
        if (op, path) not in NOT_AT_THE_ROOT and (op, text) != ("players", EXERCISE):
            check(after.encode())
    assert changed or op == "p"


@pytest.mark.parametrize("path", [[], [0], [0, 0]])
@pytest.mark.parametrize("op", ["add", "players", "p", "turn"])
def test_capitals_in_turn_words_make_no_difference(op: str, path: list[int]) -> None:
    nested = "plymark: game/1\ntree: {turn: CHANCE, children: [{turn: MIN, children: [3, 5]}, 2]}\n"
    levels = "plymark: game/1\nlevels: [MAX, MIN, MAX]\ntree: [[3, 12], [2, 4]]\n"
    for text in (nested, levels):
        found: list[Any] = []
        for spelt in (text, text.replace("CHANCE", "chance").replace("MAX", "max").replace("MIN", "min")):
            try:
                found.append(edit_tree(spelt, op, path, TO.get(op, "")))
            except Refused as refused:
                found.append(str(refused))
        assert getattr(found[0], "nodes", found[0]) == getattr(found[1], "nodes", found[1])


@pytest.mark.parametrize("text", [COMPACT, BLOCK, BARE, EXERCISE])
def test_removing_keeps_comments_elsewhere(text: str) -> None:
    """What is said inside a node goes with it; the rest stays."""
    for path in paths(text):
        if path:
            after = change(text, "remove", path)
            check(after.encode())
            assert set(comments(after)) <= set(comments(text))
            assert set(comments(after)) >= {
                each
                for each in comments(text)
                if each in ("# mine", "# the end", "# inside", "# its id", "# between", "# the right side")
            }, after


def test_what_is_not_changed_is_not_rewritten() -> None:
    assert change(COMPACT, "value", [0, 1], "-2.5") == COMPACT.replace("12", "-2.5")
    assert change(COMPACT, "add", [1]) == COMPACT.replace("[2, 4]", "[2, 4, 0]")
    assert change(COMPACT, "add", [1, 0]) == COMPACT.replace("[2, 4]", "[[2, 0], 4]")
    assert change(COMPACT, "later", [0]) == COMPACT.replace("[3, 12], [2, 4]", "[2, 4], [3, 12]")
    assert change(COMPACT, "move", [1], "a 2") == COMPACT.replace(
        "[2, 4]", '{move: "a 2", turn: min, children: [2, 4]}'
    )
    assert change(BLOCK, "later", [0, 0]) == BLOCK.replace("- 3  # three\n        - 12", "- 12\n        - 3  # three")
    assert change(BLOCK, "move", [0]) == BLOCK.replace("move: l  # left\n      turn", "  # left\n      turn")


def test_what_looks_like_a_dash_or_an_end_is_neither() -> None:
    text = "plymark: game/1\ntree:\n  - # a - b\n    3\n  # c - d\n  - |\n    4\n  - 5\n"
    assert change(text, "value", [1], "7") == text.replace("|\n    4", "7")
    assert change(text, "remove", [0]) == text.replace("  - # a - b\n    3\n", "")


def test_removing_the_last_child_leaves_a_leaf() -> None:
    text = change(change(COMPACT, "remove", [1, 0]), "remove", [1, 0])
    assert "tree: [[3, 12], 0]" in text


def test_probabilities_are_given_to_all_outcomes_or_to_none() -> None:
    text = change(EXERCISE, "p", [1], "1/4")
    assert "[{p: 3/4, value: 3}, {p: 1/4, value: 5}]" in text
    assert "[{value: 3}, {value: 5}]" in change(text, "p", [0], "")


def test_players_have_vectors_and_move_in_turn() -> None:
    text = "plymark: game/1\nplayers: [A, B, C]\ntree: [[1, 2, 6], [4, 2, 3]]\n"
    text = change(text, "add", [0])
    assert "[[[1, 2, 6], [0, 0, 0]], [4, 2, 3]]" in text
    text = change(text, "value", [0, 1], "5, 5, 5")
    text = change(text, "turn", [0], "C")
    check(text.encode())
    assert [node.turn for node in edit_tree(text).nodes] == ["A", "C", None, None, None]


def test_the_showcase_is_built_from_one_leaf_to_the_other() -> None:
    text = "plymark: game/1\ntree: [0, 0]\n"
    wanted = {(0, 0): 4, (0, 1, 0, 0): 7, (0, 1, 0, 1): 5, (0, 1, 1, 0): 0, (0, 1, 1, 1): 6, (1, 0): 15,
              (1, 1, 0, 0): 2, (1, 1, 0, 1): 8, (1, 1, 0, 2): 1, (1, 1, 1, 0): 9, (1, 1, 1, 1): 19}  # fmt: skip
    for path in ([0], [0, 1], [0, 1, 0], [0, 1, 1], [1], [1, 1], [1, 1, 0], [1, 1, 0], [1, 1, 1]):
        text = change(text, "add", path)
    for place, value in wanted.items():
        text = change(text, "value", list(place), str(value))
    assert text == f"plymark: game/1\ntree: {SHOWCASE}\n"
    check(text.encode())


@pytest.mark.parametrize(
    ("text", "op", "path", "to"),
    [
        (COMPACT, "value", [0, 0], "3 or so"),
        (COMPACT, "value", [0], "3"),
        (COMPACT, "remove", [], ""),
        (COMPACT, "earlier", [0], ""),
        (COMPACT, "later", [1], ""),
        (COMPACT, "add", [9], ""),
        (COMPACT, "p", [0], "1/2"),
        (COMPACT, "nonsense", [], ""),
        (COMPACT, "players", [], "max, B"),
        (COMPACT, "players", [], "B, B"),
        (COMPACT, "players", [], "a, b, c, d, e, f, g, h"),
        (COMPACT, "nest", [], ""),
        ("{plymark: game/1, root: A, nodes: {A: {turn: max, children: [1, 2]}}}\n", "nest", [], ""),
        ("plymark: game/1\nroot: A\nnodes: {A: {turn: max, children: [A, 2]}}\n", "nest", [], ""),
        ("plymark: game/1\nroot: A\nnodes: {A: {turn: max, children: [1, 2]}, B: {value: 3}}\n", "nest", [], ""),
        ("plymark: game/1\nroot: Z\nnodes: {A: {turn: max, children: [1, 2]}}\n", "nest", [], ""),
        ("plymark: game/1\ntree: [1,\n", "add", [], ""),
        ("plymark: game/1\ntree: {turn: max, children: 5}\n", "add", [], ""),
        ("plymark: game/1\ntree: [value: 3, 5]\n", "move", [0], "l"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(text: str, op: str, path: list[int], to: str) -> None:
    with pytest.raises(Refused) as refused:
        change(text, op, path, to)
    assert refused.value.detail


FLAT = """\
# mine
plymark: game/1
title: "a # b"
root: A  # the root
nodes:  # all of them
  # first
  A:
    turn: max  # max's
    children: [B, {to: C, move: a2}, 7, {to: 1/2, move: "last one"}]
  # second
  B: {turn: min, children: [3, 5]}   # b
  C:
    turn: chance
    children:
      - {to: 4, p: 1/4}
      # inside
      - to: D
        p: 3/4
  D: {value: 9, note: "x # y"}
# the end
"""


def test_the_flat_form_nested_is_the_same_game_with_every_comment() -> None:
    before, after = FLAT, change(FLAT, "nest", [])
    assert edit_tree(before).flat and not edit_tree(after).flat
    assert comments(after.replace('"x # y"', "").replace('"a # b"', "")) == sorted(
        ["# mine", "# the root", "# all of them", "# first", "# max's", "# second", "# b", "# inside", "# the end"]
    )
    assert solved(after) == solved(before)
    inside = "plymark: exercise/1\nid: e\ngame:\n" + "".join(f"  {line}\n" for line in FLAT.splitlines()[2:])
    exercise = inside + "questions:\n  - {id: v, ask: values, marks: 1}\n"
    check(change(exercise, "nest", []).encode())


def test_a_deep_flat_tree_is_nested_without_recursion() -> None:
    nodes = "".join(f"  N{n}: {{turn: {('max', 'min')[n % 2]}, children: [N{n + 1}, {n}]}}\n" for n in range(60))
    text = f"plymark: game/1\nroot: N0\nnodes:\n{nodes}  N60: {{value: 1}}\n"
    assert solved(change(text, "nest", [])) == solved(text)


def solved(text: str) -> Any:
    return solve(text.encode(), {"format": "json"})[1].partition(b'"nodes"')[2]


@pytest.mark.parametrize("text", [COMPACT, BLOCK, BARE])
def test_players_come_and_go_and_the_tree_is_as_before(text: str) -> None:
    two = change(text, "players", [], "Ann, Bob")
    three = change(two, "players", [], "A, B, C")
    for each in (two, three):
        check(each.encode())
        assert comments(each) == comments(text)
    assert "[12, -12]" in two and "[12, -12, 0]" in three
    assert change(three, "players", [], "") == text


def test_unknowns_are_declared_when_they_are_used() -> None:
    one = change(COMPACT, "value", [0, 0], "x")
    assert one == COMPACT.replace("tree: [[3", "unknowns: [x]\ntree: [[x")
    two = change(change(one, "value", [0, 1], "y"), "value", [1, 0], "x")
    assert two == COMPACT.replace("tree: [[3, 12], [2", "unknowns: [x, y]\ntree: [[x, y], [x")
    check(two.encode())
