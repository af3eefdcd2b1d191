"""Practice: ready exercises by topic and level, the next one by the mistake just made, and the search step by step.

catalogue   the ready recipes by topic and level
exercises   an exercise is a function of a recipe and a seed
writing     the answer of somebody who makes a mistake
exposing    the next exercise: one in which a mistake gives another answer than the key and than other mistakes
mastery     which mistakes an answer shows or avoids, and when one counts as gone
steps       questions made from the search's own events
checking    an answer to such a question, and a hint that does not tell the key
"""
