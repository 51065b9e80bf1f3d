#!/usr/bin/env python3
"""Decodes keyed archives with code of its own and compares them with what archtool's typed JSON says.

usage: keyed_archive_decoder.py ARCHTOOL COUNT SEED [ARCHIVE | FOLDER ...]

It makes random keyed archives (shared and cyclic references, keys that an archiver mangles, values that stand in their
holders, collections in both spellings, strings that spell nil, class hints, other archivers, several top-level keys) and
reads them, and the archives that are named, with plistlib for the container and nothing but this file for the object
table. Three things have to hold for each: `dump --typed` tells the same graph, object for object; `dump --format json`
names no member twice; and the archive that `convert --to keyed-archive` makes of the typed JSON is that graph again.
Prints one line of counts; exit status 1 if anything differs.
"""
import datetime
import json
import os
import plistlib
import random
import shutil
import subprocess
import sys
import tempfile
from plistlib import UID

EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)
COLLECTIONS = {"NSArray": "array", "NSSet": "set", "NSOrderedSet": "ordered set"}


class Node:
    """A value with an identity: a collection, a dictionary, an object or a date."""

    def __init__(self):
        self.kind, self.facts, self.parts = None, None, []

    def become(self, kind, parts, facts=None):
        self.kind, self.parts, self.facts = kind, parts, facts
        return self


class Strange(Exception):
    """An archive that is none, or has what this decoder leaves to others."""


# Stored archives


class Decoder:
    """The graph of an archive. A value in its holder is ("inline", value), an object ("object", value)."""

    def __init__(self, archive):
        if not isinstance(archive, dict) or not isinstance(archive.get("$objects"), list):
            raise Strange("no keyed archive")
        self.objects, self.nodes = archive["$objects"], {}
        self.facts = (archive.get("$archiver"), archive.get("$version"))
        top = archive.get("$top")
        if not isinstance(top, dict) or not top or not isinstance(self.facts[0], str):
            raise Strange("no top")
        self.is_single = list(top) == ["root"]
        if self.is_single:
            self.root = self.slot(top["root"])[1]
        else:
            self.root = Node().become("dictionary", [(("object", plain(key)), self.slot(value)) for key, value in top.items()])

    def slot(self, value):
        if isinstance(value, UID):
            return ("object", self.object(value.data))
        return ("inline", self.inline(value))

    def inline(self, value):
        if isinstance(value, list):
            return Node().become("array", [self.slot(item) for item in value])
        if isinstance(value, dict):
            return Node().become("dictionary", [(("inline", key), self.slot(item)) for key, item in value.items()])
        return value

    def object(self, number):
        if number >= len(self.objects):
            raise Strange("a UID leads nowhere")
        stored = self.objects[number]
        if number == 0 or stored == "$null":
            return None
        if not isinstance(stored, (dict, list)):
            return stored
        if number not in self.nodes:
            self.nodes[number] = Node()
            self.fill(self.nodes[number], stored)
        return self.nodes[number]

    def fill(self, node, stored):
        if not isinstance(stored, dict) or "$class" not in stored:
            raise Strange("an object without a class")
        record = self.objects[stored["$class"].data]
        name, chain = record["$classname"], record.get("$classes", [])
        hints, versions = record.get("$classhints", []), record.get("$versions", [])
        if not all(isinstance(item, str) for item in chain + hints):
            raise Strange("a class that is no name")
        fields = {key: value for key, value in stored.items() if key != "$class"}
        if not hints and chain in ([], [name], [name, "NSObject"]) and self.plain(node, name, fields):
            return
        versions = versions if any(versions) else []
        node.become("object", [(key, self.slot(value)) for key, value in fields.items()], (name, chain, hints, versions))

    def plain(self, node, name, fields):
        """Makes a node the value that its class stands for; False if its fields are not those of the class."""
        is_listed = isinstance(fields.get("NS.objects"), list)
        if name != "NSDate" and not is_listed and not all(isinstance(value, UID) for value in fields.values()):
            # Typed JSON tells the fields, since a list of the elements could not say that one stands in the object.
            return False
        if name in COLLECTIONS:
            elements = elements_of(fields, "NS.objects", "NS.object.")
            if elements is None:
                return False
            node.become(COLLECTIONS[name], [self.slot(item) for item in elements])
        elif name == "NSDictionary":
            keys = elements_of(fields, "NS.keys", "NS.key.")
            values = elements_of(fields, "NS.objects", "NS.object.")
            if keys is None or values is None or len(keys) != len(values):
                return False
            node.become("dictionary", [(self.slot(key), self.slot(value)) for key, value in zip(keys, values)])
        elif name == "NSDate" and isinstance(fields.get("NS.time"), (int, float)):
            node.become("date", [], float(fields["NS.time"]))
        elif name == "NSNull" and not fields:
            node.become("object", [], ("NSNull", ["NSNull", "NSObject"], [], []))
        else:
            return False
        return True


