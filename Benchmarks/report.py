"""What a measurement found, as a plain text table and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field

from measuring import Timings, paired, paired_ratio


@dataclass
class Check:
    """A bound that was promised, what was measured, and whether it holds (None: not measured)."""

    text: str
    passed: bool | None
    value: float | None = None
    bound: float | None = None


@dataclass
class Table:
    """Contenders over the same work; ratios are against the first of them, in time and processor time."""

    title: str
    timings: list[Timings]
    unit: str = ""


@dataclass
class Comparison:
    """A row of the summary: one command of archtool, and what it is compared with."""

    work: str
    timing: Timings
    peer: Timings | None = None
    peer_name: str = ""


@dataclass
class Finding:
    """One measurement of the benchmark."""

    name: str
    tables: list[Table]
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)


def at_most(what: str, value: float | None, bound: float) -> Check:
    if value is None:
        return Check(f"{what}: not measured (bound: at most {bound:g})", False, None, bound)
    text = f"{what}: {shown(value)} (bound: at most {bound:g})"
    return Check(text, value <= bound, value, bound)


def shown(value: float) -> str:
    """With enough digits that a value just beyond a bound differs from it."""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"


def at_least(what: str, value: float | None, bound: float) -> Check:
    if value is None:
        return Check(f"{what}: not measured (bound: at least {bound:g})", False, None, bound)
    text = f"{what}: {shown(value)} (bound: at least {bound:g})"
    return Check(text, value >= bound, value, bound)


def peak_at_most(what: str, timing: Timings, bound: int, terms: str = "") -> Check:
    words = f"(bound: at most {terms}{mebibytes(bound)})"
    peak = timing.peak_bytes
    if peak is None:
        return Check(f"{what}: not measured {words}", False, None, bound)
    return Check(f"{what}: {mebibytes(peak)} {words}", peak <= bound, peak, bound)


# -- Text --------------------------------------------------------------------------------------


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    if seconds >= 10:
        return f"{seconds:.1f} s"
    if seconds >= 1:
        return f"{seconds:.2f} s"
    milliseconds = seconds * 1000
    if 0 < milliseconds < 0.001:
        return f"{milliseconds * 1e6:.0f} ns"
    if 0 < milliseconds < 0.1:
        return f"{milliseconds * 1000:.1f} us"
    return f"{milliseconds:.0f} ms" if milliseconds >= 100 else f"{milliseconds:.2f} ms"


def mebibytes(size: float | None) -> str:
    return "-" if size is None else f"{size / (1 << 20):.1f} MiB"


def factor(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}"


def table_text(table: Table) -> str:
    header = ["command", "runs", "median", "min", "max", "CPU", "peak"]
    if table.unit:
        header.append(f"{'an' if table.unit[0] in 'aeiou' else 'a'} {table.unit}")
    header += ["ratio (pairs)", "CPU ratio"]
    if any(timing.baseline for timing in table.timings):
        header += ["baseline: time", "CPU", "peak"]
    rows = [header] + [row(timing, table) for timing in table.timings]
    widths = [max(len(line[column]) for line in rows) for column in range(len(header))]
    lines = [table.title]
    for line in rows:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        lines.append("  " + "  ".join(cells).rstrip())
    for timing in table.timings:
        if timing.failure:
            lines.append(f"  {timing.command.label}: {timing.failure}")
        if timing.baseline and timing.baseline.failure:
            lines.append(f"  {timing.command.label}, baseline: {timing.baseline.failure}")
    return "\n".join(lines)


def row(timing: Timings, table: Table) -> list[str]:
    seconds = timing.seconds
    cells = [
        timing.command.label,
        str(len(seconds) * timing.command.repeats),
        duration(timing.median),
        duration(min(seconds, default=None)),
        duration(max(seconds, default=None)),
        duration(timing.median_cpu),
        mebibytes(timing.peak_bytes),
    ]
    if table.unit:
        cells.append(duration(per_unit(timing)))
    cells.append(ratio_text(timing, table.timings[0]))
    cells.append(cpu_ratio_text(timing, table.timings[0]))
    if any(other.baseline for other in table.timings):
        cells += baseline_cells(timing)
    return cells


def cpu_ratio_text(timing: Timings, reference: Timings) -> str:
    return "1" if timing is reference else factor(paired_ratio(timing, reference, "cpu_seconds"))


def baseline_cells(timing: Timings) -> list[str]:
    """A command's times and peak memory as multiples of the older build's."""
    if timing.baseline is None:
        return ["", "", ""]
    of_peaks = None
    if timing.peak_bytes and timing.baseline.peak_bytes:
        of_peaks = timing.peak_bytes / timing.baseline.peak_bytes
    return [
        factor(paired_ratio(timing, timing.baseline)),
        factor(paired_ratio(timing, timing.baseline, "cpu_seconds")),
        factor(of_peaks),
    ]


def per_unit(timing: Timings) -> float | None:
    return None if timing.median is None else timing.median / timing.command.units


def ratio_text(timing: Timings, reference: Timings) -> str:
    if timing is reference:
        return "1"
    ratios = paired(timing, reference)
    if len(ratios) < 2:
        return factor(paired_ratio(timing, reference))
    spread = f"{factor(min(ratios))}..{factor(max(ratios))}"
    return f"{factor(paired_ratio(timing, reference))} ({spread})"


def finding_text(finding: Finding) -> str:
    lines = [f"== {finding.name} =="]
    lines += [table_text(table) for table in finding.tables]
    lines += [f"  note: {note}" for note in finding.notes]
    lines += [f"  {verdict(check)}  {check.text}" for check in finding.checks]
    return "\n".join(lines) + "\n"


def verdict(check: Check) -> str:
    return {True: "PASS", False: "MISS", None: "SKIP"}[check.passed]


# -- JSON --------------------------------------------------------------------------------------


def finding_json(finding: Finding) -> dict:
    return {
        "name": finding.name,
        "tables": [table_json(table) for table in finding.tables],
        "checks": [
            {
                "text": check.text,
                "verdict": verdict(check),
                "value": check.value,
                "bound": check.bound,
            }
            for check in finding.checks
        ],
        "notes": finding.notes,
        "comparisons": [comparison_json(comparison) for comparison in finding.comparisons],
    }


def comparison_json(comparison: Comparison) -> dict:
    peer = comparison.peer
    return {
        "work": comparison.work,
        **ratios_json(comparison.timing, peer),
        "peer": comparison.peer_name or (peer.command.label if peer else None),
        "baseline": ratios_json(comparison.timing, comparison.timing.baseline),
    }


def ratios_json(timing: Timings, other: Timings | None) -> dict:
    """A command's ratios to another's, and what both took."""
    if other is None:
        return {"seconds": timing.median, "peakBytes": timing.peak_bytes}
    return {
        "seconds": timing.median,
        "peakBytes": timing.peak_bytes,
        "otherSeconds": other.median,
        "otherPeakBytes": other.peak_bytes,
        "ratio": paired_ratio(timing, other),
        "ratios": paired(timing, other),
        "cpuRatio": paired_ratio(timing, other, "cpu_seconds"),
    }


def table_json(table: Table) -> dict:
    reference = table.timings[0]
    return {
        "title": table.title,
        "commands": [timing_json(timing, reference) for timing in table.timings],
    }


def timing_json(timing: Timings, reference: Timings) -> dict:
    return {
        "label": timing.command.label,
        "arguments": timing.command.arguments,
        "units": timing.command.units,
        "repeats": timing.command.repeats,
        "seconds": timing.seconds,
        "cpuSeconds": timing.cpu_seconds,
        "medianSeconds": timing.median,
        "peakBytes": timing.peak_bytes,
        "ratio": paired_ratio(timing, reference),
        "failure": timing.failure,
        "baseline": timing.baseline and timing_json(timing.baseline, timing.baseline),
    }
