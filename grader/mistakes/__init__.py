"""Mistakes as executable models: each is run on a tree and says what somebody who makes it would write down.

model       a mistake that can be run (M2, A5, …), a file for each family, found by name in `registry`
Behaviour   what somebody writes down: values, windows, pruned leaves, visits, the move (`behaviour`)
cell        one comparable fact of an answer, a key or a behaviour (`cells`, whose words are in `words`)
Class       models that say the same of a tree, and so cannot be told apart there (`diagnosis`)
Diagnosis   the mistake that explains an answer, and how much of it
"""
