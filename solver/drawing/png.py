"""A picture as PNG, by resvg."""

from __future__ import annotations

from solver.drawing.measure import PICTURE_FAMILY, PICTURE_FONTS, covered
from solver.kernel.errors import UsageError
from solver.kernel.extras import needs_extra

MOST_PIXELS = 120_000_000
USUAL_SCALE = 2.0


def png(text: str, across: float, down: float, scale: float | None) -> bytes:
    """Of an SVG of a size; without a scale, as large as is usual, or as there is room."""
    if scale is None:
        # A little less than the root: the file's sides are rounded up.
        scale = min(USUAL_SCALE, 0.999 * (MOST_PIXELS / (across * down)) ** 0.5)
    width, height = scale * across, scale * down
    if width * height > MOST_PIXELS:
        size = f"{width:,.0f} x {height:,.0f} pixels"
        raise UsageError(f"the picture would have {size}; choose a smaller --scale, fewer --leaves, or SVG")
    with needs_extra("draw"):
        # Imported only here: it belongs to an extra.
        from resvg_py import svg_to_bytes
    # System fonts are looked for only if the shipped one is not enough: with it alone, every machine draws the same.
    alone = covered(text)
    made = svg_to_bytes(
        svg_string=text,
        zoom=scale,
        font_files=[str(PICTURE_FONTS / "DejaVuSans.ttf")],
        skip_system_fonts=alone,
        font_family=PICTURE_FAMILY,
        sans_serif_family=PICTURE_FAMILY,
    )
    return bytes(made)
