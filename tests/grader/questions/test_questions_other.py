"""The question types beside values, windows and pruning: keys, reading and marks, against something independent."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from grader.marking.mark import mark
from grader.questions.answer_key import AnswerKey
from grader.questions.claims import CLAIMS, judge, statement, why_not
from grader.questions.exercise import Exercise, Policy, Question, Rubric
from grader.questions.items import Marked
from grader.questions.plans import as_made
from grader.questions.registry import ASKS
from grader.questions.ucb import rounds_to
from solver.game import CONVENTIONS, ChildOrder, Convention, Game, convention_from
from solver.game.convention import CutTest
from solver.kernel import UsageError
from solver.languages import LANGUAGES, Sentence, language
from solver.pipeline import load, load_bytes, load_tree, solve
from tests.judges import brute_force as brute
from tests.support.strategies import ANY_CONVENTION as CONVENTIONS_DRAWN
from tests.support.strategies import FEW, as_json, chance_trees, document, minimax_trees, player_games

AIMA = CONVENTIONS["aima3"]
MARKS = Fraction(6)
CATALOGUES = Path("grader/languages").resolve()
CLAIMED = ["two-ply", "deep-cut-showcase", "open-lines", "material", "beta-cut", "fair-coins", "tic-tac-toe-cut-off"]
CLAIMED += ["three-players", "two-teams", "backgammon-roll", "equality-cut"]


def question(ask: str, **fields: Any) -> Question:
    own = {key: fields.pop(key) for key in ("nodes", "digits", "algorithm", "depth", "rubric") if key in fields}
    return Question("q", ask, MARKS, parameters=fields, **own)


def key_of(game: Game, asked: Question, convention: Convention = AIMA, printed: tuple[str, ...] = ()) -> AnswerKey:
    exercise = Exercise(
        "e", None, None, "en", game, convention, frozenset(printed), (asked,), Policy(), asked.marks, "e.yaml"
    )
    return AnswerKey(exercise, convention)


def claimed(game: Game, convention: Convention) -> AnswerKey:
    return key_of(game, question("choice"), convention)


def marked(game: Game, asked: Question, raw: Any, **how: Any) -> Marked:
    return marked_under(key_of(game, asked, **how), asked, raw)


def marked_under(answer_key: AnswerKey, asked: Question, raw: Any) -> Marked:
    (found,) = mark(answer_key, {} if raw is None else {asked.id: raw}).questions
    assert 0 <= found.marks <= asked.marks
    return found.marked


def verdicts(found: Marked) -> dict[str, str]:
    return {item.name: item.verdict for item in found.items}


def verdict(game: Game, asked: Question, raw: Any, **how: Any) -> str:
    (item,) = marked(game, asked, raw, **how).items
    return item.verdict


def hint(game: Game, asked: Question, raw: Any, **how: Any) -> Sentence | None:
    (item,) = marked(game, asked, raw, **how).items
    return item.hint


def game_of(text: str, **head: Any) -> Game:
    lines = "".join(f"{key}: {value}\n" for key, value in head.items())
    return load_bytes(f"plymark: game/1\n{lines}tree: {text}\n".encode())


def spec(name: str) -> Game:
    return load(f"specs/{name}.yaml")


def drawn_game(tree: Any, head: Mapping[str, Any] | None = None) -> Game:
    return load_bytes(as_json(document(tree, "nested", dict(head or {}))))


TWO_PLY = spec("two-ply")
FIGURE = "[[3, 12, 8], [{}, {}, {}], [14, 5, {}]]"
UNKNOWN_CUT = game_of(FIGURE.format("x", 4, 6, 2), unknowns="[x]")
UNKNOWN_MOVE = game_of(FIGURE.format(2, 4, 6, "x"), unknowns="[x]")
UNKNOWN_VALUE = game_of("[[x, 12, 8], [2, 4, 6], [14, 5, 2]]", unknowns="[x]")

# What is right, what is wrong and what cannot be read, of every type.
PERFECT: list[tuple[Game, Question, Any, Any, Any]] = [
    (UNKNOWN_CUT, question("range", unknown="x", when={"pruned": ("L5",)}), "x <= 3", "x < 2", "x is small"),
    (TWO_PLY, question("reorder", goal="most"), {"D": ["L9", "L7", "L8"]}, {"D": ["L8", "L7", "L9"]}, {"D": ["L9"]}),
    (UNKNOWN_CUT, question("assign", unknowns=("x",), goal={"pruned": ("L5",)}), {"x": "1"}, {"x": "4"}, {"x": "low"}),
    (TWO_PLY, question("prunable", nodes=("L5",)), {"L5": "yes"}, {"L5": "no"}, {"L5": "perhaps"}),
    (spec("three-players"), question("vectors", nodes=("A",)), {"A": [1, 2, 6]}, {"A": [6, 1, 2]}, {"A": "six"}),
    (spec("tic-tac-toe-cut-off"), question("depths", depths=(2,)), {"2": {"value": "1", "move": "b2"}},
     {"2": {"value": "4", "move": "a1"}}, {"2": {"value": "one", "move": "z9"}}),
    (TWO_PLY, question("opponent", errs=Fraction(1, 10)), "3.9", "3", "much"),
    (TWO_PLY, question("opponent", errs="threshold"), "p > 1/3", "p > 1/2", "often"),
    (spec("vacuum-plan"), question("plan"), ["Suck", {"s5": ["Right", "Suck"], "s7": []}], ["Right"], {"": {}}),
    (spec("mcts-textbook"), question("ucb", digits=4), {"B": "1.0975", "C": "1.0501", "D": "1.0877", "select": "B"},
     {"B": "2", "C": "3", "D": "1", "select": "D"}, {"B": "b", "C": "c", "D": "d", "select": "Z"}),
    (spec("mcts-textbook"), question("backup"),
     {"A": [37, 101], "B": [61, 80], "E": "16/54", "G": "28/36", "I": [0, 1]},
     {"A": ["38", "101"], "B": ["60", "80"], "E": "17/54", "G": "27/36", "I": "9/9"},
     {"A": "a", "B": "b", "E": "e", "G": "g", "I": "i"}),
    (TWO_PLY, question("transform", by="2*v + 3"), {"move": "same", "pruned": "same"},
     {"move": "different", "pruned": "different"}, {"move": "maybe", "pruned": "maybe"}),
    (TWO_PLY, question("choice", claim="prunes-here"), "true", "false", "unsure"),
]  # fmt: skip
NAMES = [f"{asked.ask} {place}" for place, (_, asked, *_) in enumerate(PERFECT)]


@pytest.fixture(params=PERFECT, ids=NAMES)
def case(request: pytest.FixtureRequest) -> tuple[Game, Question, Any, Any, Any]:
    found: tuple[Game, Question, Any, Any, Any] = request.param
    return found


def texts(raw: Any) -> Any:
    """As an answer is loaded: every scalar a text."""
    if isinstance(raw, dict):
        return {str(key): texts(each) for key, each in raw.items()}
    return [texts(each) for each in raw] if isinstance(raw, list) else str(raw)


def test_a_perfect_answer_gets_full_marks(case: Any) -> None:
    game, asked, right, _, _ = case
    found = marked(game, asked, texts(right))
    assert found.marks == MARKS, verdicts(found)
    assert set(verdicts(found).values()) == {"right"}


def test_the_key_itself_is_a_perfect_answer(case: Any) -> None:
    game, asked, *_ = case
    answer_key = key_of(game, asked)
    found = marked_under(answer_key, asked, texts(ASKS[asked.ask].perfect(answer_key.of(asked))))
    assert found.marks == MARKS, verdicts(found)


def test_a_blank_answer_gets_nothing(case: Any) -> None:
    game, asked, *_ = case
    for blank in (None, ""):
        found = marked(game, asked, blank)
        assert found.marks == 0
        assert set(verdicts(found).values()) <= {"missing", "unreadable"}
    assert set(verdicts(marked(game, asked, None)).values()) == {"missing"}


def test_a_wrong_answer_gets_nothing_and_a_reason(case: Any) -> None:
    game, asked, _, wrong, _ = case
    found = marked(game, asked, texts(wrong))
    wrong_items = [item for item in found.items if item.verdict == "wrong"]
    assert wrong_items
    assert found.marks == sum(
        (worth for worth, item in zip(found.worth, found.items, strict=True) if item.verdict == "follow-through"),
        Fraction(0),
    )
    ask, answer_key = ASKS[asked.ask], key_of(game, asked)
    assert all(item.expected and (ask.why(answer_key.of(asked), item.name) or item.hint) for item in wrong_items)


def test_what_cannot_be_read_is_said(case: Any) -> None:
    game, asked, _, _, garbage = case
    found = marked(game, asked, texts(garbage))
    assert found.marks == 0
    assert set(verdicts(found).values()) == {"unreadable"}
    assert all(item.hint is not None and item.hint.key.startswith("unreadable.") for item in found.items)


@pytest.mark.parametrize("code", LANGUAGES)
def test_hints_and_reasons_are_in_every_language(case: Any, code: str) -> None:
    game, asked, _, wrong, garbage = case
    answer_key, spoken = key_of(game, asked), language(code, CATALOGUES)
    for raw in (wrong, garbage):
        for item in marked_under(answer_key, asked, texts(raw)).items:
            told = [*ASKS[asked.ask].why(answer_key.of(asked), item.name), *([item.hint] if item.hint else [])]
            assert told
            assert all(spoken.tell(sentence) for sentence in told)


@pytest.mark.parametrize("code", LANGUAGES)
def test_claims_are_in_every_language(code: str) -> None:
    spoken = language(code, CATALOGUES)
    for name in CLAIMS:
        assert spoken.tell(statement(name))
        games = [game for game in map(spec, CLAIMED) if why_not(name, claimed(game, AIMA)) is None]
        assert games, name
        assert all(spoken.tell(sentence) for game in games for sentence in judge(name, claimed(game, AIMA)).why)


def test_items_share_the_marks(case: Any) -> None:
    """Each item of a mapping alone earns its share, and a wrong one takes nothing from the others."""
    game, asked, right, wrong, _ = case
    if asked.ask not in ("vectors", "depths", "ucb", "backup", "transform"):
        return
    answer_key = key_of(game, asked)
    items = ASKS[asked.ask].key(answer_key.of(asked))
    whole, others = texts(right), texts(wrong)
    if asked.ask == "depths":
        whole, others = ({f"2 {name}": each for name, each in answer["2"].items()} for answer in (whole, others))
    for item in items:
        assert marked_under(answer_key, asked, {item: whole[item]}).marks == MARKS / len(items)
        spoilt = marked_under(answer_key, asked, {**whole, item: others[item]})
        assert spoilt.marks == MARKS - MARKS / len(items), item


@st.composite
def with_unknown(draw: Any) -> tuple[Any, tuple[int, ...]]:
    tree = draw(minimax_trees(8, 3).filter(lambda tree: not brute.is_leaf(tree)))
    return tree, draw(st.sampled_from(brute.leaves(tree)))


def unknown_game(tree: Any, path: tuple[int, ...]) -> Game:
    data = document(tree, "nested", {"unknowns": ["x"]})
    node = data["tree"]
    for place in path:
        node = node["children"][place]
    node["value"] = "x"
    return load_bytes(as_json(data))


HOSTILE: list[Any] = [
    [], {}, [[]], [None], "x" * 20_000, "=1+1", "<b>", "\u202e3", {"a": {"b": ["c"]}}, {"": ""}, [["a", ["b"]]] * 3,
    {"A": {"A": {"A": []}}}, {"L5": {"L5": "9" * 41}}, {"D": [["L9"]]}, {"x": ["1"]}, {"1": {"value": []}},
    {"2": [[], {}]},
    ["Suck", {"s5": {"s5": {"else": []}}}], {"select": ["B", "C"]}, {"B": {"wins": "1"}}, "[" * 50, "p >", "1/0", "nan",
]  # fmt: skip


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_no_answer_breaks_a_question(case: Any, raw: Any) -> None:
    game, asked, *_ = case
    found = marked(game, asked, raw)
    assert found.marks == 0
    assert all(item.verdict in ("wrong", "missing", "unreadable") for item in found.items)


CONVENTION = CONVENTIONS_DRAWN.map(convention_from)


@settings(max_examples=80)
@drawn(minimax_trees(8, 3).filter(lambda tree: not brute.is_leaf(tree)), CONVENTION, st.data())
def test_the_key_is_perfect_under_every_convention(tree: Any, convention: Convention, data: st.DataObject) -> None:
    game = drawn_game(tree)
    asks = [
        question("reorder", goal="most"),
        question("reorder", goal="least"),
        question("prunable"),
        question("transform", by=data.draw(st.sampled_from(["2*v + 3", "v^3", "-v", "5"]))),
        question("choice", claim=data.draw(st.sampled_from(sorted(CLAIMS)))),
        question("opponent", errs=data.draw(st.sampled_from([Fraction(0), Fraction(1, 7), Fraction(1)]))),
        *([question("opponent", errs="threshold", digits=6)] if tree[0] == "max" else []),
    ]
    for asked in asks:
        if asked.ask == "choice" and why_not(asked.parameters["claim"], claimed(game, convention)) is not None:
            continue
        answer_key = key_of(game, asked, convention)
        perfect = ASKS[asked.ask].perfect(answer_key.of(asked))
        assert marked_under(answer_key, asked, texts(perfect)).marks == MARKS, (asked, perfect)
        assert marked_under(answer_key, asked, None).marks == 0


@settings(max_examples=60)
@drawn(with_unknown(), CONVENTION, st.data())
def test_the_key_of_an_unknown_is_perfect(case: Any, convention: Convention, data: st.DataObject) -> None:
    tree, path = case
    game = unknown_game(tree, path)
    when = data.draw(
        st.sampled_from([{"pruned": (str(game.tree.ids[node]),)} for node in range(1, len(game.tree))])
        | FEW.map(lambda value: {"value": value})
        | st.sampled_from([{"move": str(game.tree.move[child])} for child in game.tree.children[0]])
    )
    asked = question("range", unknown="x", when=when)
    answer_key = key_of(game, asked, convention)
    assert marked_under(answer_key, asked, ASKS["range"].perfect(answer_key.of(asked))).marks == MARKS


# range


def test_the_ranges_of_the_unknown_leaves_example() -> None:
    """teaching.md, example 3."""
    pruned = question("range", unknown="x", when={"pruned": ("L5", "L6")})
    assert verdict(UNKNOWN_CUT, pruned, "x ≤ 3") == "right"
    assert verdict(UNKNOWN_CUT, pruned, "(-inf, 3]") == "right"
    assert verdict(UNKNOWN_CUT, pruned, "x < 3") == "wrong"
    assert verdict(UNKNOWN_CUT, pruned, "x < 3", convention=CONVENTIONS["strict"]) == "right"
    value = question("range", unknown="x", when={"value": 8})
    assert verdict(UNKNOWN_VALUE, value, "x >= 8") == "right"
    assert verdict(UNKNOWN_VALUE, question("range", unknown="x", when={"value": 5}), "5") == "right"
    assert verdict(UNKNOWN_VALUE, question("range", unknown="x", when={"value": 9}), "none") == "right"


def test_a_move_is_best_with_or_without_the_tie() -> None:
    asked = question("range", unknown="x", when={"move": "a1"})
    assert [verdict(UNKNOWN_MOVE, asked, text) for text in ("x < 3", "x <= 3", "x > 3")] == ["right", "right", "wrong"]
    last = replace(AIMA, ties="last")
    assert verdict(UNKNOWN_MOVE, asked, "x <= 3", printed=("ties",)) == "right"
    assert verdict(UNKNOWN_MOVE, asked, "x < 3", printed=("ties",)) == "wrong"
    assert verdict(UNKNOWN_MOVE, asked, "x < 3", printed=("ties",), convention=last) == "right"


def test_only_the_ends_differ() -> None:
    asked = question("range", unknown="x", when={"pruned": ("L5",)})
    only_ends = hint(UNKNOWN_CUT, asked, "x < 3")
    assert only_ends is not None and only_ends.key == "hint.range.ends"
    assert hint(UNKNOWN_CUT, asked, "x < 2") is None
    assert hint(UNKNOWN_CUT, asked, "x > 3") is None


def test_bounds_of_the_game_limit_a_range() -> None:
    game = game_of("[[3, 9], [x, 4]]", unknowns="[x]", bounds="[0, 10]")
    asked = question("range", unknown="x", when={"pruned": ("L4",)})
    assert [verdict(game, asked, text) for text in ("x <= 3", "[0, 3]", "[1, 3]")] == ["right", "right", "wrong"]


def test_ends_may_be_rounded_where_digits_are_declared() -> None:
    game = game_of('[["7/3", 9], [x, 4]]', unknowns="[x]")
    asked = question("range", unknown="x", when={"pruned": ("L4",)}, digits=2)
    assert verdict(game, asked, "x <= 2.33") == "right"
    assert verdict(game, asked, "x <= 2.34") == "wrong"
    assert verdict(game, replace(asked, digits=None), "x <= 2.33") == "wrong"


@settings(max_examples=60)
@drawn(with_unknown(), FEW, st.sampled_from(["at-bound", "past-bound"]), st.data())
def test_a_range_holds_exactly_where_the_search_says(
    case: Any, number: Fraction, cut: CutTest, data: st.DataObject
) -> None:
    """Each number of a grid belongs to the key iff alpha-beta, with the number put in, leaves the leaf out."""
    tree, path = case
    game, convention = unknown_game(tree, path), replace(AIMA, cut=cut)
    leaf = data.draw(st.sampled_from([str(game.tree.ids[leaf]) for leaf in game.tree.leaves]))
    asked = question("range", unknown="x", when={"pruned": (leaf,)})
    key = ASKS["range"].key(key_of(game, asked, convention).of(asked))["range"].shown
    for x in {number, number - Fraction(1, 7), number + Fraction(1, 7), Fraction(100), Fraction(-100)}:
        known = solve(drawn_game(brute.replaced(tree, {path: x})), "alpha-beta", convention)
        assert (x in key) == (known.tree.index[leaf] in known.pruned)  # type: ignore[index]


# reorder


def test_any_order_with_the_fewest_leaves_is_right() -> None:
    asked = question("reorder", goal="most")
    # Seed 001 names the leaves by their values: D as [2, 5, 14].
    by_value = {"A": ["B", "C", "D"], "D": ["2", "5", "14"]}
    for order in ({"D": ["L9", "L8", "L7"]}, {"D": "L9, L7, L8"}, {"d": ["d3", "d1", "d2"]}, by_value):
        assert verdict(TWO_PLY, asked, order) == "right", order
    assert verdict(TWO_PLY, asked, "none") == "wrong"
    assert verdict(spec("best-order"), asked, "none") == "right"
    told = hint(TWO_PLY, asked, {"B": ["L3", "L2", "L1"]})
    assert told is not None and (told.key, told.count) == ("hint.reorder.most", 7)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"D": ["L9", "L8"]}, "unreadable.order.missing"),
        ({"D": ["L9", "L8", "L7", "L9"]}, "unreadable.order.twice"),
        ({"D": ["L9", "L8", "L1"]}, "unreadable.name"),
        ({"L1": ["L2"]}, "unreadable.order.leaf"),
        ({"Z": ["L2"]}, "unreadable.name"),
        ("D first", "unreadable.whole.reorder"),
        (["D"], "unreadable.whole.reorder"),
    ],
)
def test_what_is_no_order_is_refused_with_its_reason(order: Any, reason: str) -> None:
    told = hint(TWO_PLY, question("reorder", goal="most"), order)
    assert told is not None and told.key == reason


@pytest.mark.parametrize("goal", ["most", "least"])
@pytest.mark.parametrize("nodes", [("A",), ("A", "B"), ("A", "D"), ("C",), ("B", "C", "D")])
def test_only_the_children_of_the_nodes_that_are_asked_about_move(nodes: tuple[str, ...], goal: str) -> None:
    """Against every order of theirs; the tree's best order moves those of D."""
    asked = question("reorder", goal=goal, nodes=nodes)
    answer_key = key_of(TWO_PLY, asked)
    tree = TWO_PLY.tree
    listed = {str(tree.ids[node]): [str(tree.ids[child]) for child in tree.children[node]] for node in tree.inner}
    ways = product(*(permutations(listed[node]) for node in nodes))
    orders = [{node: list(below) for node, below in zip(nodes, way, strict=True)} for way in ways]
    every = [_evaluated(TWO_PLY, {**listed, **order}) for order in orders]
    key = ASKS["reorder"].key(answer_key.of(asked))["order"]
    assert key.order.keys() <= set(nodes)
    assert key.leaves == (min(every) if goal == "most" else max(every))
    for order, count in list(zip(orders, every, strict=True))[::7]:
        assert (marked_under(answer_key, asked, order).marks == MARKS) == (count == key.leaves), order
    perfect = ASKS["reorder"].perfect(answer_key.of(asked))
    assert marked_under(answer_key, asked, perfect).marks == MARKS
    shown = ASKS["reorder"].shown(answer_key.of(asked))["order"]
    assert {part.split(":")[0] for part in shown.split("; ")} <= set(nodes)


