"""A whole class: what came in, and how it did."""
