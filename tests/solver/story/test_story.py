"""Stories of searches: goldens in every language, and laws that hold for every tree and convention."""

import json
import re
import tracemalloc
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.convention import ChildOrder, Convention, Ties
from solver.kernel import UsageError
from solver.languages.codes import LANGUAGES
from solver.languages.facts import Fact, Formula, Items, Limit, Sentence
from solver.languages.translation import Language, language
from solver.pipeline import convention_from_text, load, load_bytes, load_tree, solve
from solver.render.solution_formats import summary
from solver.search import Sampling, Solution
from solver.search.trace import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED
from solver.story.search_facts import DETAILS, About, Step
from solver.story.search_story import explanation, story_of, story_text
from solver.story.stage_captions import _captions, captions
from tests.support.paths import ROOT
from tests.support.strategies import (
    ANY_CONVENTION,
    FEW,
    WINDOWS,
    as_json,
    chance_trees,
    document,
    minimax_trees,
    player_games,
)

CASES = ROOT / "tests" / "cases_story"

GOLDENS = {
    "two-ply-aima3": ("two-ply.yaml", "alpha-beta", "aima3"),
    "two-ply-aima4": ("two-ply.yaml", "alpha-beta", "aima4"),
    "two-ply-strict": ("two-ply.yaml", "alpha-beta", "strict"),
    "two-ply-fail-hard": ("two-ply.yaml", "alpha-beta", "fail-hard"),
    "two-ply-from-the-right": ("two-ply.yaml", "alpha-beta", "{order: right-to-left, window: [-inf, 3], ties: last}"),
    "two-ply-minimax": ("two-ply.yaml", "minimax", "aima3"),
    "deep-cut-showcase": ("deep-cut-showcase.yaml", "alpha-beta", "aima3"),
    "equality-cut-strict": ("equality-cut.yaml", "alpha-beta", "strict"),
    "three-players": ("three-players.yaml", "maxn", "aima3"),
    "three-players-paranoid": ("three-players.yaml", "paranoid", "aima3"),
    "backgammon-roll": ("backgammon-roll.yaml", "expectiminimax", "aima3"),
    "fair-coins": ("fair-coins.yaml", "expectiminimax", "aima3"),
    "star-chance-cut": ("star-chance-cut.yaml", "star1", "aima3"),
    "star-probing": ("star-probing.yaml", "star2", "aima3"),
    "star-probing-fail-hard": ("star-probing.yaml", "star2", "fail-hard"),
    "vacuum-plan": ("vacuum-plan.yaml", "and-or", "aima3"),
    "mcts-textbook": ("mcts-textbook.yaml", "mcts", "aima3"),
    "mcts-from-scratch": ("two-ply.yaml", "mcts", "aima3"),
    "cut-off": ("tic-tac-toe-cut-off.yaml", "alpha-beta", "aima3"),
}


def solved(case: str) -> tuple[Any, Solution]:
    spec, algorithm, convention = GOLDENS[case]
    game = load(ROOT / "specs" / spec)
    depth = 1 if case == "cut-off" else None
    sampling = Sampling(steps=20) if case == "mcts-from-scratch" else Sampling()
    return game, solve(game, algorithm, convention_from_text(convention), depth, sampling)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("case", GOLDENS)
def test_story_is_the_golden_one(case: str, code: str, update_goldens: bool) -> None:
    game, solution = solved(case)
    spoken = language(code)
    parts = [(detail, list(explanation(game, solution, spoken, detail))) for detail in DETAILS]
    parts.append(("captions", captions(solution, spoken)))
    text = "\n".join(f"# {name}\n\n" + "\n".join(lines) + "\n" for name, lines in parts)
    file = CASES / f"{case}.{code}.txt"
    if update_goldens:
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_goldens_have_no_strays() -> None:
    assert {file.name for file in CASES.iterdir()} == {f"{case}.{code}.txt" for case in GOLDENS for code in LANGUAGES}


def test_the_events_in_the_docs_are_told_like_that() -> None:
    page = (ROOT / "docs" / "explaining.md").read_text(encoding="utf-8")
    game, solution = solved("two-ply-aima3")
    assert "\n".join(list(explanation(game, solution, language("en"), "full"))[11:14]) in page


# Laws.


