"""Regrades: marking again by another version of an exercise."""
