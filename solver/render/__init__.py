"""Solution → text: for people (text) and for programs (JSON, YAML)."""
