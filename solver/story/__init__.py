"""The story of a search: what it did and why, step by step, as sentences in any language."""
