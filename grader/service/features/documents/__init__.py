"""Documents without any state."""
