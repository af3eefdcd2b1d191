"""Cuts the pictures' font into the parts that web pages carry: python tools/make_fonts.py [DejaVuSans-Bold.ttf]

Each part has some scripts' signs, regular and bold; together they have every sign of the regular font but private ones.
The bold font is that of Debian's fonts-dejavu-core, of the same release as the regular one, which is shipped.
Needs what `pip install -e '.[ci]'` installs. With the same fonttools and Brotli the files are the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent.parent / "solver" / "drawing" / "fonts"
REGULAR = FONTS / "DejaVuSans.ttf"
BOLD = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")
SUMS = {
    "DejaVuSans": "abdc775b21b1bc470d50c97e790d276f2054b7504e56e5bd3e64f48d68582322",
    "DejaVuSans-Bold": "0d977336a6d5fba34eab8e3199eb218327161b5143749f802982c2bc34df0c96",
}
"""Of release 2.37."""

PARTS = {
    # With the signs of nearly every paper and of a browser's lists, so that those in Latin letters need this one only.
    "latin": "20-7E A0-17F 2C6-2DD 3B1-3B2 2010-203A 2060-206F 20AC 2122 2190-2193 21BA 2212 221A 221E 2248 2260 "
    "2264-2265 2308-230B 25E6 2713 2717 FFFD",
    "latin-more": "180-36F 1D00-1EFF 2C60-2C7F A720-A7FF",
    "greek": "370-3FF 1F00-1FFF",
    "cyrillic": "400-52F 2DE0-2DFF A640-A69F",
    # With the joiners, which must stand in the same font as the letters that they part.
    "arabic": "600-6FF 750-77F 8A0-8FF 200B-200F FB50-FDFF FE70-FEFF",
    "symbols": "2000-2BFF 4DC0-4DFF 1D300-1D7FF 1F000-1FAFF",
    "other": "0-DFFF F900-EFFFF",
}
"""Code points. A sign belongs to the first part that has it."""
UNSEEN = range(0x2066, 0x206A)
"""Signs around names that run the other way. The font lacks them; nothing is drawn, so no other one is to be asked."""


def parts(font: TTFont) -> dict[str, list[int]]:
    left = set(font.getBestCmap())
    found = {}
    for name, written in PARTS.items():
        spans = [[int(end, 16) for end in span.split("-")] for span in written.split()]
        found[name] = sorted(code for code in left if any(span[0] <= code <= span[-1] for span in spans))
        left.difference_update(found[name])
    return found


def spans(codes: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = -1
    for code in codes:
        if code != last + 1:
            if first >= 0:
                yield first, last
            first = code
        last = code
    if first >= 0:
        yield first, last


def cut(file: Path, name: str, codes: Iterable[int]) -> TTFont:
    options = subset.Options(hinting=False, drop_tables=["FFTM", "MATH", "gasp", "kern"], name_IDs=[0, 1, 2, 5, 6, 13])
    font = subset.load_font(str(file), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    # A PDF that a browser prints tells by this name where its letters are from.
    font["name"].setName(f"{file.stem}-{name}", 6, 3, 1, 0x409)
    font.flavor = "woff2"
    return font


def main(bold: Path) -> None:
    for file in (REGULAR, bold):
        if sha256(file.read_bytes()).hexdigest() != SUMS[file.stem]:
            sys.exit(f"{file} is not of release 2.37")
    found = parts(TTFont(REGULAR))
    for name, codes in found.items():
        for file in (REGULAR, bold):
            cut(file, name, codes).save(FONTS / f"{file.stem}-{name}.woff2")
    found["latin"] = sorted({*found["latin"], *UNSEEN})
    data = {name: list(spans(codes)) for name, codes in found.items()}
    (FONTS / "parts.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else BOLD)
