"""What a question asks in words: its author's text, or the usual text of its type in the student's language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from grader.marking.mark import ask_of
from grader.questions.answer_key import Setting
from grader.questions.claims import statement
from grader.questions.exercise import Question
from grader.questions.ranges import wanted_of
from grader.questions.values import Values
from grader.questions.windows import WindowsAsk
from solver.game import CHANCE, Tree
from solver.kernel import Refusal
from solver.languages import Amount, Fact, Formula, Items, Sentence
from solver.search import ALGORITHMS

ALGORITHM = "paper.algorithm."


def asked(question: Question, setting: Setting) -> Sentence | str:
    return question.text or default_text(question, setting)


def default_text(question: Question, setting: Setting) -> Sentence:
    """What the type of the question asks, with all of its parameters."""
    given = question.parameters
    searched: dict[str, Fact] = {"algorithm": algorithm_name(algorithm_of(question, setting))}
    match question.ask:
        case "values":
            of_search = _of_search(question, setting)
            return Sentence("ask.values.search", None, searched) if of_search else Sentence("ask.values")
        case "windows":
            ask: Any = ask_of(question)
            assert isinstance(ask, WindowsAsk)
            return Sentence(f"ask.windows.{ask.when(question, setting)}", None, searched)
        case "visited" | "count" | "fewest":
            return Sentence(f"ask.{question.ask}.{given['what']}", None, searched)
        case "inequalities" if question.nodes is None:
            return Sentence("ask.inequalities.cut", None, searched)
        case "inequalities" | "pruned":
            return Sentence(f"ask.{question.ask}", None, searched)
        case "range":
            what, says = wanted_of(given["when"])
            return Sentence(f"ask.range.{what}", None, {"unknown": str(given["unknown"]), **_wanted(what, says)})
        case "assign":
            goal = given["goal"]
            what, says = (goal, None) if isinstance(goal, str) else wanted_of(goal)
            return Sentence(f"ask.assign.{what}", None, {"unknowns": _listed(given["unknowns"]), **_wanted(what, says)})
        case "reorder":
            return Sentence(f"ask.reorder.{given['goal']}")
        case _:
            return _other(question, setting)


def _other(question: Question, setting: Setting) -> Sentence:
    given, tree = question.parameters, setting.exercise.game.tree
    match question.ask:
        case "vectors":
            return Sentence("ask.vectors", None, {"sides": _listed(tree.sides, "then")})
        case "depths":
            depths = tuple(Amount(depth) for depth in given["depths"])
            return Sentence("ask.depths", None, {"depths": Items(depths, len(depths))})
        case "opponent" if given["errs"] == "threshold":
            return Sentence(f"ask.opponent.threshold.{given['model']}")
        case "opponent":
            return Sentence(f"ask.opponent.{given['model']}", None, {"errs": given["errs"]})
        case "ucb":
            constant = given.get("exploration", tree.exploration)
            return Sentence("ask.ucb", None, {"c": Formula(("C = ", "√2" if constant is None else constant))})
        case "transform":
            return Sentence("ask.transform", None, {"formula": Formula((str(given["by"]),))})
        case "choice":
            return Sentence("ask.choice", None, {"claim": statement(str(given["claim"]))})
    return Sentence(f"ask.{question.ask}")


def remarks(question: Question, setting: Setting) -> Iterator[Sentence]:
    """How an answer is to be given: what its text does not say, and what never tells the key."""
    searches = question.ask in ("values", "windows") and _of_search(question, setting)
    searches |= question.ask == "inequalities" and question.nodes is not None
    unsaid = question.ask in ("move", "line") or (question.ask == "values" and not searches)
    algorithm = ALGORITHMS.get(question.algorithm or "")
    if unsaid and algorithm is not None and algorithm.another_game:
        yield Sentence("paper.use", None, {"algorithm": algorithm_name(algorithm.name)})
    if question.depth is not None:
        yield Sentence("paper.depth", None, {"depth": Amount(question.depth)})
    if question.digits is not None:
        yield Sentence("paper.digits", None, {"digits": Amount(question.digits)})
    elif question.ask in ("values", "vectors", "opponent") and CHANCE in setting.exercise.game.tree.turns:
        yield Sentence("paper.exact")
    if searches and question.ask == "values":
        yield Sentence("paper.cut-value")
    if searches:
        yield Sentence("paper.unvisited")
    if question.ask == "pruned":
        yield Sentence("paper.nothing-pruned")
    if question.ask == "ucb":
        yield Sentence("paper.ucb", None, {"formula": Formula(("w/n + C √(ln N / n)",))})
    if question.ask == "backup" and setting.exercise.game.tree.playouts:
        yield _playout(setting.exercise.game.tree)


def _playout(tree: Tree) -> Sentence:
    """How the playout ends. Results between 0 and 1 are shares of a win, and add up to it."""
    result = tree.playouts[0]
    numbers = [number for number in (*tree.leaf, *tree.playouts) if isinstance(number, int | Fraction)]
    other = 1 - result if all(0 <= number <= 1 for number in numbers) else -result
    sides: dict[str, Fact] = {"max": Sentence("side.max"), "min": Sentence("side.min")}
    return Sentence("paper.playout", None, {"result": result, "other": other, **sides})


def algorithm_of(question: Question, setting: Setting) -> str:
    try:
        return setting.solution(question).algorithm
    except Refusal:
        return "alpha-beta"


def algorithm_name(algorithm: str) -> Sentence:
    """As the catalogue calls it, or else by its own name."""
    return Sentence(ALGORITHM + algorithm, otherwise=algorithm)


def _of_search(question: Question, setting: Setting) -> bool:
    ask = ask_of(question)
    return ask.of_search(question, setting) if isinstance(ask, Values) else True


def _wanted(what: str, says: Any) -> dict[str, Fact]:
    if what == "pruned":
        return {"nodes": _listed(says)}
    return {} if says is None else {what: says}


def _listed(names: Sequence[str], joint: str = "and") -> Items:
    return Items(tuple(map(str, names)), len(names), joint)
