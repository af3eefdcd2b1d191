"""What is handed out: the exercise in YAML, its quality card, and an overview of all variants."""
