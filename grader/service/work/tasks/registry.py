"""The tasks by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grader.service.work.tasks.class_seen import class_seen
from grader.service.work.tasks.classes import feedback_pages, gradebook, heat_map, summary
from grader.service.work.tasks.comparing import called, compare, steps
from grader.service.work.tasks.completions import completions
from grader.service.work.tasks.grading import grade
from grader.service.work.tasks.live import live_mark, live_stage, live_tree
from grader.service.work.tasks.looking import look_at, preview_recipe, ready_recipe
from grader.service.work.tasks.making import generate
from grader.service.work.tasks.marking import canonical, mark, mark_many, word, word_exam
from grader.service.work.tasks.own_tree import own_tree
from grader.service.work.tasks.papers import export, papers
from grader.service.work.tasks.posing import pose, read
from grader.service.work.tasks.practice import (
    practice_mark,
    practice_mistakes,
    practice_next,
    practice_pose,
    practice_step,
    practice_topics,
)
from grader.service.work.tasks.question_edits import add_question, edit_question
from grader.service.work.tasks.solving import analyse, check, draw, explain, solve
from grader.service.work.tasks.taking_in import take_in
from grader.service.work.tasks.tree_edits import edit_tree
from grader.service.work.tasks.written_trees import try_choices, try_tree

TASKS: Mapping[str, Callable[..., Any]] = {
    task.__name__: task
    for task in (
        check,
        solve,
        analyse,
        explain,
        draw,
        grade,
        generate,
        canonical,
        mark,
        mark_many,
        word,
        word_exam,
        take_in,
        pose,
        read,
        summary,
        heat_map,
        gradebook,
        feedback_pages,
        class_seen,
        papers,
        export,
        called,
        compare,
        own_tree,
        steps,
        practice_topics,
        practice_pose,
        practice_mark,
        practice_next,
        practice_step,
        practice_mistakes,
        try_choices,
        try_tree,
        live_mark,
        live_tree,
        live_stage,
        edit_tree,
        completions,
        add_question,
        edit_question,
        look_at,
        preview_recipe,
        ready_recipe,
    )
}
