"""Questions about a tree that one search does not answer."""
