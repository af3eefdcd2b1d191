"""Where the stages compose: text → document → game → solution."""

from solver.pipeline.stages import (
    build_inside,
    check_bytes,
    checked_as,
    convention_from_text,
    load,
    load_bytes,
    load_tree,
    paused_collection,
    read_document,
    read_file,
    refused,
    solve,
)

__all__ = [
    "build_inside",
    "check_bytes",
    "checked_as",
    "convention_from_text",
    "load",
    "load_bytes",
    "load_tree",
    "paused_collection",
    "read_document",
    "read_file",
    "refused",
    "solve",
]
