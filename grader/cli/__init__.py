"""Commands of the command line that are too long for its first page."""
