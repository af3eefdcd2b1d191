"""Exercises for learning systems, and answers back from them.

exercise → `exercise_forms` (wording, `answer_boxes` with their spellings and the mistakes foreseen; why marks are
provisional) → one module for each system, listed in `system_registry`; `grader.intake.system_responses` reads what
the systems collected. `prairielearn_server` and `gradescope_run` are what runs there.
"""
