"""Exams on paper: sheets, keys and booklets, as PDF, LaTeX and HTML.

`registry` composes the stages: exercises → `sheet` (with `figures`, `notes` and the `room` of boxes) → `content`,
which is words and boxes only → one module for each format.
"""
