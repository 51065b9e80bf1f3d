#!/usr/bin/env python3
"""Counts the instructions of small workloads under valgrind and compares them with those of instructions.json.

usage: instructions.py ARCHTOOL [--update [--raised TEXT]] [--only NAMES] [--require]

A count that has grown by more than 3% fails, if the toolchain is the one that instructions.json names; with another
one the difference is shown. `--update` takes counts that fell, and with `--raised TEXT` those that grew: TEXT is in
CHANGELOG.md, which says why, and must stay there.

Exit status: 0 no count grew; 1 one grew or a command failed; 64 bad usage; 66 the program, or with --require
valgrind, is missing.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import callgrind
import make_workloads
from programs import HERE, find_program, stop

RECORD = HERE / "instructions.json"
CHANGES = HERE.parent / "CHANGELOG.md"
TOLERANCE = 0.03
# What a count may differ by from run to run.
NOISE = 0.001
RUNS = 3

CITIES, MIXED, STREAM = 2_000, 1_300, 500
QUERY = "$.topCityWeathers[?@.WeatherIcon > 20].EnglishName"

# What each workload runs, in a folder with the inputs that `make_inputs` writes.
WORKLOADS = {
    "start": ["--version"],
    "dump": ["dump", "--format", "json", "feed"],
    "validate": ["validate", "-j", "1", "feed"],
    "migrate": ["migrate", "--from", "v1", "--to", "v2", "feed", "-f", "-o", "migrated"],
    "binary-to-xml": ["convert", "--to", "xml1", "mixed", "-f", "-o", "mixed.xml"],
    "xml-to-binary": ["convert", "--to", "binary1", "source.xml", "-f", "-o", "mixed.binary"],
    "query": ["query", QUERY, "feed"],
    "typedstream": ["dump", "--format", "json", "stream"],
}


def make_inputs(folder: Path) -> None:
    feed = make_workloads.weather_feed(0, CITIES)
    (folder / "feed").write_bytes(make_workloads.dictionariable_archive(feed))
    (folder / "mixed").write_bytes(make_workloads.mixed_list(MIXED))
    (folder / "source.xml").write_bytes(make_workloads.mixed_xml(MIXED))
    (folder / "stream").write_bytes(make_workloads.typedstream(STREAM))


def first_line(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return "unknown"
    result = subprocess.run(command, capture_output=True, text=True)
    lines = result.stdout.splitlines()
    return lines[0] if lines else "unknown"


def toolchain() -> dict[str, str]:
    """What a count depends on besides the sources."""
    return {
        "swift": first_line("swift", "--version"),
        "machine": f"{platform.system()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()),
        "libxml2": first_line("pkg-config", "--modversion", "libxml-2.0"),
        "valgrind": first_line("valgrind", "--version"),
    }


def read_record() -> dict:
    if not RECORD.exists():
        return {"toolchain": None, "workloads": {}}
    return json.loads(RECORD.read_text())


def count(archtool: str, names: list[str], record: dict) -> dict[str, int]:
    counts = {}
    with callgrind.workplace(archtool) as folder:
        make_inputs(folder)
        for name in names:
            try:
                counts[name] = smallest_count(folder, name, record)
            except callgrind.CountFailure as failure:
                print(f"instructions: error: {name}: {failure}", file=sys.stderr)
    return counts


def smallest_count(folder: Path, name: str, record: dict) -> int:
    """A count that seems to have grown is taken again: what the system does meanwhile can only add to it."""
    kept = set(folder.iterdir())
    smallest = None
    for _ in range(RUNS):
        instructions = callgrind.instructions(folder, WORKLOADS[name])
        # A file that is replaced costs more than a new one.
        for output in set(folder.iterdir()) - kept:
            output.unlink()
        smallest = min(instructions, smallest or instructions)
        change = growth(record, name, smallest)
        if change is not None and change <= TOLERANCE:
            break
    return smallest


def in_changes(text: str) -> bool:
    """Whether the text is in the change log, however its lines are broken."""
    return " ".join(text.split()) in " ".join(CHANGES.read_text().split())


def unexplained(record: dict) -> list[str]:
    """Workloads whose count was raised for a reason that is not in the change log."""
    return [
        name
        for name, workload in record["workloads"].items()
        if "raised" in workload and not in_changes(workload["raised"])
    ]


def growth(record: dict, name: str, instructions: int) -> float | None:
    known = record["workloads"].get(name)
    return instructions / known["instructions"] - 1 if known else None


def report(record: dict, counts: dict[str, int]) -> list[str]:
    """Shows each count beside the recorded one; the names of those that grew."""
    grown = []
    for name, instructions in counts.items():
        change = growth(record, name, instructions)
        verdict = "" if change is None or change <= TOLERANCE else "GREW"
        if verdict:
            grown.append(name)
        elif change is not None and change < -TOLERANCE:
            verdict = "fell: --update takes it"
        shown = "new" if change is None else f"{change:+8.2%}"
        print(f"  {name:15}{instructions:>15,}  {shown:>8}  {verdict}".rstrip())
    return grown


def updated(record: dict, counts: dict[str, int], raised: str | None, same: bool) -> dict:
    """The record with the counts that fell, and with those that grew if a reason is given.

    A count that grew by less than the tolerance stays, or many small steps would go unseen. With another toolchain
    all are new, and reasons that were given remain.
    """
    workloads = dict(record["workloads"])
    for name, instructions in counts.items():
        change = growth(record, name, instructions)
        known = workloads.get(name, {})
        if change is None or not same or change < -NOISE:
            workloads[name] = {**known, "instructions": instructions}
        elif change > TOLERANCE:
            workloads[name] = {"instructions": instructions, "raised": raised}
    ordered = {name: workloads[name] for name in WORKLOADS if name in workloads}
    return {"toolchain": toolchain(), "workloads": ordered}


def update(record: dict, counts: dict[str, int], grown: list[str], raised: str | None) -> int:
    same = record["toolchain"] == toolchain()
    if same and grown and not raised:
        print(f"grown: {', '.join(grown)}; give their line of CHANGELOG.md with --raised TEXT")
        return 1
    if raised and not in_changes(raised):
        print("the text of --raised is not in CHANGELOG.md")
        return 1
    if not same and len(counts) < len(WORKLOADS):
        print("the counts are of another toolchain: update all of them, without --only")
        return 1
    RECORD.write_text(json.dumps(updated(record, counts, raised, same), indent=2) + "\n")
    print(f"{RECORD.name} is updated")
    return 0


def compare(record: dict, counts: dict[str, int], grown: list[str]) -> int:
    unknown = unexplained(record)
    for name in unknown:
        print(f"{name}: its count was raised, and the line for that is not in CHANGELOG.md")
    if record["toolchain"] != toolchain():
        print(f"{RECORD.name} has the counts of another toolchain, so none of these can fail:")
        for name, value in (record["toolchain"] or {}).items():
            if value != toolchain()[name]:
                print(f"  {name}: {value} there, {toolchain()[name]} here")
        return 1 if unknown else 0
    missing = [name for name in counts if name not in record["workloads"]]
    if grown:
        print(f"grown by more than {TOLERANCE:.0%}: {', '.join(grown)} (Documentation/Testing.md says what to do)")
    if missing:
        print(f"not in {RECORD.name}: {', '.join(missing)}; --update adds them")
    if grown or missing or unknown:
        return 1
    print("no count grew")
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archtool", help="the release build")
    parser.add_argument("--update", action="store_true", help=f"write {RECORD.name}")
    parser.add_argument("--raised", metavar="TEXT", help="with --update: CHANGELOG's line for what grew")
    parser.add_argument("--only", metavar="NAMES", help=f"of {','.join(WORKLOADS)}, with commas")
    parser.add_argument("--require", action="store_true", help="fail where valgrind is missing")
    options = parser.parse_args()
    options.names = options.only.split(",") if options.only else list(WORKLOADS)
    unknown = [name for name in options.names if name not in WORKLOADS]
    if unknown:
        stop(64, f"no workload {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    if options.raised and not options.update:
        stop(64, "--raised needs --update")
    return options


def main() -> int:
    options = parse_arguments()
    if callgrind.valgrind() is None:
        if options.require:
            stop(66, "valgrind is not installed")
        print("valgrind is not installed: no instructions are counted")
        return 0
    archtool = find_program(options.archtool)
    record = read_record()
    counts = count(archtool, options.names, record)
    grown = report(record, counts)
    if len(counts) < len(options.names):
        return 1
    if options.update:
        return update(record, counts, grown, options.raised)
    return compare(record, counts, grown)


if __name__ == "__main__":
    sys.exit(main())