def test_the_children_of_nodes_that_are_not_asked_about_stay() -> None:
    asked = question("reorder", goal="most", nodes=("A", "B"))
    # With D in another order the search would evaluate fewer leaves, but D is not asked about.
    assert verdict(TWO_PLY, asked, {"A": ["B", "C", "D"]}) == "right"
    assert verdict(TWO_PLY, asked, {"A": ["B", "C", "D"], "D": ["L9", "L8", "L7"]}) == "right"
    assert verdict(TWO_PLY, asked, {"A": ["C", "D", "B"], "D": ["L9", "L8", "L7"]}) == "wrong"


@pytest.mark.slow
@settings(max_examples=50)
@drawn(minimax_trees(7, 3).filter(lambda tree: not brute.is_leaf(tree)), st.sampled_from(["most", "least"]), st.data())
def test_an_order_is_right_iff_no_other_is_better(tree: Any, goal: str, data: st.DataObject) -> None:
    """Against every order that there is."""
    game = drawn_game(tree)
    asked = question("reorder", goal=goal)
    answer_key = key_of(game, asked)
    counts = brute.fewest_and_most(tree)
    order = {
        str(game.tree.ids[node]): data.draw(
            st.permutations([str(game.tree.ids[child]) for child in game.tree.children[node]])
        )
        for node in game.tree.inner
    }
    best = counts[0] if goal == "most" else counts[1]
    assert ASKS["reorder"].key(answer_key.of(asked))["order"].leaves == best
    ours = marked_under(answer_key, asked, order)
    again = _evaluated(game, order)
    assert (ours.marks == MARKS) == (again == best)
    key = ASKS["reorder"].key(answer_key.of(asked))["order"].order
    written = {node: list(children) for node, children in key.items()} or "none"
    assert marked_under(answer_key, asked, written).marks == MARKS


