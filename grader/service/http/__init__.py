"""Requests and responses: limits, who may call, how routes and pages are declared and rendered."""
