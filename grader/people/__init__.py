"""Students, and who gets which variant of an exercise."""
