"""A room of the solver."""
