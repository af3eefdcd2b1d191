"""Practice: ready exercises by topic and level, the next one by the mistake just made, and the search step by step.

ready_exercises    the ready recipes, and exercises as functions of a recipe and a seed
mistake_practice   the next exercise, in which a mistake gives another answer than the key; what an answer shows of
                   mistakes, and when one counts as gone
guided_search      questions made from the search's own events, answers to them, and hints
"""