def _evaluated(game: Game, order: Mapping[str, list[str]]) -> int:
    tree = game.tree

    def built(node: int) -> Any:
        if not tree.children[node]:
            return tree.leaf[node]
        return tree.turn[node], [built(tree.index[child]) for child in order[tree.ids[node]]]  # type: ignore[index]

    arranged = built(0)
    below = set(brute.leaves(arranged))
    return sum(path in below for path in brute.alpha_beta(arranged).visited)


# assign


def test_values_are_tried_not_compared() -> None:
    asked = question("assign", unknowns=("x",), goal={"pruned": ("L5", "L6")})
    assert [verdict(UNKNOWN_CUT, asked, {"x": text}) for text in ("3", "-7/2", "3.5")] == ["right", "right", "wrong"]
    assert verdict(UNKNOWN_CUT, asked, "2") == "right"
    told = hint(UNKNOWN_CUT, asked, {"x": "5"})
    assert told is not None and told.key == "hint.assign.visited"
    pair = game_of("[[3, 12, 8], [x, y, 6], [14, 5, 2]]", unknowns="[x, y]")
    both = question("assign", unknowns=("x", "y"), goal={"move": "a2"})
    assert verdict(pair, both, {"x": "5", "Y": "4"}) == "right"
    assert verdict(pair, both, {"x": "5", "y": "2"}) == "wrong"
    one = hint(pair, both, {"x": "5"})
    assert one is not None and (one.key, one.facts["name"]) == ("unreadable.assign.missing", "y")


