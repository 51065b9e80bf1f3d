"""A stream of records beside a fleet of files: what one archive costs in each."""

from __future__ import annotations

import base64
import json
import shlex
from pathlib import Path

import make_workloads
from contenders import SMALL, Bench
from measuring import Command, paired_ratio
from report import Comparison, Finding, Table, at_most

RECORDS = 1_000_000
QUICK_RECORDS = 20_000
# The archives of so many files are written as lines, which are repeated.
LINES = 1_000
JOBS = 2
RECORD_BOUND = 1.15


def measure_records(bench: Bench) -> Finding:
    records = QUICK_RECORDS if bench.quick else RECORDS
    lines = write_records(bench)
    jobs = ["--jobs", str(JOBS)]
    fleet = str(make_workloads.great_fleet_path(bench.work))
    files = Command(
        f"archtool validate -r, {JOBS} jobs",
        [bench.archtool, "validate", "-q", *jobs, "-r", fleet],
        units=make_workloads.GREAT_FLEET_FILES,
        has_baseline=False,
    )
    stream = Command(
        f"archtool validate --records, {JOBS} jobs",
        # The arguments after the script are $0 and so on.
        ["sh", "-c", pipeline(bench, lines, records), bench.archtool],
        units=records,
        slow=records == RECORDS,
        # Older builds take minutes for so many records, and nothing is compared with them.
        has_baseline=False,
    )
    timings = bench.interleave([files, stream], full=5, quick=3, slow=5)
    lines.unlink()
    ratio = paired_ratio(timings[1], timings[0])
    checks = [at_most("a record against a file of the fleet", ratio, RECORD_BOUND)]
    title = f"{records:,} records and {files.units:,} files, each an archive of {SMALL} cities"
    comparison = Comparison("a record", timings[1], timings[0], "a file, validate -r")
    table = Table(title, timings, unit="archive")
    return Finding("records", [table], checks, ["ratios are of an archive"], [comparison])


def write_records(bench: Bench) -> Path:
    """The first archives of the fleet as records, one a line."""
    fleet, path = make_workloads.great_fleet_path(bench.work), bench.scratch / "records.ndjson"
    with path.open("w") as output:
        for number in range(LINES):
            data = make_workloads.great_fleet_file(fleet, number).read_bytes()
            record = {"id": str(number), "data": base64.b64encode(data).decode()}
            output.write(json.dumps(record) + "\n")
    return path


def pipeline(bench: Bench, lines: Path, records: int) -> str:
    source = shlex.join([bench.repeat, str(lines), str(records // LINES)])
    return f'{source} | "$0" validate --records --jobs {JOBS}'
