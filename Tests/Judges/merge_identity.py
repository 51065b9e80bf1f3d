#!/usr/bin/env python3
"""Merges archives whose versions differ in more than values: which objects are one, how a value is stored, its class.

usage: merge_identity.py ARCHTOOL SCENARIO...

An archive is written by plistlib from a small notation: an object is a list of its class and its members, a reference to
an object that was named before is `Ref`, and `Inline` is a value that is stored in its holder. For each scenario a merge
must refuse and leave ours as it was, or tell a conflict, or give just the archive that is expected.
"""
import os
import plistlib
import subprocess
import sys
import tempfile

UID = plistlib.UID
CHAINS = {
    "NSArray": ["NSArray"], "NSMutableArray": ["NSMutableArray", "NSArray"], "NSSet": ["NSSet"],
    "NSMutableString": ["NSMutableString", "NSString"], "NSMutableData": ["NSMutableData", "NSData"],
}


class Named:
    """An object that others refer to."""

    def __init__(self, name, value):
        self.name, self.value = name, value


class Ref:
    def __init__(self, name):
        self.name = name


class Inline:
    def __init__(self, value):
        self.value = value


class Archive:
    def __init__(self, archiver="NSKeyedArchiver"):
        self.objects, self.names, self.classes, self.archiver = ["$null"], {}, {}, archiver

    def record(self, name):
        if name not in self.classes:
            self.objects.append({"$classname": name, "$classes": CHAINS.get(name, [name]) + ["NSObject"]})
            self.classes[name] = UID(len(self.objects) - 1)
        return self.classes[name]

    def reference(self, value):
        name = None
        if isinstance(value, Ref):
            return UID(self.names[value.name])
        if isinstance(value, Named):
            name, value = value.name, value.value
        if value is None:
            return UID(0)
        self.objects.append(None)
        number = len(self.objects) - 1
        if name:
            self.names[name] = number
        self.objects[number] = self.stored(value) if isinstance(value, tuple) else value
        return UID(number)

    def stored(self, value):
        name, content = value
        if name in ("NSMutableString", "NSMutableData"):
            members = {"NS.string" if "String" in name else "NS.data": content}
        elif name in ("NSArray", "NSMutableArray", "NSSet"):
            members = {"NS.objects": [self.slot(element) for element in content]}
        else:
            members = {key: self.slot(member) for key, member in content.items()}
        return members | {"$class": self.record(name)}

    def slot(self, value):
        return value.value if isinstance(value, Inline) else self.reference(value)

    def bytes(self, root):
        top = {"root": self.reference(root)}
        return plistlib.dumps(
            {"$version": 100000, "$archiver": self.archiver, "$top": top, "$objects": self.objects},
            fmt=plistlib.FMT_BINARY, sort_keys=False)


def archive(content, archiver="NSKeyedArchiver"):
    return Archive(archiver).bytes(("App.Root", content))


def z(number):
    return {"z": Inline(number)}


def family(parent, number, is_root=False):
    """A child, perhaps with a reference to its parent or to the root."""
    child = {"n": Inline(1)} | ({"parent": Ref("parent")} if parent else {})
    return archive({"p": Named("parent", ("App.Parent", {"child": ("App.Child", child)}))} | z(number))


def lists(one, other, number, joined=False):
    first = Named("list", ("NSMutableArray", one))
    return archive({"a": first, "b": Ref("list") if joined else ("NSMutableArray", other)} | z(number))


def texts(one, other, number, name="NSMutableString"):
    return archive({"a": Named("text", (name, one)), "b": Ref("text") if other is None else (name, other)} | z(number))


def elements(*numbers, also=()):
    return ("NSSet", [("App.Item", {"id": Inline(a), "v": Inline(b)}) for a, b in numbers] + list(also))


def boxed(value):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


def data(value, number, fmt=plistlib.FMT_BINARY):
    return plistlib.dumps({"a": plistlib.dumps(value, fmt=fmt), "z": number}, fmt=plistlib.FMT_BINARY)


