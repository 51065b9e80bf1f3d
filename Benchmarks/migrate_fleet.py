"""The migration of a fleet on all cores: its rate beside Foundation's, and its memory."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import make_workloads
from measuring import Command, Timings, filling, paired_ratio
from report import Check, Comparison, Finding, Table, at_least, at_most, peak_at_most

if TYPE_CHECKING:
    from contenders import Bench

# What archtool is given besides the folders; it works on all cores unless told otherwise.
OPTIONS = ["--from", "v1", "--to", "v2", "-r"]

ALL_FILES = make_workloads.GREAT_FLEET_FILES
FEW_FILES = 2_000
# Foundation takes too long over all of them.
PEER_FILES = 1_000

RATE_BOUND = 10
MEMORY_BOUND = 150 << 20
MEMORY_GROWTH_BOUND = 1.25


def measure_migrate_fleet(bench: Bench) -> Finding:
    commands = [archtool_command(bench, ALL_FILES), archtool_command(bench, FEW_FILES)]
    commands += peer_commands(bench)
    timings = bench.interleave(commands, full=5, quick=1)
    for command in commands:
        shutil.rmtree(bench.scratch / output_name(command), ignore_errors=True)
    title = f"fleet of {ALL_FILES:,} WeatherFeed v1 archives of {make_workloads.FLEET_CITIES} "
    title += f"cities, to v2, on all cores; Foundation on {PEER_FILES:,} of them"
    every, few = timings[:2]
    peer = timings[2] if bench.peer else None
    memory = f"peak memory over {ALL_FILES:,} files"
    checks = [rate_check(every, peer), peak_at_most(memory, every, MEMORY_BOUND), growth_check(every, few)]
    table = Table(title, timings, unit="file")
    finding = Finding("migrate-fleet", [table], checks, ["ratios are of the time a file"])
    finding.comparisons.append(
        Comparison(f"{ALL_FILES:,} files, migrate", every, peer, "Foundation, migrate")
    )
    return finding


def output_name(command: Command) -> str:
    return f"migrated-fleet-{command.units}"


def archtool_command(bench: Bench, files: int) -> Command:
    folders = [str(part) for part in make_workloads.great_fleet_parts(bench.work, files)]
    if files == ALL_FILES:
        folders = [str(make_workloads.great_fleet_path(bench.work))]
    command = Command(f"archtool migrate -r, {files:,} files", [], units=files)
    output = bench.scratch / output_name(command)
    command.arguments = [bench.archtool, "migrate", *OPTIONS, *folders]
    command.arguments += ["--output-dir", str(output)]
    return filling(command, output, files)


def peer_commands(bench: Bench) -> list[Command]:
    (folder,) = make_workloads.great_fleet_parts(bench.work, PEER_FILES)
    output = bench.scratch / f"migrated-fleet-{PEER_FILES}"
    label, arguments = "Foundation migrate", ["migrate-fleet", str(folder), str(output)]
    commands = bench.peer_commands(label, arguments, units=PEER_FILES, slow=True)
    return [filling(command, output, PEER_FILES) for command in commands]


def rate_check(every: Timings, peer: Timings | None) -> Check:
    what = "files a second, fleet migration, against Foundation's"
    if peer is None:
        return Check(f"{what}: the Foundation program was not built", None)
    return at_least(what, paired_ratio(peer, every), RATE_BOUND)


def growth_check(every: Timings, few: Timings) -> Check:
    what = f"peak memory over {ALL_FILES:,} files against {FEW_FILES:,}"
    peaks = every.peak_bytes, few.peak_bytes
    ratio = peaks[0] / peaks[1] if all(peaks) else None
    return at_most(what, ratio, MEMORY_GROWTH_BOUND)
