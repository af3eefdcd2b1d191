"""Plymark's grader: exercises about game trees, their marking, and how they are made and handed out.

from grader import Grader, load_answer, load_exercise
report = Grader(load_exercise("exercises/two-ply.yaml")).grade(load_answer("answer.yaml"))
report.marks, report.diagnosis
"""

from solver.kernel import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
