"""Who signs in, and how."""