def facts_in(fact: Fact) -> Iterator[Fact]:
    """A fact and all that are inside it."""
    yield fact
    match fact:
        case Sentence():
            inside: Any = fact.facts.values()
        case Formula():
            inside = fact.parts
        case Items():
            inside = fact.shown
        case _:
            inside = ()
    for each in inside:
        yield from facts_in(each)


def sentences(steps: list[Step]) -> list[Sentence]:
    return [sentence for step in steps for sentence in step.sentences]


def numbers_of(step: Step) -> set[Any]:
    found: set[Any] = set()
    for sentence in step.sentences:
        for fact in facts_in(sentence):
            if isinstance(fact, Limit):
                found.add(fact.bound)
            elif isinstance(fact, int | Fraction | Decimal | tuple):
                found.add(fact)
    return found


def check_told(solution: Solution) -> None:
    """What every story of a tree search keeps to."""
    tree = solution.tree
    evaluated = len(tree.leaves) - sum(tree.turn[node] is None for node in solution.pruned)
    for detail in DETAILS:
        steps = list(story_of(solution, detail))
        assert [step.stage for step in steps] == sorted(step.stage for step in steps)
        assert steps[0].stage == 0
        assert steps[-1].stage == evaluated
        check_pruned(solution, sentences(steps))
        if solution.search is not None:
            check_cuts(solution, sentences(steps))
        finished = [step for step in steps[1:-1] if tree.turn[step.node] is not None]
        if detail == "brief":
            assert len(finished) == len(steps) - 2
        else:
            leaves = [step for step in steps[1:-1] if any(each.key.startswith("leaf.") for each in step.sentences)]
            assert [step.stage for step in leaves] == list(range(1, evaluated + 1))
        for code in LANGUAGES:
            assert all(story_text(steps, language(code)))
    for code in LANGUAGES:
        assert len(captions(solution, language(code))) == evaluated + 1
    if solution.search is not None:
        check_order_of_reasons(solution)


def check_order_of_reasons(solution: Solution) -> None:
    """In every caption each bound that moved since the stage before is told, and each cut after what shows it; in the
    order of the events. A brief story tells every bound that an inner node is searched with."""
    search = solution.search
    assert search is not None
    stages: list[list[Any]] = [[]]
    for event in search.events:
        if event[0] == EVALUATED:
            stages.append([])
        if event[0] in (MOVED, CUT):
            stages[-1].append(event)
    for caption, events in zip(_captions(About(solution)), stages, strict=True):
        told = list(told_of_bounds(caption))
        lists = [fact for each in caption for fact in facts_in(each) if isinstance(fact, Items)]
        if any(items.total > len(items.shown) for items in lists):
            continue
        assert [each for each in told if each[0] == MOVED] == [
            (MOVED, solution.tree.ids[event[1]], moved_bound(solution, event)) for event in events if event[0] == MOVED
        ]
        cut = [solution.tree.ids[event[1]] for event in events if event[0] == CUT]
        if any(each.key == "caption.cuts" for each in caption):
            (place,) = (place for place, each in enumerate(caption) if each.key == "caption.cuts")
            shown = {name for each in caption[:place] for name in bounded_in(each)}
            assert shown >= set(cut)
            continue
        assert [each[1] for each in told if each[0] == CUT] == cut
        for node in cut:
            (place,) = (place for place, each in enumerate(caption) if is_cut_of(each, node))
            assert node in {name for each in caption[:place] for name in bounded_in(each)}
    told_briefly = {
        (each.facts["node"], each.facts["value"])
        for each in sentences(list(story_of(solution)))
        if each.key.startswith("moved.")
    }
    for node, value in bounds_searched_with(solution):
        assert (node, Limit(value)) in told_briefly


def moved_bound(solution: Solution, event: Any) -> Any:
    assert solution.search is not None
    return solution.search.scale.number(event[2][0 if solution.tree.turn[event[1]] == "max" else 1])


def bounds_searched_with(solution: Solution) -> Iterator[tuple[str, Any]]:
    """Each bound that moved at a node before one of its inner children was entered."""
    assert solution.search is not None
    last: dict[int, Any] = {}
    for event in solution.search.events:
        if event[0] == MOVED:
            last[event[1]] = moved_bound(solution, event)
        up = solution.tree.parent[event[1]]
        if event[0] == ENTERED and up in last:
            yield solution.tree.ids[up], last[up]


