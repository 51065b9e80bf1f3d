"""The work on one large keyed archive: dump, validate and migrate."""

from __future__ import annotations

import subprocess
from pathlib import Path

import make_workloads
from contenders import BIG, SMALL, Bench, city_title
from measuring import Timings, paired_ratio
from report import Check, Comparison, Finding, Table, at_least, at_most, peak_at_most

# A task's ratio to `dump --format json` of the same archive.
VALIDATE_BOUND = 2.5
MIGRATE_BOUND = 3
DECODE_BOUND = 20
MEMORY_ALLOWANCE = 64 << 20


def measure_dump(bench: Bench) -> Finding:
    feed = bench.feed("v1", BIG)
    commands = [bench.dump_json("v1", BIG)]
    commands += bench.peer_commands("NSKeyedUnarchiver decode", ["decode", feed], slow=True)
    # A bound rests on these pairs, so there are more of them than where nothing is promised.
    timings = bench.interleave(commands, full=7, quick=3, slow=7)
    dump = timings[0]
    checks = [memory_check(dump, feed), content_check(bench)]
    what = "NSKeyedUnarchiver's time to decode, against dump's"
    if bench.peer:
        checks.insert(0, at_least(what, paired_ratio(timings[1], dump), DECODE_BOUND))
    else:
        checks.insert(0, Check(f"{what}: the Foundation program was not built", None))
    finding = Finding("dump", [Table(city_title("v1", BIG, feed), timings)], checks)
    if bench.peer:
        name = "NSKeyedUnarchiver, decoding alone"
        finding.comparisons.append(Comparison("71 MB archive, dump", dump, timings[1], name))
    return finding


def memory_check(timing: Timings, feed: str) -> Check:
    bound = Path(feed).stat().st_size + MEMORY_ALLOWANCE
    return peak_at_most("peak memory", timing, bound, "input + 64 MiB = ")


def content_check(bench: Bench) -> Check:
    """A program that prints nothing is fast: each city must show in what `dump` prints."""
    command = bench.dump_json("v1", SMALL)
    result = subprocess.run(command.arguments, stdin=subprocess.DEVNULL, capture_output=True)
    text = result.stdout.decode("utf-8", errors="replace")
    cities = [make_workloads.city(index) for index in range(SMALL)]
    shown = sum(city["Key"] in text and city["EnglishName"] in text for city in cities)
    words = f"cities that the dump of the small archive shows: {shown} (bound: all {SMALL})"
    return Check(words, shown == SMALL, shown, SMALL)


def measure_passes(bench: Bench) -> Finding:
    commands = [bench.dump_json("v1", BIG), bench.validate(BIG), bench.migrate(BIG)]
    timings = bench.interleave(commands, full=9, quick=3)
    dump, validate, migrate = timings
    checks = [
        at_most("validate against dump", paired_ratio(validate, dump), VALIDATE_BOUND),
        at_most("migrate v1 to v2 against dump", paired_ratio(migrate, dump), MIGRATE_BOUND),
    ]
    comparisons = [
        Comparison(f"71 MB archive, {name}", timing)
        for name, timing in zip(("dump", "validate", "migrate"), timings)
    ]
    title = city_title("v1", BIG, bench.feed("v1", BIG))
    return Finding("passes", [Table(title, timings)], checks, comparisons=comparisons)
