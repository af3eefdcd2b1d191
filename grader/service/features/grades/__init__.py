"""Grades, gradebooks, and marks by hand."""
