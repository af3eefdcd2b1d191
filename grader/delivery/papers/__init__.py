"""Exams on paper: sheets, keys and booklets, as PDF, LaTeX and HTML.

`paper_registry` composes the stages: exercises → `exam_sheets` (with `paper_figures` and `key_notes`) →
`paper_content`, which is words and boxes only → one module for each format.
"""
