"""What was handed in, and what became of it."""
