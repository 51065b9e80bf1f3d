"""Counts the expressions and declarations of Sources that the compiler's strict memory safety finds unsafe.

usage: count-unsafe.py [--list] [MODULE...]

A site is a line and a column with at least one warning. Targets that mark theirs with `unsafe` have none. --list prints
each site with its message. Named modules are counted; those before them are compiled for their interfaces alone.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / ".build/unsafe"
SITE = re.compile(r"^(/.*\.swift:\d+:\d+): (?:warning: (.*) \[#StrictMemorySafety\]|(error: .*))$", re.M)
FEATURES = ["-swift-version", "6", "-package-name", "archtool", "-enable-upcoming-feature", "MemberImportVisibility"]


def run(*arguments, **options):
    return subprocess.run(arguments, cwd=ROOT, text=True, capture_output=True, **options)


def facts():
    """What package-modules.py says of the program and of the library."""
    manifest = run("swift", "package", "--scratch-path", str(BUILT / "package"), "dump-package", check=True).stdout
    for target in ("archtool", "ArchiveKit"):
        listed = run(sys.executable, "Scripts/package-modules.py", target, input=manifest, check=True).stdout
        yield from (tuple(line.split("\t")) for line in listed.splitlines())


def resources(name, folders):
    """A source that declares what SwiftPM makes of embedded resources, without their contents."""
    files = sorted(file.name for folder in folders for file in (ROOT / folder).rglob("*") if file.is_file())
    names = [re.sub(r"[-.]", "_", file) for file in files]
    source = BUILT / f"{name}.resources.swift"
    source.write_text("struct PackageResources {\n" + "".join(f"static let {n}: [UInt8] = []\n" for n in names) + "}\n")
    return str(source)


def compile_module(name, sources, flags, *mode):
    return run("swiftc", *FEATURES, "-parse-as-library", "-wmo", "-I", str(BUILT), *flags, "-module-name", name,
               "-strict-memory-safety", *mode, *sources)


def main():
    wanted = {word for word in sys.argv[1:] if not word.startswith("-")}
    BUILT.mkdir(parents=True, exist_ok=True)
    listed = list(dict.fromkeys(facts()))
    flags = [part for kind, *fact in listed if kind == "include" for part in ("-I", str(ROOT / fact[0]))]
    for kind, *fact in listed:
        if kind == "library":
            flags += run("pkg-config", "--cflags", fact[0]).stdout.split()
    total, waiting = 0, set(wanted)
    for kind, name, *fact in listed:
        if kind != "module" or name == "archtool" or wanted and not waiting:
            continue
        sources = sorted(str(path) for path in (ROOT / fact[0]).rglob("*.swift"))
        if not sources:
            header = next((ROOT / fact[0]).rglob("*.h"))
            (BUILT / "module.modulemap").write_text(f'module {name} {{ header "{header}" export * }}\n')
            continue
        folders = [path for kind, owner, *path in listed if kind == "resource" and owner == name]
        if folders:
            sources.append(resources(name, [path[0] for path in folders]))
        made = compile_module(
            name, sources, flags, "-suppress-warnings", "-emit-module", "-emit-module-path",
            str(BUILT / f"{name}.swiftmodule"), "-Xfrontend",
            "-experimental-skip-non-inlinable-function-bodies-without-types")
        if made.returncode:
            sys.exit(made.stderr)
        if wanted and name not in wanted:
            continue
        waiting.discard(name)
        sites = {}
        for site, message, error in SITE.findall(compile_module(name, sources, flags, "-typecheck").stderr):
            if error:
                sys.exit(f"{site}: {error}")
            sites.setdefault(os.path.relpath(site, ROOT), message)
        if "--list" in sys.argv:
            print(*(f"{site}: {message}" for site, message in sites.items()), sep="\n")
        print(f"{name:20} {len(sites):5}", flush=True)
        total += len(sites)
    print(f"{'all':20} {total:5}")


main()