def told_of_bounds(caption: list[Sentence]) -> Iterator[tuple[int, Any, Any]]:
    for sentence in caption:
        if sentence.key.startswith("moved."):
            value: Any = sentence.facts["value"]
            yield MOVED, sentence.facts["node"], value.bound
        elif sentence.key.startswith(("cut.alpha.", "cut.beta.")):
            yield CUT, sentence.facts["node"], None
        for fact in facts_in(sentence):
            match fact:
                case Formula(parts=("α" | "β", "(", str() as name, ") = ", Limit(bound=bound))):
                    yield MOVED, name, bound


def is_cut_of(sentence: Sentence, node: Any) -> bool:
    return sentence.key.startswith(("cut.alpha.", "cut.beta.")) and sentence.facts["node"] == node


def bounded_in(sentence: Sentence) -> Iterator[Any]:
    """The nodes of which a sentence tells a bound of the value."""
    shows = ("cut.leaf.", "cut.handed.", "cut.chance.", "worth.at-")
    if sentence.key.startswith(shows):
        yield sentence.facts["node"]
    for fact in facts_in(sentence):
        match fact:
            case Formula(parts=(str() as name, " ≤ " | " ≥ ", Limit(), *_)):
                yield name


def check_cuts(solution: Solution, said: list[Sentence]) -> None:
    search, ids = solution.search, solution.tree.ids
    assert search is not None
    cuts = [each for each in said if each.key.startswith(("cut.alpha.", "cut.beta."))]
    assert [each.facts["node"] for each in cuts] == [ids[cut.node] for cut in search.cuts]
    assert [each.facts["bound"] for each in cuts] == [Limit(search.scale.number(cut.bound)) for cut in search.cuts]
    for each, cut in zip(cuts, search.cuts, strict=True):
        assert each.key.split(".")[1] == cut.kind
        assert (each.facts.get("setter") is None) == (cut.set_by is None)


def check_pruned(solution: Solution, said: list[Sentence]) -> None:
    """Every pruned leaf is named or counted, once."""
    tree = solution.tree
    pruned = {tree.ids[node] for node in solution.pruned if tree.turn[node] is None}
    lists = [each.facts["leaves"] for each in said if "leaves" in each.facts and not each.key.startswith("close.")]
    assert sum(items.total for items in lists if isinstance(items, Items)) == len(pruned)
    named = [name for items in lists if isinstance(items, Items) for name in items.shown]
    assert len(named) == len(set(named))
    assert set(named) <= pruned
    if all(len(items.shown) == items.total for items in lists if isinstance(items, Items)):
        assert set(named) == pruned


def check_handed_up(solution: Solution) -> None:
    """Every value that the search returned appears in the step of its node."""
    search = solution.search
    assert search is not None
    number_of = search.scale.number
    for detail in DETAILS:
        steps = list(story_of(solution, detail))[1:-1]
        kinds = (BACKED_UP,) if detail == "brief" else (BACKED_UP, EVALUATED)
        handed = [
            (event[1], number_of(event[2]))
            for event in search.events
            if (event[0] == BACKED_UP or event[0] == EVALUATED) and event[0] in kinds
        ]
        telling = [step for step in steps if not step.sentences[0].key.startswith("enter.") and not only_moves(step)]
        assert [step.node for step in telling] == [node for node, _ in handed]
        for step, (_, value) in zip(telling, handed, strict=True):
            assert value in numbers_of(step), (detail, step, value)


def only_moves(step: Step) -> bool:
    """Whether a brief story's step tells no more than how a leaf moved a bound above an inner node."""
    keys = [sentence.key.split(".")[0] for sentence in step.sentences]
    return len(keys) == 2 and keys[1] == "moved" and keys[0] == "leaf"


HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    " = ": lambda true, told: true == told,
    " ≤ ": lambda true, told: true <= told,
    " ≥ ": lambda true, told: true >= told,
}
CLAIMS = {
    "cut.leaf.min": " ≤ ",
    "cut.leaf.max": " ≥ ",
    "cut.node.min": " ≤ ",
    "cut.node.max": " ≥ ",
    "hand.exact": " = ",
    "hand.at-most": " ≤ ",
    "hand.at-least": " ≥ ",
    "probe.min": " ≤ ",
    "probe.max": " ≥ ",
    "probed.min": " ≤ ",
    "probed.max": " ≥ ",
    "worth.exact": " = ",
    "worth.at-most": " ≤ ",
    "worth.at-least": " ≥ ",
}


