"""exercise/1 and answer/1: from text to what is marked."""
