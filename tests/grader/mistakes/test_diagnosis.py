"""Which mistake is named, and when none is."""

import random
from fractions import Fraction

import pytest

from benchmarks.exam_games import GAMES, exam_tree
from grader.mistakes.behaviour import Behaviour, key_behaviour, mistake_of
from grader.mistakes.cells import Cell, cells_of, visited_cells, window_cell
from grader.mistakes.diagnosis import Diagnosis, classes_of, diagnose, diagnosed
from grader.mistakes.registry import MODELS
from solver.game.convention import Window
from solver.pipeline import load_tree, solve

SHOWCASE = "[[4,[[7,5],[0,6]]],[15,[[2,8,1],[9,19]]]]"


def cells(text: str) -> dict[Cell, object]:
    """One cell for each letter."""
    return {("worth", place): letter for place, letter in enumerate(text) if letter != " "}


KEY = cells("kkkkkkkkkk")


def test_an_exact_match_is_named() -> None:
    found = diagnose(cells("aakkkkkkkk"), KEY, {"A2": cells("aakkkkkkkk"), "A3": cells("bbbkkkkkkk")})
    assert found == [Diagnosis("A2", Fraction(1), ())]


def test_models_alike_are_one_class_in_the_order_given() -> None:
    models = {name: cells("aakkkkkkkk") for name in ("A7", "A8", "A2")}
    assert diagnose(cells("aakkkkkkkk"), KEY, models) == [Diagnosis("A7", Fraction(1), ("A8", "A2"))]


def test_variants_are_one_mistake() -> None:
    models = {name: cells("aakkkkkkkk") for name in ("M8", "M8.rounds", "M10")}
    assert diagnose(cells("aakkkkkkkk"), KEY, models) == [Diagnosis("M8", Fraction(1), ("M10",))]
    only = {"M8.rounds": cells("aakkkkkkkk")}
    assert diagnose(cells("aakkkkkkkk"), KEY, only) == [Diagnosis("M8", Fraction(1), ())]


@pytest.mark.parametrize("answer", ["kkkkkkkkkk", "kkkk      ", "          "])
def test_the_key_and_nothing_are_no_mistake(answer: str) -> None:
    assert diagnose(cells(answer), KEY, {"A2": cells("aaaakkkkkk"), "A3": KEY}) == []


def test_a_model_that_equals_the_key_is_never_named() -> None:
    assert diagnose(cells("xkkkkkkkkk"), KEY, {"A2": KEY}) == []


def test_a_slip_is_allowed_where_the_margin_is_clear() -> None:
    found = diagnose(cells("aaaxkkkkkk"), KEY, {"A2": cells("aaaakkkkkk"), "A3": cells("bbbbbbkkkk")})
    assert found == [Diagnosis("A2", Fraction(3, 4), ())]


def test_a_slip_elsewhere_counts_too() -> None:
    found = diagnose(cells("aaakkkkkkx"), KEY, {"A2": cells("aaakkkkkkk")})
    assert found == [Diagnosis("A2", Fraction(3, 4), ())]


def test_the_key_with_slips_is_a_rival() -> None:
    """Two cells wrong, one of them as the model has it: the key is one slip further away, not two."""
    assert diagnose(cells("axkkkkkkkk"), KEY, {"A2": cells("aakkkkkkkk")}) == []


def test_too_many_slips_are_not_explained() -> None:
    key, models = cells("k" * 16), {"A2": cells("aaaaaaa" + "k" * 9)}
    answer = cells("aaaaaxx" + "k" * 9)
    assert diagnose(answer, key, models) == []
    assert diagnose(answer, key, models, slip_rate=Fraction(1, 5))[0].explains == Fraction(5, 7)


def test_more_cells_allow_more_slips() -> None:
    key = cells("k" * 40)
    model, answer = cells("a" * 20 + "k" * 20), cells("a" * 18 + "xx" + "k" * 20)
    assert diagnose(answer, key, {"A2": model}) == [Diagnosis("A2", Fraction(18, 20), ())]
    assert diagnose(answer | {("worth", 0): "x"}, key, {"A2": model}) == []


def test_a_rival_within_the_margin_leaves_a_doubt() -> None:
    models = {"A2": cells("aaaaakkkkk"), "A3": cells("aaaabkkkkk")}
    assert diagnose(cells("aaaaakkkkx"), KEY, models) == [Diagnosis("A2", Fraction(5, 6), (), sure=False)]
    assert diagnose(cells("aaaaakkkkk"), KEY, models) == [Diagnosis("A2", Fraction(1), ())]


