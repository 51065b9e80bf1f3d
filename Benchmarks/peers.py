"""Other programs at the same work, or at a lesser one: nothing is promised against them."""

from __future__ import annotations

import sys

from contenders import BIG, MIDDLE, Bench, city_title
from measuring import Command, writing
from report import Finding, Table

PLISTLIB_LOAD = "import plistlib, sys; plistlib.load(open(sys.argv[1], 'rb'))"


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