def check_true(solution: Solution) -> None:
    """What is claimed about a node's value holds for its value under best play, which no search of windows gave."""
    values: dict[Any, Any] = dict(zip(solution.tree.ids, solution.values, strict=True))
    said = [each for detail in DETAILS for each in sentences(list(story_of(solution, detail)))]
    said += [each for caption in _captions(About(solution)) for each in caption]
    for sentence in said:
        if sentence.key in CLAIMS:
            name, value = sentence.facts["node"], sentence.facts["value"]
            assert isinstance(value, Limit)
            assert HOLDS[CLAIMS[sentence.key]](values[name], value.bound), sentence
        for fact in facts_in(sentence):
            match fact:
                case Formula(parts=(str() as name, " = " | " ≤ " | " ≥ " as sign, Limit(bound=bound), *_)) if (
                    name in values
                ):
                    assert HOLDS[str(sign)](values[name], bound), (sentence, fact)


def convention_of(keys: dict[str, Any], window: Any, ties: Ties) -> Convention:
    return Convention(**keys, window=window or ("-inf", "inf"), ties=ties)


TIES = st.sampled_from(["first", "last", "any"])
WINDOW = st.none() | WINDOWS


@given(minimax_trees(), ANY_CONVENTION, WINDOW, TIES, st.sampled_from(["alpha-beta", "alpha-beta", "minimax"]))
@settings(max_examples=150)
def test_laws_of_two_players(tree: Any, keys: dict[str, str], window: Any, ties: Ties, algorithm: str) -> None:
    solution = solve(load_bytes(as_json(document(tree))), algorithm, convention_of(keys, window, ties))
    check_told(solution)
    check_true(solution)
    if solution.search is not None and solution.tree.turn[0] is not None:
        check_handed_up(solution)


def bushy_chance_trees() -> Any:
    """A player over chance over players: here probes are left open, and bounds reach through chance nodes."""

    def player(below: Any, most: int) -> Any:
        return st.tuples(st.sampled_from(["max", "min"]), st.lists(below, min_size=2, max_size=most))

    def chance(below: Any) -> Any:
        even = st.lists(below, min_size=2, max_size=3)
        return even.map(lambda children: ("chance", children, [Fraction(1, len(children))] * len(children)))

    moves = player(FEW, 3)
    return player(chance(moves | moves | player(moves, 2) | FEW), 3)


@given(
    chance_trees(14) | bushy_chance_trees(),
    ANY_CONVENTION,
    WINDOW,
    TIES,
    st.sampled_from(["star1", "star2", "star2", "expectiminimax"]),
)
@settings(max_examples=200)
def test_laws_of_chance(tree: Any, keys: dict[str, str], window: Any, ties: Ties, algorithm: str) -> None:
    game = load_bytes(as_json(document(tree, head={"bounds": [-3, 4]})))
    solution = solve(game, algorithm, convention_of(keys, window, ties))
    check_told(solution)
    check_true(solution)
    if solution.search is not None and solution.tree.turn[0] is not None:
        check_handed_up(solution)


@given(player_games(), ANY_CONVENTION, TIES)
@settings(max_examples=60)
def test_laws_of_players(game: Any, keys: dict[str, str], ties: Ties) -> None:
    loaded = load_bytes(as_json(document(game.tree, head=game.head)))
    solution = solve(loaded, "maxn", convention_of(keys, None, ties))
    check_told(solution)
    for step in list(story_of(solution))[1:-1]:
        assert solution.values[step.node] in numbers_of(step)


AND_OR = st.recursive(
    st.booleans(),
    lambda below: st.fixed_dictionaries(
        {"turn": st.sampled_from(["or", "and"]), "children": st.lists(below, min_size=1, max_size=3)}
    ),
    max_leaves=12,
)


def and_or_document(tree: Any) -> Any:
    if isinstance(tree, bool):
        return {"value": tree}
    return {"turn": tree["turn"], "children": [and_or_document(child) for child in tree["children"]]}


@given(AND_OR.filter(lambda tree: isinstance(tree, dict)), st.sampled_from(["left-to-right", "right-to-left"]))
@settings(max_examples=60)
def test_laws_of_and_or(tree: Any, order: ChildOrder) -> None:
    game = load_bytes(json.dumps({"plymark": "game/1", "tree": and_or_document(tree)}).encode())
    solution = solve(game, "and-or", Convention(order=order))
    check_told(solution)


