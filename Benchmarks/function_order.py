#!/usr/bin/env python3
"""Writes Scripts/function-order.txt: the order in which the linker lays out the functions of the program.

What runs in a start and in the commands for one small archive stands together, so that the system maps a few windows
of the program instead of half of it. The functions are those that valgrind's callgrind sees. A line names one function
or, with `*`, all whose names begin alike, where few of those are left unused: this keeps the list short, and valid
while the sources change. Lines whose functions are gone have no effect.

usage: function_order.py ARCHTOOL

The symbols are those of ARCHTOOL, or of ARCHTOOL.debug beside it.

Exit status: 0 the file was written; 1 a command failed; 64 bad usage; 66 the program, its symbols or valgrind is
missing.
"""

from __future__ import annotations

import argparse
import bisect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import callgrind
import make_workloads
from programs import HERE, find_program, say, stop

LIST = HERE.parent / "Scripts" / "function-order.txt"
CITIES = 50

# In this order: a function stands where it is first needed.
WORKLOADS = {
    "a start": ["--version"],
    "dump as JSON": ["dump", "--format", "json", "feed"],
    "dump": ["dump", "feed"],
    "validate": ["validate", "feed"],
    "migrate": ["migrate", "--from", "v1", "--to", "v2", "feed", "-f", "-o", "migrated"],
}

# What a line of the list may cost, in bytes of functions that do not run.
LINE_COST = 2_000
# A beginning that is shared by chance says nothing: `$s` and the name of a module at least.
SHORTEST_BEGINNING = 5


def symbols(program: str) -> dict[str, tuple[int, int]]:
    """The address and the size of each function."""
    debug = Path(f"{program}.debug")
    source = str(debug) if debug.exists() else program
    lines = subprocess.run(["nm", "-S", "--defined-only", source], capture_output=True, text=True).stdout
    found = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [tTwW] (\S+)$", lines, re.MULTILINE)
    if not found:
        stop(66, f"{program} has no symbols, nor is there a {debug.name}")
    return {name: (int(address, 16), int(size, 16)) for address, size, name in found}


def names_that_ran(profile: str, program: str) -> set[str]:
    """The names of the program's functions in what callgrind wrote: names are numbered where they first appear."""
    names, objects, inside, ran = {}, {}, False, set()
    for kind, number, name in re.findall(r"^(ob|cob|fn|cfn)=\((\d+)\)(?: (.*))?$", profile, re.MULTILINE):
        table = objects if kind.endswith("ob") else names
        if name:
            table[number] = name.strip()
        if kind == "ob":
            inside = Path(objects[number]).name == program
        elif kind == "fn" and inside:
            # A function that calls itself has an entry for each depth.
            ran.add(re.sub(r"'\d+$", "", names[number]))
    return ran


def functions_that_run(archtool: str, table: dict[str, tuple[int, int]]) -> dict[str, set[str]]:
    """The functions of each workload, by all the names that they have."""
    aliases: dict[int, list[str]] = {}
    for name, (address, _) in table.items():
        aliases.setdefault(address, []).append(name)
    ran = {}
    with callgrind.workplace(archtool) as folder:
        debug = Path(f"{archtool}.debug")
        if debug.exists():
            shutil.copy(debug, folder / debug.name)
        feed = make_workloads.weather_feed(0, CITIES)
        (folder / "feed").write_bytes(make_workloads.dictionariable_archive(feed))
        for name, arguments in WORKLOADS.items():
            profile = callgrind.profile(folder, arguments)
            known = names_that_ran(profile, Path(callgrind.PROGRAM).name) & table.keys()
            ran[name] = {alias for one in known for alias in aliases[table[one][0]]}
            say(f"{name}: {len(known)} functions")
    return ran


class Beginnings:
    """Beginnings of names that cover some functions with few lines and few bytes of others."""

    def __init__(self, sizes: dict[str, int], wanted: set[str]):
        self.names = sorted(sizes)
        self.bytes, self.wanted = [0], [0]
        for name in self.names:
            self.bytes.append(self.bytes[-1] + sizes[name])
            self.wanted.append(self.wanted[-1] + (name in wanted))

    def cover(self) -> list[str]:
        """The lines, a beginning with `*` at its end."""
        return self.cheapest(0, len(self.names))[1]

    def cheapest(self, low: int, high: int) -> tuple[int, list[str]]:
        """The cost and the lines for a range of names, which begin alike: one line for all, or some for each part."""
        if self.wanted[high] == self.wanted[low]:
            return 0, []
        first, last = self.names[low], self.names[high - 1]
        whole = LINE_COST + self.bytes[high] - self.bytes[low]
        if high - low == 1:
            return whole, [first]
        length = next((i for i, (a, b) in enumerate(zip(first, last)) if a != b), len(first))
        cost, lines, position = 0, [], low
        while position < high:
            end = position + 1
            if len(self.names[position]) > length:
                after = self.names[position][:length] + chr(ord(self.names[position][length]) + 1)
                end = bisect.bisect_left(self.names, after, position, high)
            more, others = self.cheapest(position, end)
            cost, lines, position = cost + more, lines + others, end
        return (whole, [first[:length] + "*"]) if whole <= cost and length >= SHORTEST_BEGINNING else (cost, lines)


def ordered(lines: list[str], ran: dict[str, set[str]]) -> dict[str, list[str]]:
    """The lines under the first workload that needs them."""

    def is_needed(line: str, names: set[str]) -> bool:
        return any(name.startswith(line[:-1]) for name in names) if line.endswith("*") else line in names

    sections: dict[str, list[tuple[list[bool], str]]] = {name: [] for name in ran}
    for line in lines:
        # What the same workloads do without stands together.
        spared = [not is_needed(line, names) for names in ran.values()]
        sections[list(ran)[spared.index(False)]].append((spared, line))
    return {name: [line for _, line in sorted(found)] for name, found in sections.items()}


def text(sections: dict[str, list[str]]) -> str:
    """The file, for gold's `--section-ordering-file`: each function has a section of its own."""
    parts = ["# The functions of the program in the order of their first use. Written by `make function-order`.\n"]
    for name, lines in sections.items():
        parts.append(f"\n# {name}\n" + "".join(f".text.{line}\n" for line in lines))
    return "".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="writes the order of functions for the linker")
    parser.add_argument("archtool")
    try:
        archtool = find_program(parser.parse_args().archtool)
    except SystemExit as exit:
        sys.exit(64 if exit.code == 2 else exit.code)
    if callgrind.valgrind() is None:
        stop(66, "valgrind is missing")
    table = symbols(archtool)
    try:
        ran = functions_that_run(archtool, table)
    except callgrind.CountFailure as failure:
        stop(1, str(failure))
    counts: dict[int, int] = {}
    for address, _ in table.values():
        counts[address] = counts.get(address, 0) + 1
    sizes = {name: size // counts[address] for name, (address, size) in table.items()}
    sections = ordered(Beginnings(sizes, set().union(*ran.values())).cover(), ran)
    LIST.write_text(text(sections))
    say(f"{sum(map(len, sections.values()))} lines in {LIST.name}")


if __name__ == "__main__":
    main()
