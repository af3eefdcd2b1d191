"""The story of a search: what it did and why, step by step, as sentences in any language."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