def test_most_and_least_pruning_over_all_values() -> None:
    game = game_of("[[x, 5], [y, 4], [3, 9]]", unknowns="[x, y]")
    most = question("assign", unknowns=("x", "y"), goal="most")
    # B is worth x or 5, and more than y and 3 are: C is cut after y, D after 3.
    assert verdict(game, most, {"x": "5", "y": "1"}) == "right"
    assert verdict(game, most, {"x": "1", "y": "2"}) == "wrong"
    least = replace(most, parameters={**most.parameters, "goal": "least"})
    assert verdict(game, least, {"x": "1", "y": "2"}) == "right"
    assert verdict(game, least, {"x": "5", "y": "1"}) == "wrong"


def test_values_stay_within_the_bounds_of_the_game() -> None:
    game = game_of("[[3, 9], [x, 4]]", unknowns="[x]", bounds="[0, 10]")
    asked = question("assign", unknowns=("x",), goal={"pruned": ("L4",)})
    assert verdict(game, asked, {"x": "0"}) == "right"
    told = hint(game, asked, {"x": "-1"})
    assert told is not None and told.key == "hint.assign.bounds"
    assert verdict(game_of("[[3, 9], [x, 4]]", unknowns="[x]"), asked, {"x": "-1"}) == "right"


@settings(max_examples=40)
@drawn(with_unknown(), st.data())
def test_an_example_is_found_wherever_values_exist(case: Any, data: st.DataObject) -> None:
    tree, path = case
    game = unknown_game(tree, path)
    goal = data.draw(
        st.sampled_from([{"pruned": (str(game.tree.ids[leaf]),)} for leaf in game.tree.leaves])
        | FEW.map(lambda value: {"value": value})
        | st.sampled_from([{"move": str(game.tree.move[child])} for child in game.tree.children[0]])
        | st.sampled_from(["most", "least"])
    )
    asked = question("assign", unknowns=("x",), goal=goal)
    answer_key = key_of(game, asked)
    example = ASKS["assign"].key(answer_key.of(asked))["values"]
    tried = [{"x": str(number)} for number in (-100, -2, -1, 0, Fraction(1, 5), 1, 2, 3, 100)]
    if example is None:
        assert all(marked_under(answer_key, asked, each).marks == 0 for each in tried)
    else:
        assert marked_under(answer_key, asked, {"x": str(example["x"])}).marks == MARKS
    if isinstance(goal, str):
        return
    known = question("range", unknown="x", when=goal)
    key = ASKS["range"].key(key_of(game, known).of(known))["range"].shown
    for each in tried:
        assert (marked_under(answer_key, asked, each).marks == MARKS) == (Fraction(each["x"]) in key)


