#!/usr/bin/env python3
"""Checks that an element costs the same in a small input and in a large one, in processor time or in instructions.

usage: growth.py ARCHTOOL [--instructions [--require]] [--only NAMES] [--quick]

`--instructions` counts under valgrind, which depends on nothing else that the machine does, at smaller sizes.
`--quick` leaves out the largest size of each. What one element costs alone is taken off first: the start of the
program is in it, and does not grow.

Exit status: 0 all grow in proportion; 1 one does not, or a command failed; 64 bad usage; 66 the program, or with
--require valgrind, is missing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import callgrind
from growth_series import SERIES, Series, remove_outputs
from measuring import Command, CommandFailure, Runner
from programs import build_c_program, find_program, say, stop

TOLERANCE = 0.2
# A machine is slow at times: each size is measured in every round, and the fastest run counts. The memory of a virtual
# machine may have to come from its host first, so each round runs a size twice in succession: the second run finds the
# pages of the first.
ROUNDS = 5
IN_SUCCESSION = 2

# What a series costs at each of its sizes, in seconds or instructions.
Costs = Callable[[Series, tuple[int, ...]], list[float]]


def timed(archtool: str, folder: Path) -> Costs:
    runner = Runner(build_c_program("launch"), archtool)

    def costs(series: Series, sizes: tuple[int, ...]) -> list[float]:
        def run(size: int) -> float:
            command = Command(series.name, [archtool, *series.arguments(folder, size)])
            command.prepare = lambda: remove_outputs(folder)
            runs = [runner.run(command) for _ in range(IN_SUCCESSION)]
            return min(sample.cpu_seconds for samples in runs for sample in samples)

        rounds = [[run(size) for size in sizes] for _ in range(ROUNDS)]
        return [min(runs) for runs in zip(*rounds)]

    return costs


def counted(folder: Path) -> Costs:
    def cost(series: Series, size: int) -> float:
        remove_outputs(folder)
        arguments = [*series.arguments(Path(), size), *series.one_job]
        return callgrind.instructions(folder, arguments)

    return lambda series, sizes: [cost(series, size) for size in sizes]


def measure(
    series: Series, sizes: tuple[int, ...], folder: Path, costs: Costs, unit: float
) -> bool:
    """Prints what an element costs at each size; whether it is the same everywhere."""
    for size in sizes:
        series.make(folder, size)
    first = None
    holds = True
    fixed, *others = costs(series, sizes)
    for size, cost in zip(sizes[1:], others):
        each = (cost - fixed) / (size - sizes[0])
        first = first or each
        ratio = each / first
        within = abs(ratio - 1) <= TOLERANCE
        holds = holds and within
        verdict = "" if size == sizes[1] else f"{ratio:6.2f}  {'PASS' if within else 'MISS'}"
        amount = f"{each * unit:12,.2f} a {series.element}"
        print(f"  {series.name:15}{size:>9,}  {amount:24}{verdict}".rstrip(), flush=True)
    return holds


def parse_arguments() -> argparse.Namespace:
    names = [series.name for series in SERIES]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archtool", help="the release build")
    parser.add_argument("--instructions", action="store_true", help="count instructions")
    parser.add_argument("--require", action="store_true", help="fail where valgrind is missing")
    parser.add_argument("--only", metavar="NAMES", help=f"of {','.join(names)}, with commas")
    parser.add_argument("--quick", action="store_true", help="without the largest sizes")
    options = parser.parse_args()
    options.names = options.only.split(",") if options.only else names
    unknown = [name for name in options.names if name not in names]
    if unknown:
        stop(64, f"no series {unknown[0]!r}; there are {', '.join(names)}")
    return options


def measure_all(options: argparse.Namespace, folder: Path, costs: Costs) -> int:
    failed = 0
    for series in SERIES:
        if series.name not in options.names:
            continue
        sizes = series.counted if options.instructions else series.timed
        if options.quick and len(sizes) > 3:
            sizes = sizes[:-1]
        try:
            holds = measure(series, sizes, folder, costs, 1 if options.instructions else 1e6)
        except (CommandFailure, callgrind.CountFailure) as failure:
            print(f"  {series.name}: {failure}")
            holds = False
        failed += not holds
    within = f"within {TOLERANCE:.0%}"
    print(f"not {within}: {failed}" if failed else f"an element costs the same {within} everywhere")
    return 1 if failed else 0


def main() -> int:
    options = parse_arguments()
    archtool = find_program(options.archtool)
    if not options.instructions:
        print("microseconds of processor time, of the fastest run")
        with tempfile.TemporaryDirectory(prefix="archtool-growth-") as folder:
            return measure_all(options, Path(folder), timed(archtool, Path(folder)))
    if callgrind.valgrind() is None:
        if options.require:
            stop(66, "valgrind is not installed")
        say("valgrind is not installed: no instructions are counted")
        return 0
    print("instructions")
    with callgrind.workplace(archtool) as folder:
        return measure_all(options, folder, counted(folder))


if __name__ == "__main__":
    sys.exit(main())