def elements_of(fields, key, prefix):
    if isinstance(fields.get(key), list):
        return fields[key]
    if key in fields:
        return None
    numbered = [fields.get(f"{prefix}{number}") for number in range(len(fields))]
    elements = numbered[:next((at for at, item in enumerate(numbered) if item is None), len(numbered))]
    return elements if elements or not fields else None


def plain(key):
    """A key as it was meant: an archiver puts a `$` before one that begins with it."""
    return key[1:] if key.startswith("$$") else key


# Typed JSON


class Telling:
    """The graph that typed JSON tells."""

    def __init__(self, told):
        self.nodes, self.facts = {}, ("NSKeyedArchiver", 100000)
        if isinstance(told, dict) and list(told) == ["$archive"]:
            archive = told["$archive"]
            self.facts = (archive["archiver"], archive.get("version", 100000))
            told = archive["root"]
        self.root = self.slot(told, False)[1]

    def slot(self, told, is_field):
        if isinstance(told, dict) and len(told) == 1:
            (tag, value), = told.items()
            if tag == "$inline":
                return ("inline", self.value(value))
            if tag == "$boxed":
                return ("object", self.value(value))
        value = self.value(told)
        return ("inline" if is_field and isinstance(value, (bool, int, float)) else "object", value)

    def value(self, told, node=None):
        if isinstance(told, list):
            return (node or Node()).become("array", [self.slot(item, False) for item in told])
        if not isinstance(told, dict):
            return told
        if set(told) == {"$id", "$value"}:
            self.nodes[told["$id"]] = Node()
            return self.value(told["$value"], self.nodes[told["$id"]])
        if len(told) == 1 and next(iter(told)).startswith("$"):
            (tag, value), = told.items()
            return self.tagged(tag, value, node)
        parts = []
        (node or (node := Node())).become("dictionary", parts)
        parts += [((None, key), self.slot(item, False)) for key, item in told.items()]
        return node

    def tagged(self, tag, value, node):
        node = node or Node()
        if tag == "$ref":
            return self.nodes[value]
        if tag == "$date":
            return node.become("date", [], seconds(value))
        if tag == "$data":
            return plistlib.loads(f"<plist><data>{value}</data></plist>".encode())
        if tag in ("$real", "$float"):
            return float(value)
        if tag == "$int":
            return int(value)
        if tag == "$set":
            return node.become("set", [self.slot(item, False) for item in value])
        if tag == "$orderedSet":
            return node.become("ordered set", [self.slot(item, False) for item in value])
        if tag == "$entries":
            parts = []
            node.become("dictionary", parts)
            parts += [(self.slot(item["key"], False), self.slot(item["value"], False)) for item in value]
            return node
        if tag == "$object":
            parts = []
            facts = (value["class"], value["classes"], value.get("hints", []), value.get("versions", []))
            node.become("object", parts, facts)
            parts += [(key, self.slot(item, True)) for key, item in value["fields"].items()]
            return node
        raise Strange(f"the tag {tag}")