# prunable


def test_which_leaves_can_be_pruned() -> None:
    answer = {f"L{place}": "yes" if place in (5, 6, 8, 9) else "no" for place in range(1, 10)}
    asked = question("prunable")
    assert marked(TWO_PLY, asked, answer).marks == MARKS
    assert marked(TWO_PLY, asked, {**answer, "L1": "yes"}).marks == MARKS * 8 / 9


def test_a_witness_is_run() -> None:
    asked = question("prunable", nodes=("L8", "L1"))
    found = marked(TWO_PLY, asked, {"L8": {"L7": "3"}, "L1": {"L2": "-100"}})
    assert verdicts(found) == {"L8": "right", "L1": "wrong"}
    assert verdicts(marked(TWO_PLY, asked, {"L8": {"L7": "4"}}))["L8"] == "wrong"
    told = marked(TWO_PLY, asked, {"L8": {"D": "4"}}).items[0].hint
    assert told is not None and told.key == "unreadable.witness.inner"


@settings(max_examples=40)
@drawn(minimax_trees(8, 3).filter(lambda tree: not brute.is_leaf(tree)), st.data())
def test_values_with_which_a_leaf_is_pruned_are_right(tree: Any, data: st.DataObject) -> None:
    """Drawn values prune a leaf by the brute force's search iff they are accepted as a witness."""
    game, asked = drawn_game(tree), question("prunable")
    paths = dict(zip((str(game.tree.ids[leaf]) for leaf in game.tree.leaves), brute.leaves(tree), strict=True))
    values = {name: data.draw(st.integers(0, 2)) for name in paths}
    visited = brute.alpha_beta(brute.replaced(tree, {paths[name]: value for name, value in values.items()})).visited
    raw = {name: {each: str(value) for each, value in values.items()} for name in paths}
    found = verdicts(marked(game, asked, raw))
    key = ASKS["prunable"].key(key_of(game, asked).of(asked))
    for name, path in paths.items():
        assert (found[name] == "right") == (path not in visited)
        assert key[name] or path in visited


# vectors


def test_three_players() -> None:
    """teaching.md, example 8: A's choice is a tie, so two vectors are right at the root."""
    game, asked = spec("three-players"), question("vectors")
    key = {"A": "(1, 2, 6)", "B": "1; 2; 6", "C": ["1", "5", "2"], "D": {"A": "1", "B": "2", "C": "6"}}
    rest = {"E": ["6", "1", "2"], "F": ["1", "5", "2"], "G": ["5", "4", "5"]}
    assert marked(game, asked, {**key, **rest}).marks == MARKS
    tied = {**key, **rest, "A": ["1", "5", "2"]}
    assert marked(game, asked, tied).marks == MARKS
    assert verdicts(marked(game, asked, tied, printed=("ties",)))["A"] == "wrong"
    short = marked(game, asked, {"A": ["1", "2"]}).items[0]
    assert short.verdict == "unreadable" and short.hint is not None and short.hint.key == "unreadable.vector.length"


def test_a_vector_carried_upwards_is_charged_once() -> None:
    game, asked = spec("three-players"), question("vectors")
    answer = {"A": "(4, 2, 3)", "B": "(4, 2, 3)", "C": "(1, 5, 2)", "D": "(4, 2, 3)", "E": "(6, 1, 2)"}
    answer |= {"F": "(1, 5, 2)", "G": "(5, 4, 5)"}
    found = marked(game, asked, answer)
    followed = {"A": "follow-through", "B": "follow-through", "D": "wrong"}
    assert verdicts(found) == {**dict.fromkeys("ABCDEFG", "right"), **followed}
    assert found.marks == MARKS - MARKS / 7


@settings(max_examples=60)
@drawn(player_games(7).filter(lambda game: not brute.is_leaf(game.tree)))
def test_every_equilibrium_vector_is_right_and_no_other(drawn_one: Any) -> None:
    """At every node, against all ways of breaking all ties."""
    game = drawn_game(drawn_one.tree, drawn_one.head)
    asked = question("vectors")
    answer_key = key_of(game, asked)
    key = ASKS["vectors"].key(answer_key.of(asked))
    assert marked_under(answer_key, asked, ASKS["vectors"].perfect(answer_key.of(asked))).marks == MARKS
    paths = dict(brute.nodes(drawn_one.tree))
    for node in game.tree.inner:
        path, here = [], node
        while here:
            path.append(game.tree.children[game.tree.parent[here]].index(here))
            here = game.tree.parent[here]
        right = brute.equilibria(paths[tuple(reversed(path))], drawn_one.side_of)
        assert set(key[str(game.tree.ids[node])]) == right


# depths


