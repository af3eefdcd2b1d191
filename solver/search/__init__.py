"""Searches: every algorithm, the events it records, and the solution made from them."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
