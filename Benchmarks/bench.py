#!/usr/bin/env python3
"""Times archtool beside other programs, and beside an older build of itself.

Exit status: 0 every bound holds; 1 one is missed or a command failed; 64 bad usage; 65 no marks in the file of
--readme; 66 a program that it cannot do without is missing; 73 no such folder to write to; 74 workloads cannot be made.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import baseline
import make_workloads
import summary
from contenders import Bench
from measurements import MEASUREMENTS
from measuring import Command, Runner
from programs import (
    HERE,
    build_c_program,
    build_peer,
    build_sax,
    find_program,
    fresh_copy,
    say,
    stop,
)
from report import Finding, finding_json, finding_text, mebibytes

SCRATCH_ROOM = 1 << 30


class Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        stop(64, message)


def parse_arguments() -> argparse.Namespace:
    parser = Arguments(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--archtool",
        default=str(HERE.parent / ".build" / "release" / "archtool"),
        help="the program to measure (default: the release build)",
    )
    parser.add_argument("--only", metavar="NAMES", help=f"of {','.join(MEASUREMENTS)}, with commas")
    parser.add_argument("--quick", action="store_true", help="fewer runs; slow peers run once")
    parser.add_argument("--baseline", metavar="PROGRAM", help="an older build, to compare with")
    parser.add_argument("--json", metavar="FILE", help="write the findings there too, as JSON")
    parser.add_argument("--plot", metavar="FILE", help="write a plot there, as SVG (matplotlib)")
    parser.add_argument("--readme", metavar="FILE", help="replace the table of results in FILE")
    parser.add_argument("--scratch", metavar="DIR", help="where outputs go (default: memory)")
    options = parser.parse_args()
    options.names = options.only.split(",") if options.only else list(MEASUREMENTS)
    for name in options.names:
        if name not in MEASUREMENTS:
            parser.error(f"no measurement {name!r}; there are {', '.join(MEASUREMENTS)}")
    # Found out now, and not after minutes of measuring.
    outputs = [path for path in (options.json, options.plot, options.readme) if path]
    for folder in (options.scratch, *map(os.path.dirname, outputs)):
        if folder and not os.path.isdir(folder):
            stop(73, f"no folder {folder}")
    if options.readme:
        summary.around_marks(Path(options.readme))
    if options.plot and importlib.util.find_spec("matplotlib") is None:
        stop(66, "the plot needs matplotlib, which is not installed (make bench-report installs it)")
    return options


# -- What must be there first ------------------------------------------------------------------


def make_missing_workloads(names: list[str]) -> None:
    needed = {workload for name in names for workload in MEASUREMENTS[name].workloads}
    # A process of its own: the largest takes two gigabytes to make.
    maker = [sys.executable, make_workloads.__file__, *sorted(needed)]
    if subprocess.run(maker, stdout=sys.stderr).returncode != 0:
        stop(74, "the workloads could not be made")


def scratch_parent(chosen: str | None) -> str:
    """Memory where there is room, so that the programs are measured and not the disk."""
    if chosen:
        return chosen
    memory = "/dev/shm"
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= SCRATCH_ROOM:
        return memory
    return str(make_workloads.DEFAULT_FOLDER)


# -- The report --------------------------------------------------------------------------------


def first_line(arguments: list[str | None]) -> str:
    if arguments[0] is None:
        return "not installed"
    result = subprocess.run(arguments, capture_output=True, text=True)
    lines = (result.stdout or result.stderr).splitlines()
    return lines[0] if lines else "no version"


def processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def describe(bench: Bench, scratch: str) -> dict:
    floor = bench.runner.run(Command("true", ["true"]))[0].peak_bytes
    return {
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()}",
        "archtool": first_line([bench.archtool, "--version"]),
        "baseline": bench.runner.baseline or "none",
        "plistutil": first_line([bench.plistutil, "--version"]),
        "python": platform.python_version(),
        "foundation": first_line(["swift", "--version"]) if bench.peer else "left out",
        "outputs": scratch,
        "quick": bench.quick,
        "memoryFloor": mebibytes(floor) + " (what `true` shows: a peak below it cannot be seen)",
    }


def measure_all(bench: Bench, options: argparse.Namespace) -> int:
    description = describe(bench, scratch_parent(options.scratch))
    for name, text in description.items():
        print(f"{name + ':':13}{text}")
    print("median, min and max are of whole processes; ratios are medians of pairs, against the")
    print("first line of a table\n", flush=True)
    findings = []
    for name in options.names:
        say(f"measuring {name}")
        findings.append(MEASUREMENTS[name].measure(bench))
        baseline.add_checks(findings[-1])
        print(finding_text(findings[-1]), flush=True)
    if options.json:
        measured = [finding_json(finding) for finding in findings]
        report = {**description, "measurements": measured}
        Path(options.json).write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    if options.readme:
        summary.write_table(Path(options.readme), description, findings)
    if options.plot:
        import plot

        plot.write_plot(Path(options.plot), summary.comparisons(findings))
    return verdict_of(findings)


def verdict_of(findings: list[Finding]) -> int:
    missed = sum(check.passed is False for finding in findings for check in finding.checks)
    failed = sum(
        timing.failure is not None
        for finding in findings
        for table in finding.tables
        for timing in table.timings
    )
    if missed:
        print(f"bounds missed: {missed}")
    if failed:
        print(f"commands that failed: {failed}")
    if not missed and not failed:
        print("every bound measured holds")
    return 1 if missed or failed else 0


def main() -> int:
    options = parse_arguments()
    archtool = find_program(options.archtool)
    older = find_program(options.baseline) if options.baseline else None
    make_missing_workloads(options.names)
    launcher = build_c_program("launch")
    needs_peer = any(MEASUREMENTS[name].needs_peer for name in options.names)
    peer = build_peer() if needs_peer else None
    parent, work = scratch_parent(options.scratch), make_workloads.DEFAULT_FOLDER
    work.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="archtool-bench-", dir=parent) as scratch,
        tempfile.TemporaryDirectory(prefix="programs-", dir=work) as programs,
    ):
        archtool = fresh_copy(archtool, programs, "archtool")
        older = older and fresh_copy(older, programs, "baseline")
        bench = Bench(
            runner=Runner(launcher, archtool, older),
            archtool=archtool,
            peer=peer,
            plistutil=shutil.which("plistutil"),
            work=work,
            scratch=Path(scratch),
            quick=options.quick,
            sax=build_sax() if "convert" in options.names else None,
            repeat=build_c_program("repeat"),
            python=sys.executable,
        )
        return measure_all(bench, options)


if __name__ == "__main__":
    # Whoever ends the benchmark finds no outputs left in memory: what is open is closed first.
    signal.signal(signal.SIGTERM, lambda *_: stop(143, "terminated"))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        stop(130, "interrupted")