def test_the_opening_of_tic_tac_toe_at_each_depth() -> None:
    """teaching.md, example 10: open lines, mine minus yours; the middle is best at depth 1 and at depth 2."""
    game, asked = spec("tic-tac-toe-cut-off"), question("depths", depths=(0, 1, 2))
    answer = {"0": "0", "1": ["4", "B2"], "2": {"value": "1", "move": "b2"}}
    assert list(ASKS["depths"].key(key_of(game, asked).of(asked))) == [
        "0 value",
        "1 value",
        "1 move",
        "2 value",
        "2 move",
    ]
    assert marked(game, asked, answer).marks == MARKS
    assert marked(game, asked, {**answer, "2": {"value": "1", "move": "a1"}}).marks == MARKS * 4 / 5
    assert verdicts(marked(game, asked, {"2": {"value": "1"}}))["2 move"] == "missing"


def test_a_rubric_weighs_depths() -> None:
    game = spec("tic-tac-toe-cut-off")
    asked = question("depths", depths=(1, 2), rubric=Rubric(weights={"2": Fraction(2)}))
    assert marked(game, asked, {"2": ["1", "b2"]}).marks == MARKS * 2 / 3


# opponent


def test_a_min_that_errs() -> None:
    value = question("opponent", errs=Fraction(1, 10))
    assert verdict(TWO_PLY, value, "39/10") == "right"
    random = question("opponent", errs=Fraction(1, 10), model="random")
    assert verdict(TWO_PLY, random, "52/15") == "right"
    assert verdict(TWO_PLY, random, "3.47") == "wrong"
    assert verdict(TWO_PLY, replace(random, digits=2), "3.47") == "right"
    threshold = question("opponent", errs="threshold")
    right = ["p > 1/3", "p >= 1/3", "(1/3, 1]", "1/3", "p = 1/3"]
    assert [verdict(TWO_PLY, threshold, text) for text in right] == ["right"] * 5
    wrong = ["p < 1/3", "p > 0.33", "none", "1/3 < p < 1"]
    assert [verdict(TWO_PLY, threshold, text) for text in wrong] == ["wrong"] * 4
    assert verdict(TWO_PLY, replace(threshold, digits=2), "p > 0.33") == "right"
    assert verdict(TWO_PLY, question("opponent", errs="threshold", model="random"), "none") == "right"


def test_an_irrational_threshold_is_right_to_the_digits_asked() -> None:
    game = load_tree("[[[[0, 3], [1, 5]], [[2, 9], [4, 1]]], [[[1, 2], [2, 2]], [[3, 1], [2, 7]]]]")
    asked = question("opponent", errs="threshold", digits=4)
    assert [verdict(game, asked, text) for text in ("p > 0.2192", "p > 0.2193", "p > 0.2191")] == [
        "right",
        "wrong",
        "wrong",
    ]
    assert verdict(game, replace(asked, digits=None), "p > 0.2192") == "wrong"


@settings(max_examples=40)
@drawn(
    chance_trees(7).filter(lambda tree: not brute.is_leaf(tree)),
    st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)]),
)
def test_the_value_against_mistakes(tree: Any, errs: Fraction) -> None:
    def worth(node: Any) -> Any:
        if brute.is_leaf(node):
            return node
        below = [worth(child) for child in node[1]]
        if node[0] == "chance":
            return sum(p * each for p, each in zip(node[2], below, strict=True))
        return max(below) if node[0] == "max" else (1 - errs) * min(below) + errs * max(below)

    game = drawn_game(tree)
    assert marked(game, question("opponent", errs=errs), str(worth(tree))).marks == MARKS
    assert marked(game, question("opponent", errs=errs), str(worth(tree) + 1)).marks == 0


# plan


def test_a_plan_is_executed() -> None:
    """teaching.md, example 12, on the textbook's vacuum world: the search's plan is not the only one that works."""
    game, asked = spec("vacuum-plan"), question("plan")
    right: list[Any] = [
        ["Suck", {"s5": ["Right", "Suck"], "s7": []}],
        ["suck", {"S7": "none", "s5": ["right", "SUCK"]}],
        "[Suck, if s5 then [Right, Suck] else []]",
        ["Suck", {"s5": ["Right", "Suck"], "else": []}],
        ["Suck", "Right", "Suck"],
        ["Right", "Suck", {"s4": ["Left", "Suck"], "s8b": []}],
    ]
    assert [verdict(game, asked, plan) for plan in right] == ["right"] * len(right)


@pytest.mark.parametrize(
    ("plan", "fault"),
    [
        (["Suck", {"s5": ["Right", "Suck"]}], "missing-outcome"),
        (["Suck", {"s5": ["Left"], "s7": []}], "unknown-move"),
        (["Suck", {"s5": ["Suck"], "s7": []}], "loop"),
        (["Suck"], "ends-early"),
        ([], "ends-early"),
    ],
)
def test_a_plan_that_fails_says_where(plan: Any, fault: str) -> None:
    told = hint(spec("vacuum-plan"), question("plan"), plan)
    assert told is not None and told.key == f"hint.plan.{fault}"
    assert verdict(spec("vacuum-plan"), question("plan"), plan) == "wrong"


def test_where_there_is_no_plan_failure_is_right() -> None:
    game = load_bytes(b"plymark: game/1\ntree: {turn: or, children: [{move: a, value: false}, {move: b, loop: A}]}")
    assert verdict(game, question("plan"), "failure") == "right"
    assert verdict(game, question("plan"), ["a"]) == "wrong"
    assert verdict(spec("vacuum-plan"), question("plan"), "failure") == "wrong"


def test_plans_that_do_the_same_are_the_same_cell() -> None:
    tree = spec("vacuum-plan").tree
    key: Any = ["Suck", {"s5": ["Right", "Suck"], "s7": []}]
    assert as_made(tree, key) == key
    assert as_made(tree, ["Suck", "Right", "Suck"]) == key
    assert as_made(tree, ["Suck", {"s5": ["Right"], "s7": []}, "Suck"]) == key
    assert as_made(tree, ["Suck", {"s5": ["Right", "Suck"]}]) == ["Suck", {"s5": ["Right", "Suck"]}]


def test_plans_within_plans_stay_small() -> None:
    """Twenty `else` inside one another, each for every outcome, are read and executed at once."""
    plan: list[Any] = []
    for _ in range(9):
        plan = ["Suck", {"s5": plan, "else": plan}]
    assert verdict(spec("vacuum-plan"), question("plan"), plan) == "wrong"


