"""Games of other programs, turned into game/1 documents."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
