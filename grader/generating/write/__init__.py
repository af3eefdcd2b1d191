"""What is handed out: the exercise in YAML, its quality card, and a look at all variants together."""
