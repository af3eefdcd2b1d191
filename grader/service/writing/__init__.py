"""Pages where a teacher writes games, exercises and recipes."""
