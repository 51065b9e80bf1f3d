#!/usr/bin/env python3
"""Writes Scripts/symbol-order.txt: functions and variables that a start, a dump, a validation and a migration of one small archive use, in the order of their first use.

The linker puts them next to each other, so that the system reads few pages of the program. valgrind's lackey reports the
addresses that are executed or written; pages that are only read cost less. The variables with addresses in them follow,
since the loader writes them at each start. All names of an address are listed: the linker keeps equal functions once, and
which of their names it finds differs from build to build.

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

COMMANDS = {
    "a start": ["--version"],
    "dump as JSON": ["dump", "--format", "json", "feed"],
    "dump": ["dump", "feed"],
    "validate": ["validate", "feed"],
    "migrate": ["migrate", "--from", "v1", "--to", "v2", "feed", "-o", "migrated"],
}

PAGE = 4096
# valgrind loads the program far below this address, and the loader here.
LOADER = 0x4000000


class Symbols:
    """The symbols of a program by their addresses."""

    def __init__(self, program: str):
        debug = Path(f"{program}.debug")
        source = str(debug) if debug.exists() else program
        lines = subprocess.run(["nm", "--numeric-sort", "--defined-only", source], capture_output=True, text=True).stdout
        found = re.findall(r"^([0-9a-f]+) ([b-zB-Z]) (\S+)$", lines, re.MULTILINE)
        if not found:
            stop(66, f"{program} has no symbols, nor is there a {debug.name}")
        by_address: dict[int, list[str]] = {}
        for address, _, name in found:
            by_address.setdefault(int(address, 16), []).append(name)
        self.addresses = list(by_address)
        self.names = list(by_address.values())
        header = subprocess.run(["readelf", "--file-header", program], capture_output=True, text=True).stdout
        entry = re.search(r"Entry point address:\s*0x([0-9a-f]+)", header)
        if not entry:
            stop(66, f"readelf finds no entry point of {program}")
        self.entry = int(entry[1], 16)
        self.relocated = self.relocated_names(program)

    def relocated_names(self, program: str) -> list[str]:
        """The variables of `.data` that the loader writes, by their addresses."""
        sections = subprocess.run(["readelf", "--sections", "--wide", program], capture_output=True, text=True).stdout
        data = re.search(r" \.data +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) ", sections)
        if not data:
            stop(66, f"{program} has no .data")
        start, size = int(data[1], 16), int(data[2], 16)
        relocations = subprocess.run(["readelf", "--relocs", "--wide", program], capture_output=True, text=True).stdout
        addresses = (int(found, 16) for found in re.findall(r"^([0-9a-f]+) +[0-9a-f]+ R_\S+_RELATIVE ", relocations, re.MULTILINE))
        indexes = {bisect.bisect_right(self.addresses, address) - 1 for address in addresses if start <= address < start + size}
        return [name for index in sorted(indexes) if index >= 0 for name in self.names[index]]


def used_names(folder: Path, arguments: list[str], symbols: Symbols) -> dict[str, bool]:
    """The names that a command executes (true) or writes (false), in the order of their first use."""
    used: dict[str, bool] = {}
    base, last = None, -1
    for is_executed, address in callgrind.accesses(folder, arguments):
        if base is None:
            # The loader runs first, at higher addresses than the program, which begins with its entry.
            if not is_executed or address >= LOADER or (address - symbols.entry) % PAGE:
                continue
            base = address - symbols.entry
        index = bisect.bisect_right(symbols.addresses, address - base) - 1
        # Addresses before the first symbol and after the last are those of other files.
        if index != last and 0 <= index < len(symbols.names) - 1:
            for name in symbols.names[index]:
                used.setdefault(name, is_executed)
        last = index
    if base is None:
        stop(1, "the entry point of the program is not among the addresses that valgrind reports")
    return used


def text(used: dict[str, dict[str, bool]], relocated: list[str]) -> str:
    """The file, for the linker's `--symbol-ordering-file`."""
    parts = ["# What the program uses for one small archive, in the order of its first use: `make symbol-order`.\n"]
    written: set[str] = set()
    for executed, kind in ((True, "functions"), (False, "variables")):
        for command, names in used.items():
            new = [name for name, is_executed in names.items() if is_executed == executed and name not in written]
            written.update(new)
            parts.append(f"\n# {kind}: {command}\n" + "".join(f"{name}\n" for name in new))
    loaded = "".join(f"{name}\n" for name in relocated if name not in written)
    return "".join(parts) + f"\n# variables: what the loader writes\n{loaded}"


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
    used: dict[str, dict[str, bool]] = {}
    with callgrind.workplace(archtool) as folder:
        feed = make_workloads.weather_feed(0, CITIES)
        (folder / "feed").write_bytes(make_workloads.dictionariable_archive(feed))
        for name, arguments in COMMANDS.items():
            try:
                used[name] = used_names(folder, arguments, symbols)
            except callgrind.CountFailure as failure:
                stop(1, str(failure))
            say(f"{name}: {len(used[name])} symbols")
    lines = text(used, symbols.relocated)
    LIST.write_text(lines)
    say(f"{lines.count(chr(10))} lines in {LIST.name}")


if __name__ == "__main__":
    main()
