"""What a teacher sees beside a document: problems at their lines, the picture, the key, its quality."""

from __future__ import annotations

from typing import Any

from grader.delivery.wording.asking import asked
from grader.delivery.wording.blank_tree import blank_tree
from grader.documents.exercise import load_exercise_bytes
from grader.generating.generate import Generation
from grader.generating.judge.measures import count, exposure, main_solution, other_key, printed_key
from grader.generating.recipe.read import load_recipe_bytes
from grader.generating.recipe.requirements import PROOF_KEYS
from grader.generating.write.guesses import guessability
from grader.languages.words import words_of
from grader.practice.catalogue import ready_recipes, recipes_folder
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from grader.reports.labels import mistake_title
from grader.service.work.problems import Refused
from grader.service.work.tasks.question_edits import fitting_questions
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.solving import check
from grader.service.work.tasks.written_trees import try_tree
from solver.drawing import page_figure
from solver.kernel import UsageError, plain
from solver.languages import Language

PREVIEWED = 3
FOR_EDITORS = "# yaml-language-server:"
EXERCISE, RECIPE, GAME = "exercise/1", "recipe/1", "game/1"


def look_at(text: str, language: str) -> dict[str, Any]:
    """`{kind, problems, svg, sentences, questions, out_of, card, offers}`: what is wrong is told, not raised."""
    found: dict[str, Any] = {"kind": None, "problems": [], "svg": "", "sentences": [], "questions": [], "card": None}
    found |= {"out_of": None, "offers": [], "count": None}
    raw = text.encode("utf-8", "surrogatepass")
    try:
        found["kind"] = check(raw)["kind"]
        if found["kind"] == EXERCISE:
            with refusing():
                found |= _exercise(load_exercise_bytes(raw), words_of(language))
        elif found["kind"] == RECIPE:
            with refusing():
                found["count"] = load_recipe_bytes(raw).count
        elif found["kind"] == GAME:
            tried = try_tree(text, {}, language, None)
            found |= {"svg": tried["figure"], "sentences": [each for each in tried["sentences"] if each]}
        if found["kind"] in (EXERCISE, GAME):
            found["offers"] = fitting_questions(text, words_of(language))
    except Refused as refused:
        nowhere = {"line": None, "column": None, "code": refused.code, "message": refused.detail, "hint": ""}
        found["problems"] = [{**nowhere, **each} for each in refused.problems] or [nowhere]
    return found


def ready_recipe(name: str) -> str:
    """The text of a ready recipe, its comments included but that which tells an editor where the schema is."""
    with refusing():
        if name not in ready_recipes():
            raise UsageError(f"there is no ready recipe called {name[:40]!r}")
        text = (recipes_folder() / f"{name}.yaml").read_text("utf-8")
        return text.split("\n", 1)[1] if text.startswith(FOR_EDITORS) else text


def preview_recipe(text: str, seed: str | None, language: str) -> dict[str, Any]:
    """`{variants: [{id, svg, card}], guesses}` of the first exercises that the recipe makes with a seed."""
    with refusing():
        words = words_of(language)
        generation = Generation(load_recipe_bytes(text.encode("utf-8", "surrogatepass")), PREVIEWED, seed)
        variants: list[dict[str, Any]] = []
        for made in generation:
            board = blank_tree(load_exercise_bytes(made.document), words).board
            svg = page_figure(board, prefix=f"v{len(variants)}-")
            variants.append({"id": made.id, "svg": svg, "card": made.card})
        return {"variants": variants, "guesses": guessability(generation.spread.guesses())}


def _exercise(exercise: Exercise, words: Language) -> dict[str, Any]:
    answer_key = AnswerKey(exercise)
    key = printed_key(answer_key)
    questions = []
    for question in answer_key.questions:
        said = asked(question)
        text = said if isinstance(said, str) else words.tell(said)
        items = list(key.get(question.id, {}).items())
        questions.append({"id": question.id, "text": text, "marks": str(plain(question.marks)), "key": items})
    return {
        "svg": page_figure(blank_tree(exercise, words).board),
        "questions": questions,
        "out_of": str(plain(exercise.out_of)),
        "card": _card(answer_key, words),
    }


def _card(answer_key: AnswerKey, words: Language) -> dict[str, Any]:
    """What the card of a made exercise says, as far as it does not depend on a recipe."""
    shown, solution = exposure(answer_key), main_solution(answer_key)
    exposed = list(shown.exposed)
    counts = None if solution is None else count(solution)
    return {
        "exposed": [_named(each, words) for each in exposed],
        "invisible": [_named(each, words) for each in shown.made if each not in exposed],
        "wrong_answers": len(shown.classes),
        "proof": other_key(answer_key.exercise, PROOF_KEYS) is None,
        "counts": None
        if counts is None
        else {
            "leaves": counts.leaves,
            "visits": counts.visits,
            "pruned": counts.pruned,
            "share": round(100 * counts.pruned_share),
            "alpha": counts.alpha_cuts,
            "beta": counts.beta_cuts,
            "deep": counts.deep_cuts,
            "inner": counts.inner_cuts,
        },
    }


def _named(mistake: str, words: Language) -> dict[str, str]:
    return {"id": mistake, "title": mistake_title(mistake, words)}
