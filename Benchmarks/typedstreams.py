"""The dump of a large typedstream beside pytypedstream."""

from __future__ import annotations

import subprocess

import make_workloads
from contenders import Bench
from measuring import Command, paired_ratio
from report import Check, Comparison, Finding, Table, at_least

SPEED_BOUND = 100
LOAD = "import typedstream, sys; typedstream.unarchive_from_file(sys.argv[1])"


def measure_typedstream(bench: Bench) -> Finding:
    # pytypedstream would take minutes over the large one: it gets a small one, and a byte is compared.
    small, large = (
        make_workloads.typedstream_path(bench.work, count)
        for count in make_workloads.TYPEDSTREAM_COUNTS
    )
    sizes = small.stat().st_size, large.stat().st_size
    arguments = [bench.archtool, "dump", "--format", "json", str(large)]
    commands = [Command("archtool dump --format json", arguments, units=sizes[1])]
    if has_peer(bench):
        arguments = [bench.python, "-c", LOAD, str(small)]
        commands.append(Command("pytypedstream, decode", arguments, units=sizes[0], slow=True))
    timings = bench.interleave(commands, full=5, quick=1)
    what = "speed of a typedstream's dump, a byte, against pytypedstream's"
    title = f"typedstream of {sizes[1] / 1e6:.1f} MB; pytypedstream on {sizes[0] / 1e6:.1f} MB"
    finding = Finding("typedstream", [Table(title, timings, unit="byte")])
    peer = timings[1] if len(timings) > 1 else None
    if peer:
        finding.checks.append(at_least(what, paired_ratio(peer, timings[0]), SPEED_BOUND))
    else:
        finding.checks.append(Check(f"{what}: pytypedstream is not installed", None))
    finding.notes.append("ratios are of a byte")
    finding.comparisons.append(Comparison("50 MB typedstream, dump", timings[0], peer))
    return finding


def has_peer(bench: Bench) -> bool:
    probe = [bench.python, "-c", "import typedstream"]
    return subprocess.run(probe, capture_output=True).returncode == 0
