"""Counts the instructions of a command with valgrind's callgrind, independent of the machine as far as possible."""

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
    log = run(folder, arguments)
    found = re.search(r"Collected\s*:\s*(\d+)", log)
    if not found:
        raise CountFailure("callgrind counted nothing")
    os.unlink(folder / PROFILE)
    return int(found.group(1))


def profile(folder: Path, arguments: list[str]) -> str:
    """What callgrind writes about the functions of the program, under the names that the linker knows."""
    run(folder, arguments, "--demangle=no")
    text = (folder / PROFILE).read_text(errors="replace")
    os.unlink(folder / PROFILE)
    return text


def run(folder: Path, arguments: list[str], *options: str) -> str:
    """Runs the program with these arguments in the folder, where callgrind leaves what it counted; its report."""
    command = [valgrind() or "valgrind", "--tool=callgrind", "--dump-instr=no", *options]
    command += [f"--callgrind-out-file={PROFILE}", "--log-file=callgrind.log"]
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
    log = (folder / "callgrind.log").read_text(errors="replace")
    if result.returncode != 0:
        lines = (result.stderr.strip() or log.strip()).splitlines() or ["no message"]
        raise CountFailure(f"exit {result.returncode}: {lines[0]}")
    return log
