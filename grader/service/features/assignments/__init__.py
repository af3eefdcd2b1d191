"""Assignments: rules, dates, extensions."""
