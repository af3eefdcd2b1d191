"""No constant answer earns much over a set: constants are listed here, and marked in the files as students get them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.generating.constant_answers import allowed
from grader.generating.exercise_measures import SearchCounts, further_measures
from grader.generating.generation import Generation, generate
from grader.generating.guessability import GuessedQuestion, constant_text, guess_sentences
from grader.generating.quality_card import Generated
from grader.marking.grader import Grader
from grader.questions.registry import ask_of
from solver.kernel import DocumentError
from tests.support.ready import exercise_of, ready, recipe_of

TWO = "shape: {levels: [{turn: max, children: 2}, {turn: min, children: 2}]}\n"
MOVE = "questions: [{id: move, ask: move, marks: 1}]\n"


@cache
def made_with_guesses(name: str, size: int) -> tuple[list[Generated], dict[str, GuessedQuestion]]:
    generation = Generation(ready(name), size, "guessed")
    return list(generation), generation.spread.guesses()


def share(grader: Grader, question: str, raw: Any) -> Fraction:
    """By the report that a student would get who answers nothing else."""
    report = grader.grade(Answer(grader.exercise.id, "s", {question: raw}))
    found = next(each for each in report.questions() if each.question.id == question)
    return found.marks / found.question.marks


def by_position(grader: Grader, kind: str) -> Iterator[Any]:
    """The constants of a kind, in the words of this exercise."""
    tree, low, high = grader.exercise.game.tree, 0, 20
    if kind == "move":
        yield from (str(tree.move[child]) for child in tree.children[0])
    elif kind == "word":
        yield from ("true", "false")
    elif kind == "x":
        yield from ({"x": str(number)} for number in range(low, high + 1))
    elif kind == "plan":
        yield "failure"
        for child in tree.children[0]:
            yield [str(tree.move[child]), {str(tree.ids[each]): [] for each in tree.children[child]}]
    elif kind == "changes":
        yield from ({"move": one, "pruned": other} for one, other in product(("same", "different"), repeat=2))


@pytest.mark.parametrize(("name", "kinds"), [
    ("and-or-easy", {"plan": "plan"}),
    ("minimax-easy", {"move": "move"}),
    ("expectiminimax-easy", {"move": "move"}),
    ("maxn-medium", {"move": "move"}),
    ("opponent-hard", {"safe": "move"}),
    ("unknown-leaf-easy", {"value": "x"}),
    ("concepts-easy", {"prunes": "word", "exact": "word", "mirrored": "word", "negated": "changes"}),
])  # fmt: skip
def test_no_constant_earns_more_than_the_bound(name: str, kinds: dict[str, str]) -> None:
    size = 12
    found, guesses = made_with_guesses(name, size)
    graders = [Grader(exercise_of(each)) for each in found]
    for question, kind in kinds.items():
        earned = [[share(grader, question, raw) for raw in by_position(grader, kind)] for grader in graders]
        best = max(sum(column, Fraction(0)) for column in zip(*earned, strict=True))
        guess = guesses[question]
        assert guess.holds
        assert best <= allowed(guess.bound, guess.chance, size)
        assert best <= guess.share * size, "the measure has found the best of these constants, or a better one"


def test_the_key_of_another_variant_earns_little() -> None:
    """Nodes and moves by position: what a neighbour could copy who knows that the labels differ."""
    found, guesses = made_with_guesses("minimax-easy", 12)
    graders = [Grader(exercise_of(each)) for each in found]
    for question, guess in guesses.items():
        for mine in graders:
            key = mine.declared.of(next(each for each in mine.exercise.questions if each.id == question))
            raw = ask_of(key).perfect(key)
            total = Fraction(0)
            for other in graders:
                names: dict[Any, Any] = dict(
                    zip(mine.exercise.game.tree.ids, other.exercise.game.tree.ids, strict=True)
                )
                names |= dict(zip(mine.exercise.game.tree.move, other.exercise.game.tree.move, strict=True))
                total += share(other, question, renamed(raw, names))
            assert total <= allowed(guess.bound, guess.chance, len(graders)) + Fraction(1, 100)


def renamed(raw: Any, names: dict[Any, Any]) -> Any:
    if isinstance(raw, dict):
        return {names.get(item, item): renamed(each, names) for item, each in raw.items()}
    return [renamed(each, names) for each in raw] if isinstance(raw, list) else names.get(raw, raw)


def test_chance_is_one_of_what_can_be_chosen() -> None:
    for name, question, chance in (
        ("minimax-easy", "move", Fraction(1, 2)),
        ("expectiminimax-easy", "move", Fraction(1, 3)),
        ("concepts-easy", "exact", Fraction(1, 2)),
        ("concepts-easy", "negated", Fraction(1, 2)),
    ):
        guess = made_with_guesses(name, 12)[1][question]
        assert guess.chance == chance
        assert guess.bound == chance + Fraction(1, 10)


def test_a_small_set_may_be_right_once_more_than_by_chance() -> None:
    half = Fraction(1, 2)
    assert [allowed(Fraction(3, 5), half, size) for size in (1, 2, 3, 10)] == [1, Fraction(3, 2), 2, 6]


def test_a_stated_bound_that_cannot_be_kept_is_an_error() -> None:
    recipe = recipe_of(f"{TWO}{MOVE}require: {{move_at: 2}}\ncount: 6\nguessability: 0.6\n")
    with pytest.raises(DocumentError) as found:
        generate(recipe, None, 1)
    (problem,) = found.value.problems
    assert (problem.code, problem.place.line) == ("not-found", 7)
    assert "question move: a2 is right in every exercise; 60 % was allowed" in problem.message
    assert len(generate(recipe, 1, 1)) == 1, "one exercise has one answer"


def test_what_can_be_guessed_by_default_is_said() -> None:
    generation = Generation(recipe_of(f"{TWO}{MOVE}require: {{move_at: 2}}\n"), 6, 1)
    assert len(list(generation)) == 6
    said = list(guess_sentences(generation.spread.guesses()))
    assert said[0] == "question move can be guessed: a2 is right in every exercise"
    assert said[1].startswith("what helps: ")
    varied = Generation(recipe_of(f"{TWO}{MOVE}require: {{unique_move: true}}\n"), 6, 1)
    list(varied)
    assert not list(guess_sentences(varied.spread.guesses()))


@pytest.mark.parametrize(("written", "said"), [
    ("guessability: 2", "at most 1"),
    ("guessability: {moves: 1/2}", "there is no question"),
    ("guessability: {move: much}", "is not a number"),
])  # fmt: skip
def test_wrong_bounds(written: str, said: str) -> None:
    with pytest.raises(DocumentError) as found:
        recipe_of(f"{TWO}{MOVE}{written}\n")
    assert any(said in problem.message for problem in found.value.problems)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["abc", "42"])
def test_a_question_that_was_guessed_at_first_is_balanced_later(seed: str) -> None:
    """One tree in three has the best move that earlier ones had, and a tree that has another is not always found."""
    generation = Generation(ready("alpha-beta-hard"), 30, seed)
    list(generation)
    assert list(guess_sentences(generation.spread.guesses())) == []


def test_a_bounded_set_differs_in_shape_and_counts_but_not_much() -> None:
    cards = [each.card for each in made_with_guesses("ordering-easy", 12)[0]]
    steps = [card["difficulty"]["steps"] for card in cards]
    assert max(steps) - min(steps) <= 2 * max(3, sorted(steps)[6] // 6 + 1)
    assert len({card["difficulty"]["leaves"] for card in cards}) > 1
    assert len({card["key"]["answers"]["count"]["count"] for card in cards}) > 2


def test_about_as_hard() -> None:
    middle = SearchCounts(12, 4, alpha_cuts=2, beta_cuts=1, visits=16, updates=6)
    assert further_measures(middle, middle) == 0
    assert further_measures(SearchCounts(12, 6, alpha_cuts=1, beta_cuts=2, visits=19, updates=9), middle) == 0
    assert (
        further_measures(SearchCounts(12, 7, alpha_cuts=4, beta_cuts=1, visits=20, updates=10), middle) == 1 + 1 + 1 + 1
    )


def test_constants_are_written_in_a_line() -> None:
    assert constant_text(["a2", {"L4": [], "D": ["d1"]}]) == "[a2, L4: [], D: [d1]]"
