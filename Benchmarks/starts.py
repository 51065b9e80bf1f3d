"""What a start costs, and the work on one small archive."""

from __future__ import annotations

import statistics
import subprocess
import sys

from contenders import MIDDLE, SMALL, Bench
from measuring import Command, Timings, paired_ratio
from report import Check, Comparison, Finding, Table, at_most, duration

# Runs in succession of commands that take a millisecond.
REPEATS = 5
START_BOUND = 3
# Of plistutil's start: a start of archtool, and the dump of a small archive.
START_TIME_BOUND = 1.7
SMALL_DUMP_BOUND = 2.4


def measure_start(bench: Bench) -> Finding:
    feed = bench.feed("v1", SMALL)
    dump = Command("archtool dump, 50 cities", [bench.archtool, "dump", feed], repeats=REPEATS)
    dump.is_mostly_start = True
    middle_feed = bench.feed("v1", MIDDLE)
    middle_dump = Command("archtool dump, 5,000 cities", [bench.archtool, "dump", middle_feed])
    commands = [Command("true", ["true"], repeats=REPEATS)]
    if bench.plistutil:
        commands.append(plistutil_start(bench))
    start = bench.start(repeats=REPEATS)
    start.is_mostly_start = True
    commands.append(start)
    commands += bench.peer_commands("FoundationPeer start", ["start"])
    commands += [dump, middle_dump]
    timings = bench.interleave(commands, full=31, quick=11)
    by_label = {timing.command.label: timing for timing in timings}
    check = start_check(
        by_label.get("plistutil --version"), by_label[dump.label], by_label[middle_dump.label]
    )
    table = Table("process start, and the dump of a small archive as a tree", timings)
    own = by_label["archtool --version"]
    plistutil = by_label.get("plistutil --version")
    finding = Finding("start", [table], [check, foundation_check(bench.archtool)])
    if plistutil:
        ratio = paired_ratio(own, plistutil)
        finding.checks.append(at_most("start against plistutil's", ratio, START_TIME_BOUND))
    finding.comparisons.append(Comparison("start", own, plistutil, "plistutil, start"))
    return finding


def measure_one_archive(bench: Bench) -> Finding:
    """One small archive: a start of plistutil, which does no work, is what there is beside it."""
    tasks = {
        "dump": bench.dump_json("v1", SMALL, repeats=REPEATS),
        "validate": bench.validate(SMALL, repeats=REPEATS),
        "migrate": bench.migrate(SMALL),
    }
    tasks["dump"].is_mostly_start = True
    commands = list(tasks.values())
    if bench.plistutil:
        commands.insert(0, plistutil_start(bench))
    timings = bench.interleave(commands, full=51, quick=51)
    plistutil = timings[0] if bench.plistutil else None
    finding = Finding("one-archive", [Table(f"one archive of {SMALL} cities", timings)])
    for name, timing in zip(tasks, timings[-len(tasks) :]):
        work = f"one archive, {name}"
        finding.comparisons.append(Comparison(work, timing, plistutil, "plistutil, start"))
    if plistutil:
        ratio = paired_ratio(timings[1], plistutil)
        what = "dump of one archive against a start of plistutil"
        finding.checks.append(at_most(what, ratio, SMALL_DUMP_BOUND))
    return finding


def plistutil_start(bench: Bench) -> Command:
    return Command("plistutil --version", [bench.plistutil, "--version"], repeats=REPEATS)


def start_check(plistutil: Timings | None, dump: Timings, middle: Timings) -> Check:
    what = f"dump of 50 cities against {START_BOUND} plistutil starts and the decode"
    if plistutil is None:
        return Check(f"{what}: plistutil is not installed", None)
    rounds = [
        (start.seconds, small.seconds, large.seconds)
        for start, small, large in zip(plistutil.samples, dump.samples, middle.samples)
        if start and small and large
    ]
    if not rounds:
        return at_most(what, None, 1)
    # What archtool spends on 50 cities beyond its start, by the slope up to the larger archive.
    slope = statistics.median(large - small for _, small, large in rounds) / (MIDDLE - SMALL)
    decode = max(0.0, slope * SMALL)
    share = statistics.median(
        small / (START_BOUND * start + decode) for start, small, _ in rounds
    )
    starts = duration(plistutil.median)
    return at_most(f"{what} ({START_BOUND} x {starts} + {duration(decode)})", share, 1)


def foundation_check(archtool: str) -> Check:
    """Whether the binary names Foundation among the libraries it loads."""
    lister = ["otool", "-L"] if sys.platform == "darwin" else ["ldd"]
    what = f"libraries of Foundation loaded ({' '.join(lister)})"
    try:
        listing = subprocess.run([*lister, archtool], capture_output=True, text=True)
    except OSError:
        return Check(f"{what}: {lister[0]} is not installed", None)
    # A static executable is refused by ldd, and loads nothing.
    loaded = sum("Foundation" in line for line in listing.stdout.splitlines())
    return at_most(what, float(loaded), 0)
