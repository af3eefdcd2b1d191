"""Plymark's grader: exercises about game trees, their marking, and how they are made and handed out.

from grader import Grader, load_answer, load_exercise
report = Grader(load_exercise("exercises/two-ply.yaml")).grade(load_answer("answer.yaml"))
report.marks, report.diagnosis
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.delivery.papers.paper_content import Header
    from grader.delivery.papers.paper_registry import paper
    from grader.delivery.systems.exporter import Export, ExportOptions
    from grader.delivery.systems.system_registry import export
    from grader.documents.answer_file import Answer, load_answer, load_answer_bytes
    from grader.documents.exam_file import load_exam
    from grader.documents.exercise_file import load_exercise, load_exercise_bytes, load_exercise_data
    from grader.generating.generation import generate
    from grader.generating.quality_card import Generated
    from grader.generating.recipe_file import load_recipe, load_recipe_bytes
    from grader.generating.recipe_parts import Recipe
    from grader.languages import words_of
    from grader.marking.from_data import answer_from, exercise_from
    from grader.marking.grader import Grader
    from grader.marking.graders import ExamGrader
    from grader.marking.report import Report
    from grader.people.roster import Student
    from grader.questions.exercise import Exercise, Question
    from grader.questions.registry import ASKS
    from grader.reports.class_summary import ClassSummary, class_summary
    from grader.reports.report_formats import report_data

__all__ = [
    "ASKS",
    "Answer",
    "ClassSummary",
    "ExamGrader",
    "Exercise",
    "Export",
    "ExportOptions",
    "Generated",
    "Grader",
    "Header",
    "Question",
    "Recipe",
    "Report",
    "Student",
    "answer_from",
    "class_summary",
    "exercise_from",
    "export",
    "generate",
    "load_answer",
    "load_answer_bytes",
    "load_exam",
    "load_exercise",
    "load_exercise_bytes",
    "load_exercise_data",
    "load_recipe",
    "load_recipe_bytes",
    "paper",
    "report_data",
    "words_of",
]

# Every command passes here: what is exported loads when it is first asked for.
_LATER = {
    "grader.delivery.papers.paper_content": ("Header",),
    "grader.delivery.papers.paper_registry": ("paper",),
    "grader.delivery.systems.exporter": ("Export", "ExportOptions"),
    "grader.delivery.systems.system_registry": ("export",),
    "grader.documents.answer_file": ("Answer", "load_answer", "load_answer_bytes"),
    "grader.documents.exam_file": ("load_exam",),
    "grader.documents.exercise_file": ("load_exercise", "load_exercise_bytes", "load_exercise_data"),
    "grader.generating.generation": ("generate",),
    "grader.generating.recipe_parts": ("Recipe",),
    "grader.generating.recipe_file": ("load_recipe", "load_recipe_bytes"),
    "grader.generating.quality_card": ("Generated",),
    "grader.languages": ("words_of",),
    "grader.marking.from_data": ("answer_from", "exercise_from"),
    "grader.marking.grader": ("Grader",),
    "grader.marking.graders": ("ExamGrader",),
    "grader.marking.report": ("Report",),
    "grader.people.roster": ("Student",),
    "grader.questions.exercise": ("Exercise", "Question"),
    "grader.questions.registry": ("ASKS",),
    "grader.reports.class_summary": ("ClassSummary", "class_summary"),
    "grader.reports.report_formats": ("report_data",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
