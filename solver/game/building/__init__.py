"""Document → game tree: growing the columns, naming the nodes, checking the meaning."""
