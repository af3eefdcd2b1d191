"""Exercises for learning systems, and answers back from them.

exercise → `forms` (wording, `boxes` with their `spellings` and `known_mistakes`; `faithful`: why marks are provisional)
→ one module for each system, listed in `registry`; `responses` reads what the systems collected.
`prairielearn_server` and `gradescope_run` are what runs there.
"""
