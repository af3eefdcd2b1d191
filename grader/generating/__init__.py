"""Exercises by recipe: what they must be like is said, and trees are searched for that are.

`generate` composes the stages: recipe (read by `recipe` and `require`, held in `parts`) → `proofs` that it can be →
a `sketch` and its `fill` → `judging` by `measures` and `key_facts` → `finding` uphill, `parallel` variants →
`writing` with `labels` → a `card` for each; `spread` and `stress` look at them all.
"""