def inner(turn: str, *children: Any) -> dict[str, Any]:
    return {"turn": turn, "children": list(children)}


def deep_chain(plies: int) -> Any:
    tree: Any = {"value": 1}
    for _ in range(plies):
        tree = inner("max", tree)
    return tree


MIRRORED_CUT = inner(
    "min", inner("max", 3, 1), inner("max", 4, 2), inner("max", inner("min", inner("max", 4, 9), 1), 1)
)
CHANCE_BELOW_MIN = inner(
    "min",
    inner("chance", inner("max", 4, 1), inner("max", 2, 0)),
    inner("chance", inner("max", 5, 5), inner("max", 6, 7, 1)),
    inner("chance", inner("max", 9, 8), inner("max", 8, 9)),
    inner("chance", inner("max", 3, 2), inner("max", 0, 1), 10),
    inner("chance", inner("max", 10, 2), inner("min", 0, 1), 9),
)


def played(tree: Any) -> Any:
    """The same, where Ann is MAX and Bob MIN."""
    if not isinstance(tree, dict):
        return {"value": [tree, -tree]}
    return inner({"max": "Ann", "min": "Bob"}[tree["turn"]], *map(played, tree["children"]))


DEEP_CUT = inner("max", 5, inner("min", inner("min", inner("min", 2, 8), 9), 7))
PLAYED = [
    DEEP_CUT,
    inner("max", MIRRORED_CUT),
    inner("max", *range(13)),
    inner("max", inner("min", *range(13)), -1, -2, 3),
]
BOUNDED = {"bounds": [0, 10]}
SURE = {"value": True}
HOPELESS = {"value": False}

OTHERS: list[tuple[Any, dict[str, Any], str, str]] = [
    ([[3, 5], [14, 9]], {}, "alpha-beta", "{window: [4, 6]}"),
    ([[3, 5], [14, 9]], {}, "alpha-beta", "{window: [-inf, 3], ties: any}"),
    ([[3, 5], [14, 9]], {}, "alpha-beta", "{window: [20, inf]}"),
    (DEEP_CUT, {}, "alpha-beta", "aima3"),
    (MIRRORED_CUT, {}, "alpha-beta", "aima3"),
    (MIRRORED_CUT, {}, "alpha-beta", "fail-hard"),
    (CHANCE_BELOW_MIN, BOUNDED, "star1", "aima3"),
    (CHANCE_BELOW_MIN, BOUNDED, "star1", "fail-hard"),
    (CHANCE_BELOW_MIN, BOUNDED, "star2", "aima3"),
    (CHANCE_BELOW_MIN, BOUNDED, "star2", "{like: fail-hard, window: [4, 5]}"),
    (inner("chance", inner("min", 0, 3), inner("max", 10, 3)), BOUNDED, "star1", "aima3"),
    (inner("chance", 3, 4), BOUNDED, "star1", "{like: fail-hard, window: [12, 15]}"),
    ([[3] * 14, [4] * 13], {}, "alpha-beta", "aima3"),
    (inner("max", *range(13)), {}, "alpha-beta", "aima3"),
    ([[3]], {}, "minimax", "aima3"),
    (7, {}, "alpha-beta", "aima3"),
    (SURE, {}, "and-or", "aima3"),
    (inner("or", inner("and", SURE, HOPELESS), HOPELESS), {}, "and-or", "aima3"),
    (inner("or", inner("and", inner("or", inner("and", SURE)))), {}, "and-or", "aima3"),
    (inner("or", inner("and", inner("or", inner("and", HOPELESS)))), {}, "and-or", "aima3"),
    (
        {"turn": "Ann", "children": [{"value": [0, n]} for n in range(1001)]},
        {"players": ["Ann", "Bob"]},
        "maxn",
        "aima3",
    ),
    (inner("Ann", [1, 2], [1, 3]), {"players": ["Ann", "Bob"]}, "maxn", "{ties: last}"),
    *((played(tree), {"players": ["Ann", "Bob"]}, "paranoid", "aima3") for tree in PLAYED),
    (inner("max", inner("chance", 1, 0), inner("chance", 0, 1)), {}, "mcts", "aima3"),
    (deep_chain(15), {}, "mcts", "aima3"),
    *(({"id": "root", **inner(turn, 1, 2)}, {}, "auto", "aima3") for turn in ("max", "min", "chance")),
    ({"id": "root", **inner("Ann", [1, 2], [1, 3])}, {"players": ["Ann", "Bob"]}, "maxn", "aima3"),
]


