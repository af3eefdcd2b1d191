"""Text → document: one reader for every kind of document, YAML or JSON."""

from solver.documents.characters import FORBIDDEN_CHARACTERS
from solver.documents.document import REPORTED, Document, Marks
from solver.documents.read import read_raw
from solver.documents.schema import KINDS, offer, withdraw
from solver.documents.schema import schema as schema_of

__all__ = [
    "FORBIDDEN_CHARACTERS",
    "KINDS",
    "REPORTED",
    "Document",
    "Marks",
    "offer",
    "read_raw",
    "schema_of",
    "withdraw",
]
