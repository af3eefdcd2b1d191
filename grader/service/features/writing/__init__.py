"""The editor."""
