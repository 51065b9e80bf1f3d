"""Lists what a target of the package is built of, from what `swift package dump-package` says.

usage: swift package dump-package | package-modules.py TARGET

Prints a line for each fact, its words parted by tabs: `module NAME FOLDER` for the target and all that it depends on,
each after what it depends on itself; `resource NAME PATH` for what a module embeds; `include FOLDER` for headers of the
system's libraries, and `library NAME` for those that pkg-config knows.
"""

import json
import sys

SYSTEM = {"linux": "linux", "darwin": "macos"}.get(sys.platform, sys.platform)


def names(target):
    """The targets that a target depends on, on this system."""
    for dependency in target["dependencies"]:
        for kind in ("byName", "target"):
            if kind in dependency:
                name, condition = dependency[kind]
                if SYSTEM in (condition or {}).get("platformNames", [SYSTEM]):
                    yield name


def folder(target):
    own = "Tests/" if target["type"] == "test" else "Sources/"
    return target.get("path") or own + target["name"]


def add(name, targets, seen):
    if name in seen:
        return
    seen.add(name)
    target = targets[name]
    for below in names(target):
        add(below, targets, seen)
    if target["type"] == "system":
        print("include", folder(target), sep="\t")
        if target.get("pkgConfig"):
            print("library", target["pkgConfig"], sep="\t")
        return
    print("module", name, folder(target), sep="\t")
    for resource in target["resources"]:
        print("resource", name, folder(target) + "/" + resource["path"], sep="\t")


manifest = json.load(sys.stdin)
add(sys.argv[1], {target["name"]: target for target in manifest["targets"]}, set())
