"""QR codes that say which variant a page is, and whose."""

from __future__ import annotations

from collections.abc import Iterator

from solver.kernel import needs_extra


def qr_rows(text: str) -> list[list[bool]]:
    """The modules, row by row; True is dark. Medium correction, since paper gets stained."""
    with needs_extra("pdf"):
        # Imported only here: it belongs to an extra.
        import segno
    return [[bool(module) for module in row] for row in segno.make_qr(text, error="m", boost_error=False).matrix]


def qr_runs(text: str) -> tuple[int, Iterator[tuple[int, int, int]]]:
    """How many modules it has to a side, and where dark ones stand side by side: row, column and number."""
    rows = qr_rows(text)
    return len(rows), _runs(rows)


def qr_svg(text: str) -> str:
    """A picture of one path, a unit to a module, without the light edge around it."""
    size, runs = qr_runs(text)
    path = "".join(f"M{column} {row}h{many}v1h-{many}z" for row, column, many in runs)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}"><path d="{path}"/></svg>'


def _runs(rows: list[list[bool]]) -> Iterator[tuple[int, int, int]]:
    for place, row in enumerate(rows):
        start: int | None = None
        for column, dark in enumerate([*row, False]):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                yield place, start, column - start
                start = None
