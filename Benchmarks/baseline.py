"""The bounds of archtool against an older build of itself, which are checked where one is given."""

from __future__ import annotations

from measuring import Timings, paired_ratio
from report import Check, at_most, mebibytes

PEAK_ALLOWANCE = 15 << 20


def time_check(what: str, timing: Timings, bound: float) -> list[Check]:
    return ratio_check(f"{what}: time against the baseline", timing, "seconds", bound)


def cpu_check(what: str, timing: Timings, bound: float) -> list[Check]:
    return ratio_check(f"{what}: processor time against the baseline", timing, "cpu_seconds", bound)


def ratio_check(what: str, timing: Timings, of: str, bound: float) -> list[Check]:
    if timing.baseline is None:
        return [Check(f"{what}: no baseline is given", None, None, bound)]
    return [at_most(what, paired_ratio(timing, timing.baseline, of), bound)]


def peak_check(what: str, timing: Timings) -> list[Check]:
    """Whether the peak memory is at most the allowance above the older build's."""
    what = f"{what}: peak memory against the baseline"
    if timing.baseline is None:
        return [Check(f"{what}: no baseline is given", None, None, PEAK_ALLOWANCE)]
    peaks = timing.peak_bytes, timing.baseline.peak_bytes
    if None in peaks:
        return [Check(f"{what}: not measured", False, None, PEAK_ALLOWANCE)]
    more = peaks[0] - peaks[1]
    text = f"{what}: {mebibytes(more)} more (bound: at most {mebibytes(PEAK_ALLOWANCE)} more)"
    return [Check(text, more <= PEAK_ALLOWANCE, more, PEAK_ALLOWANCE)]
