"""Exercises by recipe: what they must be like is said, and trees are searched for that are."""
