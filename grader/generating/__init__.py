"""Exercises from recipes: a recipe states what must hold, and the generator searches for trees that have all of it.

`generate` composes the stages. The folders import in this order only:

    recipe   what a recipe is, how it is read, and proofs that some recipes cannot be satisfied
    judge    what is measured in an exercise, and how far it is from what the recipe requires
    search   drawing trees, improving them step by step, and making parallel variants of the first one found
    write    the exercise in YAML, its quality card, and an overview of all variants

Words of this room:

    sketch             a tree without numbers: its shape, and whose turn it is at each node
    fill               what a sketch lacks: leaves, probabilities, estimates, statistics. Sketch and fill make a tree
    template           an exercise made from a sketch, into which any fill can be put without reading questions again
    labels             what nodes and moves are called. Plain labels are the recipe's own: A, B, L1, a1
    off                by requirement, how far an exercise is from meeting it; 0 if it does
    quick judgement    the part of `off` that one solution is enough for; every tree gets it
    thorough judgement the rest, which takes many solutions; only a tree that passes the quick one gets it
    effort             how many trees have been examined, and which requirements failed
    found exercise     a sketch and a fill that meet every requirement, with both judgements
    parallel target    the cuts and counts that a parallel variant must share with the first exercise
    bounded            about as hard as the others, within stated bounds; cuts and counts may differ
    constant           an answer that is the same for every tree, in the recipe's own names
    guessability       the share of a question's marks that the best constant earns over a set
    chance             the same over trees that are drawn without any requirement, or 1/n where one of n is chosen
    base               an exercise that variants start from; bases have the same cuts but prune at different places
    generated          a finished exercise: its YAML, its card and its key
"""
