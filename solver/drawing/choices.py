"""The names that options choose from, apart from what they choose, so that a command line can list them at once."""

from __future__ import annotations

PICTURES = ("svg", "png", "pdf", "tex", "txt", "html")
"""The kinds of pictures, as the names of their files end."""

SHOWN = ("names", "moves", "probabilities", "values", "windows", "intervals", "cuts", "line")
"""What a picture can show."""

THEMES = ("auto", "light", "dark")
"""The paper of a picture."""

SIZES = ("a4", "letter", "slides")
"""The pages of a PDF; slides can be SVG and PNG, too."""

LEAST_PICTURE = 120
"""CSS pixels: no picture is asked to be narrower."""

MOST_LEAVES = 120
"""A picture folds more leaves than these unless told otherwise."""