PQRS = ["p", "q", "r", "s"]
# What is tried: base, ours, theirs, and what comes of it: refused, conflict or the merged file.
SCENARIOS = {
    "reference-back": (family(False, 1), family(False, 2), family(True, 1), "refused"),
    "theirs-splits": (lists(PQRS, None, 1, True), lists(PQRS, None, 2, True), lists(PQRS, PQRS, 1), "refused"),
    "theirs-joins": (lists(PQRS, PQRS, 1), lists(PQRS, PQRS, 2), lists(PQRS, None, 1, True), "refused"),
    "ours-joins": (lists(PQRS, PQRS, 1), lists(PQRS, None, 1, True), lists(PQRS[1:], PQRS[1:], 1), "refused"),
    "ours-splits": (lists(PQRS, None, 1, True), lists(PQRS, PQRS, 1), lists(PQRS[1:], None, 1, True), "refused"),
    "ours-splits-elsewhere": (
        lists(PQRS, None, 1, True), lists(PQRS, PQRS, 1), archive(
            {"a": Named("list", ("NSMutableArray", PQRS)), "b": Ref("list"), "new": "x"} | z(1)), archive(
            {"a": ("NSMutableArray", PQRS), "b": ("NSMutableArray", PQRS), "new": "x"} | z(1))),
    "shared-list-changed": (
        lists(PQRS, None, 1, True), lists(PQRS, None, 2, True), lists(PQRS[1:], None, 1, True),
        lists(PQRS[1:], None, 2, True)),
    "mutable-text-changed": (texts("t", None, 1), texts("t", None, 2), texts("u", None, 1), "refused"),
    "mutable-text-split": (texts("t", None, 1), texts("t", None, 2), texts("t", "t", 1), "refused"),
    "mutable-text-joined-by-ours": (texts("t", "t", 1), texts("t", None, 1), texts("u", "t", 1), "refused"),
    "mutable-data-changed": (
        texts(b"t", None, 1, "NSMutableData"), texts(b"t", None, 2, "NSMutableData"),
        texts(b"u", None, 1, "NSMutableData"), "refused"),
    "new-object-twice": (
        archive(z(1)), archive(z(2)),
        archive({"a": Named("new", ("App.New", {"n": Inline(1)})), "b": Ref("new")} | z(1)), "refused"),
    "new-object": (
        archive(z(1)), archive(z(2)), archive(z(1) | {"a": ("App.New", {"n": Inline(1)})}),
        archive(z(2) | {"a": ("App.New", {"n": Inline(1)})})),
    "archiver": (archive(z(1)), archive(z(2)), archive(z(1), "App.Archiver"), "refused"),
    "boxed-becomes-inline": (
        archive({"a": 5} | z(1)), archive({"a": 5} | z(2)), archive({"a": Inline(5)} | z(1)), "refused"),
    "elements-become-inline": (
        archive({"l": ("NSArray", [1, 2])} | z(1)), archive({"l": ("NSArray", [1, 2])} | z(2)),
        archive({"l": ("NSArray", [Inline(1), Inline(2)])} | z(1)), "refused"),
    "data-encoded-anew": (data({"x": 1}, 1), data({"x": 1}, 2), data({"x": 1}, 1, plistlib.FMT_XML), "refused"),
    "data-becomes-dictionary": (data({"x": 1}, 1), data({"x": 1}, 2), boxed({"a": {"x": 1}, "z": 1}), "refused"),
    "set-element-changed-twice": (
        archive({"s": elements((1, 1), (2, 2))}), archive({"s": elements((1, 5), (2, 2))}),
        archive({"s": elements((1, 6), (2, 2))}), "conflict"),
    "set-element-changed-and-removed": (
        archive({"s": elements((1, 1), (2, 2))}), archive({"s": elements((1, 5), (2, 2))}),
        archive({"s": elements((2, 2))}), "conflict"),
    "comment-in-archive": (
        plistlib.dumps({"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": {"CF$UID": 1}}, "$objects": [
            "$null", "a"]}).replace(b"<plist", b"<!-- c --><plist"),
        b"<?xml version='1.0'?><plist version='1.0'><string>o</string></plist>",
        b"<?xml version='1.0'?><plist version='1.0'><string>t</string></plist>", "refused"),
}


def canonical(data):
    """An archive as a text in which objects are numbered by when they are met, and members are in order."""
    archive = plistlib.loads(data)
    numbers = {}

    def text(value):
        if isinstance(value, UID):
            target = archive["$objects"][value.data]
            if not isinstance(target, dict) or "$classname" in target:
                return text(target)
            if value.data in numbers:
                return f"#{numbers[value.data]}"
            numbers[value.data] = len(numbers)
            return f"#{numbers[value.data]}=" + text(target)
        if isinstance(value, dict):
            return "{" + ",".join(f"{key}:{text(value[key])}" for key in sorted(value)) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(text, value)) + "]"
        return f"{type(value).__name__} {value!r}"

    return text({key: value for key, value in archive.items() if key != "$objects"})


def run(program, name):
    base, ours, theirs, expected = SCENARIOS[name]
    with tempfile.TemporaryDirectory() as folder:
        for file, content in (("base", base), ("ours", ours), ("theirs", theirs)):
            with open(os.path.join(folder, file), "wb") as output:
                output.write(content)
        done = subprocess.run([program, "git", "merge", "base", "ours", "theirs"], cwd=folder, capture_output=True, timeout=60)
        with open(os.path.join(folder, "ours"), "rb") as output:
            merged = output.read()
        told = done.stderr.decode()
        if expected in ("refused", "conflict"):
            assert done.returncode == 1, (name, done.returncode, told)
            assert merged == ours, f"{name}: ours was changed"
            assert ("conflict:" in told) == (expected == "conflict"), (name, told)
        else:
            assert done.returncode == 0, (name, done.returncode, told)
            assert canonical(merged) == canonical(expected), (name, canonical(merged), canonical(expected))


def main():
    program = os.path.abspath(sys.argv[1])
    for name in sys.argv[2:] or SCENARIOS:
        run(program, name)
    if not sys.argv[2:]:
        print(f"merge_identity: {len(SCENARIOS)} scenarios as they should be")


main()
