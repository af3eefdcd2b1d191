"""Text → document: one reader for every kind of document, YAML or JSON."""
