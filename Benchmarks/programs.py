"""Finds and builds the programs that the benchmarks need."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE / ".build"


def stop(status: int, message: str) -> None:
    print(f"{Path(sys.argv[0]).stem}: error: {message}", file=sys.stderr)
    sys.exit(status)


def say(message: str) -> None:
    print(f"{Path(sys.argv[0]).stem}: {message}", file=sys.stderr, flush=True)


def find_program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        stop(66, f"no program at {name}: build archtool first (make build)")
    return str(Path(path).absolute())


def fresh_copy(program: str, folder: str, name: str) -> str:
    """A copy of a program: a start takes up to a fifth longer from pages that were written or read in small pieces, and
    copies that are made one after the other lie in memory alike."""
    return str(shutil.copy2(program, Path(folder) / name))


def build_c_program(name: str) -> str:
    """A C program beside this file, built if its source is newer."""
    program = compile_c(name, [])
    if program is None:
        stop(66, f"{name}.c could not be built: it needs a C compiler (cc or clang)")
    return program


def build_sax() -> str | None:
    """The reader of XML by libxml2 alone, or nothing where the headers are missing."""
    flags = []
    for tool in (["pkg-config", "--cflags", "--libs", "libxml-2.0"], ["xml2-config", "--cflags", "--libs"]):
        if shutil.which(tool[0]):
            result = subprocess.run(tool, capture_output=True, text=True)
            if result.returncode == 0:
                flags = result.stdout.split()
                break
    program = compile_c("sax", flags or ["-lxml2"])
    if program is None:
        say("the headers of libxml2 are missing: its parser is left out")
    return program


def compile_c(name: str, flags: list[str]) -> str | None:
    source, program = HERE / f"{name}.c", BUILD / name
    if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
        return str(program)
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        return None
    BUILD.mkdir(exist_ok=True)
    arguments = [compiler, "-O2", "-o", str(program), str(source), *flags]
    # Without the headers of libxml2 a program is left out, and the compiler's complaint with it.
    quiet = {"stderr": subprocess.DEVNULL} if flags else {}
    return str(program) if subprocess.run(arguments, **quiet).returncode == 0 else None


def build_peer() -> str | None:
    if shutil.which("swift") is None:
        say("no swift: the Foundation program is left out")
        return None
    say("building the Foundation program")
    arguments = ["swift", "build", "-c", "release"]
    arguments += ["--package-path", str(HERE / "FoundationPeer"), "--scratch-path", str(BUILD)]
    result = subprocess.run(arguments, capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stdout + result.stderr, file=sys.stderr)
        say("the Foundation program could not be built and is left out")
        return None
    return str(BUILD / "release" / "FoundationPeer")
