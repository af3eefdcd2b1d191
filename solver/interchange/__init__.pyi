from solver.interchange.registry import import_game as import_game