def test_the_key_within_the_margin_leaves_a_doubt() -> None:
    """Two of the three cells, and the third as the key has it: two slips from the key, one from the model."""
    found = diagnose(cells("aakkkkkkkk"), KEY, {"A2": cells("aaakkkkkkk")})
    assert found == [Diagnosis("A2", Fraction(2, 3), (), sure=False)]


def test_equally_near_ones_are_named_together() -> None:
    models = {"A2": cells("aaaaakkkkk"), "A3": cells("aaaabkkkkk")}
    assert diagnose(cells("aaaaxkkkkk"), KEY, models) == [
        Diagnosis("A2", Fraction(4, 5), ("A3",), sure=False),
        Diagnosis("A3", Fraction(4, 5), ("A2",), sure=False),
    ]


def test_many_that_are_equally_near_explain_nothing() -> None:
    models = {f"A{number}": cells(f"aaaa{letter}kkkkk") for number, letter in enumerate("abcd", start=2)}
    assert diagnose(cells("aaaaxkkkkk"), KEY, models) == []
    assert diagnose(cells("aaaaakkkkk"), KEY, models) == [Diagnosis("A2", Fraction(1), ())]


def test_blanks_leave_several_exact_matches() -> None:
    models = {"A2": cells("aaakkkkkkk"), "A3": cells("aabkkkkkkk"), "A4": cells("bkkkkkkkkk")}
    assert diagnose(cells("aa kkkkkkk"), KEY, models) == [
        Diagnosis("A2", Fraction(1), ("A3",), sure=False),
        Diagnosis("A3", Fraction(1), ("A2",), sure=False),
    ]


@pytest.mark.parametrize("answer", ["akkkkkkkkk", "a  kkkkkkk", "axkkkkkkkk"])
def test_one_cell_is_no_mistake(answer: str) -> None:
    models = {"A2": cells("akkkkkkkkk"), "M6": cells("aaakkkkkkk")}
    assert diagnose(cells(answer), KEY, models) == []


def test_few_cells_leave_a_doubt_and_allow_no_slip() -> None:
    key, models = cells("kkk"), {"A2": cells("aak"), "A3": cells("bbb")}
    assert diagnose(cells("aak"), key, models) == [Diagnosis("A2", Fraction(1), (), sure=False)]
    assert diagnose(cells("bbx"), key, models) == []


def test_a_model_seen_only_in_blanks_is_not_named() -> None:
    assert diagnose(cells("x kkkkkkkk"), KEY, {"A2": cells("kakkkkkkkk")}) == []


def test_cells_that_are_not_asked_do_not_count() -> None:
    answer = {**cells("aakkkkkkkk"), ("played",): 3}
    assert diagnose(answer, KEY, {"A2": {**cells("aakkkkkkkk"), ("played",): 4}}) == [Diagnosis("A2", Fraction(1), ())]


def test_explains_by_the_definition() -> None:
    """Against the sentence in the contract, written out, for drawn answers."""
    draw = random.Random(5)
    for _ in range(300):
        size = draw.randint(3, 30)
        key = cells("k" * size)
        answer, model = ({cell: draw.choice("kkab") for cell in key} for _ in range(2))
        for found in diagnose(answer, key, {"A2": model}, slip_rate=Fraction(1)):
            differs = [cell for cell in key if answer[cell] != key[cell] or model[cell] != key[cell]]
            assert found.explains == Fraction(sum(answer[cell] == model[cell] for cell in differs), len(differs))


def test_classes_are_made_once_for_many_answers() -> None:
    models = {"A2": cells("aakkkkkkkk"), "A3": KEY}
    classes = classes_of(KEY, models)
    assert [each.models for each in classes] == [("A2",)]
    assert diagnosed(cells("aakkkkkkkk"), KEY, classes) == diagnose(cells("aakkkkkkkk"), KEY, models)


def test_windows_as_asked() -> None:
    windows: list[Window] = [("-inf", "inf"), (3, "inf")]
    assert window_cell(windows, "entry") == ("-inf", "inf")
    assert window_cell(windows, "exit") == (3, "inf")
    assert window_cell(windows, "all") == (("-inf", "inf"), (3, "inf"))
    assert window_cell((), "entry") == "-"


