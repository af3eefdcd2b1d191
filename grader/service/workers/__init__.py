"""Processes that do what reads, solves, draws, poses, marks or words a document."""
