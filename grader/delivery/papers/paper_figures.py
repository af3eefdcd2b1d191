"""The trees of a paper: blank with what is given for the students, solved for the key; and why an answer is right, the
searches of a solution told step by step as `plymark explain` tells them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.delivery.exercise_wording import GIVEN_VALUES, blank_tree, without_usual_outcomes
from grader.delivery.papers.paper_content import Figure, PaperStory
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from grader.questions.presentation import algorithm_name
from solver.drawing import View, board, picture
from solver.kernel import Refusal
from solver.languages import Amount, Language
from solver.search import Solution
from solver.story import tell_story

LEGIBLE = 0.46
"""Points to a unit of a picture: below that, what is at its edges is smaller than 6 points."""
UPRIGHT, ASIDE = 174 / 25.4 * 72, 243 / 25.4 * 72
"""Points between the margins of a page, and of a page that lies on its side."""
HIGHEST, HIGHEST_ASIDE = 160 / 25.4 * 72, 92 / 25.4 * 72
"""Points that the first page has for a tree below what is said before it; and so if it lies on its side."""
SOLVED = GIVEN_VALUES | {"values", "windows", "cuts", "line"}


def sheet_figure(exercise: Exercise, words: Language) -> Figure:
    """The blank tree so that it can be read: with room for windows if the page has it, or on a page on its side."""
    roomy, tight = (_blank(exercise, words, room) for room in (True, False))
    for figure, across in ((roomy, UPRIGHT), (tight, UPRIGHT), (roomy, ASIDE)):
        if _is_legible(figure, across):
            return _turned(figure, across == ASIDE)
    return _turned(tight, True)


def _blank(exercise: Exercise, words: Language, room: bool) -> Figure:
    tree = blank_tree(exercise, words, room)
    return Figure(without_usual_outcomes(tree.board), tree.caption)


def searches(answer_key: AnswerKey) -> dict[tuple[str, int | None], Solution]:
    """What the questions are about: by algorithm and depth, each search that can be run."""
    solutions: dict[tuple[str, int | None], Solution] = {}
    for question in answer_key.questions:
        try:
            solution = question.solution
        except Refusal:
            continue
        solutions.setdefault((solution.algorithm, question.depth), solution)
    return solutions


def solved_figures(answer_key: AnswerKey, words: Language) -> Iterator[Figure]:
    """Each search that some question is about; the tree as it stands where none of them can be run."""
    solutions = searches(answer_key)
    title = answer_key.exercise.game.title or ""
    if not solutions:
        yield _laid(Figure(board(answer_key.tree, View(GIVEN_VALUES, most_leaves=None), words, title)))
    for (algorithm, depth), solution in solutions.items():
        show = SOLVED if solution.search is not None else SOLVED - {"windows"}
        name = algorithm_name(algorithm)
        if depth is None:
            caption = words.say("paper.figure", algorithm=name)
        else:
            caption = words.say("paper.figure.depth", algorithm=name, depth=Amount(depth))
        yield _laid(Figure(board(solution.tree, View(show, most_leaves=None), words, title, solution), caption))


def _laid(figure: Figure) -> Figure:
    plain = replace(figure, board=without_usual_outcomes(figure.board))
    return _turned(plain, not _is_legible(plain, UPRIGHT))


def _turned(figure: Figure, wide: bool) -> Figure:
    """On an upright page or, if it is `wide`, on one on its side; by itself if it is too high for the rest of it."""
    return replace(figure, wide=wide, high=_is_higher(figure, HIGHEST_ASIDE if wide else HIGHEST))


def _is_legible(figure: Figure, across: float) -> bool:
    """Whether a tree can be read in a picture of this width."""
    return bool(across / picture(figure.board).width >= LEGIBLE)


def _is_higher(figure: Figure, most: float) -> bool:
    return bool(picture(figure.board).height * LEGIBLE > most)


MOST_STEPS = 120
"""More than that nobody reads."""


def stories(answer_key: AnswerKey, words: Language) -> Iterator[PaperStory]:
    """One for each search that some question is about."""
    for (algorithm, depth), solution in searches(answer_key).items():
        name = algorithm_name(algorithm)
        if depth is None:
            title = words.say("paper.story", algorithm=name)
        else:
            title = words.say("paper.story.depth", algorithm=name, depth=Amount(depth))
        opening, *steps, closing = tell_story(solution, words)
        shown = steps if len(steps) <= MOST_STEPS else [*steps[:MOST_STEPS], "…"]
        yield PaperStory(title, opening, tuple(shown), closing)
