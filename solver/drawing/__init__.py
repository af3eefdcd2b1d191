"""Pictures of a game tree: board (what is where) → picture (placed) → SVG, PNG, PDF, LaTeX, text, HTML."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
