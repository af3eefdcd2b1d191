"""Sentences in several languages, with numbers, windows and names written as each language writes them."""
