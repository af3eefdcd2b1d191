"""Exercises for learning systems: form (questions, boxes, key) → Moodle, Canvas, PrairieLearn, Gradescope, and back."""