def seconds(told):
    """Seconds from 2001 of an ISO 8601 date."""
    if not isinstance(told, str):
        return float(told)
    whole, _, fraction = told.rstrip("Z").partition(".")
    moment = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return (moment - EPOCH).total_seconds() + float("0." + (fraction or "0"))


# Comparison


def difference(left, right):
    """The first way in which two graphs differ; None if there is none."""
    twins, inverse, stack = {}, {}, [(left, right, "$")]
    while stack:
        a, b, path = stack.pop()
        if not isinstance(a, Node) or not isinstance(b, Node):
            if type(a) is not type(b) or repr(a) != repr(b):
                return f"{path}: {a!r} is told as {b!r}"
            continue
        if id(a) in twins or id(b) in inverse:
            if twins.get(id(a)) is not b or inverse.get(id(b)) is not a:
                return f"{path}: identity"
            continue
        twins[id(a)], inverse[id(b)] = b, a
        if a.kind == "date" and b.kind == "date":
            if abs(a.facts - b.facts) > 1e-6 * max(1, abs(a.facts)):
                return f"{path}: {a.facts} is told as {b.facts}"
            continue
        if (a.kind, a.facts) != (b.kind, b.facts):
            return f"{path}: {a.kind} {a.facts} is told as {b.kind} {b.facts}"
        if len(a.parts) != len(b.parts):
            return f"{path}: {len(a.parts)} parts are told as {len(b.parts)}"
        for number, (x, y) in enumerate(zip(a.parts, b.parts)):
            step = f"{path}[{number}]"
            if a.kind == "object":
                if x[0] != y[0]:
                    return f"{path}: the key {x[0]!r} is told as {y[0]!r}"
                pairs, step = [(x[1], y[1])], f"{path}.{x[0]}"
            else:
                pairs = list(zip(x, y)) if a.kind == "dictionary" else [(x, y)]
            for (kept, value), (told, other) in pairs:
                if None not in (kept, told) and kept != told and value is not None:
                    return f"{step}: {kept} is told as {told}"
                stack.append((value, other, step))
    return None


