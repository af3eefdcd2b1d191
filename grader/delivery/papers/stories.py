"""Why an answer is right: the searches of a solution, told step by step as `plymark explain` tells them."""

from __future__ import annotations

from collections.abc import Iterator

from grader.delivery.papers.content import PaperStory
from grader.delivery.papers.figures import searches
from grader.questions.answer_key import AnswerKey
from grader.questions.presentation import algorithm_name
from solver.languages import Amount, Language
from solver.story import told_story

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
        opening, *steps, closing = told_story(solution, words)
        shown = steps if len(steps) <= MOST_STEPS else [*steps[:MOST_STEPS], "…"]
        yield PaperStory(title, opening, tuple(shown), closing)
