"""Attempts, their drafts, and how they are written."""
