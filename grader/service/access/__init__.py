"""Who is calling, and what they may do: one table of roles, applied in one place."""
