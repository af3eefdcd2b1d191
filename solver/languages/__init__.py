"""Sentences in several languages, with numbers, windows and names written as each language writes them."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
