"""The trees of a paper: blank with what is given for the students, solved for the key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.delivery.papers.content import Figure
from grader.delivery.wording.asking import algorithm_name
from grader.delivery.wording.blank_tree import GIVEN, blank_tree
from grader.questions.answer_key import Setting
from grader.questions.exercise import Exercise
from solver.drawing import View, board, picture
from solver.game import CHANCE
from solver.kernel import Refusal
from solver.languages import Amount, Language
from solver.search import Solution

LEGIBLE = 0.46
"""Points to a unit of a picture: below that, what stands at its edges is smaller than 6 points."""
UPRIGHT, ASIDE = 174 / 25.4 * 72, 243 / 25.4 * 72
"""Points between the margins of a page, and of a page that lies on its side."""
HIGHEST = 150 / 25.4 * 72
"""Points that the first page has for a tree."""
SOLVED = GIVEN | {"values", "windows", "cuts", "line"}


def sheet_figure(exercise: Exercise, words: Language) -> Figure:
    """The blank tree so that it can be read: with room for windows if the page has it, or on a page on its side."""
    roomy, tight = (_blank(exercise, words, room) for room in (True, False))
    for figure, across in ((roomy, UPRIGHT), (tight, UPRIGHT), (roomy, ASIDE)):
        if _is_legible(figure, across):
            return replace(figure, wide=across == ASIDE, high=across == UPRIGHT and _is_high(figure))
    return replace(tight, wide=True)


def _blank(exercise: Exercise, words: Language, room: bool) -> Figure:
    tree = blank_tree(exercise, words, room)
    return _plain(Figure(tree.board, tree.caption))


def solved_figures(setting: Setting, words: Language) -> Iterator[Figure]:
    """Each search that some question is about; the tree as it stands where none of them can be run."""
    found: dict[tuple[str, int | None], Solution] = {}
    for question in setting.exercise.questions:
        try:
            solution = setting.solution(question)
        except Refusal:
            continue
        found.setdefault((solution.algorithm, question.depth), solution)
    title = setting.exercise.game.title or ""
    if not found:
        yield _laid(Figure(board(setting.exercise.game.tree, View(GIVEN, most_leaves=None), words, title)))
    for (algorithm, depth), solution in found.items():
        show = SOLVED if solution.search is not None else SOLVED - {"windows"}
        name = algorithm_name(algorithm)
        if depth is None:
            caption = words.say("paper.figure", algorithm=name)
        else:
            caption = words.say("paper.figure.depth", algorithm=name, depth=Amount(depth))
        yield _laid(Figure(board(solution.tree, View(show, most_leaves=None), words, title, solution), caption))


def _laid(figure: Figure) -> Figure:
    plain = _plain(figure)
    wide = not _is_legible(plain, UPRIGHT)
    return replace(plain, wide=wide, high=not wide and _is_high(plain))


def _is_legible(figure: Figure, across: float) -> bool:
    """Whether a tree can be read in a picture of this width."""
    return bool(across / picture(figure.board).width >= LEGIBLE)


def _is_high(figure: Figure) -> bool:
    return bool(picture(figure.board).height * LEGIBLE > HIGHEST)


def _plain(figure: Figure) -> Figure:
    """Without the names that outcomes of chance have only for want of others: no answer has them."""
    made, tree = figure.board, figure.board.tree
    items = list(made.items)
    for place, children in enumerate(made.children):
        node = made.items[place].node
        if node < 0 or tree.turn[node] != CHANCE:
            continue
        usual = str(tree.ids[node]).casefold()
        for number, child in enumerate(children, 1):
            if items[child].move == f"{usual}{number}":
                items[child] = replace(items[child], move="")
    return replace(figure, board=replace(made, items=items))
