"""Solution → text: for people (text) and for programs (JSON, YAML)."""

from solver.kernel.doors import lazy_door

__getattr__, __all__ = lazy_door(__name__, __file__)