def and_or_trees() -> Any:
    return st.recursive(
        st.sampled_from([{"value": "true"}, {"value": "true"}, {"value": "false"}]),
        lambda below: st.builds(
            lambda turn, children: {"turn": turn, "children": children},
            st.sampled_from(["or", "and"]),
            st.lists(below, min_size=1, max_size=3),
        ),
        max_leaves=9,
    ).filter(lambda tree: "turn" in tree)


@settings(max_examples=80)
@drawn(and_or_trees(), st.sampled_from(["left-to-right", "right-to-left"]))
def test_the_plan_of_the_search_works_and_loses_no_outcome(tree: Any, order: ChildOrder) -> None:
    game, asked = load_bytes(as_json({"plymark": "game/1", "tree": tree})), question("plan")
    answer_key = key_of(game, asked, replace(AIMA, order=order))
    perfect = ASKS["plan"].perfect(answer_key.of(asked))
    assert marked_under(answer_key, asked, texts(perfect) if perfect else perfect).marks == MARKS
    if perfect == "failure":
        return
    assert as_made(game.tree, perfect) == perfect
    for place, step in enumerate(perfect):
        if isinstance(step, dict):
            short = [*perfect[:place], dict(list(step.items())[1:])]
            found = marked_under(answer_key, asked, texts(short))
            assert found.marks == 0 and verdicts(found)["plan"] in ("wrong", "unreadable")


# ucb and backup


def test_ucb1_of_the_textbook() -> None:
    """teaching.md, example 11: C = 1.4 chooses 60/79, C = 1.5 chooses 2/11."""
    game, asked = spec("mcts-textbook"), question("ucb", digits=4)
    answer = {"B": "1.0975", "C": "1.0501", "D": "1.0877", "select": "B"}
    assert marked(game, asked, answer).marks == MARKS
    other = question("ucb", exploration=Fraction(3, 2), digits=2)
    assert verdicts(marked(game, other, {"select": "D"}))["select"] == "right"
    assert verdicts(marked(game, other, {"select": "b"}))["select"] == "wrong"


def test_a_child_selected_by_wrong_values_is_not_charged_again() -> None:
    found = marked(
        spec("mcts-textbook"), question("ucb", digits=4), {"B": "1.0975", "C": "1.0501", "D": "1.8", "select": "D"}
    )
    assert verdicts(found) == {"B": "right", "C": "right", "D": "wrong", "select": "follow-through"}
    assert found.marks == MARKS * 3 / 4


def test_a_child_without_visits_comes_first() -> None:
    game = load_bytes(
        b"plymark: game/1\ntree: {turn: max, visits: 3, total: 1, children: "
        b"[{id: B, visits: 3, total: 2, value: 1}, {id: C, value: 0}]}"
    )
    asked = question("ucb", digits=2)
    assert marked(game, asked, {"B": "1.52", "C": "∞", "select": "C"}).marks == MARKS


@settings(max_examples=60)
@drawn(st.integers(1, 40), st.integers(1, 40), st.integers(0, 3), st.integers(1, 6))
def test_ucb1_is_right_to_half_a_unit(wins: int, more: int, square: int, digits: int) -> None:
    visits = wins + more
    game = load_bytes(
        f"plymark: game/1\nmcts: {{exploration: {square}}}\ntree: {{turn: max, visits: {visits + 1}, children: "
        f"[{{id: B, visits: {visits}, total: {wins}, value: 1}}, {{id: C, visits: 1, value: 0}}]}}".encode()
    )
    asked = question("ucb", digits=digits)
    value = ASKS["ucb"].key(key_of(game, asked).of(asked))["B"]
    true = wins / visits + square * sqrt(log(visits + 1) / visits)
    unit = Fraction(1, 10**digits)
    near = Fraction(true).limit_denominator(10**13)
    assert rounds_to(near + unit * Fraction(49, 100), value, digits)
    assert not rounds_to(near + unit * Fraction(51, 100), value, digits)
    assert not rounds_to(near - unit * Fraction(51, 100), value, digits)


@settings(max_examples=60)
@drawn(st.data())
def test_the_key_of_drawn_statistics_is_perfect(data: st.DataObject) -> None:
    """One step by hand: select by UCB1 in floats, add the playout where the mover of the edge is credited."""
    counts = data.draw(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=2, max_size=4))
    counts = [(max(visits, wins), min(visits, wins)) for visits, wins in counts]
    turn, result = data.draw(st.sampled_from(["max", "min"])), data.draw(st.sampled_from([0, 1]))
    whole = sum(visits for visits, _ in counts)
    children = ", ".join(
        f"{{id: N{place}, visits: {each[0]}, total: {each[1]}, value: 1}}" for place, each in enumerate(counts)
    )
    game = load_bytes(
        f"plymark: game/1\nmcts: {{exploration: 1, playouts: [{result}]}}\n"
        f"tree: {{id: R, turn: {turn}, visits: {whole}, total: 0, children: [{children}]}}".encode()
    )
    ucb, backup = question("ucb", digits=5), question("backup")
    values = [wins / visits + sqrt(log(whole) / visits) for visits, wins in counts]
    best = max(range(len(values)), key=lambda place: (round(values[place], 9), -place))
    answer = {f"N{place}": f"{value:.5f}" for place, value in enumerate(values)} | {"select": f"N{best}"}
    assert marked(game, ucb, answer).marks == MARKS
    won = result if turn == "max" else 1 - result
    path = {f"N{best}": [str(counts[best][1] + won), str(counts[best][0] + 1)], "R": [str(1 - won), str(whole + 1)]}
    assert marked(game, backup, path).marks == MARKS
    for asked in (ucb, backup):
        answer_key = key_of(game, asked)
        assert marked_under(answer_key, asked, ASKS[asked.ask].perfect(answer_key.of(asked))).marks == MARKS


def test_counts_are_not_simplified() -> None:
    game, asked = spec("mcts-textbook"), question("backup", nodes=("B", "H"))
    found = marked(game, asked, {"B": "61/80", "H": "5/9"})
    assert verdicts(found) == {"B": "right", "H": "wrong"}
    assert marked(game, asked, {"B": {"wins": "61", "visits": "80"}, "H": "10 of 18"}).marks == MARKS


# transform


def test_a_change_of_the_leaves() -> None:
    negated = question("transform", by="-v")
    # With the signs turned B is worth −12 and C −6, which is best; D is cut after L7, worth −14.
    assert marked(TWO_PLY, negated, {"move": "diferente", "pruned": "متفاوت"}).marks == MARKS
    chance = question("transform", by="v^6")
    game = spec("order-preserving")
    assert list(ASKS["transform"].key(key_of(game, chance).of(chance))) == ["move"]
    assert verdict(game, chance, "different") == "right"
    assert verdict(game, question("transform", by="2*v + 3"), "the same.") == "right"


