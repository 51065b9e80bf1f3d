"""The table of results in the README: each command of archtool, what is beside it, and the ratios."""

from __future__ import annotations

from pathlib import Path

from measuring import Timings, paired_ratio
from programs import stop
from report import Comparison, Finding, duration, factor, mebibytes, verdict

BEGIN, END = "<!-- results -->", "<!-- end of results -->"
HEADER = ["work", "time", "CPU", "peak", "beside", "its time", "its peak", "time ratio", "CPU ratio"]
BASELINE_HEADER = ["time: baseline", "CPU: baseline", "peak: baseline"]


def comparisons(findings: list[Finding]) -> list[Comparison]:
    return [comparison for finding in findings for comparison in finding.comparisons]


def write_table(readme: Path, description: dict, findings: list[Finding]) -> None:
    """Replaces what is between the two marks."""
    before, after = around_marks(readme)
    readme.write_text(before + BEGIN + "\n" + table(description, findings) + END + after)


def around_marks(readme: Path) -> tuple[str, str]:
    before, begin, rest = readme.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        stop(65, f"{readme}: the marks {BEGIN} and {END} are missing")
    return before, after


def table(description: dict, findings: list[Finding]) -> str:
    rows = comparisons(findings)
    with_baseline = any(row.timing.baseline for row in rows)
    header = HEADER + (BASELINE_HEADER if with_baseline else [])
    runs = "a quick run, of few rounds" if description["quick"] else "medians of all rounds"
    lines = ["", f"{description['machine']}; {runs}.", ""]
    lines += [line(header), line(["---"] + ["---:"] * 3 + ["---"] + ["---:"] * (len(header) - 5))]
    lines += [line(cells(row, with_baseline)) for row in rows]
    missed = [check for finding in findings for check in finding.checks if check.passed is False]
    kept = sum(check.passed is True for finding in findings for check in finding.checks)
    left = sum(check.passed is None for finding in findings for check in finding.checks)
    lines += ["", f"Bounds kept: {kept}. Missed: {len(missed)}. Not measured: {left}.", ""]
    lines += [f"- {verdict(check)}: {check.text}" for check in missed]
    return "\n".join(lines + ([""] if missed else []))


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def cells(row: Comparison, with_baseline: bool) -> list[str]:
    timing, peer = row.timing, row.peer
    texts = [row.work, *costs(timing), mebibytes(timing.peak_bytes)]
    if peer is None:
        texts += ["", "", "", "", ""]
    else:
        name = row.peer_name or peer.command.label
        texts += [name, costs(peer)[0], mebibytes(peer.peak_bytes), *ratios(timing, peer)]
    if with_baseline:
        older = timing.baseline
        texts += [*ratios(timing, older), peaks(timing, older)] if older else ["", "", ""]
    return texts


def costs(timing: Timings) -> list[str]:
    """Time and processor time, of one unit where there are several."""
    units = timing.command.units
    return [
        "-" if seconds is None else duration(seconds / units)
        for seconds in (timing.median, timing.median_cpu)
    ]


def ratios(timing: Timings, other: Timings) -> list[str]:
    return [factor(paired_ratio(timing, other, of)) for of in ("seconds", "cpu_seconds")]


def peaks(timing: Timings, other: Timings) -> str:
    if not timing.peak_bytes or not other.peak_bytes:
        return "-"
    return factor(timing.peak_bytes / other.peak_bytes)