def others() -> Iterator[tuple[Any, Solution]]:
    for tree, head, algorithm, convention in OTHERS:
        game = load_bytes(json.dumps({"plymark": "game/1", **head, "tree": tree}).encode())
        yield game, solve(game, algorithm, convention_from_text(convention), sampling=Sampling(steps=16))


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_sentence_is_said_somewhere(code: str) -> None:
    """So every key is alive, and every fact that its placeholders ask for is there."""
    said: set[str] = set()

    class Listening(Language):
        def say(self, key: str, count: int | Fraction | None = None, /, **facts: Fact) -> str:
            said.add(key)
            return super().say(key, count, **facts)

        def _bare(self, key: str, **texts: str) -> str:
            said.add(key)
            return super()._bare(key, **texts)

    spoken = Listening(code, [ROOT / "solver" / "languages" / f"{code}.po"])
    for game, solution in [*map(solved, GOLDENS), *others()]:
        for detail in DETAILS:
            assert all(line is not None for line in explanation(game, solution, spoken, detail))
        assert all(captions(solution, spoken))
        if solution.sampled is None:
            check_told(solution)
    # Pictures, pages and reports say the others; what is said of an algorithm without a sentence is in
    # test_own_algorithm.py.
    others_say = ("picture.", "page.", "open.other", "choice.", "convention.own", "list.semicolon")
    assert {key for key in spoken.keys if not key.startswith(others_say)} == said


# Particular cases, worked out by hand.


def say(tree: str, convention: str = "aima3", algorithm: str = "auto", detail: str = "brief", code: str = "en") -> str:
    game = load_tree(tree)
    return "\n".join(
        explanation(game, solve(game, algorithm, convention_from_text(convention)), language(code), detail)
    )


def test_a_cut_by_the_initial_window_is_told_as_such() -> None:
    text = say("[[3, 5], [14, 9]]", "{window: [-inf, 3]}")
    assert "The root's window is (−∞, 3)." in text
    assert (
        "The initial window gives MIN 3 already (3 ≥ β = 3), so the rest of A (L3 and L4) cannot affect the result"
        in text
    )
    assert "The initial window does not contain the value: the search shows only that it is at least 3." in text


@pytest.mark.parametrize(("convention", "sign"), [("aima3", "≤"), ("strict", "<")])
def test_the_test_is_the_conventions(convention: str, sign: str) -> None:
    assert f"MAX already has 3 at A (2 {sign} α = 3)" in say("[[3, 12, 8], [2, 4, 6]]", convention)
    assert ("3 ≤ α = 3" in say("[[3, 12], [3, 4]]", convention)) == (sign == "≤")


def test_the_order_of_test_and_update_shows() -> None:
    after, before = (say("[[3, 5], [2, 4]]", name, detail="full") for name in ("aima3", "aima4"))
    assert "Is 3 ≥ β = +∞? No, go on. α rises from −∞ to 3 at A." in after
    assert "α rises from −∞ to 3 at A. Is 3 ≥ β = +∞? No, go on." in before
    assert "β falls from +∞ to 2 at C. Is 2 ≤ α = 3? Yes, stop." in before
    assert "β falls from +∞ to 2 at C" not in after


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("en", "MAX moves at the root. The"),
        ("pt", "MAX joga na raiz. A"),
        ("es", "Max juega en la raíz. "),
        ("fa", "در ریشه نوبت Max است."),
    ],
)
@pytest.mark.parametrize("name", ["root", "Root", "raiz", "RAÍZ", "ریشه"])
def test_a_root_that_is_called_so_is_named_once(code: str, told: str, name: str) -> None:
    called, other = (say(f"{{id: {each}, turn: max, children: [1, 2]}}", code=code) for each in (name, "rooted"))
    assert told in re.sub("[\u2066-\u2069]", "", called)
    assert told not in re.sub("[\u2066-\u2069]", "", other)


def test_a_leaf_alone() -> None:
    told = say("7")
    assert told.endswith(
        "\n\nThe tree is a single leaf, worth 7. The search evaluated 1 of 1 leaf. No leaf was pruned."
    )
    assert "\n\n\n" not in told
    assert captions(solve(load_tree("7")), language("en")) == [
        "The search starts at L1.",
        "Leaf L1 is worth 7. The tree is a single leaf, worth 7.",
    ]


