"""Text → document: one reader for every kind of document, YAML or JSON."""

from solver.documents.characters import FORBIDDEN_CHARACTERS
from solver.documents.document import REPORTED, Document
from solver.documents.read import read_raw

__all__ = [
    "FORBIDDEN_CHARACTERS",
    "REPORTED",
    "Document",
    "read_raw",
]
