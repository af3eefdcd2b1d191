"""exercise/1, exam/1 and answer/1: from text to what is marked."""
