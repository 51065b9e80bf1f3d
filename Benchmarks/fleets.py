"""Fleets of small archives: validation, migration and searches beside programs that only copy."""

from __future__ import annotations

import shutil
from pathlib import Path

import make_workloads
from contenders import SMALL, Bench
from measuring import Command, filling, paired_ratio
from report import Comparison, Finding, Table, at_least, at_most

# Of the speed of decoding alone, over a fleet.
FLEET_VALIDATE_BOUND = 0.6
# The time of a search, against that of decoding alone.
SEARCH_BOUND = 1.3
# The time of a search that looks for databases and backups where there are none, against one that does not.
ENTERING_BOUND = 1.02

def measure_fleet(bench: Bench) -> Finding:
    fleet = str(make_workloads.fleet_path(bench.work))
    cut = make_workloads.fleet_cut(bench.work)
    cut_files = [str(path) for path in sorted(cut.iterdir())]
    files = make_workloads.FLEET_FILES

    arguments = [bench.archtool, "validate", "-q", "-r", fleet]
    validate = [
        Command("archtool validate -r", arguments, units=files),
        Command("archtool validate --format-only -r", [*arguments, "--format-only"], units=files),
    ]
    validate += bench.peer_commands(
        "NSKeyedUnarchiver decode", ["decode", *cut_files], units=len(cut_files), slow=True
    )

    folder = bench.scratch / "fleet"
    arguments = [bench.archtool, "migrate", "--from", "v1", "--to", "v2", "-r", fleet]
    arguments += ["--output-dir", str(folder)]
    migrate = [filling(Command("archtool migrate -r", arguments, units=files), folder, files)]
    peer_folder = bench.scratch / "peer-fleet"
    arguments = ["migrate-folder", str(cut), str(peer_folder)]
    for command in bench.peer_commands(
        "Foundation migrate", arguments, units=len(cut_files), slow=True
    ):
        migrate.append(filling(command, peer_folder, len(cut_files)))

    title = f"fleet of {files:,} WeatherFeed v1 archives of {SMALL} cities; "
    title += f"Foundation on {len(cut_files)} of them"
    tables = [
        Table(title, bench.interleave(validate, full=7, quick=3), unit="file"),
        Table(title + ", to v2", bench.interleave(migrate, full=7, quick=3), unit="file"),
    ]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(peer_folder, ignore_errors=True)
    timings = tables[0].timings
    what = "speed of validation against decoding alone, fleet"
    ratio = paired_ratio(timings[1], timings[0])
    checks = [at_least(what, ratio, FLEET_VALIDATE_BOUND)]
    return Finding("fleet", tables, checks, ["ratios are of the time a file"])


def measure_great_fleet(bench: Bench) -> Finding:
    """Validation and migration of files in folders beside programs that only copy them."""
    return copied_fleet(bench, "great-fleet", "20,000 files", make_workloads.great_fleet_path(bench.work))


def measure_flat_fleet(bench: Bench) -> Finding:
    """The same files in one folder, which the older build walked in time that grew with the square of their number."""
    fleet = make_workloads.flat_fleet_path(bench.work)
    return copied_fleet(bench, "flat-fleet", "20,000 files in one folder", fleet)


def copied_fleet(bench: Bench, name: str, words: str, fleet: Path) -> Finding:
    files = make_workloads.GREAT_FLEET_FILES
    reading = [
        Command("archtool validate -q -r", [bench.archtool, "validate", "-q", "-r", str(fleet)]),
        Command("cat", ["find", str(fleet), "-type", "f", "-exec", "cat", "{}", "+"]),
    ]
    # `cat` sees that what it writes goes nowhere, and reads all the same.
    output, copies = bench.scratch / f"{name}-migrated", bench.scratch / f"{name}-copied"
    arguments = [bench.archtool, "migrate", "--from", "v1", "--to", "v2", "-r", str(fleet)]
    arguments += ["--output-dir", str(output)]
    writing = [
        filling(Command("archtool migrate -r --output-dir", arguments), output, files),
        filling(Command("cp -r", ["cp", "-r", str(fleet), str(copies)]), copies, files),
    ]
    for command in reading + writing:
        command.units = files
    validate, cat = bench.interleave(reading, full=7, quick=3)
    migrate, copy = bench.interleave(writing, full=5, quick=2)
    for folder in (output, copies):
        shutil.rmtree(folder, ignore_errors=True)
    title = f"{words}, WeatherFeed v1 archives of {SMALL} cities"
    tables = [
        Table(title, [validate, cat], unit="file"),
        Table(f"{title}, to v2", [migrate, copy], unit="file"),
    ]
    comparisons = [
        Comparison(f"{words}, validate", validate, cat),
        Comparison(f"{words}, migrate", migrate, copy),
    ]
    return Finding(name, tables, comparisons=comparisons)


def measure_search(bench: Bench) -> Finding:
    """Searches of a fleet beside decoding alone."""
    fleet, files = str(make_workloads.great_fleet_path(bench.work)), make_workloads.GREAT_FLEET_FILES
    searches = {
        "query": ["query", "--count", "$.topCityWeathers[?@.WeatherIcon > 43].EnglishName"],
        "find": ["find", "--count", "--text", "haven$"],
    }
    decode = [bench.archtool, "validate", "-q", "--format-only", "-r", fleet]
    commands = [Command("archtool validate --format-only -r", decode, units=files)]
    for name, arguments in searches.items():
        command = [bench.archtool, *arguments, "-r", fleet]
        commands.append(Command(f"archtool {name} --count -r", command, units=files))
    outside = [bench.archtool, *searches["query"], "-r", "--no-databases", "--no-backups", fleet]
    commands.append(Command("archtool query --count -r --no-databases --no-backups", outside, units=files))
    timings = bench.interleave(commands, full=7, quick=3)
    finding = Finding("search", [Table("searches of 20,000 files", timings, unit="file")])
    for name, timing in zip(searches, timings[1:]):
        what, ratio = f"{name} against decoding alone", paired_ratio(timing, timings[0])
        finding.checks.append(at_most(what, ratio, SEARCH_BOUND))
        comparison = Comparison(f"20,000 files, {name}", timing, timings[0], "decoding alone")
        finding.comparisons.append(comparison)
    what = "query that looks for databases and backups against one that does not"
    finding.checks.append(at_most(what, paired_ratio(timings[1], timings[3]), ENTERING_BOUND))
    return finding
