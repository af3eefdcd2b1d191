"""Solving and marking over HTTP: who may do what, what is kept, and the workers that mark."""
