"""Practice without an account."""
