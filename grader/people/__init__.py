"""Students, the variants of an exercise, and who gets which."""