def once(pairs):
    """The members of a JSON object, whose names have to differ."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"members twice: {names}")
    return dict(pairs)


# Random archives


class Maker:
    """Random archives."""

    CLASSES = [["App.A", "NSObject"], ["App.B", "App.A", "NSObject"], ["UICatalog.C", "NSObject"], ["Gone"],
               ["_TtCV3App5Movie10MovieClass", "NSObject"], ["App.List", "NSArray", "NSObject"]]
    KEYS = ["a", "b", "c", "$$d", "$$class", "$$0", "$0", "$1", "NS.e", "key with space", "\u00e9"]

    def __init__(self, numbers):
        self.random, self.objects, self.records, self.pool = numbers, ["$null"], {}, []

    def archive(self):
        numbers = self.random
        root = self.value(5)
        top = {"root": root}
        if numbers.random() < 0.15:
            top = {"$$x": root, "y": self.value(2), "count": numbers.randrange(9)}
        return {"$version": 100000 if numbers.random() < 0.95 else 99999,
                "$archiver": "NSKeyedArchiver" if numbers.random() < 0.9 else "NRKeyedArchiver",
                "$top": top, "$objects": self.objects}

    def add(self, stored):
        self.objects.append(stored)
        return UID(len(self.objects) - 1)

    def record(self, chain, hints=(), versions=()):
        key = (tuple(chain), tuple(hints), tuple(versions))
        if key not in self.records:
            stored = {"$classname": chain[0], "$classes": list(chain)}
            if hints:
                stored["$classhints"] = list(hints)
            if versions:
                stored["$versions"] = list(versions)
            self.records[key] = self.add(stored)
        return self.records[key]

    def scalar(self):
        numbers = self.random
        return numbers.choice([
            lambda: f"s{numbers.randrange(9)}", lambda: numbers.randrange(-(2**62), 2**62), lambda: numbers.random() * 100,
            lambda: numbers.random() < 0.5, lambda: bytes(numbers.randrange(256) for _ in range(4)), lambda: 64.0,
            lambda: 2**64 - 1, lambda: "\u00e4\u20ac\U0001F600", lambda: "", lambda: numbers.randrange(100)])()

    def in_place(self, depth):
        """A value that stands in its holder."""
        numbers = self.random
        choice = numbers.random()
        if depth <= 0 or choice < 0.6:
            return "$null" if choice < 0.05 else self.scalar()
        if choice < 0.8:
            return [self.slot(depth - 1) for _ in range(numbers.randrange(3))]
        return {f"k{number}": self.slot(depth - 1) for number in range(numbers.randrange(3))}

    def slot(self, depth):
        choice = self.random.random()
        return UID(0) if choice < 0.05 else self.in_place(depth) if choice < 0.25 else self.value(depth)

    def value(self, depth):
        """A reference to an object."""
        numbers = self.random
        choice = numbers.random()
        if self.pool and choice < 0.2:
            return numbers.choice(self.pool)
        if depth <= 0 or choice < 0.4:
            return self.add(self.scalar()) if numbers.random() < 0.6 else self.leaf()
        if choice < 0.6:
            return self.collection(depth - 1)
        if choice < 0.75:
            return self.dictionary(depth - 1)
        return self.instance(depth - 1)

    def leaf(self):
        numbers = self.random
        made = numbers.choice([
            lambda: (["NSDate"], {"NS.time": numbers.choice([0.0, 5.5, 1e9, -1e8, numbers.random() * 1e9])}),
            lambda: (["NSURL"], {"NS.base": UID(0), "NS.relative": self.add("http://h/a")}),
            lambda: (["NSString"], {"NS.string": numbers.choice(["$null", "text", ""])}),
            lambda: (["NSMutableString", "NSString"], {"NS.string": "$null"}),
            lambda: (["NSUUID"], {"NS.uuidbytes": bytes(16)}), lambda: (["NSNull"], {}),
            lambda: (["NSMutableData", "NSData"], {"NS.data": b"abc"}),
            lambda: (["NSNumber", "NSValue"], {"NS.number": 7}),
            lambda: (["NSDateComponents"], {"NS.year": 2019, "NS.day": 2**63 - 1, "NS.isLeapMonth": True})])()
        stored = dict(made[1])
        number = self.add(stored)
        stored["$class"] = self.record(made[0] + ["NSObject"])
        self.pool.append(number)
        return number

    def collection(self, depth):
        numbers = self.random
        name = numbers.choice(["NSArray", "NSArray", "NSMutableArray", "NSSet", "NSOrderedSet"])
        chain = [name, "NSArray", "NSObject"] if name == "NSMutableArray" else [name, "NSObject"]
        if numbers.random() < 0.1:
            chain = [name, "App.Base", "NSObject"]
        stored = {}
        number = self.add(stored)
        if name != "NSSet":
            self.pool.append(number)
        # No archiver stores nil among elements.
        slot = self.in_place if numbers.random() < 0.1 else self.value
        elements = [slot(depth) for _ in range(numbers.randrange(4))]
        if name == "NSOrderedSet" or numbers.random() < 0.1:
            stored.update({f"NS.object.{at}": item for at, item in enumerate(elements)})
        else:
            stored["NS.objects"] = elements
        stored["$class"] = self.record(chain)
        return number

    def dictionary(self, depth):
        numbers = self.random
        stored = {}
        number = self.add(stored)
        self.pool.append(number)
        if numbers.random() < 0.7:
            keys = [self.add(key) for key in numbers.sample(["a", "b", "$id", "$ref", "$class", "c"], numbers.randrange(4))]
        else:
            keys = [self.add(numbers.choice([at, at + 0.5, bytes([at])])) for at in range(numbers.randrange(3))]
        values = [self.value(depth) for _ in keys]
        stored.update({"NS.keys": keys, "NS.objects": values})
        stored["$class"] = self.record(["NSDictionary", "NSObject"])
        return number

    def instance(self, depth):
        numbers = self.random
        stored = {}
        number = self.add(stored)
        self.pool.append(number)
        for key in numbers.sample(self.KEYS, numbers.randrange(5)):
            stored[key] = self.slot(depth)
        hints = ["NSColor"] if numbers.random() < 0.1 else []
        versions = [3, 0] if numbers.random() < 0.1 else []
        stored["$class"] = self.record(numbers.choice(self.CLASSES), hints, versions)
        return number


# The trial


def run(arguments):
    return subprocess.run(arguments, capture_output=True, timeout=600)


def problems_of(archtool, path, folder, checks):
    """What is wrong with what archtool says of an archive; None if the archive is left out."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        stored = Decoder(plistlib.loads(data, fmt=plistlib.FMT_BINARY))
    except (Strange, KeyError, AttributeError, TypeError, IndexError, ValueError, plistlib.InvalidFileException, OverflowError):
        return None
    typed = run([archtool, "dump", "-q", "--typed", path])
    if typed.returncode != 0:
        return [f"status {typed.returncode}: {typed.stderr[:300]!r}"] if checks else None
    problems = []
    try:
        told = Telling(json.loads(typed.stdout, object_pairs_hook=once))
        json.loads(run([archtool, "dump", "-q", "--format", "json", path]).stdout, object_pairs_hook=once)
    except (ValueError, KeyError, Strange) as error:
        return [f"{type(error).__name__} {error}"]
    if told.facts != stored.facts:
        problems.append(f"{stored.facts} is told as {told.facts}")
    what = difference(stored.root, told.root)
    if what:
        problems.append(what)
    if not stored.is_single:
        return problems
    with open(f"{folder}/typed.json", "wb") as file:
        file.write(typed.stdout)
    back = run([archtool, "convert", "-q", "--to", "keyed-archive", f"{folder}/typed.json", "-o", "-"])
    if back.returncode != 0:
        return problems + [f"convert: status {back.returncode}: {back.stderr[:300]!r}"]
    again = Decoder(plistlib.loads(back.stdout, fmt=plistlib.FMT_BINARY))
    if again.facts != stored.facts:
        problems.append(f"convert: {stored.facts} became {again.facts}")
    what = difference(stored.root, again.root)
    return problems + ([f"convert: {what}"] if what else [])


def main():
    archtool, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    sys.setrecursionlimit(100_000)
    numbers, folder = random.Random(seed), tempfile.mkdtemp()
    paths = []
    for number in range(count):
        paths.append(f"{folder}/{number}")
        with open(paths[-1], "wb") as file:
            plistlib.dump(Maker(numbers).archive(), file, fmt=plistlib.FMT_BINARY, sort_keys=False)
    named = []
    for path in sys.argv[4:]:
        named += [os.path.join(at, name) for at, _, names in sorted(os.walk(path)) for name in sorted(names)] \
            if os.path.isdir(path) else [path]
    equal, skipped, different = 0, 0, []
    for path in paths + named:
        problems = problems_of(archtool, path, folder, path in paths)
        if problems is None:
            skipped += 1
        elif problems:
            different.append(f"{path}: {'; '.join(problems)}")
        else:
            equal += 1
    for line in different[:20]:
        print(line)
    print(f"archives {count + len(named)} equal {equal} left out {skipped} different {len(different)} seed {seed}")
    if not different:
        shutil.rmtree(folder)
    sys.exit(1 if different or equal < count else 0)


if __name__ == "__main__":
    main()
