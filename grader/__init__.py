"""Plymark's grader: what teaching needs around the solver. It reaches the solver only through `solver`'s own names."""
