"""Text → document: one reader for every kind of document, YAML or JSON."""

from solver.documents.document import FORBIDDEN_CHARACTERS, REPORTED, Document, Marks
from solver.documents.document_reader import read_raw
from solver.documents.document_schemas import KINDS, offer, withdraw
from solver.documents.document_schemas import schema as schema_of

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
