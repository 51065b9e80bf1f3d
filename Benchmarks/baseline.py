"""The bounds of archtool against an older build of itself, which are checked where one is given."""

from __future__ import annotations

from measuring import Timings, paired_ratio
from report import Check, Finding, at_most, mebibytes

# Of the older build's time, for every command of archtool that is not mostly a start.
TIME_BOUND = 1.05
PEAK_ALLOWANCE = 15 << 20


def add_checks(finding: Finding) -> None:
    """Adds the bounds of each command that an older build ran as well."""
    for table in finding.tables:
        for timing in table.timings:
            if timing.baseline is None or timing.baseline.failure:
                continue
            what = f"{table.title}, {timing.command.label}"
            if not timing.command.is_mostly_start:
                ratio = paired_ratio(timing, timing.baseline)
                finding.checks.append(
                    at_most(f"{what}: time against the baseline", ratio, TIME_BOUND)
                )
            finding.checks.append(peak_check(what, timing))


def peak_check(what: str, timing: Timings) -> Check:
    """Whether the peak memory is at most the allowance above the older build's."""
    what = f"{what}: peak memory against the baseline"
    peaks = timing.peak_bytes, timing.baseline.peak_bytes
    if None in peaks:
        return Check(f"{what}: not measured", False, None, PEAK_ALLOWANCE)
    more = peaks[0] - peaks[1]
    text = f"{what}: {mebibytes(more)} more (bound: at most {mebibytes(PEAK_ALLOWANCE)} more)"
    return Check(text, more <= PEAK_ALLOWANCE, more, PEAK_ALLOWANCE)
