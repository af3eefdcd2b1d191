"""What a worker can be asked to do: functions, whose arguments and results are plain data and messages.

What is wrong with a document or an option comes back as `Refused`, with the words and codes of the command line.
Answers that may hold exact numbers are JSON, as bytes.
"""

from __future__ import annotations

from grader.service.tasks.class_overviews import (
    ClassOverview,
    ItemAnswer,
    PartOverview,
    StudentOverview,
    class_overview,
)
from grader.service.tasks.classes import feedback_pages, gradebook, heat_map, summary
from grader.service.tasks.comparing import AnswerPictures, answer_pictures, steps
from grader.service.tasks.completions import completion_shapes
from grader.service.tasks.grading import grade
from grader.service.tasks.live import SearchStage, live_mark, live_stage, live_tree
from grader.service.tasks.looking import DocumentPreview, RecipePreview, look_at, preview_recipe, ready_recipe
from grader.service.tasks.making import generate, generate_few
from grader.service.tasks.marking import ExamHeading, mark, mark_many, word
from grader.service.tasks.papers import export, paper_file
from grader.service.tasks.posing import (
    AnswerField,
    AnswerReading,
    ExercisePrompt,
    FieldReading,
    PosedExercise,
    pose,
    read,
)
from grader.service.tasks.practice import (
    MistakeAdvice,
    PracticeAddress,
    PracticeResult,
    PracticeStep,
    RecipeTopic,
    StepQuestion,
    practice_mark,
    practice_mistakes,
    practice_next,
    practice_pose,
    practice_step,
    practice_topics,
)
from grader.service.tasks.question_edits import add_question, edit_question
from grader.service.tasks.solving import Explanation, ValidDocument, analyse, check, draw, explain, solve
from grader.service.tasks.taking_in import take_in
from grader.service.tasks.tree_edits import EditedTree, edit_tree
from grader.service.tasks.written_trees import SearchChoices, TreeSolution, try_choices, try_tree

__all__ = [
    "AnswerField",
    "AnswerPictures",
    "AnswerReading",
    "ClassOverview",
    "DocumentPreview",
    "EditedTree",
    "ExamHeading",
    "ExercisePrompt",
    "Explanation",
    "FieldReading",
    "ItemAnswer",
    "MistakeAdvice",
    "PartOverview",
    "PosedExercise",
    "PracticeAddress",
    "PracticeResult",
    "PracticeStep",
    "RecipePreview",
    "RecipeTopic",
    "SearchChoices",
    "SearchStage",
    "StepQuestion",
    "StudentOverview",
    "TreeSolution",
    "ValidDocument",
    "add_question",
    "analyse",
    "answer_pictures",
    "check",
    "class_overview",
    "completion_shapes",
    "draw",
    "edit_question",
    "edit_tree",
    "explain",
    "export",
    "feedback_pages",
    "generate",
    "generate_few",
    "grade",
    "gradebook",
    "heat_map",
    "live_mark",
    "live_stage",
    "live_tree",
    "look_at",
    "mark",
    "mark_many",
    "paper_file",
    "pose",
    "practice_mark",
    "practice_mistakes",
    "practice_next",
    "practice_pose",
    "practice_step",
    "practice_topics",
    "preview_recipe",
    "read",
    "ready_recipe",
    "solve",
    "steps",
    "summary",
    "take_in",
    "try_choices",
    "try_tree",
    "word",
]