def test_a_value_outside_of_the_window_is_told_even_if_the_search_hands_it_up() -> None:
    game = load_tree("[[3,12],[2,4],[[5,6],[1,2]]]")
    solution = solve(game, convention=convention_from_text("{window: [4, 10]}"))
    warning = "The initial window does not contain the value: the search shows only that it is at most 3."
    assert solution.search is not None and solution.search.returned[0] == solution.search.true[0]
    assert warning in "\n".join(explanation(game, solution, language("en")))
    assert captions(solution, language("en"))[-1].endswith(warning)
    assert warning in list(summary(solution))


@given(minimax_trees(), ANY_CONVENTION, st.integers(-4, 4), st.integers(1, 6))
def test_the_window_is_blamed_only_if_it_misses(tree: Any, keys: dict[str, str], low: int, width: int) -> None:
    convention = convention_from_text(str({"like": "aima3", **keys, "window": [low, low + width]}))
    solution = solve(load_bytes(as_json(document(tree))), "alpha-beta", convention)
    value: Any = solution.value
    blamed = {"close.at-most", "close.at-least"} & {each.key for each in list(story_of(solution))[-1].sentences}
    assert not (blamed and low < value < low + width)
    assert bool(blamed) == any("The initial window" in line for line in summary(solution))


def test_the_last_caption_says_the_result() -> None:
    for spec, result in [
        ("two-ply", "MAX plays a1, and the game is worth 3."),
        ("vacuum-plan", "The plan is [Suck, if s5 then [Right, Suck] else []]."),
        ("backgammon-roll", "The root is a chance node, worth 49/6 on average."),
        ("three-players", "A plays a1, and the game is worth (1, 2, 6)."),
    ]:
        told = captions(solve(load(ROOT / "specs" / f"{spec}.yaml")), language("en"))
        assert told[-1].endswith(result)
        assert not any(caption.endswith(result) for caption in told[:-1])


def test_a_chain_of_values_says_why() -> None:
    solution = solve(load(ROOT / "specs" / "deep-cut-showcase.yaml"))
    chain = (
        "I = min(9, 19) = 9, α(E) = 9, E = max(2, 9) = 9, β(C) = 9, C = min(15, 9) = 9, α(A) = 9, and A = max(4, 9) = 9"
    )
    assert chain in captions(solution, language("en"))[-1]
    assert "C = min(15; 9) = 9, α(A) = 9 e A" in captions(solution, language("pt"))[-1]


LECTURE = "[[[3, 17, 9], 12, [15, 30]], [[2, 5, 3], [9, 1]], [7, [20, 1]]]"


def test_what_later_cuts_rest_on_is_told() -> None:
    """Premise before consequence: the rise of α at the root, and the value that a cut compares."""
    under = captions(solve(load_tree(LECTURE)), language("en"))
    assert under[5] == (
        "Leaf L5 is worth 15, so node F is worth at least 15. "
        "MIN already has 12 at B (15 ≥ β = 12), so the rest of F (L6) cannot affect the result: a β-cut. "
        "It follows that B = min(17, 12, 15) = 12. MAX now has 12 at A: α rises to 12."
    )
    assert under[8] == (
        "Leaf L9 is worth 3. It follows that G = max(2, 5, 3) = 5 and C ≤ 5. "
        "MAX already has 12 at A (5 ≤ α = 12), so the rest of C (L10 and L11) cannot affect the result: an α-cut. "
        "MAX keeps 12 at A."
    )
    assert "\n2. Leaf L4 is worth 12. MIN now has 12 at B: β falls to 12.\n" in say(LECTURE)


def test_a_leaf_that_fails_is_told_why() -> None:
    game = load(ROOT / "specs" / "vacuum-plan.yaml")
    text = "\n".join(explanation(game, solve(game), language("en")))
    assert "1. Leaf L1 leads back to s1, which is on the path already: failure. Node L1 fails, so AND node" in text


def test_a_player_is_not_taken_for_a_node() -> None:
    game = load(ROOT / "specs" / "three-players.yaml")
    assert "At node B, player B compares D: 2 and E: 1" in "\n".join(explanation(game, solve(game), language("en")))


