"""Pictures of a game tree: board (what stands where) → picture (placed) → SVG, PNG, PDF, LaTeX, text, HTML."""
