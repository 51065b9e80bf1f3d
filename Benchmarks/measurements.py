"""The measurements: what each runs, and the bounds that archtool promises to keep."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import make_workloads
from measuring import Command, Runner, Timings, filling, paired_ratio, writing
from migrate_fleet import measure_migrate_fleet
from report import Check, Finding, Table, at_least, at_most, duration, mebibytes

BIG = 100_000
MIDDLE = 5_000
SMALL = 50

# A task's ratio to `dump --format json` of the same archive.
VALIDATE_BOUND = 2.5
MIGRATE_BOUND = 3
DECODE_BOUND = 20
START_BOUND = 3
# Of the speed of decoding alone, over a fleet.
FLEET_VALIDATE_BOUND = 0.6
# Binary to XML against plistutil.
CONVERT_BOUND = 0.25
GROWTH_TOLERANCE = 0.2
MEMORY_ALLOWANCE = 64 << 20

PLISTLIB_LOAD = "import plistlib, sys; plistlib.load(open(sys.argv[1], 'rb'))"


@dataclass
class Bench:
    """What every measurement needs: the contenders, the workloads and somewhere to write."""

    runner: Runner
    archtool: str
    peer: str | None
    plistutil: str | None
    work: Path
    scratch: Path
    quick: bool

    def feed(self, version: str, cities: int) -> str:
        return str(make_workloads.feed_path(self.work, version, cities))

    def rounds(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def interleave(
        self, commands: list[Command], full: int, quick: int, slow: int = 3
    ) -> list[Timings]:
        """Runs the commands in turn; of those that take seconds, `slow` rounds, or one if quick."""
        slow_rounds = self.rounds(full=slow, quick=1)
        return self.runner.interleave(commands, self.rounds(full, quick), slow_rounds)

    # Contenders that several measurements share.

    def start(self, **options) -> Command:
        return Command("archtool --version", [self.archtool, "--version"], **options)

    def dump_json(self, version: str, cities: int, **options) -> Command:
        arguments = [self.archtool, "dump", "--format", "json", self.feed(version, cities)]
        return Command("archtool dump --format json", arguments, **options)

    def validate(self, cities: int, **options) -> Command:
        arguments = [self.archtool, "validate", self.feed("v1", cities)]
        return Command("archtool validate", arguments, **options)

    def migrate(self, cities: int, **options) -> Command:
        output = self.scratch / f"migrated-{cities}"
        arguments = [self.archtool, "migrate", "--from", "v1", "--to", "v2"]
        arguments += [self.feed("v1", cities), "-o", str(output)]
        return writing(Command("archtool migrate", arguments, **options), output)

    def peer_commands(self, label: str, arguments: list[str], **options) -> list[Command]:
        """The Foundation contender, or none where the peer could not be built."""
        if self.peer is None:
            return []
        return [Command(label, [self.peer, *arguments], **options)]


def city_title(version: str, cities: int, path: str) -> str:
    size = Path(path).stat().st_size
    return f"WeatherFeed {version}, {cities:,} cities ({size / 1e6:.1f} MB)"


# -- start -------------------------------------------------------------------------------------


def measure_start(bench: Bench) -> Finding:
    feed = bench.feed("v1", SMALL)
    dump = Command("archtool dump, 50 cities", [bench.archtool, "dump", feed])
    middle_feed = bench.feed("v1", MIDDLE)
    middle_dump = Command("archtool dump, 5,000 cities", [bench.archtool, "dump", middle_feed])
    commands = [Command("true", ["true"])]
    if bench.plistutil:
        commands.append(Command("plistutil --version", [bench.plistutil, "--version"]))
    commands.append(bench.start())
    commands += bench.peer_commands("FoundationPeer start", ["start"])
    commands += [dump, middle_dump]
    timings = bench.interleave(commands, full=31, quick=11)
    by_label = {timing.command.label: timing for timing in timings}
    check = start_check(
        by_label.get("plistutil --version"), by_label[dump.label], by_label[middle_dump.label]
    )
    table = Table("process start, and the dump of a small archive as a tree", timings)
    return Finding("start", [table], [check, foundation_check(bench.archtool)])


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


# -- dump --------------------------------------------------------------------------------------


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
    return Finding("dump", [Table(city_title("v1", BIG, feed), timings)], checks)


def memory_check(timing: Timings, feed: str) -> Check:
    size = Path(feed).stat().st_size
    bound = size + MEMORY_ALLOWANCE
    terms = f"at most {mebibytes(size)} of input + {mebibytes(MEMORY_ALLOWANCE)}"
    peak = timing.peak_bytes
    if peak is None:
        return Check(f"peak memory: not measured (bound: {terms})", False, None, bound)
    text = f"peak memory: {mebibytes(peak)} (bound: {terms} = {mebibytes(bound)})"
    return Check(text, peak <= bound, peak, bound)


def content_check(bench: Bench) -> Check:
    """A program that prints nothing is fast: each city must show in what `dump` prints."""
    command = bench.dump_json("v1", SMALL)
    result = subprocess.run(command.arguments, stdin=subprocess.DEVNULL, capture_output=True)
    text = result.stdout.decode("utf-8", errors="replace")
    cities = [make_workloads.city(index) for index in range(SMALL)]
    shown = sum(city["Key"] in text and city["EnglishName"] in text for city in cities)
    words = f"cities that the dump of the small archive shows: {shown} (bound: all {SMALL})"
    return Check(words, shown == SMALL, shown, SMALL)


# -- passes ------------------------------------------------------------------------------------


def measure_passes(bench: Bench) -> Finding:
    commands = [bench.dump_json("v1", BIG), bench.validate(BIG), bench.migrate(BIG)]
    timings = bench.interleave(commands, full=9, quick=3)
    dump, validate, migrate = timings
    checks = [
        at_most("validate against dump", paired_ratio(validate, dump), VALIDATE_BOUND),
        at_most("migrate v1 to v2 against dump", paired_ratio(migrate, dump), MIGRATE_BOUND),
    ]
    title = city_title("v1", BIG, bench.feed("v1", BIG))
    return Finding("passes", [Table(title, timings)], checks)


# -- growth ------------------------------------------------------------------------------------


def measure_growth(bench: Bench) -> Finding:
    finding = Finding("growth", [])
    for task in (
        lambda cities, **options: bench.dump_json("v1", cities, **options),
        bench.validate,
        bench.migrate,
    ):
        feeds = [task(SMALL, repeats=5), task(MIDDLE, repeats=5), task(BIG)]
        name = feeds[0].label
        for command, cities in zip(feeds, (SMALL, MIDDLE, BIG)):
            command.label = f"{cities:,} cities"
        timings = bench.interleave([bench.start(repeats=5), *feeds], full=9, quick=5)
        start, _, middle, big = timings
        finding.tables.append(Table(f"{name}, WeatherFeed v1", timings))
        finding.checks.append(growth_check(name, start, middle, big))
    finding.notes.append("cost a city: time beyond that of archtool --version, by the cities")
    return finding


def growth_check(name: str, start: Timings, middle: Timings, big: Timings) -> Check:
    rounds = [
        (
            (larger.seconds - none.seconds) / MIDDLE,
            (largest.seconds - none.seconds) / BIG,
        )
        for none, larger, largest in zip(start.samples, middle.samples, big.samples)
        if none and larger and largest and larger.seconds > none.seconds
    ]
    low, high = 1 - GROWTH_TOLERANCE, 1 + GROWTH_TOLERANCE
    terms = f"(bound: {low:g} to {high:g})"
    what = f"{name}: cost a city at {BIG:,} against {MIDDLE:,}"
    if not rounds:
        return Check(f"{what}: not measured {terms}", False, None, high)
    ratio = statistics.median(above / below for below, above in rounds)
    costs = [statistics.median(column) * 1e6 for column in zip(*rounds)]
    text = f"{what}: {ratio:.2f} {terms}, {costs[0]:.2f} us at first, {costs[1]:.2f} us at last"
    return Check(text, low <= ratio <= high, ratio, high)


# -- peers -------------------------------------------------------------------------------------


def measure_peers(bench: Bench) -> Finding:
    tables = [peer_readers(bench), peer_codable(bench), peer_migration(bench)]
    notes = [
        "plistutil turns the object table, references and all, into XML: no archive is decoded",
        "plistlib loads the object table into Python values and writes nothing",
    ]
    if not bench.plistutil:
        notes.append("plistutil is not installed and was left out")
    return Finding("peers", tables, [], notes)


def peer_readers(bench: Bench) -> Table:
    feed = bench.feed("v1", BIG)
    # To a file, as plistutil writes one.
    json_file, xml_file = bench.scratch / "dump.json", bench.scratch / "plist.xml"
    commands = [bench.dump_json("v1", BIG, output=str(json_file))]
    commands[0].label += " > file"
    if bench.plistutil:
        arguments = [bench.plistutil, "-i", feed, "-o", str(xml_file)]
        commands.append(
            writing(Command("plistutil, binary to XML *", arguments, slow=True), xml_file)
        )
    arguments = [sys.executable, "-c", PLISTLIB_LOAD, feed]
    commands.append(Command("plistlib load *", arguments, slow=True))
    timings = bench.interleave(commands, full=7, quick=3)
    for file in (json_file, xml_file):
        file.unlink(missing_ok=True)
    return Table(city_title("v1", BIG, feed) + "; * is other work, see the notes", timings)


def peer_codable(bench: Bench) -> Table:
    feed = bench.feed("v2", BIG)
    commands = [bench.dump_json("v2", BIG)]
    commands += bench.peer_commands(
        "PropertyListDecoder to structs", ["decode-v2", feed], slow=True
    )
    return Table(city_title("v2", BIG, feed), bench.interleave(commands, full=7, quick=3))


def peer_migration(bench: Bench) -> Table:
    feed = bench.feed("v1", MIDDLE)
    output = bench.scratch / "peer-migrated"
    commands = [bench.migrate(MIDDLE)]
    for command in bench.peer_commands(
        "Foundation migrate", ["migrate", feed, str(output)], slow=True
    ):
        commands.append(writing(command, output))
    title = city_title("v1", MIDDLE, feed) + ", to v2"
    return Table(title, bench.interleave(commands, full=7, quick=3))


# -- convert -----------------------------------------------------------------------------------


def measure_convert(bench: Bench) -> Finding:
    small, big = make_workloads.MIXED_COUNTS
    finding = Finding("convert", [])
    finding.tables.append(to_xml(bench, big, finding))
    finding.tables.append(from_xml(bench, small, big, finding))
    return finding


def convert(bench: Bench, target: str, source: Path, output: Path, **options) -> Command:
    arguments = [bench.archtool, "convert", "--to", target, str(source), "-o", str(output)]
    return writing(Command(f"archtool convert --to {target}", arguments, **options), output)


def to_xml(bench: Bench, count: int, finding: Finding) -> Table:
    source = make_workloads.mixed_path(bench.work, count)
    output, peer_output = bench.scratch / "mixed.xml", bench.scratch / "peer.xml"
    commands = [convert(bench, "xml1", source, output)]
    if bench.plistutil:
        arguments = [bench.plistutil, "-i", str(source), "-o", str(peer_output)]
        commands.append(writing(Command("plistutil", arguments, slow=True), peer_output))
    timings = bench.interleave(commands, full=7, quick=3, slow=5)
    ratio = paired_ratio(timings[0], timings[1]) if bench.plistutil else None
    finding.checks.append(at_most("binary to XML against plistutil", ratio, CONVERT_BOUND))
    size = output.stat().st_size
    for file in (output, peer_output):
        file.unlink(missing_ok=True)
    title = f"mixed list, binary ({source.stat().st_size / 1e6:.1f} MB) to XML ({size / 1e6:.1f} MB)"
    return Table(title, timings)


def from_xml(bench: Bench, small: int, big: int, finding: Finding) -> Table:
    output = bench.scratch / "mixed.plist"
    commands, sizes = [bench.start(repeats=5)], []
    for count in (small, big):
        source = bench.scratch / f"mixed-{count}.xml"
        subprocess.run(
            [bench.archtool, "convert", "--to", "xml1", "--force", "-o", str(source)]
            + [str(make_workloads.mixed_path(bench.work, count))],
            check=True,
        )
        sizes.append(source.stat().st_size)
        command = convert(bench, "binary1", source, output)
        command.label = f"archtool convert --to binary1, {sizes[-1] / 1e6:.1f} MB of XML"
        commands.append(command)
    timings = bench.interleave(commands, full=7, quick=3)
    finding.checks.append(size_check(*timings, *sizes))
    for count in (small, big):
        (bench.scratch / f"mixed-{count}.xml").unlink()
    output.unlink(missing_ok=True)
    return Table("mixed list, XML to binary", timings)


def size_check(
    start: Timings, low: Timings, high: Timings, low_size: int, high_size: int
) -> Check:
    """Whether a byte costs no more in the larger file than in the smaller, beyond the tolerance."""
    ratios = [
        (above.seconds - none.seconds) / high_size / ((below.seconds - none.seconds) / low_size)
        for none, below, above in zip(start.samples, low.samples, high.samples)
        if none and below and above and below.seconds > none.seconds
    ]
    ratio = statistics.median(ratios) if ratios else None
    what = f"XML to binary: cost a byte at {high_size / 1e6:.0f} MB against {low_size / 1e6:.0f} MB"
    return at_most(what, ratio, 1 + GROWTH_TOLERANCE)


# -- fleet -------------------------------------------------------------------------------------


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


# -- All of them -------------------------------------------------------------------------------


@dataclass
class Measurement:
    """A measurement by name, with the workloads that must be there first."""

    measure: Callable[[Bench], Finding]
    workloads: tuple[str, ...]
    needs_peer: bool = True


MEASUREMENTS = {
    "start": Measurement(measure_start, ("v1-50", "v1-5000")),
    "dump": Measurement(measure_dump, ("v1-50", "v1-100000")),
    "passes": Measurement(measure_passes, ("v1-100000",), needs_peer=False),
    "growth": Measurement(measure_growth, ("v1-50", "v1-5000", "v1-100000"), needs_peer=False),
    "peers": Measurement(measure_peers, ("v1-5000", "v1-100000", "v2-100000")),
    "convert": Measurement(measure_convert, ("mixed-32000", "mixed-320000"), needs_peer=False),
    "fleet": Measurement(measure_fleet, ("fleet",)),
    "migrate-fleet": Measurement(measure_migrate_fleet, ("great-fleet",)),
}
