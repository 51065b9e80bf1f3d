"""What must cost the same for each element, however many there are: files of a folder, cities, records of XML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import make_workloads

# Of each archive in a folder: enough that the file is read, and 40,000 of them fit into memory.
CITIES_A_FILE = 5
OUTPUTS = MIGRATED, CONVERTED = "migrated", "mixed.binary"


@dataclass
class Series:
    """A command on inputs of several sizes; the first, of one element, shows what does not grow."""

    name: str
    element: str
    # Sizes whose processor time is measured, and smaller ones whose instructions are counted.
    timed: tuple[int, ...]
    counted: tuple[int, ...]
    make: Callable[[Path, int], None]
    arguments: Callable[[Path, int], list[str]]
    # For counts alone: one thread has one order of its instructions.
    one_job: tuple[str, ...] = ()


def make_files(folder: Path, count: int) -> None:
    files = folder / f"files-{count}"
    files.mkdir(exist_ok=True)
    feed = make_workloads.weather_feed(0, CITIES_A_FILE)
    archive = make_workloads.dictionariable_archive(feed)
    for number in range(count):
        (files / f"feed-{number:06}").write_bytes(archive)


def make_cities(folder: Path, count: int) -> None:
    """An archive of so many cities: a link to the workload, if there is one."""
    path, workload = cities(folder, count), make_workloads.feed_path(
        make_workloads.DEFAULT_FOLDER, "v1", count
    )
    if path.exists():
        return
    if make_workloads.is_current(workload):
        path.symlink_to(workload)
    else:
        path.write_bytes(make_workloads.long_dictionariable_archive(count))


def make_xml(folder: Path, count: int) -> None:
    (folder / f"mixed-{count}.xml").write_bytes(make_workloads.mixed_xml(count))


def remove_outputs(folder: Path) -> None:
    """A file that is replaced costs more than a new one."""
    for name in OUTPUTS:
        (folder / name).unlink(missing_ok=True)


def cities(folder: Path, count: int) -> Path:
    return folder / f"cities-{count}"


def migrate(folder: Path, count: int) -> list[str]:
    options = ["--from", "v1", "--to", "v2", "-o", str(folder / MIGRATED)]
    return ["migrate", *options, str(cities(folder, count))]


CITY_SIZES = {"timed": (1, 5_000, 100_000, 500_000), "counted": (1, 500, 5_000)}

SERIES = [
    Series(
        "files",
        "file",
        (1, 2_000, 40_000),
        (1, 500, 4_000),
        make_files,
        lambda folder, count: ["validate", "-q", "-r", str(folder / f"files-{count}")],
        one_job=("--jobs", "1"),
    ),
    Series(
        "dump",
        "city",
        make=make_cities,
        arguments=lambda folder, count: ["dump", "--format", "json", str(cities(folder, count))],
        **CITY_SIZES,
    ),
    Series(
        "validate",
        "city",
        make=make_cities,
        arguments=lambda folder, count: ["validate", str(cities(folder, count))],
        **CITY_SIZES,
    ),
    Series("migrate", "city", make=make_cities, arguments=migrate, **CITY_SIZES),
    Series(
        "xml-to-binary",
        "record",
        # About 1, 10 and 100 MB; 1 and 8 MB.
        (1, 1_300, 13_000, 130_000),
        (1, 1_300, 10_400),
        make_xml,
        lambda folder, count: [
            *("convert", "--to", "binary1", "-o", str(folder / CONVERTED)),
            str(folder / f"mixed-{count}.xml"),
        ],
    ),
]
