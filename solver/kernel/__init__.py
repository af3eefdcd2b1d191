"""What everything else stands on: exact numbers, problems and errors, limits."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