def test_a_leaf_too_many_spoils_two_cells_of_the_order() -> None:
    tree = load_tree("[[3,12,8],[2,4,6],[14,5,2]]").tree
    leaves = list(tree.leaves)
    right, late = visited_cells(tree, leaves[:4] + leaves[6:]), visited_cells(tree, leaves[:5] + leaves[6:])
    assert sum(right[cell] != late[cell] for cell in right) == 2


def test_cells_of_the_textbook_key() -> None:
    solution = solve(load_tree("[[3,12,8],[2,4,6],[14,5,2]]"))
    tree, key = solution.tree, key_behaviour(solution)
    found = cells_of(key, key, tree, ("worth", "exit", "crossed", "played"))
    at = {str(name): node for name, node in tree.index.items()}
    assert {tree.ids[cell[1]]: value for cell, value in found.items() if cell[0] == "worth"} == {
        "A": 3, "B": 3, "C": 2, "D": 2,
    }  # fmt: skip
    assert found["window", at["D"]] == (3, 5)
    assert {tree.ids[cell[1]] for cell, value in found.items() if cell[0] == "crossed" and value} == {"L5", "L6"}
    assert found["played",] == at["B"]
    some = cells_of(Behaviour(pruned=frozenset()), key, tree, ("worth", "crossed"), nodes=[at["C"]])
    assert some["worth", at["C"]] == 2
    assert len(some) == 10
    assert not any(value for cell, value in some.items() if cell[0] == "crossed")


def all_models(text: str, asked: tuple[str, ...]) -> tuple[dict[Cell, object], dict[str, dict[Cell, object]]]:
    solution = solve(load_tree(text))
    key = key_behaviour(solution)
    found = {name: model.run(solution.tree, solution.convention, solution) for name, model in MODELS.items()}
    models = {name: cells_of(each, key, solution.tree, asked) for name, each in found.items() if each is not None}
    return cells_of(key, key, solution.tree, asked), models


def test_the_showcase_names_each_mistake_from_the_pruned_leaves() -> None:
    key, models = all_models(SHOWCASE, ("crossed",))
    for name in (f"A{number}" for number in range(2, 17)):
        found = diagnose(models[name], key, models)
        if sum(models[name][cell] != key[cell] for cell in key) < 2:
            # One leaf more or fewer than the key is no evidence.
            assert name in ("A5", "A9", "A16") and not found
        else:
            assert name in (found[0].mistake, *found[0].same_here)
            assert len(found) == found[0].explains == 1


def test_the_textbook_tree_cannot_show_some_mistakes() -> None:
    key, models = all_models("[[3,12,8],[2,4,6],[14,5,2]]", ("worth", "crossed", "played"))
    for name in ("A1", "A2", "A5", "A9", "A16"):
        assert models[name] == key


def test_equal_leaves_show_what_distinct_ones_cannot() -> None:
    key, models = all_models("[[3,12,8],[3,4,6],[2,5,14]]", ("worth", "crossed", "played"))
    [other_test] = diagnose(models["A1"], key, models)
    assert other_test.mistake == "A1"
    # A18 shows in the move alone, and a single cell is no evidence.
    assert [cell for cell in key if models["A18"][cell] != key[cell]] == [("played",)]
    assert diagnose(models["A18"], key, models) == []


ASKED = ("worth", "entry", "crossed", "played")
EVERY = {"MAX/MIN": (ASKED, exam_tree)} | {name: (asked, game) for name, (asked, _, game) in GAMES.items()}


@pytest.mark.parametrize("name", EVERY)
def test_every_model_is_diagnosed_on_its_own_output(name: str) -> None:
    asked, game = EVERY[name]
    draw = random.Random(11)
    for _ in range(15):
        solution, whole = game(draw)
        key = key_behaviour(solution)
        ran = {name: model.run(whole, solution.convention, solution) for name, model in MODELS.items()}
        models = {name: cells_of(each, key, solution.tree, asked) for name, each in ran.items() if each is not None}
        right = cells_of(key, key, solution.tree, asked)
        for model, output in models.items():
            found = diagnose(output, right, models)
            if sum(output[cell] != right[cell] for cell in right) < 2:
                assert found == []
            else:
                assert mistake_of(model) in (found[0].mistake, *found[0].same_here)
                assert found[0].explains == 1