def test_paranoid_search_names_its_players() -> None:
    game = load(ROOT / "specs" / "three-players.yaml")
    text = "\n".join(explanation(game, solve(game, "paranoid"), language("en")))
    assert "MAX stands for A, and MIN for B and C. Player A moves at the root A." in text
    assert "At node D, player C takes the smallest of L1 = 1 and L2 = 4, so D = 1. Player B now has 1 at B" in text
    assert "Player A already has 1 at A (1 ≤ α = 1)" in text
    assert "\nA plays a1, and the game is worth 1." in text


def test_ties_at_the_root_are_told() -> None:
    assert "MAX plays a2, and the game is worth 3. The line of best play is a2, c1. a1 is just as good." in say(
        "[[3, 5], [3, 4]]", "{ties: last}"
    )


def test_long_lists_are_counted() -> None:
    many = ", ".join(["9"] * 40)
    text = say(f"[[3, 5], [2, {many}]]")
    assert (
        "the rest of C (L4, L5, L6, L7, L8, L9, L10, L11, L12, L13, L14, L15, … (40 in all)) cannot affect the result"
        in text
    )
    assert "MIN takes the smallest of 41 children, so B = 3" in say(f"[[3, {many}], [2, 1]]")


def test_unknown_detail_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown detail 'long'; choose one of brief, full"):
        story_of(solve(load_tree("[3, 4]")), "long")


def test_mcts_has_no_captions() -> None:
    assert captions(solve(load_tree("[[3, 5], [2, 4]]"), "mcts"), language("en")) == []


HOSTILE = ["{0}", "%s", "{x!r}", "{node}", "גרסה", "گره۱", "%(a)s"]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("detail", DETAILS)
def test_users_text_appears_as_itself(code: str, detail: str) -> None:
    a, b, c, d, e, f, g = HOSTILE
    tree = {
        "id": a,
        "turn": "max",
        "children": [
            {"id": b, "move": g, "turn": "min", "children": [{"id": c, "value": 3}, {"id": d, "value": 4}]},
            {"id": e, "move": d, "turn": "min", "children": [{"id": f, "value": 2}, {"id": g, "value": 4}]},
        ],
    }
    game = load_bytes(json.dumps({"plymark": "game/1", "title": "{title} %d", "tree": tree}).encode())
    lines = list(explanation(game, solve(game), language(code), detail))
    assert "{title} %d" in lines[0]
    text = "\n".join(lines)
    assert all(name in text for name in HOSTILE)


# Size.


def wide(leaves: int) -> list[list[int]]:
    """MAX over MIN nodes of ten leaves each, in an order that cuts often."""
    return [[(node * 7919 + leaf * 104729) % 1000 for leaf in range(10)] for node in range(leaves // 10)]


def chain(plies: int) -> dict[str, Any]:
    """Each node has a leaf and the next node; no leaf is reached by a bound, so all is backed up at the end."""
    nodes: dict[str, Any] = {
        f"n{ply}": {"turn": "min" if ply % 2 else "max", "children": [ply if ply % 2 else -ply, f"n{ply + 1}"]}
        for ply in range(plies)
    }
    return {"root": "n0", "nodes": {**nodes, f"n{plies}": {"value": 0}}}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [{"tree": wide(10_000)}, {"tree": [list(range(10_000)), 3]}, chain(20_000)],
    ids=["10,000 leaves", "a wide node", "20,000 plies"],
)
def test_long_stories_are_told_on_the_way(game: dict[str, Any]) -> None:
    solution = solve(load_bytes(as_json({"plymark": "game/1", **game})))
    spoken = language("en")
    # What the tree works out once, such as where its subtrees end, is not the story's; so this comes before measuring.
    assert sum(map(len, story_text(story_of(solution, "full"), spoken))) > 100
    tracemalloc.start()
    steps = 0
    for text in story_text(story_of(solution, "brief"), spoken):
        assert len(text) < 3_000
        steps += 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert steps >= 3
    assert peak < 3_000_000
    assert len(captions(solution, spoken)) == sum(kind == EVALUATED for kind, _, _ in solution.search.events) + 1  # type: ignore[union-attr]


@pytest.mark.parametrize("ties", ["first", "last"])
def test_what_is_equally_good_is_listed_as_searched(ties: Ties) -> None:
    """So that "the first" is the first of the list."""
    game = load(ROOT / "specs" / "three-players.yaml")
    solution = solve(game, "maxn", Convention(order="right-to-left", ties=ties))
    said = "\n".join(explanation(game, solution, language("en")))
    assert f"C and B are equally good for player A; the {ties} is taken." in said
