"""Games of other programs, turned into game/1 documents."""
