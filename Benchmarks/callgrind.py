"""Runs a command under valgrind, independent of the machine as far as possible: counts its instructions, or traces them."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

RUN_LIMIT_SECONDS = 600

# The C library has several versions of its functions for memory and strings, and chooses by the processor and by the
# sizes of its caches. These settings choose the same everywhere.
TUNABLES = {
    "glibc.cpu.hwcaps": "-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-BMI2,-BMI1,-LZCNT,-MOVBE,-RTM,-ERMS,-FSRM,-SSE4_2,"
    "-SSE4_1,-SSSE3",
    "glibc.cpu.x86_data_cache_size": "0x8000",
    "glibc.cpu.x86_shared_cache_size": "0x100000",
    "glibc.cpu.x86_non_temporal_threshold": "0x1000000",
    "glibc.cpu.x86_rep_movsb_threshold": "0x100000",
    "glibc.cpu.x86_rep_stosb_threshold": "0x100000",
}

# Nothing else of the environment reaches the command: no home, no locale, no random seeds, no features of the
# processor that OpenSSL would use.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C",
    "TZ": "UTC",
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "OPENSSL_ia32cap": "0x0:0x0",
    "GLIBC_TUNABLES": ":".join(f"{name}={value}" for name, value in TUNABLES.items()),
}

PROGRAM = "./archtool"
PROFILE = "callgrind.out"
LOG = "valgrind.log"
# How lackey marks what is executed, written and changed.
ACCESSES = ("I  ", " S ", " M ")


class CountFailure(Exception):
    """A command that failed, in words for the report."""


def valgrind() -> str | None:
    return shutil.which("valgrind")


@contextlib.contextmanager
def workplace(archtool: str) -> Iterator[Path]:
    """A folder whose name has the same length everywhere, with the program in it: paths are on the stack."""
    with tempfile.TemporaryDirectory(prefix="archtool-count-", dir="/tmp") as folder:
        shutil.copy(archtool, Path(folder) / "archtool")
        yield Path(folder)


def instructions(folder: Path, arguments: list[str]) -> int:
    """The instructions of the program with these arguments, run in the folder."""
    run(folder, arguments, "--tool=callgrind", "--dump-instr=no", f"--callgrind-out-file={PROFILE}")
    found = re.search(r"Collected\s*:\s*(\d+)", (folder / LOG).read_text(errors="replace"))
    if not found:
        raise CountFailure("callgrind counted nothing")
    os.unlink(folder / PROFILE)
    return int(found.group(1))


def accesses(folder: Path, arguments: list[str]) -> Iterator[tuple[bool, int]]:
    """What the program with these arguments executes (true) and writes (false): the addresses, in this order."""
    run(folder, arguments, "--tool=lackey", "--trace-mem=yes")
    with (folder / LOG).open(errors="replace") as trace:
        for line in trace:
            if line[:3] in ACCESSES:
                yield line[0] == "I", int(line[3:].partition(",")[0], 16)


def run(folder: Path, arguments: list[str], *options: str) -> None:
    """Runs the program with these arguments in the folder under a tool of valgrind, whose report is `LOG` there."""
    command = [valgrind() or "valgrind", *options, f"--log-file={LOG}"]
    result = subprocess.run(
        [*command, PROGRAM, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        timeout=RUN_LIMIT_SECONDS,
    )
    if result.returncode != 0:
        log = (folder / LOG).read_text(errors="replace")
        lines = (result.stderr.strip() or log.strip()).splitlines() or ["no message"]
        raise CountFailure(f"exit {result.returncode}: {lines[0]}")
