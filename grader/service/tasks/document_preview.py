"""What a teacher sees beside a document while writing it: problems at their lines, the picture, the key, its quality;
and what an editor can offer to complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grader.delivery.exercise_wording import blank_tree, question_wording
from grader.documents.exercise_file import load_exercise_bytes
from grader.generating.exercise_measures import count_search, exposure, main_solution, other_key, printed_key
from grader.generating.generation import Generation
from grader.generating.guessability import guessability
from grader.generating.recipe_file import load_recipe_bytes
from grader.generating.recipe_parts import PROOF_KEYS
from grader.languages import words_of
from grader.mistakes.behaviour import mistake_of
from grader.mistakes.registry import MODELS
from grader.practice.ready_exercises import ready_recipes, recipes_folder
from grader.questions.answer_key import AnswerKey
from grader.questions.claims import CLAIMS
from grader.questions.exercise import Exercise
from grader.reports.feedback_sentences import mistake_title
from grader.service.tasks.document_commands import check, try_tree
from grader.service.tasks.question_edits import QuestionOffer, fitting_questions
from grader.service.tasks.task_input import refusing
from grader.service.workers.task_results import message
from grader.service.workers.work_problems import Refused
from solver.documents import KINDS, schema_of
from solver.drawing import page_figure
from solver.game import CONVENTIONS
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
        for variant in generation:
            board = blank_tree(load_exercise_bytes(variant.document), words).board
            svg = page_figure(board, prefix=f"v{len(variants)}-")
            variants.append(VariantPreview(variant.id, svg, variant.card))
        return RecipePreview(tuple(variants), guessability(generation.spread.guesses()))


def _exercise(exercise: Exercise, words: Language) -> DocumentPreview:
    answer_key = AnswerKey(exercise)
    key = printed_key(answer_key)
    questions = []
    for question in answer_key.questions:
        said = question_wording(question)
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
    counts = None if solution is None else count_search(solution)
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


Shape = dict[str, Any]
IDS, TURNS, UNKNOWNS, MOVES = "ids", "turns", "unknowns", "moves"
WRITTEN_BEFORE = {
    "root": IDS,
    "loop": IDS,
    "to": IDS,
    "pruned": IDS,
    "nodes": IDS,
    "turn": TURNS,
    "levels": TURNS,
    "unknown": UNKNOWNS,
    "unknowns": UNKNOWNS,
    "move": MOVES,
}
"""Keys whose words are written elsewhere in the same document, and which of them they are."""
DEFINES = {("game", "unknowns"), ("game", "nodes"), ("node_mapping", "move"), ("edge", "move"), ("recipe", "unknowns")}
"""Where such words are written first."""
NOT_BY_TEACHERS = ("answer/1", "solution/1", "report/1")
BOOLEAN = [True, False, "true", "false"]


def completion_shapes() -> dict[str, Any]:
    """By kind `{root, shapes}`. A shape has `title` and `text`; `keys` with a shape each; `any`, the shape of keys that
    a document names itself; `items`; `values` to choose from; `examples`; `from`, which words of the document to take;
    `also`, names of shapes whose parts it has too; `unless`, which keys do not go with a value of another key."""
    return {kind: _kind(schema_of(kind), name) for kind, name in KINDS.items() if kind not in NOT_BY_TEACHERS}


def _kind(whole: Mapping[str, Any], name: str) -> dict[str, Any]:
    shapes = {each: _shape(part, each) for each, part in whole.get("$defs", {}).items()}
    root = _shape(whole, name)
    listed = (
        (shapes.get("convention"), list(CONVENTIONS)),
        (_below(shapes.get("question"), "claim"), list(CLAIMS)),
        (_below(root, "require", "exposes"), sorted({mistake_of(each) for each in MODELS})),
    )
    for shape, words in listed:
        if shape is not None:
            shape.get("items", shape)["values"] = words
    if "flat_child" in shapes:
        shapes["flat_child"]["from"] = IDS
    return {"root": root, "shapes": shapes}


def _below(shape: Shape | None, *keys: str) -> Shape | None:
    for key in keys:
        shape = (shape or {}).get("keys", {}).get(key)
    return shape


def _shape(part: Mapping[str, Any], within: str = "", key: str = "") -> Shape:
    shape: Shape = {
        shown: part[said]
        for said, shown in (("title", "title"), ("description", "text"))
        if isinstance(part.get(said), str)
    }
    _gather(part, shape, within)
    examples = [each for each in part.get("examples", []) if not isinstance(each, dict | list)]
    source = WRITTEN_BEFORE.get(key) if (within, key) not in DEFINES else None
    if source is not None:
        shape.get("items", shape)["from"] = source
        if part.get("type") != "array":
            shape["from"] = source
    elif examples and "values" not in shape and "keys" not in shape:
        shape["examples"] = examples
    return shape


def _gather(part: Mapping[str, Any], shape: Shape, within: str) -> None:
    """All that a schema may allow, whichever of its conditions holds."""
    if "$ref" in part:
        shape.setdefault("also", []).append(part["$ref"].rpartition("/")[2])
    for key, inner in part.get("properties", {}).items():
        if inner != {"not": {}}:
            shape.setdefault("keys", {}).setdefault(key, _shape(inner, within, key))
    for said, shown in (("items", "items"), ("additionalProperties", "any")):
        if isinstance(part.get(said), dict):
            shape[shown] = _shape(part[said], within)
    words = part.get("enum", [part["const"]] if "const" in part else [])
    if words:
        shape["values"] = [*words[:2], *words[4:]] if words[:4] == BOOLEAN else list(words)
    for branch in ("then", "else"):
        if isinstance(part.get(branch), dict):
            _gather(part[branch], shape, within)
    for rule in part.get("allOf", []):
        for key, condition in rule.get("if", {}).get("properties", {}).items():
            apart = [name for name, inner in rule["then"].get("properties", {}).items() if inner == {"not": {}}]
            shape.setdefault("unless", {}).setdefault(key, {})[str(condition.get("const"))] = apart
