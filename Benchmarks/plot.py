"""Draws the ratios of archtool's time to that of others as an SVG, the same for the same numbers."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("svg")
# Text stays text, in a font that every system has; names in the file follow from its content.
matplotlib.rcParams.update(
    {"svg.hashsalt": "archtool", "svg.fonttype": "none", "font.family": "sans-serif"}
)
matplotlib.rcParams["font.sans-serif"] = ["DejaVu Sans", "Helvetica", "Arial"]

from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

from measuring import Timings, paired, paired_ratio  # noqa: E402
from report import Comparison  # noqa: E402

# An opaque ground, so that the text is readable on a light page and on a dark one.
GROUND, TEXT, GRID = "#ffffff", "#24292f", "#d0d7de"
PEER, BASELINE = "#0969da", "#bc4c00"


def write_plot(path: Path, comparisons: list[Comparison]) -> None:
    rows = [row for row in comparisons if row.peer or row.timing.baseline]
    figure, axes = pyplot.subplots(figsize=(9, 1.6 + 0.42 * len(rows)), facecolor=GROUND)
    axes.set_facecolor(GROUND)
    axes.set_xscale("log")
    axes.axvline(1, color=TEXT, linewidth=1)
    for place, row in enumerate(rows):
        draw(axes, place - 0.14, row.timing, row.peer, PEER, "o")
        draw(axes, place + 0.14, row.timing, row.timing.baseline, BASELINE, "s")
    axes.set_yticks(range(len(rows)), [label(row) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("archtool's time as a multiple of the other's (below 1: faster)")
    axes.margins(x=0.1)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_color(GRID)
    axes.tick_params(colors=TEXT, which="both")
    axes.xaxis.label.set_color(TEXT)
    legend(axes, rows)
    figure.tight_layout()
    figure.savefig(path, format="svg", facecolor=GROUND, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def draw(axes, height: float, timing: Timings, other: Timings | None, color: str, mark: str) -> None:
    """The median of the rounds as a mark with its number, and their range as a line."""
    ratio = paired_ratio(timing, other) if other else None
    if ratio is None:
        return
    rounds = paired(timing, other)
    axes.plot([min(rounds), max(rounds)], [height, height], color=color, linewidth=2)
    axes.plot([ratio], [height], mark, color=color, markersize=5)
    axes.annotate(
        f"{ratio:.2g}", (max(rounds), height), xytext=(6, 0), textcoords="offset points",
        va="center", fontsize=8, color=TEXT,
    )  # fmt: skip


def label(row: Comparison) -> str:
    name = row.peer_name or (row.peer.command.label if row.peer else "")
    return f"{row.work} / {name}" if name else row.work


def legend(axes, rows: list[Comparison]) -> None:
    names = []
    if any(row.peer for row in rows):
        names.append(("the program named", PEER, "o"))
    if any(row.timing.baseline for row in rows):
        names.append(("the older build", BASELINE, "s"))
    for name, color, mark in names:
        axes.plot([], [], mark, color=color, markersize=5, label=f"against {name}")
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, labelcolor=TEXT, fontsize=9
    )
