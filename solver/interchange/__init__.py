"""Games of other programs, turned into game/1 documents."""

from solver.interchange.importer_registry import import_game

__all__ = [
    "import_game",
]
