"""Answers as people write them: tables for each language, round trips through what the solver prints, and any text."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grader.answers
from grader.answers import (
    ELSE,
    EMPTY,
    EVERY,
    REASONS,
    UNVISITED,
    Ambiguous,
    Bound,
    IntervalSet,
    Unreadable,
    amount,
    boolean,
    bound,
    counts,
    extended,
    folded,
    integer,
    intervals,
    missing,
    move,
    names,
    number,
    pairs,
    plan,
    raw_text,
    same_name,
    value,
    vector,
    window,
    windows,
)
from solver.analysis.piecewise import Range
from solver.languages import LANGUAGES, language
from solver.pipeline import load, solve
from tests.support.paths import ROOT
from tests.support.work import calls

HALF = Fraction(5, 2)
LEAVES = {"l4": 4, "l5": 5, "l6": 6, "e": 7, "go left": 8}


def leaf(name: str) -> object:
    if name == "2":
        raise Ambiguous(name)
    return LEAVES[folded(name)]


def given_names(raw: Any) -> list[object]:
    return names(raw, leaf)


def range_of_x(raw: Any) -> IntervalSet:
    return intervals(raw, "x")


def listed(texts: str) -> list[str]:
    """Texts with two spaces between them."""
    return texts.split("  ")


READERS: list[Callable[[Any], Any]] = [
    *(number, extended, integer, bound, value, window, windows, vector, boolean, counts, plan, move),
    *(given_names, range_of_x, amount, lambda raw: pairs(raw, lambda name: name == "A")),
]


def outcome(read: Callable[[Any], Any], raw: Any) -> Any:
    """What was read, or the refusal."""
    try:
        return read(raw)
    except Unreadable as refused:
        return refused


def refusal(read: Callable[[Any], Any], raw: Any) -> str:
    with pytest.raises(Unreadable) as caught:
        read(raw)
    assert "given" in caught.value.facts
    return caught.value.reason.removeprefix("unreadable.")


NUMBERS = {
    3: "3; +3; = 3; 3.; 3,0; 3.0; 6/2; ３; ۳; ٣; ۶/۲; =3; \u00a03\u00a0; \u20673\u2069; \u200f3; 003; 3 / 1",
    -3: "-3; −3; –3; －３; - 3; −۳; = -3; minus 3; menos 3; منفی ۳; -6/2; −3,0",
    HALF: "2.5; 2,5; 5/2; ۲٫۵; ٢٫٥; +2.5; ２．５; ２，５; 5⁄2; ۵/۲; 2,50; = 2,5",
    Fraction(1, 3): "1/3; 1 / 3; ⅓; ۱/۳; 2/6; +1/3",
    Fraction(33, 100): "0.33; 0,33; .33; ۰٫۳۳; 33/100; 33%; 33 %; ۳۳٪; 33 percent; 33 por cento; ۳۳ درصد",
    Fraction(3, 2): "1 1/2; 1½; 1 ½; ۱ ۱/۲; +1 1/2; 150%",
    Fraction(-3, 2): "-1 1/2; −1½; minus 1 1/2; -150%",
    Fraction(1, 8): "0.125; 0,125; ⅛",
}
NOT_NUMBERS = {
    "mixed": "1 2; 1 5/2; 1/2 1/2; 1/2½; 1.5 1/2; 1 1 1/2",
    "thousands": "1,000; 2,125; 1,000,000; 1.000.000; 1,000.5; 1.000,5; 1 000; 1'000; 1_000; ۱٬۰۰۰",
    "exponent": "1e3; 2E5; 1e",
    "percent": "33‰",
    "about": "≈ 0.33; ~3; about 3; cerca de 3; aprox. 3; حدود ۳",
    "zero": "1/0; 0/0; 3/00",
    "infinity": "∞; -inf",
    "digits": f"{'1' * 41}; 0.{'1' * 41}; 1/{'3' * 41}",
    "number": "three; x; 3x; 1/; /3; 1/-3; 1/2/3; --3; +-3; 2²; 2.5/3; 0x1F; 2، 5; 2, 5; nan; (3);3 or 4; ≤ 3; !3; 3!",
    "empty": "; \u200b ",
}


def table(entries: dict[Any, str]) -> list[tuple[str, Any]]:
    return [(text.removeprefix(" "), meant) for meant, texts in entries.items() for text in texts.split(";")]


@pytest.mark.parametrize(("text", "meant"), table(NUMBERS))
def test_a_number(text: str, meant: Any) -> None:
    found = number(text)
    assert found == meant
    assert isinstance(found, int) == (meant == int(meant))


@pytest.mark.parametrize(("text", "reason"), table(NOT_NUMBERS))
def test_not_a_number(text: str, reason: str) -> None:
    assert refusal(number, text) == reason


def test_a_decimal_comma_needs_to_stand_alone() -> None:
    assert refusal(lambda raw: number(raw, alone=False), "2,5") == "number"
    assert number("2.5", alone=False) == HALF
    assert number("1,024", comma=True) == Fraction(1024, 1000)
    assert refusal(lambda raw: number(raw, comma=True), "1,024,000") == "thousands"


def test_a_whole_number() -> None:
    assert integer("۷") == integer("7.0") == 7
    assert refusal(integer, "7.5") == "number"


@pytest.mark.parametrize(
    ("meant", "texts"),
    [
        (
            "inf",
            "∞; +∞; inf; +inf; Infinity; INF; oo; infinito; mais infinito; más infinito; بی‌نهایت;"
            "بی نهایت; مثبت بی‌نهایت; \\infty",
        ),
        ("-inf", "-∞; −∞; -inf; − inf; -oo; minus infinity; menos infinito; منفی بی‌نهایت; -infinito; -بینهایت; –∞"),
        (HALF, "2,5; 2.5; ۲٫۵"),
    ],
)
def test_infinities(meant: Any, texts: str) -> None:
    for text in texts.split(";"):
        assert extended(text) == meant, text


BOUNDS = {
    ("<=", 2): "≤2; <= 2; =<2; ⩽ 2; ≦2; at most 2; No more than 2; x <= 2; v ≤ 2; C<=2; v(C) ≤ 2; 2 >=; 2 ≥ C; 2 >= x;"
    "no máximo 2; NO MAXIMO 2; C vale no máximo 2; menor ou igual a 2; como máximo 2; a lo sumo 2;"
    "menor o igual que 2; حداکثر ۲; حداکثر ۲ است; C ≤ ۲; 2 or less; 2 ou menos; 2 o menos; ۲ یا کمتر; ＜＝２; $\\le 2$;"
    "C is at most 2; y ≤ 2;"
    "مقدار حداکثر ۲; C é no máximo 2; no más de 2; ≤ 2.; ≤ 4/2; ≤ 2,0;"
    "2 at most; 2 no máximo; 2 como máximo; 2 a lo sumo; ۲ حداکثر; 2 is greater than or equal to C",
    (
        ">=",
        8,
    ): "≥8; >= 8; =>8; at least 8; 8 <= C; 8 ≤; pelo menos 8; no mínimo 8; al menos 8; por lo menos 8; como mínimo 8;"
    "حداقل ۸; دست‌کم ۸; 8 or more; 8 ou mais; 8 o más; ۸ یا بیشتر; \\geq 8; maior ou igual a 8;"
    "mayor o igual que 8",
    ("<", -1): "< -1; <−1; x < −1; -1 > x; less than -1; menor que -1; کمتر از −۱",
    (">", HALF): "> 2,5; >2.5; 2.5 < v; more than 5/2; maior que 2,5; mayor que 2,5; بیشتر از ۲٫۵",
    ("=", 3): "3; = 3; C = 3; v(C)=3; 3 = C; C is 3; equals 3; igual a 3; C vale 3; برابر ۳",
}


@pytest.mark.parametrize(("text", "meant"), table(BOUNDS))
def test_a_bound(text: str, meant: Any) -> None:
    assert bound(text) == Bound(*meant)
    assert value(text) == (meant[1] if meant[0] == "=" else Bound(*meant))


@pytest.mark.parametrize(
    "text",
    listed(
        "not at most 2  2 = inf  2 less than  2 at most C  2 ≥ inf  minus ≤ 2"
        "  no menor que 2  2 < C < 5  C ≠ 3  ≠ 3  ≤  C  ≤ C  ≤ 2 3  <= 2 or >= 5  ≮ 2"
        "  C D ≤ 2  [2, 5]  ≤ x 2  <<2"
    ),
)
def test_not_a_bound(text: str) -> None:
    assert refusal(bound, text) in ("bound", "mixed")
    assert refusal(value, text) in ("bound", "mixed")


def test_a_bound_is_finite() -> None:
    assert refusal(bound, "≤ ∞") == "infinity"


@pytest.mark.parametrize(
    "text",
    listed(
        "-  –  —  −  --  ×  ✗  ✂  unvisited  Pruned  not visited  podado  PODADA  não visitado"
        "  nao visitado  no visitado  هرس‌شده  هرس شده  بازدید نشده"
    ),
)
def test_unvisited(text: str) -> None:
    assert value(text) is UNVISITED


WINDOWS: list[tuple[Any, Any]] = [
    *(
        (raw, (3, "inf"))
        for raw in (
            *(["3", "inf"], ["۳", "∞"], {"alpha": "3", "beta": "inf"}, {"β": "∞", "α": "3"}, {"آلفا": "۳", "بتا": "∞"}),
            *("(3, ∞)", "[3; +∞)", "3..inf", "3 … ∞", "α=3, β=∞", "a=3 b=inf", "alpha: 3; beta: +inf", "β=∞, α=3"),
            *(
                "(۳، +∞)",
                "]3; ∞[",
                "3, inf",
                "(α, β) = (3, ∞)",
                "{3, ∞}",
                "(3,infinity)",
                "⟨3, ∞⟩",
                "(3，∞)",
            ),
            *("آلفا = ۳، بتا = بی‌نهایت", "(3; infinito)", "(3, \\infty)", "[3, oo]"),
        )
    ),
    ("(2,5; 3)", (HALF, 3)),
    ("(2,5)", (2, 5)),
    ("(−∞; 1,125)", ("-inf", Fraction(9, 8))),
    ("(3, 2)", (3, 2)),
    (["2,5", "3"], (HALF, 3)),
]


@pytest.mark.parametrize(("raw", "meant"), WINDOWS)
def test_a_window(raw: Any, meant: Any) -> None:
    assert window(raw) == meant
    assert windows(raw) == [meant]


@pytest.mark.parametrize(
    "raw",
    [
        *(
            "(2,5, 3)",
            "(3",
            "3)",
            "3",
            "(3, 4, 5)",
            "3 4",
            "α=3",
            "α=3, α=4",
            "(3, x)",
            "3..",
            "()",
            "(3،4,5)",
            "α=2,5 β=3",
        ),
        *(
            [],
            ["3"],
            ["3", "4", "5"],
            {},
            {"alpha": "3"},
            {"alpha": "3", "gamma": "4"},
            {"a": "3", "α": "4"},
            ["3", ["4"]],
        ),
        *(["3", "x"], None, "", "(3, 1,000)"),
    ],
)
def test_not_a_window(raw: Any) -> None:
    assert refusal(window, raw) in ("window", "mixed", "number", "shape", "empty", "thousands")


@pytest.mark.parametrize(
    "raw",
    [
        *(
            "(−∞,∞) → (3,∞)",
            "(-inf, inf) -> (3, inf)",
            "(−∞,∞), (3,∞)",
            "(−∞;∞) (3;∞)",
            "−∞, ∞ → 3, ∞",
            "]-∞; ∞[ ; ]3; ∞[",
        ),
        *([["-inf", "inf"], ["3", "inf"]], ["(-inf, inf)", "(3, inf)"], [{"a": "-inf", "b": "inf"}, "3..inf"]),
        "(−∞، +∞) → (۳، +∞)",
    ],
)
def test_several_windows(raw: Any) -> None:
    assert windows(raw) == [("-inf", "inf"), (3, "inf")]


@pytest.mark.parametrize("raw", ["(3,∞) or (4,∞)", "(3,∞) (4", "→", "(3,∞) →", "(3, ∞),, (4, ∞)", [["3", "4"], "x"]])
def test_not_several_windows(raw: Any) -> None:
    assert refusal(windows, raw) in ("window", "number")


def test_vectors() -> None:
    for raw in (["1", "2", "6"], "(1, 2, 6)", "1;2;6", "1, 2, 6", "[1; 2; 6]", "⟨۱، ۲، ۶⟩", "1,2,6", "(1,2,6)"):
        assert vector(raw) == (1, 2, 6), raw
    assert vector("(1; 2,5; −6)") == vector("(1, 5/2, -6)") == (1, HALF, -6)
    assert vector("7") == (7,)
    for bad in ("()", [], "1 2", "(1, inf)", "1,,2", "(1, 2", {"A": "1"}, "(1;2,3,4)", ["1", ["2"]], "1,000,2"):
        assert refusal(vector, bad) in ("vector", "mixed", "infinity", "shape", "thousands"), bad


@pytest.mark.parametrize(
    "raw",
    [
        *(
            "L5, L6",
            "L5 L6",
            "L5,L6",
            "{L5,L6}",
            "[L5; L6]",
            "(l5 l6)",
            "L5 and L6",
            "L5 y L6",
            "L5، L6",
            "L5 و L6",
            "L5 → L6",
        ),
        *("Ｌ５, L۶", "L5\u200f, \u2068L6\u2069", ["L5", "L6"], [" l5", "L6 "], "L5 -> L6", "L5\nL6"),
    ],
)
def test_names(raw: Any) -> None:
    assert given_names(raw) == [5, 6]


@pytest.mark.parametrize(
    "raw",
    [
        [],
        ["none"],
        *listed(
            "none  None  ∅  []  {}  nenhum  nenhuma  ninguno  Ninguna  nada  هیچ  هیچ‌کدام  —  -  {none}  no  none."
        ),
    ],
)
def test_no_names(raw: Any) -> None:
    assert given_names(raw) == []


def test_a_name_comes_before_a_word() -> None:
    assert given_names("L5 and L6.") == given_names("{L5, L6}") == [5, 6]
    assert given_names("L5 e") == [5, 7]
    assert names("no", {"no": 1}.__getitem__) == [1]
    assert given_names("go left, L5") == [8, 5]
    assert given_names("go left") == [8]


def test_a_node_may_be_called_like_a_word() -> None:
    nodes = {"d": 1, "e": 2, "f": 3}

    def node(name: str) -> int:
        return nodes[folded(name)]

    assert names("D e F", node) == names("D, F", node) == [1, 3]
    assert names("D E F", node) == names("d, e, f", node) == [1, 2, 3]
    assert [str(each) for each in names("d e f", node)] == [
        "1",
        "unreadable.name.ambiguous, given: d e f, name: e",
        "3",
    ]


def test_an_unreadable_name_spoils_no_other() -> None:
    found = given_names("L5, L9, 2 L6")
    assert [each.reason if isinstance(each, Unreadable) else each for each in found] == [
        *(5, "unreadable.name", "unreadable.name.ambiguous", 6)
    ]
    assert [each.facts["name"] for each in found if isinstance(each, Unreadable)] == ["L9", "2"]
    mixed = given_names(["L5", ["L6"], None, "L\x006"])
    assert [each.reason if isinstance(each, Unreadable) else each for each in mixed] == [
        *(5, "unreadable.shape", "unreadable.empty", "unreadable.character")
    ]
    assert refusal(given_names, {"L5": "yes"}) == "shape"


def test_moves_are_compared_in_any_case() -> None:
    assert move(" \u2068A1\u2069 ") == "A1"
    assert (
        same_name("A1", "a１") and same_name("STRASSE", "straße") and same_name("a۱", "A1") and same_name("علي", "علی")
    )
    assert not same_name("a1", "a2") and not same_name("a1", "a 1")
    assert move(["a1"]) == "a1"
    assert refusal(move, ["a1", "a2"]) == refusal(move, {"a1": "a2"}) == "shape"


RANGES = {
    "x <= 3": "x <= 3; x≤3; x ⩽ 3; 3 >= x; (-inf, 3]; ]-∞, 3]; (−∞، ۳]; [-∞, 3]; X <= 3; at most 3;"
    "<= 3; x is at most 3;"
    "x no máximo 3; x é menor ou igual a 3; x como máximo 3; x حداکثر ۳ است; 3 or less; 3 at most; x in (-inf,3];"
    "x ∈ ]−∞, 3]; {x | x ≤ 3}; {x ∈ ℝ : x <= 3}; all x <= 3; $x \\leq 3$; x é 3 ou menos; (x <= 3); x <= 3.",
    "x < 3": "x<3; 3 > x; (-inf, 3); ]-∞, 3[; less than 3; x menor que 3; x کوچکتر از ۳;"
    "x کوچک‌تر از ۳; x es menor que 3",
    "x < 2.5": "x < 2,5; x < 2.5; x < 5/2; 2,5 > x; x < ۲٫۵",
    "2 < x <= 5": "2 < x <= 5; 5 >= x > 2; (2, 5]; ]2, 5]; x in (2,5]; x > 2 and x <= 5;"
    "x > 2 e x ≤ 5; x > 2 y x ≤ 5;"
    "x > 2 و x ≤ 5; x ∈ (2, 5]; x > 2 ∧ x ≤ 5; (2,4] ∪ (3,5]; x > 2 and 5 >= x; ۲ < x ≤ ۵;"
    "x em ]2, 5]; (2, ∞) ∩ (-∞, 5]",
    "2 <= x <= 5": "2 ≤ x ≤ 5; [2,5]; x in [2, 5]; x ∈ [2,5]; 5 ≥ x ≥ 2; [2,3) ∪ [3,5]; {2} or (2,5]",
    "x < 2 or x > 5": "x < 2 or x > 5; x < 2 ou x > 5; x < 2 o x > 5; x < 2 یا x > 5;"
    "(-∞,2) ∪ (5,∞); (-inf,2) U (5,inf);"
    "x > 5 or 2 > x; x ∉ [2,5]; x menor que 2 ou maior que 5; x ∈ (-∞, 2) ∪ (5, ∞); (x < 2) or (x > 5);"
    "ℝ \\ [2, 5]; R ∖ [2,5]; x < 2 ∨ x > 5; x<2 or more than 5",
    "x = 3": "x = 3; 3; = 3; {3}; x == 3; [3,3]; 3 = x; x ∈ {3}; x is 3; x igual a 3; x برابر ۳; x = {3}",
    "x = 3 or x = 4": "{3,4}; {4, 3}; x = 3 or x = 4; x = 3 or 4; x ∈ {3, 4}; {۳، ۴}; x = {3,4}; {3, 4, 3}",
    "x < 3 or x > 3": "x != 3; x ≠ 3; x <> 3; 3 ≠ x; x \\ne 3; R - {3}; ℝ∖{3}; R\\{3};"
    "x diferente de 3; x distinto de 3; x > 3 or x < 3",
    "every x": "all; every x; R; ℝ; toda; todo x; always; sempre; siempre; همیشه; هر x; همه;"
    "all real numbers; x ∈ ℝ; ∀x; for all x;"
    "(-∞, ∞); x < 3 or x >= 3; any x; qualquer x; cualquier x; todos os valores de x; ∀x ∈ ℝ; x <= inf",
    "no x": "none; ∅; {}; []; no x; never; nenhum; nenhum x; nunca; ningún x; هیچ; هیچ x;"
    "x < 2 and x > 5; (3, 3); 5 < x < 2",
}


@pytest.mark.parametrize(("text", "meant"), table(RANGES))
def test_a_range(text: str, meant: str) -> None:
    assert range_of_x(text) == range_of_x(meant)


@pytest.mark.parametrize("meant", RANGES)
def test_ranges_mean_what_they_say(meant: str) -> None:
    """Judged by Python itself, at every end, between them and beyond."""
    source = {"every x": "True", "no x": "False"}.get(meant, meant.replace(" = ", " == "))
    for twice in range(-2, 22):
        x = Fraction(twice, 4)
        assert (x in range_of_x(meant)) == eval(source, {"x": x})  # The test's own text, none of an answer's.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(
            (text, "range")
            for text in ("x < 2, x > 5", "2 < x > 5", "x", "x <", "2 < 3", "x < x", "x < 2 or", "(2,3,4)", "(2, 5")
        ),
        *(
            (text, "range")
            for text in (
                "2, 5",
                "x = ∞",
                "{y | y > 3}",
                "x < 2 x > 5",
                "x >= 3 = 4",
                "x no es 3",
                "(3)",
                "]3, 5}",
                "[2,5] (6,7)",
                "∈ 3",
            )
        ),
        *((text, "range.name") for text in ("y < 3", "x < 2 or y > 5", "between 2 and 5", "not x < 3", "x is not 3")),
        *((text, "range.reversed") for text in ("(5, 2)", "[∞, 3]", "(3, -∞)")),
        *(
            ("x < 1,000", "thousands"),
            ("x < 2x", "number"),
            ("{3, ∞}", "infinity"),
            ("", "empty"),
            ("x < 1e3", "exponent"),
        ),
        *((" or ".join(["x < 3"] * 200), "too-long"), ("(" * 50 + "x < 3" + ")" * 50, "too-long")),
    ],
)
def test_not_a_range(text: str, reason: str) -> None:
    assert refusal(range_of_x, text) == reason


def test_semicolons_in_ranges() -> None:
    assert range_of_x("]-∞; 3]") == range_of_x("(−∞; 3]") == range_of_x("x <= 3")
    assert range_of_x("x < 2; x > 5") == range_of_x("x < 2 or x > 5")
    assert range_of_x("(2,5; 3]") == range_of_x("5/2 < x <= 3")
    assert range_of_x("]2; 5[ ∪ ]6; 7,5]") == range_of_x("(2, 5) or (6, 7.5]")
    assert range_of_x("{2,5; 3}") == range_of_x("x = 2,5 or x = 3")


def test_ranges_as_data() -> None:
    assert range_of_x(["2", "5"]) == range_of_x("[2,5]")
    assert range_of_x(["-inf", "3"]) == range_of_x("x <= 3")
    assert range_of_x([]) == range_of_x({}) == EMPTY
    assert range_of_x({"3": None, "4": ""}) == range_of_x("{3,4}")
    for raw in (["2"], ["1", "2", "3"], {"x": "3"}, ["x < 2", "x > 5"], None):
        assert refusal(range_of_x, raw) in ("range", "number", "empty"), raw


def test_the_unknown_may_have_the_name_of_a_word() -> None:
    assert intervals("o < 3 or o > 5", "o") == intervals("R < 3 o R > 5", "R") == intervals("x < 3 or x > 5", "x")
    assert intervals("p > 1/3", "p").text("p") == "p > 1/3"
    assert intervals("x₁ > 3", "x1") == intervals("y > 3", "y") == range_of_x("x > 3")


ends = st.integers(-4, 4).map(lambda n: Fraction(n, 2)).map(lambda n: n.numerator if n.denominator == 1 else n)
solver_ranges = st.builds(
    lambda below, switches: Range(below, tuple(sorted(switches))),
    st.booleans(),
    st.sets(st.tuples(ends, st.booleans()), max_size=5),
)


@given(solver_ranges)
def test_ranges_of_the_solver_are_read_back(meant: Range) -> None:
    found = range_of_x(meant.text("x"))
    assert found == IntervalSet.of(meant.intervals) == range_of_x(found.text())
    assert [tuple(part) for part in found.parts] == [tuple(each) for each in meant.intervals]
    assert bool(found) == bool(meant)
    for quarter in range(-20, 21):
        assert (Fraction(quarter, 4) in found) == (Fraction(quarter, 4) in meant)


@given(solver_ranges, solver_ranges)
def test_sets_of_intervals_compute_as_the_solver_does(first: Range, second: Range) -> None:
    one, other = IntervalSet.of(first.intervals), IntervalSet.of(second.intervals)
    assert one | other == IntervalSet.of((first | second).intervals)
    assert one & other == IntervalSet.of((first & second).intervals)
    assert ~one == IntervalSet.of((~first).intervals)
    assert one | ~one == EVERY


def test_yes_and_no() -> None:
    for text in listed(
        "yes  YES  true  T  1  sim  Sí  si  s  verdadeiro  V  cierto  بله  آری  درست  ۱  ✓  ✔  ✅  yes."
    ):
        assert boolean(text) is True, text
    for text in listed("no  No  false  F  0  não  nao  N  falso  خیر  نه  نادرست  ✗  ✘  ❌  ۰"):
        assert boolean(text) is False, text
    for raw in ("maybe", "yes no", "2", "", None, ["yes"], "not true"):
        assert refusal(boolean, raw) in ("boolean", "empty", "shape"), raw


def test_counts_are_not_simplified() -> None:
    for raw in (
        "12/24",
        ["12", "24"],
        {"wins": "12", "visits": "24"},
        "12 / 24",
        "۱۲/۲۴",
        "12 of 24",
        "12 de 24",
        "۱۲ از ۲۴",
        "(12, 24)",
    ):
        assert counts(raw) == (12, 24), raw
    assert counts("1.5/3") == counts("1,5/3") == counts({"n": "3", "total": "3/2"}) == (Fraction(3, 2), 3)
    assert counts("0/0") == (0, 0) and counts("-2/3") == (-2, 3)
    for raw in (
        "12",
        "12/",
        "1/2/3",
        "12/2.5",
        "12/-3",
        ["12"],
        {"wins": "12"},
        {"wins": "1", "w": "2"},
        "∞/3",
        ["12", "inf"],
        "a/b",
    ):
        assert refusal(counts, raw) in ("counts", "number", "infinity"), raw


PLANS: list[tuple[Any, Any]] = [
    *(
        ([*raw], ["a", {"s1": ["b"], "s2": []}])
        for raw in [["a", {"s1": ["b"], "s2": []}], ["a", {"s1": "b", "s2": "none"}]]
    ),
    ("[a, {s1: [b], s2: []}]", ["a", {"s1": ["b"], "s2": []}]),
    ("a, if s1 then [b] else []", ["a", {"s1": ["b"], ELSE: []}]),
    ("[a, IF s1 THEN b ELSE []]", ["a", {"s1": ["b"], ELSE: []}]),
    ("[a, se s1 então [b] senão []]", ["a", {"s1": ["b"], ELSE: []}]),
    ("[a, si s1 entonces [b] sino []]", ["a", {"s1": ["b"], ELSE: []}]),
    ("[a، اگر s1 آنگاه [b] وگرنه []]", ["a", {"s1": ["b"], ELSE: []}]),
    ("[if s1 then [b, c] else if s2 then [d] else [e], f]", [{"s1": ["b", "c"], "s2": ["d"], ELSE: ["e"]}, "f"]),
    (["a", {"s1": ["b"], "else": []}], ["a", {"s1": ["b"], ELSE: []}]),
    ("if s1 then [b]", [{"s1": ["b"]}]),
    ([], []),
    ({}, []),
    *((raw, []) for raw in ("[]", "{}", "none", "∅")),
    *((raw, ["go left"]) for raw in ("go left", ["go left"], "[go left]", [["go left"]])),
    *((raw, None) for raw in ("failure", "no plan", "falha", "fallo", "شکست")),
]


@pytest.mark.parametrize(("raw", "meant"), PLANS)
def test_a_plan(raw: Any, meant: Any) -> None:
    assert plan(raw) == meant


@pytest.mark.parametrize(
    "raw",
    [
        *(
            "[a",
            "a]",
            "if then",
            "[a, if s1 [b]]",
            "[a,, b]",
            "{s1: [b]",
            "{s1: [b], s1: [c]}",
            "[a [b]]",
            ":",
            "else [a]",
        ),
        *([None], ["a", {}], {"s1": None}, {"s1": ["b"], " s1": ["c"]}, "", None, "[" * 30 + "]" * 30),
    ],
)
def test_not_a_plan(raw: Any) -> None:
    assert refusal(plan, raw) in ("plan", "empty", "too-long")


def test_the_solvers_plan_is_read_back_and_works() -> None:
    solution = solve(load(ROOT / "specs" / "vacuum-plan.yaml"))
    assert solution.plan is not None
    written = plan(solution.plan.text)
    assert written is not None
    assert written == ["Suck", {"s5": ["Right", "Suck"], ELSE: []}]
    assert plan(json.loads(json.dumps(solution.plan.plan))) == solution.plan.plan


numbers = st.one_of(
    st.integers(-(10**39), 10**39),
    st.fractions(-1000, 1000, max_denominator=2000),
    st.integers(-9999, 9999).map(lambda n: Fraction(n, 1000)),
).map(lambda n: n.numerator if n.denominator == 1 else n)
bounds = st.one_of(numbers, st.sampled_from(["-inf", "inf"]))
codes = st.sampled_from(sorted(LANGUAGES))


@given(codes, numbers, numbers)
def test_numbers_in_every_language(code: str, one: Any, other: Any) -> None:
    tongue, comma = language(code), code in ("pt", "es")
    text = tongue.number(one)
    assert number(text, comma=comma) == extended(text, comma=comma) == value(f"= {text}", comma=comma) == one
    assert number(tongue._isolated(text), comma=comma) == one
    for sign in ("<=", ">=", "<", ">"):
        assert bound(f"C {sign} {text}", comma=comma) == (sign, one)
        assert intervals(f"x {sign} {text}", "x", comma=comma) == intervals(
            f"{text} {sign.translate({60: 62, 62: 60})} x", "x", comma=comma
        )
    assert vector(tongue.vector([one, other, one])) == (one, other, one)


@given(codes, bounds, bounds)
def test_windows_in_every_language(code: str, low: Any, high: Any) -> None:
    tongue = language(code)
    assert window(tongue.window((low, high))) == window(tongue.interval((low, high))) == (low, high)
    both = f"{tongue.window((low, high))} → {tongue.window((high, low))}"
    assert windows(both) == [(low, high), (high, low)]
    if not isinstance(low, str) and not isinstance(high, str) and low <= high:
        assert range_of_x(tongue.interval((low, high))) == IntervalSet.of([(low, high, True, True)])
        assert range_of_x(tongue.window((low, high))) == IntervalSet.of([(low, high, False, False)])


@given(codes, st.lists(st.sampled_from(["L4", "L5", "L6"]), min_size=2, max_size=6))
def test_lists_of_names_in_every_language(code: str, listed: list[str]) -> None:
    tongue = language(code)

    def leaf(name: str) -> int:
        return {"l4": 4, "l5": 5, "l6": 6}[folded(name)]

    for text in (
        tongue.listed(listed),
        tongue.listed(listed, "then"),
        tongue.listed([tongue.name(each) for each in listed]),
    ):
        assert names(text, leaf) == [int(each[1]) for each in listed], text


def test_what_a_picture_says_of_a_bound_is_read_back() -> None:
    for code in LANGUAGES:
        assert value(language(code).say("picture.at-most", value=2)) == Bound("<=", 2)
        assert value(language(code).say("picture.at-least", value=-2)) == Bound(">=", -2)
        assert value(language(code).say("picture.pruned")) is UNVISITED


PIECES = [
    *listed(
        "x  y  C  L5  α  β  or  ou  o  e  y  and  if  then  else  in  all  none  no  is  not  at"
        "  most  inf  ∞  minus  حداکثر  یا  هیچ  ∪  ∈  ∉  ∅  R"
    ),
    *listed(
        "(  )  [  ]  {  }  <  >  =  <=  ≥  ≠  ,  ;  ،  ؛  .  ..  …  /  -  −  –  —  +  %  →  ->  |"
        "  \\  $  :  '  _  ½  ²  ٫  ٬"
    ),
    *(
        "1",
        "2,5",
        "3.0",
        "1/3",
        "۲",
        "007",
        " ",
        " ",
        "\u200c",
        "\u2068",
        "\u0338",
        "\u0301",
        "\x00",
        "\ud800",
        "é",
        "＜",
    ),
]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
raws = st.recursive(
    st.none() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(raws)
def test_anything_is_read_or_refused(raw: Any) -> None:
    for read in READERS:
        refused = outcome(read, raw)
        if isinstance(refused, Unreadable):
            assert set(re.findall(r"{(\w+)}", REASONS[refused.reason])) | {"given"} == set(refused.facts)
    raw_text(raw).encode()
    assert missing(raw) in (True, False)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_blanks_and_marks_around_change_nothing(text: str) -> None:
    for read in READERS:
        results = []
        for written in (text, f" \u00a0{text}\n", f"\u2067{text}\u2069", f"\u200f{text}\u200e"):
            found = outcome(read, written)
            results.append(found.reason if isinstance(found, Unreadable) else str(found))
        assert len(set(results)) == 1, results


LONG = [
    *(
        "1" * 9_999,
        "(" * 9_999,
        "[" * 9_999,
        "x < 2 or " * 1_000,
        "L5, " * 2_500,
        "1," * 4_999,
        "-" * 9_999,
        "if a then " * 900,
    ),
    *(
        "\\" * 9_999,
        "." * 9_999,
        "(1,2)" * 1_999,
        "a" * 9_999,
        "a " * 4_999,
        "e\u0301\u0323" * 3_000,
        "1 / " * 2_400,
        "{x|" * 3_300,
    ),
    *(
        " " * 9_999,
        "x ≠ 1 and " * 900,
        "α=1 " * 2_000,
        "a: [" * 2_400,
        "at most " * 1_200,
        "\u0323\u0301" * 5_000,
        "½" * 9_999,
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("read", READERS)
def test_work_grows_with_the_length_of_a_text(read: Callable[[Any], Any]) -> None:
    for text in LONG:
        assert calls(outcome, read, text) < 60 * len(text), text[:20]


@pytest.mark.parametrize("read", READERS)
def test_too_much_is_refused_at_once(read: Callable[[Any], Any]) -> None:
    deep: Any = "1"
    for _ in range(100_000):
        deep = [deep]
    wide: Any = [["1"] * 1000] * 101
    for raw in (
        "1" * 1_000_000,
        "(" * 1_000_000,
        " " * 1_000_000,
        ["1" * 1_000_000],
        {"1" * 1_000_000: "1"},
        wide,
        deep,
        {"a": deep},
    ):
        assert refusal(read, raw) == "too-long"
        assert calls(refusal, read, raw) < 2_000
    # Python frees nested lists by recursion that it limits itself.
    while isinstance(deep, list):
        deep = deep[0]


def test_the_limits_are_where_they_should_be() -> None:
    nested: Any = "a"
    for _ in range(20):
        nested = [nested]
    assert plan(nested) == ["a"]
    assert refusal(plan, [nested]) == "too-long"
    assert given_names(["L5"] * 100_000) == [5] * 100_000
    assert refusal(given_names, ["L5"] * 100_001) == "too-long"
    assert number(" " * 9_999 + "3") == 3
    assert refusal(number, " " * 10_000 + "3") == "too-long"


@pytest.mark.parametrize(
    "sign", ["\x00", "\x07", "\x1b", "\x7f", "\u202e", "\u202d", "\u00ad", "\u2028", "\ud800", "\U000e0041"]
)
def test_signs_that_hide_something_are_refused(sign: str) -> None:
    for read in READERS:
        assert refusal(read, f"1{sign}2") == "character"


@pytest.mark.parametrize("raw", [3, 3.5, True, b"3", ("3", "4"), {3}, object(), ["3", 4], {"a": 1.5}])
def test_what_no_reader_gives_is_refused(raw: Any) -> None:
    for read in READERS:
        assert refusal(read, raw) == "shape"


def test_what_was_written_is_reported() -> None:
    assert raw_text("  ≤ 2 ") == "  ≤ 2 "
    assert raw_text(None) == ""
    for raw in ([], {}, ["a", {"b": ["c", None], 'é"': []}, [[]]], {"x": {"y": "z\n"}}):
        assert raw_text(raw) == json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    assert raw_text("x" * 2_000) == "x" * 2_000
    assert raw_text("x" * 2_001) == "x" * 2_000 + "…"
    assert len(raw_text(["ab"] * 1_000_000)) == 2_001
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    assert raw_text(deep) == "[" * 2_000 + "…"
    assert raw_text("\ud800") == "?"


def test_nothing_written() -> None:
    assert all(map(missing, (None, "", "  ", "\u200f\u00a0")))
    assert not any(map(missing, ("-", [], {}, "0")))


def test_a_refusal_keeps_its_facts() -> None:
    with pytest.raises(Unreadable) as caught:
        range_of_x("(5, 2)")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.reason, copy.facts) == ("unreadable.range.reversed", {"given": "(5, 2)", "low": "5", "high": "2"})
    assert str(copy) == "unreadable.range.reversed, given: (5, 2), low: 5, high: 2"


def test_every_reason_is_listed_and_given() -> None:
    files = Path(grader.answers.__file__).parent.glob("*.py")
    used = {
        reason
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if not line.lstrip().startswith('"unreadable')
        for reason in re.findall(r'"(unreadable\.[a-z.-]+)"', line)
    }
    assert used == set(REASONS)
