"""Bulk work."""
