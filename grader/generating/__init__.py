"""Exercises by recipe: what they must be like is said, and trees are searched for that are.

`generate` composes the stages: a recipe (`recipe.read`, `recipe.parts`) → `recipe.proofs` that it can be →
a sketch and its fill (`search`) → how far that is from the recipe (`judge`) → `search.climb` uphill, `search.parallel`
variants → `write` with a card for each; `write.overview` and `write.double_check` look at them all.
"""
