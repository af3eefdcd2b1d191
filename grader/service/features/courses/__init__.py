"""Courses, and the record of changes in them."""
