"""What a teacher sees beside a document: problems at their lines, the picture, the key, its quality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
from grader.service.tasks.question_edits import QuestionOffer, fitting_questions
from grader.service.tasks.refusing import refusing
from grader.service.tasks.solving import check
from grader.service.tasks.written_trees import try_tree
from grader.service.work.messages import message
from grader.service.work.problems import Refused
from solver.drawing import page_figure
from solver.kernel import UsageError, plain
from solver.languages import Language

PREVIEWED = 3
FOR_EDITORS = "# yaml-language-server:"
EXERCISE, RECIPE, GAME = "exercise/1", "recipe/1", "game/1"


@message
class QuestionPreview:
    id: str
    text: str
    marks: str
    key: tuple[tuple[str, str], ...]
    """Items with what is right; of a question without items, one whose name is empty."""


@message
class NamedMistake:
    id: str
    title: str


@message
class SearchEffort:
    leaves: int
    visits: int
    pruned: int
    share: int
    """Of leaves that are pruned, in per cent."""
    alpha: int
    beta: int
    deep: int
    inner: int


@message
class QualityCard:
    """What the card of a made exercise says, as far as it does not depend on a recipe."""

    exposed: tuple[NamedMistake, ...]
    invisible: tuple[NamedMistake, ...]
    wrong_answers: int
    proof: bool
    counts: SearchEffort | None


@message
class DocumentPreview:
    """What is known of a document, and what is wrong with it."""

    kind: str | None = None
    problems: tuple[Mapping[str, Any], ...] = ()
    svg: str = ""
    sentences: tuple[str, ...] = ()
    questions: tuple[QuestionPreview, ...] = ()
    out_of: str | None = None
    card: QualityCard | None = None
    offers: tuple[QuestionOffer, ...] = ()
    count: int | None = None
    """Of a recipe."""


@message
class VariantPreview:
    id: str
    svg: str
    card: Mapping[str, Any]


@message
class RecipePreview:
    """The first exercises that a recipe makes with a seed."""

    variants: tuple[VariantPreview, ...]
    guesses: Mapping[str, Any]


def look_at(text: str, language: str) -> DocumentPreview:
    """What is wrong is told, not raised."""
    preview, raw = DocumentPreview(), text.encode("utf-8", "surrogatepass")
    try:
        preview = DocumentPreview(check(raw).kind)
        if preview.kind == EXERCISE:
            with refusing():
                preview = _exercise(load_exercise_bytes(raw), words_of(language))
        elif preview.kind == RECIPE:
            with refusing():
                preview = replace(preview, count=load_recipe_bytes(raw).count)
        elif preview.kind == GAME:
            tried = try_tree(text, {}, language, None)
            preview = replace(preview, svg=tried.figure, sentences=tuple(filter(None, tried.sentences)))
        if preview.kind in (EXERCISE, GAME):
            preview = replace(preview, offers=tuple(fitting_questions(text, words_of(language))))
    except Refused as refused:
        nowhere = {"line": None, "column": None, "code": refused.code, "message": refused.detail, "hint": ""}
        problems = [{**nowhere, **each} for each in refused.problems]
        preview = replace(preview, problems=tuple(problems or [nowhere]))
    return preview


def ready_recipe(name: str) -> str:
    """The text of a ready recipe, its comments included but that which tells an editor where the schema is."""
    with refusing():
        if name not in ready_recipes():
            raise UsageError(f"there is no ready recipe called {name[:40]!r}")
        text = (recipes_folder() / f"{name}.yaml").read_text("utf-8")
        return text.split("\n", 1)[1] if text.startswith(FOR_EDITORS) else text


def preview_recipe(text: str, seed: str | None, language: str) -> RecipePreview:
    with refusing():
        words = words_of(language)
        generation = Generation(load_recipe_bytes(text.encode("utf-8", "surrogatepass")), PREVIEWED, seed)
        variants: list[VariantPreview] = []
        for made in generation:
            board = blank_tree(load_exercise_bytes(made.document), words).board
            svg = page_figure(board, prefix=f"v{len(variants)}-")
            variants.append(VariantPreview(made.id, svg, made.card))
        return RecipePreview(tuple(variants), guessability(generation.spread.guesses()))


def _exercise(exercise: Exercise, words: Language) -> DocumentPreview:
    answer_key = AnswerKey(exercise)
    key = printed_key(answer_key)
    questions = []
    for question in answer_key.questions:
        said = asked(question)
        text = said if isinstance(said, str) else words.tell(said)
        items = tuple(key.get(question.id, {}).items())
        questions.append(QuestionPreview(question.id, text, str(plain(question.marks)), items))
    return DocumentPreview(
        EXERCISE,
        svg=page_figure(blank_tree(exercise, words).board),
        questions=tuple(questions),
        out_of=str(plain(exercise.out_of)),
        card=_card(answer_key, words),
    )


def _card(answer_key: AnswerKey, words: Language) -> QualityCard:
    shown, solution = exposure(answer_key), main_solution(answer_key)
    exposed = list(shown.exposed)
    counts = None if solution is None else count(solution)
    return QualityCard(
        exposed=tuple(_named(each, words) for each in exposed),
        invisible=tuple(_named(each, words) for each in shown.made if each not in exposed),
        wrong_answers=len(shown.classes),
        proof=other_key(answer_key.exercise, PROOF_KEYS) is None,
        counts=None
        if counts is None
        else SearchEffort(
            leaves=counts.leaves,
            visits=counts.visits,
            pruned=counts.pruned,
            share=round(100 * counts.pruned_share),
            alpha=counts.alpha_cuts,
            beta=counts.beta_cuts,
            deep=counts.deep_cuts,
            inner=counts.inner_cuts,
        ),
    )


def _named(mistake: str, words: Language) -> NamedMistake:
    return NamedMistake(mistake, mistake_title(mistake, words))
