"""A picture as PNG, by resvg."""

from __future__ import annotations

from solver.drawing.measure import PICTURE_FAMILY, PICTURE_FONTS, covered
from solver.drawing.placed import Picture
from solver.drawing.svg_markup import svg
from solver.kernel.errors import UsageError
from solver.kernel.extras import needs_extra

MOST_PIXELS = 120_000_000
USUAL_SCALE = 2.0


def png(picture: Picture, theme: str, scale: float | None) -> bytes:
    """Without a scale, as large as is usual, or as there is room."""
    if scale is None:
        # A little less than the root: the file's sides are rounded up.
        scale = min(USUAL_SCALE, 0.999 * (MOST_PIXELS / (picture.width * picture.height)) ** 0.5)
    width, height = scale * picture.width, scale * picture.height
    if width * height > MOST_PIXELS:
        size = f"{width:,.0f} x {height:,.0f} pixels"
        raise UsageError(f"the picture would have {size}; choose a smaller --scale, fewer --leaves, or SVG")
    with needs_extra("draw"):
        # Imported only here: it belongs to an extra.
        from resvg_py import svg_to_bytes
    text = svg(picture, "dark" if theme == "dark" else "light")
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
