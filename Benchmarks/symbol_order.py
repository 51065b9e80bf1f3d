#!/usr/bin/env python3
"""Writes Scripts/symbol-order.txt: the order in which the linker lays out functions and variables of the program.

What a start and the commands for one small archive use stands together, so that the system maps a few pages of the
program instead of half of it. valgrind's lackey notes the addresses that are executed or written; what is only read
costs less. Variables with addresses in them stand together too, since the loader writes them at each start: those in
`.data`, as all of `.data.rel.ro` are such. A line whose symbol is gone has no effect.

usage: symbol_order.py ARCHTOOL

The symbols are those of ARCHTOOL.debug beside it, or its own.

Exit status: 0 the file was written; 1 a command failed; 64 bad usage; 66 the program, its symbols or valgrind is
missing.
"""

from __future__ import annotations

import argparse
import bisect
import re
import subprocess
import sys
from pathlib import Path

import callgrind
import make_workloads
from programs import HERE, find_program, say, stop

LIST = HERE.parent / "Scripts" / "symbol-order.txt"
CITIES = 50

# In this order: a symbol stands where it is first used.
WORKLOADS = {
    "a start": ["--version"],
    "dump as JSON": ["dump", "--format", "json", "feed"],
    "dump": ["dump", "feed"],
    "validate": ["validate", "feed"],
    "migrate": ["migrate", "--from", "v1", "--to", "v2", "feed", "-f", "-o", "migrated"],
}

PAGE = 4096
# valgrind loads the program far below this, and the loader here.
LOADER = 0x4000000


class Symbols:
    """The symbols of a program by their addresses."""

    def __init__(self, program: str):
        debug = Path(f"{program}.debug")
        source = str(debug) if debug.exists() else program
        lines = subprocess.run(["nm", "--numeric-sort", "--defined-only", source], capture_output=True, text=True).stdout
        found = re.findall(r"^([0-9a-f]+) ([a-zA-Z]) (\S+)$", lines, re.MULTILINE)
        if not found:
            stop(66, f"{program} has no symbols, nor is there a {debug.name}")
        self.addresses: list[int] = []
        self.names: list[str] = []
        for address, kind, name in found:
            # One name of each place is enough.
            if kind not in "aA" and (not self.addresses or self.addresses[-1] != int(address, 16)):
                self.addresses.append(int(address, 16))
                self.names.append(name)
        header = subprocess.run(["readelf", "--file-header", program], capture_output=True, text=True).stdout
        entry = re.search(r"Entry point address:\s*0x([0-9a-f]+)", header)
        if not entry:
            stop(66, f"readelf says no entry point of {program}")
        self.entry = int(entry[1], 16)

        self.relocated = self.places_relocated(program)

    def places_relocated(self, program: str) -> list[int]:
        """The numbers of the places in `.data` that the loader writes."""
        sections = subprocess.run(["readelf", "--sections", "--wide", program], capture_output=True, text=True).stdout
        data = re.search(r" \.data +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) ", sections)
        if not data:
            stop(66, f"{program} has no .data")
        start, size = int(data[1], 16), int(data[2], 16)
        relocations = subprocess.run(["readelf", "--relocs", "--wide", program], capture_output=True, text=True).stdout
        found = re.findall(r"^([0-9a-f]+) +[0-9a-f]+ R_\S+_RELATIVE ", relocations, re.MULTILINE)
        addresses = (int(address, 16) for address in found)
        return sorted({self.at(address) for address in addresses if start <= address < start + size})

    def at(self, address: int) -> int:
        """The number of the place that has an address; -1 before the first."""
        return bisect.bisect_right(self.addresses, address) - 1


def places_used(folder: Path, arguments: list[str], symbols: Symbols) -> dict[int, bool]:
    """The numbers of the places that a command executes (true) or writes (false), in the order of their first use."""
    used: dict[int, bool] = {}
    base, last = None, 0
    for is_executed, address in callgrind.accesses(folder, arguments):
        if base is None:
            # The loader begins, and stands above the program, which begins with its entry.
            if not is_executed or address >= LOADER or (address - symbols.entry) % PAGE:
                continue
            base = address - symbols.entry
        # Most accesses are to the place of the one before.
        place = symbols.at(address - base)
        if place != last and place not in used:
            used[place] = is_executed
        last = place
    if base is None:
        stop(1, "the entry point of the program is not among the addresses that valgrind notes")
    # What is before the first symbol or behind the last is not of the program.
    used.pop(-1, None)
    used.pop(len(symbols.addresses) - 1, None)
    return used


def text(symbols: Symbols, used: dict[str, dict[int, bool]]) -> str:
    """The file, for the linker's `--symbol-ordering-file`."""
    parts = ["# What the program uses for one small archive, in the order of its first use: `make symbol-order`.\n"]
    written: set[int] = set()
    for executed, what in ((True, "functions"), (False, "variables")):
        for name, places in used.items():
            new = [place for place, is_executed in places.items() if is_executed == executed and place not in written]
            written.update(new)
            lines = "".join(f"{symbols.names[place]}\n" for place in new)
            parts.append(f"\n# {what}: {name}\n{lines}")
    lines = "".join(f"{symbols.names[place]}\n" for place in symbols.relocated if place not in written)
    parts.append(f"\n# variables: what the loader writes\n{lines}")
    return "".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="writes the order of functions and variables for the linker")
    parser.add_argument("archtool")
    try:
        archtool = find_program(parser.parse_args().archtool)
    except SystemExit as exit:
        sys.exit(64 if exit.code == 2 else exit.code)
    if callgrind.valgrind() is None:
        stop(66, "valgrind is missing")
    symbols = Symbols(archtool)
    used: dict[str, dict[int, bool]] = {}
    with callgrind.workplace(archtool) as folder:
        feed = make_workloads.weather_feed(0, CITIES)
        (folder / "feed").write_bytes(make_workloads.dictionariable_archive(feed))
        for name, arguments in WORKLOADS.items():
            try:
                used[name] = places_used(folder, arguments, symbols)
            except callgrind.CountFailure as failure:
                stop(1, str(failure))
            say(f"{name}: {len(used[name])} symbols")
    lines = text(symbols, used)
    LIST.write_text(lines)
    say(f"{lines.count(chr(10))} lines in {LIST.name}")


if __name__ == "__main__":
    main()
