"""Many documents at once: where they come from, what is done with each, and on how many cores."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