@settings(max_examples=40)
@drawn(minimax_trees(8, 3).filter(lambda tree: not brute.is_leaf(tree)), st.sampled_from([(3, -1), (-1, 0), (0, 1)]))
def test_same_or_different_by_two_searches(tree: Any, change: tuple[int, int]) -> None:
    factor, more = change
    asked = question("transform", by=f"{factor}*v + {more}")
    key = ASKS["transform"].key(key_of(drawn_game(tree), asked).of(asked))
    changed = brute.replaced(
        tree, {path: factor * node + more for path, node in brute.nodes(tree) if brute.is_leaf(node)}
    )
    same = set(brute.alpha_beta(tree).visited) == set(brute.alpha_beta(changed).visited)
    assert key["pruned"] == {"same" if same else "different"}
    best = [
        [place for place, child in enumerate(each[1]) if brute.minimax(child) == brute.minimax(each)]
        for each in (tree, changed)
    ]
    assert ("same" in key["move"]) == bool(set(best[0]) & set(best[1]))
    assert ("different" in key["move"]) == (best[0] != best[1])


# choice

TRUE_OF_FIGURE_5_2 = {
    "alpha-beta-same-value": True,
    "order-changes-value": False,
    "order-changes-pruning": True,
    "worst-order-no-pruning": True,
    "perfect-order-halves-exponent": True,
    "perfect-order-halves-leaves": False,
    "leaf-irrelevant": True,
    "pruned-leaf-matters": False,
    "first-child-never-pruned": True,
    "prunes-here": True,
    "deep-cut-here": False,
    "alpha-cut-here": True,
    "beta-cut-here": False,
    "handed-up-is-value": True,
    "strict-same-pruning": True,
    "right-to-left-same-count": False,
    "unique-best-move": True,
    "chance-monotone-invariant": True,
    "affine-invariant": True,
    "negation-invariant": False,
    "minimax-optimal-vs-suboptimal": True,
    "minimax-best-vs-suboptimal": False,
    "value-is-a-leaf": True,
}


def test_every_claim_on_figure_5_2() -> None:
    found = {
        name: judge(name, claimed(TWO_PLY, AIMA)) for name in CLAIMS if why_not(name, claimed(TWO_PLY, AIMA)) is None
    }
    assert {name: each.truth for name, each in found.items()} == TRUE_OF_FIGURE_5_2
    assert all(each.why for each in found.values())
    assert set(CLAIMS) - set(found) == {"horizon-keeps-move", "general-sum-prunable"}


def test_claims_that_need_other_games() -> None:
    assert judge("deep-cut-here", claimed(spec("smallest-deep-cut"), AIMA)).truth
    assert judge("beta-cut-here", claimed(spec("beta-cut"), AIMA)).truth
    assert not judge("chance-monotone-invariant", claimed(spec("order-preserving"), AIMA)).truth
    assert not judge("strict-same-pruning", claimed(spec("equality-cut"), AIMA)).truth
    assert not judge("value-is-a-leaf", claimed(spec("backgammon-roll"), AIMA)).truth
    assert not judge("general-sum-prunable", claimed(spec("three-players"), AIMA)).truth
    assert judge("horizon-keeps-move", claimed(spec("tic-tac-toe-cut-off"), AIMA)).truth
    # Chance may bring less than the value; what MAX is sure of is the mean.
    assert judge("minimax-optimal-vs-suboptimal", claimed(spec("fair-coins"), AIMA)).truth
    with pytest.raises(UsageError):
        judge("moon-is-cheese", claimed(TWO_PLY, AIMA))


@pytest.mark.slow
@settings(max_examples=25)
@drawn(minimax_trees(8, 3).filter(lambda tree: not brute.is_leaf(tree)))
def test_claims_against_the_brute_force(tree: Any) -> None:
    game = drawn_game(tree)
    record, value = brute.alpha_beta(tree), brute.minimax(tree)
    leaves = brute.leaves(tree)
    fewest, most = brute.fewest_and_most(tree)
    evaluated = sum(path in record.visited for path in leaves)
    free = [
        path
        for path in leaves
        if all(brute.minimax(brute.replaced(tree, {path: extreme})) == value for extreme in (-1000, 1000))
    ]
    strict = brute.alpha_beta(tree, cut="past-bound")
    expected = {
        "alpha-beta-same-value": True,
        "order-changes-value": False,
        "order-changes-pruning": fewest < most,
        "worst-order-no-pruning": most == len(leaves),
        "perfect-order-halves-leaves": 2 * fewest == len(leaves),
        "leaf-irrelevant": bool(free),
        "pruned-leaf-matters": False,
        "first-child-never-pruned": True,
        "prunes-here": evaluated < len(leaves),
        "deep-cut-here": any(cut["deep"] for cut in record.cuts),
        "alpha-cut-here": any(cut["kind"] == "alpha" for cut in record.cuts),
        "beta-cut-here": any(cut["kind"] == "beta" for cut in record.cuts),
        "handed-up-is-value": all(
            record.returned[path] == brute.minimax(node) for path, node in brute.nodes(tree) if path in record.returned
        ),
        "strict-same-pruning": set(strict.visited) == set(record.visited),
        "unique-best-move": sum(brute.minimax(child) == value for child in tree[1]) == 1,
        "affine-invariant": True,
        "value-is-a-leaf": True,
    }
    assert {name: judge(name, claimed(game, AIMA)).truth for name in expected} == expected
    assert free or judge("leaf-irrelevant", claimed(game, AIMA)).why


@settings(max_examples=30)
@drawn(chance_trees(6).filter(lambda tree: not brute.is_leaf(tree)))
def test_claims_are_judged_or_refused(tree: Any) -> None:
    """Whatever the tree is, a claim is judged with a reason, or there is a reason why it cannot be."""
    game = drawn_game(tree)
    for name in CLAIMS:
        reason = why_not(name, claimed(game, AIMA))
        assert reason or judge(name, claimed(game, AIMA)).why


def test_a_claim_is_answered_in_any_language() -> None:
    asked = question("choice", claim="deep-cut-here")
    assert [verdict(TWO_PLY, asked, word) for word in ("false", "não", "Falso", "نادرست", "yes")] == ["right"] * 4 + [
        "wrong"
    ]
