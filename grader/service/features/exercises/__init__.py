"""Exercises of a course, their versions and variants."""
