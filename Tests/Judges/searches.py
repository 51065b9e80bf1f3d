#!/usr/bin/env python3
"""Walks keyed archives object by object and compares what it finds with what find and query say.

usage: searches.py ARCHTOOL COUNT SEED

It makes random keyed archives (shared and cyclic references, lists, sets, dictionaries, values that are stored in their
holders, archives in data values, text in data) and reads them with plistlib. Its own walk is breadth first and enters
each container once: find has to say the same paths in the same order, query with `..` as well, and with --all-paths both
have to say every path that does not enter an object within itself. Prints one line of counts; exit status 1 if anything
differs, with the seed of the archive.
"""
import os
import plistlib
import random
import re
import subprocess
import sys
import tempfile
from plistlib import UID

KEYS = ["k1", "k2", "k3", "k4"]
TEXTS = ["t1", "t2", "other"]
CLASSES = ["Node1", "Node2"]
COLLECTIONS = {"NSArray": "array", "NSSet": "set", "NSDictionary": "dictionary"}
MOST_PATHS = 400


# Random archives


class Maker:
    def __init__(self, numbers):
        self.numbers, self.marks = numbers, 0

    def archive(self, size, depth):
        """The bytes of an archive whose objects refer to each other at random."""
        numbers = self.numbers
        objects, classes = ["$null"], {}

        def cls(name, *parents):
            if name not in classes:
                objects.append({"$classname": name, "$classes": [name, *parents, "NSObject"]})
                classes[name] = UID(len(objects) - 1)
            return classes[name]

        kinds = [numbers.choice(["object", "object", "NSArray", "NSSet", "NSDictionary", "scalar"]) for _ in range(size)]
        if depth < 3 or numbers.random() < 0.8:
            kinds[0] = "object" if numbers.random() < 0.9 else kinds[0]
        first = len(objects)
        objects += [None] * size

        def reference(number):
            """Mostly forward, so that most graphs are large; some backward, so that there are cycles."""
            if numbers.random() < 0.1:
                return UID(0)
            low = number + 1 if numbers.random() < 0.8 and number + 1 < size else 0
            return UID(first + numbers.randrange(low, size))

        for number, kind in enumerate(kinds):
            count = numbers.randrange(4)
            if kind == "scalar":
                made = self.scalar(depth, cls)
            elif kind == "object":
                made = {"$class": cls(numbers.choice(CLASSES), "Base")}
                for key in numbers.sample(KEYS, count):
                    made[key] = self.scalar(depth) if numbers.random() < 0.3 else reference(number)
            else:
                made = {"$class": cls(kind), "NS.objects": [reference(number) for _ in range(count)]}
                if kind == "NSDictionary":
                    made["NS.keys"] = []
                    for key in numbers.sample(KEYS, count):
                        objects.append(key)
                        made["NS.keys"].append(UID(len(objects) - 1))
            objects[first + number] = made
        archive = {
            "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(first)}, "$objects": objects,
        }
        return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)

    def scalar(self, depth, cls=None):
        numbers = self.numbers
        kind = numbers.randrange(8)
        if kind < 3:
            return numbers.choice(TEXTS)
        if kind == 3:
            return numbers.choice([7, 8, True])
        if kind == 4:
            self.marks += 1
            return f"text {numbers.choice(TEXTS)} of data {self.marks}".encode()
        if kind == 5 and depth < 3:
            # Equal data would be stored once.
            self.marks += 1
            data = self.archive(numbers.randrange(1, 6), depth + 1)
            data = plistlib.loads(data)
            data["$top"]["mark"] = self.marks
            if numbers.random() < 0.7:
                del data["$top"]["mark"]
                data["$objects"].append(f"mark {self.marks}")
            data = plistlib.dumps(data, fmt=plistlib.FMT_BINARY)
            return {"$class": cls("NSMutableData", "NSData"), "NS.data": data} if cls and numbers.random() < 0.5 else data
        self.marks += 1
        return bytes([0, 255, self.marks % 256, self.marks // 256])


def as_xml(stored):
    """The values of an archive as those of an XML property list, which has no UIDs."""
    if isinstance(stored, UID):
        return {"CF$UID": stored.data}
    if isinstance(stored, dict):
        return {key: as_xml(value) for key, value in stored.items()}
    return [as_xml(value) for value in stored] if isinstance(stored, list) else stored


# What is in them


class Value:
    """A value with its children by their steps; data has the root of its archive in `content`."""

    def __init__(self, type, value=None, chain=(), identity=None):
        self.type, self.value, self.chain = type, value, chain
        self.children, self.content, self.identity = [], None, identity

    @property
    def layers(self):
        return [self] + (self.content.layers if self.content else [])

    @property
    def opened(self):
        return self.layers[-1]

    @property
    def is_container(self):
        return self.type in ("array", "set", "dictionary", "object")


class Archive:
    """The values of an archive, each object one value."""

    def __init__(self, data):
        parts = plistlib.loads(data)
        self.objects, self.known = parts["$objects"], {}
        if list(parts["$top"]) == ["root"]:
            self.root = self.value(parts["$top"]["root"])
        else:
            self.root = Value("dictionary")
            self.root.children = [(key, self.value(part)) for key, part in parts["$top"].items()]

    def value(self, stored):
        if not isinstance(stored, UID):
            return self.scalar(stored)
        if stored.data == 0:
            return Value("null")
        stored = self.objects[stored.data]
        # Equal scalars are stored once, and so are one object.
        key = id(stored) if isinstance(stored, dict) else (type(stored), stored)
        if key in self.known:
            return self.known[key]
        if not isinstance(stored, dict):
            self.known[key] = self.scalar(stored)
            self.known[key].identity = key
            return self.known[key]
        record = self.objects[stored["$class"].data]
        name = record["$classname"]
        if name == "NSMutableData":
            made = self.scalar(stored["NS.data"])
            made.chain, made.identity = record["$classes"], key
            self.known[key] = made
            return made
        made = self.known[key] = Value(COLLECTIONS.get(name, "object"), None, record["$classes"], key)
        if name in ("NSArray", "NSSet"):
            made.children = [(i, self.value(part)) for i, part in enumerate(stored["NS.objects"])]
        elif name == "NSDictionary":
            names = [self.value(part).value for part in stored["NS.keys"]]
            made.children = [(key, self.value(part)) for key, part in zip(names, stored["NS.objects"])]
        else:
            made.children = [(key, self.value(part)) for key, part in stored.items() if key != "$class"]
        return made

    @staticmethod
    def scalar(stored):
        if isinstance(stored, bytes):
            made = Value("data", stored)
            if stored.startswith(b"bplist00"):
                made.content = Archive(stored).root
            return made
        kind = {str: "string", bool: "boolean", int: "integer"}[type(stored)]
        return Value(kind, stored)


def shortest(start):
    """The containers below a value by their shortest paths, in document order: (path, container)."""
    reached, queue, below = {id(start.opened)}, [start.opened], {}
    for container in queue:
        below[id(container)] = []
        for step, child in container.children:
            child = child.opened
            if child.is_container and id(child) not in reached:
                reached.add(id(child))
                queue.append(child)
                below[id(container)].append((step, child))
    ordered, waiting = [], [((), start.opened)]
    while waiting:
        path, container = waiting.pop()
        if container.is_container:
            ordered.append((path, container))
        waiting += [(path + (step,), child) for step, child in reversed(below[id(container)])]
    return ordered


def unrolled(start):
    """Every path, as (path, container); None if there are too many."""
    found, waiting = [], [((), start.opened, frozenset())]
    while waiting:
        path, container, inside = waiting.pop()
        if not container.is_container or id(container) in inside:
            continue
        found.append((path, container))
        if len(found) > MOST_PATHS:
            return None
        inside |= {id(container)}
        waiting += [(path + (step,), child.opened, inside) for step, child in reversed(container.children)]
    return found


def text(path):
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def normalized(path):
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f"['{step}']" for step in path)


# What find and query have to say


def says(value, pattern):
    last = value.opened
    if last.type == "string":
        return re.search(pattern, last.value) is not None
    return last.type == "data" and b"text" in last.value and re.search(pattern.encode(), last.value) is not None


FINDS = [
    (["--text", "t1"], lambda value: says(value, "t1")),
    (["--class", "Node*"], lambda value: any(re.match("Node|Base", name) for layer in value.layers for name in layer.chain)),
    (["--class", "NSData"], lambda value: any("NSData" in layer.chain for layer in value.layers)),
    (["--type", "set"], lambda value: any(layer.type == "set" for layer in value.layers)),
    (["--type", "data"], lambda value: any(layer.type == "data" for layer in value.layers)),
    (["--type", "string"], lambda value: any(layer.type == "string" for layer in value.layers)),
    (["--type", "null"], lambda value: any(layer.type == "null" for layer in value.layers)),
    (["--value", "7"], lambda value: value.opened.type == "integer" and value.opened.value == 7),
    (["--key", "k?", "--type", "string"], lambda value: any(layer.type == "string" for layer in value.layers)),
    (["--key", "k1"], lambda value: True),
]


def members(value):
    return dict(value.opened.children) if value.opened.is_container else {}


def reaches(value, key):
    return any(key in members(container) for _, container in shortest(value))


def is_seven(value):
    found = members(value).get("k1")
    return found is not None and found.opened.type == "integer" and found.opened.value == 7


QUERIES = [
    ("$..*", lambda step, value: True),
    ("$..k1", lambda step, value: step == "k1"),
    ("$..[0]", lambda step, value: step == 0),
    ("$..[?@.k1 == 7]", lambda step, value: is_seven(value)),
    ("$..[?@..k2]", lambda step, value: reaches(value, "k2")),
    ("$..[?count(@..*) > 9]",
     lambda step, value: sum(len(container.children) for _, container in shortest(value)) > 9),
    ("$..[?class(@) == 'Node1']", lambda step, value: any(layer.chain[:1] == ["Node1"] for layer in value.layers)),
    ("$..[?isa(@, 'Base')]", lambda step, value: any("Base" in layer.chain for layer in value.layers)),
    ("$..[?type(@) == 'data']", lambda step, value: any(layer.type == "data" for layer in value.layers)),
    ("$..[?type(@) == 'object']", lambda step, value: value.opened.type == "object"),
]


def expected_finds(root, containers, options, fits, once):
    has_key = "--key" in options
    found, shortest_of = [()] if not has_key and fits(root) else [], {id(root): ()}
    for path, container in containers:
        for step, child in container.children:
            if has_key and (not isinstance(step, str) or options[1] != "k?" and step != options[1]):
                continue
            if not fits(child):
                continue
            hit = path + (step,)
            if once and not has_key and (child.identity or child.is_container or child.content):
                known = shortest_of.setdefault(id(child), hit)
                if known is not hit:
                    if len(known) <= len(hit):
                        continue
                    found[found.index(known)] = None
                    shortest_of[id(child)] = hit
            found.append(hit)
    return [text(path) for path in found if path is not None]


def expected_query(containers, chooses):
    return [normalized(path + (step,)) for path, container in containers
            for step, child in container.children if chooses(step, child)]


# The comparison


def run(arguments, names):
    done = subprocess.run(arguments + names, capture_output=True, text=True, timeout=600)
    found = {name: [] for name in names}
    for line in done.stdout.splitlines():
        name, path = line.split(": ")[:2]
        found[name].append(path)
    return found, [line for line in done.stderr.splitlines() if "note: objects that contain" not in line]


def main():
    program, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    failures, checks = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        archives = {}
        for number in range(seed, seed + count):
            data = Maker(random.Random(number)).archive(random.Random(-number).randrange(1, 40), 0)
            with open(f"a{number}", "wb") as file:
                file.write(plistlib.dumps(as_xml(plistlib.loads(data))) if number % 3 == 0 else data)
            archives[f"a{number}"] = Archive(data).root
        once = {name: shortest(root) for name, root in archives.items()}
        every = {name: found for name, root in archives.items() if (found := unrolled(root)) is not None}
        for mode, containers in [([], once), (["--all-paths"], every)]:
            names = list(containers)
            cases = []
            for options, fits in FINDS:
                cases.append((["find", *options], {
                    name: expected_finds(archives[name], containers[name], options, fits, not mode) for name in names}))
            for query, chooses in QUERIES:
                if mode and "count" in query:
                    continue
                cases.append((["query", "--format", "paths", query], {
                    name: expected_query(containers[name], chooses) for name in names}))
            for command, expected in cases:
                found, errors = run([program, command[0], *mode, *command[1:]], names) if names else ({}, [])
                for name in names:
                    checks += 1
                    if found[name] != expected[name]:
                        failures += 1
                        print(f"seed {name[1:]}: {command} {mode}: expected {expected[name]}, found {found[name]}")
                if errors:
                    failures += 1
                    print(f"{command} {mode}: {errors[:3]}")
    print(f"{count} archives, {checks} searches, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
