"""Pictures of a game tree: board (what is where) → picture (placed) → SVG, PNG, PDF, LaTeX, text, HTML."""
