"""A small line plot as SVG, written by hand: shares over numbers of cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 200, 40, 44
COLOURS = ("#0969da", "#cf222e", "#8250df", "#bf8700", "#1a7f37", "#57606a")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 4")
"""Lines differ in their dashes, too: not everybody sees colours, and some print."""


def line_plot(
    title: str,
    across: Sequence[int],
    lines: Mapping[str, Sequence[float]],
    *,
    highest: float = 1.0,
    limit: float | None = None,
) -> str:
    """Draw shares (0 to 1) over numbers of cases; `limit` is a level that is aimed at."""

    def x(place: int) -> float:
        return LEFT + place * (WIDTH - LEFT - RIGHT) / max(1, len(across) - 1)

    def y(share: float) -> float:
        return TOP + (1.0 - min(share, highest) / highest) * (HEIGHT - TOP - BOTTOM)

    bottom, right = y(0.0), x(len(across) - 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        f' font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for step in range(5):
        share = highest * step / 4
        parts.append(
            f'<line x1="{LEFT}" y1="{y(share):.1f}" x2="{right:.1f}" y2="{y(share):.1f}" '
            'stroke="#d0d7de"/>'
            f'<text x="{LEFT - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        )
    for place, cases in enumerate(across):
        parts.append(
            f'<text x="{x(place):.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{cases}</text>'
        )
    parts.append(
        f'<text x="{(LEFT + right) / 2:.1f}" y="{HEIGHT - 8}" text-anchor="middle">cases</text>'
    )
    if limit is not None:
        parts.append(
            f'<line x1="{LEFT}" y1="{y(limit):.1f}" x2="{right:.1f}" y2="{y(limit):.1f}" '
            'stroke="#24292f" stroke-dasharray="1 2"/>'
        )
    for index, (name, shares) in enumerate(lines.items()):
        colour, dash = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
        points = " ".join(f"{x(place):.1f},{y(share):.1f}" for place, share in enumerate(shares))
        key = TOP + 8 + 20 * index
        stroke = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" fill="none" {stroke}/>')
        parts.append(
            f'<line x1="{right + 14:.1f}" y1="{key}" x2="{right + 40:.1f}" y2="{key}" {stroke}/>'
            f'<text x="{right + 46:.1f}" y="{key + 4}">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])
