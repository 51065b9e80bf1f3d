#!/usr/bin/env python3
"""Migrates random models between envelopes and compares what was written with what should have been.

usage: envelope_changes.py ARCHTOOL COUNT SEED [FOLDER]

It makes a random type, values of it, and a family of two versions in different envelopes whose schemas tell all of the
classes and the storage, some, or none. It has archtool migrate the values there and back, and reads both sides with
plistlib and json alone. What the target holds must be as it was: value, class, storage, mutability, sharing. What it
does not hold must be told by the schema, or else be refused as a loss, with its path; kept, it must come back.
Prints one line of counts; exit status 1 if anything differs.
"""
import base64
import datetime
import json
import os
import plistlib
import random
import shutil
import subprocess
import sys
import tempfile
import uuid

from object_graphs import APPLICATION, KNOWN, Archive, Inline, Object, difference, read

OBJECTS = ("nscoding", "dictionariable")
ENVELOPES = ("nscoding", "dictionariable", "codable", "plist", "json")
EPOCH = datetime.datetime(2001, 1, 1)
CLASSES = [name for name in APPLICATION if name.startswith("App.")]


SCALARS = ["text", "integer", "real", "boolean", "data", "date", "url", "uuid"]


class Null:
    """What nil or NSNull is, by where it is."""


NULL = Null()


class Type:
    """A random type of values, and what the schemas tell of its values' classes and storage."""

    def __init__(self, numbers, tells, depth, is_field, kind=None):
        self.random, self.is_field = numbers, is_field
        self.kind = kind or numbers.choice(
            self.scalars if depth <= 0 else self.scalars + ["array", "set", "map", "record", "object", "object"])
        self.is_told = tells == "all" or tells == "some" and numbers.random() < 0.8
        self.is_optional = numbers.random() < 0.25 and kind is None
        self.is_mutable = self.kind in ("array", "map", "record", "text", "data") and numbers.random() < 0.2
        self.storage = numbers.choice(["inline", "boxed"])
        self.pool, self.parts = [], {}
        if self.kind in ("array", "map"):
            self.element = Type(numbers, tells, depth - 1, False)
        elif self.kind == "set":
            self.element = Type(numbers, tells, 0, False, "text")
            self.element.is_mutable = False
        elif self.kind in ("record", "object"):
            self.name = numbers.choice(CLASSES)
            names = numbers.sample(["a", "b", "c", "d", "e f", "g\u00e4"], numbers.randrange(1, 5))
            self.parts = {name: Type(numbers, tells, depth - 1, self.kind == "object") for name in names}

    @property
    def is_number(self):
        return self.kind in ("integer", "real", "boolean")

    # Values

    def value(self):
        """A value, in terms of Python."""
        numbers = self.random
        if self.pool and self.kind not in ("text", "integer", "real", "boolean", "data") and numbers.random() < 0.25:
            return numbers.choice(self.pool)
        made = {
            "text": lambda: numbers.choice(["", "x", "\u00e4\u20ac\U0001F600", f"s{numbers.randrange(99)}"]),
            "integer": lambda: numbers.choice([0, 1, -7, 64, 2**40, -2**60, numbers.randrange(1000)]),
            "real": lambda: numbers.choice([0.5, 64.0, -1.25, 1e300, 0.1, numbers.random()]),
            "boolean": lambda: numbers.random() < 0.5,
            "data": lambda: bytes(numbers.randrange(256) for _ in range(numbers.randrange(6))),
            "date": lambda: EPOCH + datetime.timedelta(seconds=numbers.randrange(-10**9, 10**9) / 4),
            "url": lambda: URL(f"http://h/{numbers.randrange(9)}?q"),
            "uuid": lambda: uuid.UUID(int=numbers.getrandbits(128)),
            "array": lambda: [self.element.some() for _ in range(numbers.randrange(4))],
            "set": lambda: [self.element.value()],
            "map": lambda: {f"k{number}": self.element.some() for number in range(numbers.randrange(3))},
        }.get(self.kind, self.members)()
        self.pool.append(made)
        return made

    def some(self):
        return NULL if self.is_optional and self.random.random() < 0.3 else self.value()

    def members(self):
        found = {}
        for name, part in self.parts.items():
            if part.is_optional and self.random.random() < 0.3:
                continue
            found[name] = part.some()
        return found

    # Schemas

    def schema(self, envelope, renamed=None):
        """The schema of a version in an envelope."""
        has_objects = envelope in OBJECTS
        plain = {"text": "string", "integer": "integer", "real": "number", "boolean": "boolean", "data": "string",
                 "date": "string", "url": "string", "uuid": "string", "array": "array", "set": "array"}
        result = {"type": plain.get(self.kind, "object")}
        if self.kind in ("text", "date", "data"):
            result["x-plist-type"] = {"text": "string"}.get(self.kind, self.kind)
        if self.kind == "url" and envelope in ("codable", "plist"):
            result = {"type": "object", "required": ["relative"]}
        if self.kind in ("array", "map", "set"):
            key = "additionalProperties" if self.kind == "map" else "items"
            result[key] = self.element.schema(envelope)
        if self.parts:
            result["properties"] = {
                (renamed or {}).get(name, name): part.schema(envelope) for name, part in self.parts.items()}
            result["required"] = [
                (renamed or {}).get(name, name) for name, part in self.parts.items() if not part.is_optional]
        if self.is_told and has_objects:
            result |= self.structure(envelope)
        if self.is_optional:
            for key in "type", "x-plist-type":
                if key in result:
                    result[key] = [result[key], "null"]
        return result

    def structure(self, envelope):
        classes = {"url": "NSURL", "uuid": "NSUUID", "set": "NSSet", "record": "NSDictionary", "map": "NSDictionary"}
        if self.kind == "object" and envelope == "nscoding":
            return {"x-class": self.name, "x-classes": APPLICATION[self.name]}
        if self.is_number:
            return {"x-storage": self.storage} if self.is_field and envelope == "nscoding" else {}
        result = {"x-class": classes[self.kind]} if self.kind in classes else {}
        if self.kind in ("array", "map", "record", "text", "data"):
            result["x-mutable"] = self.is_mutable
        return result


class URL(str):
    """The text of a URL."""


# What a value is in an envelope


class Builder:
    """Makes objects of values, as an app of the envelope archives them."""

    def __init__(self, envelope, shares=True, keeps_null=True, source=None):
        self.envelope, self.shares, self.keeps_null, self.known = envelope, shares, keeps_null, {}
        # The envelope without objects that the values are read from: only the schema tells what they are.
        self.source = source if source not in OBJECTS else None
        # Dictionaries tell no class of an application.
        self.knows_classes = source in (None, "nscoding")
        self.null = Object("NSNull", KNOWN["NSNull"])
        self.null.is_new = True

    def scalar(self, value):
        made = Object(scalar=value)
        made.is_new = True
        return made

    def object(self, value, type, is_field):
        if value is NULL:
            return None if is_field else self.null
        is_known = type.is_told or self.source is None
        if type.is_number:
            is_inline = is_field and type.storage == "inline"
            return Inline(value) if is_inline else self.scalar(value)
        if type.kind in ("text", "data"):
            if not type.is_mutable or not is_known:
                return self.scalar(value)
            name, key = {"text": ("NSMutableString", "NS.string"), "data": ("NSMutableData", "NS.data")}[type.kind]
            return Object(name, KNOWN[name], [(key, Inline(value))])
        if not is_known and (type.kind == "uuid" or type.kind == "url" and self.source == "json"):
            return self.scalar(plain(value, type, self.source))
        if self.shares and id(value) in self.known:
            return self.known[id(value)]
        made = Object()
        self.known[id(value)] = made
        self.fill(made, value, type, is_known)
        return made

    def fill(self, made, value, type, is_known):
        simple = {
            "date": lambda: ("NSDate", [("NS.time", Inline((value - EPOCH).total_seconds()))]),
            "url": lambda: ("NSURL", [("NS.base", None), ("NS.relative", self.scalar(str(value)))]),
            "uuid": lambda: ("NSUUID", [("NS.uuidbytes", Inline(value.bytes))]),
            "set": lambda: ("NSSet", [("NS.objects", [self.object(x, type.element, False) for x in value])]),
            "array": lambda: ("NSArray", [("NS.objects", [self.object(x, type.element, False) for x in value])]),
        }.get("array" if type.kind == "set" and not is_known else type.kind)
        if type.kind == "url" and not is_known:
            keys = [("NS.keys", [self.scalar("relative")]), ("NS.objects", [self.scalar(str(value))])]
            made.name, made.fields = "NSDictionary", keys
        elif simple:
            made.name, made.fields = simple()
            # Typed JSON, in which values are kept, has dates that are no objects.
            made.is_new = type.kind == "date"
        elif type.kind == "object" and self.envelope == "nscoding":
            # Nothing but the name of a class is known then.
            is_known = type.is_told or self.knows_classes
            made.name, made.chain = type.name, APPLICATION[type.name] if is_known else [type.name, "NSObject"]
            made.fields = [
                (name, self.object(item, type.parts[name], True)) for name, item in value.items()
                if self.keeps_null or item is not NULL]
            return
        else:
            items = [
                (name, item) for name, item in value.items()
                if self.keeps_null or item is not NULL or name not in type.parts]
            made.name = "NSDictionary"
            made.fields = [
                ("NS.keys", [self.scalar(name) for name, _ in items]),
                ("NS.objects", [self.object(x, type.parts.get(n) or type.element, False) for n, x in items])]
        if type.is_mutable and is_known:
            made.name = made.name.replace("NS", "NSMutable")
        made.chain = KNOWN[made.name]


def plain(value, type, envelope, keeps_null=True):
    """A value as Codable types encode themselves; a property list has no null for a member."""
    if value is NULL:
        return None
    if envelope == "json":
        if type.kind == "date":
            return (value - EPOCH).total_seconds()
        if type.kind == "data":
            return base64.b64encode(value).decode()
    if type.kind == "url":
        return str(value) if envelope == "json" else {"relative": str(value)}
    if type.kind == "uuid":
        return str(value).upper()
    if type.kind in ("array", "set"):
        items = [plain(item, type.element, envelope, keeps_null) for item in value]
        return items if envelope == "json" else ["$null" if item is None else item for item in items]
    if isinstance(value, dict):
        items = {
            name: plain(item, type.parts.get(name) or type.element, envelope, keeps_null)
            for name, item in value.items()}
        if envelope == "json" and keeps_null:
            return items
        # A member that is nil is left out; of a dictionary, whose keys no schema names, it is marked.
        mark = None if envelope == "json" else "$null"
        return {
            name: mark if item is None else item
            for name, item in items.items() if item is not None or name not in type.parts}
    return value


def untold(value, type, source, target, is_field=False, is_root=False):
    """Whether the target holds no class, storage or mutability of a value, and the schema does not tell them."""
    if value is NULL:
        return False
    # The name of the root's class stands in x-archive.
    is_named = is_root and APPLICATION[type.name] == [type.name, "NSObject"]
    needs = type.kind == "object" and not is_named or type.is_number and is_field
    if source == "nscoding" and needs and not type.is_told:
        return True
    if target not in OBJECTS and (type.is_mutable or type.kind in ("url", "uuid", "set")) and not type.is_told:
        return True
    if type.kind in ("array", "set"):
        return any(untold(item, type.element, source, target) for item in value)
    if isinstance(value, dict):
        return any(
            untold(item, type.parts.get(name) or type.element, source, target, type.kind == "object")
            for name, item in value.items())
    return False


def write(path, value, type, envelope, key):
    with open(path, "wb") as file:
        if envelope in OBJECTS:
            file.write(Archive(None).data(Builder(envelope).object(value, type, False), key))
        elif envelope == "json":
            file.write(json.dumps(plain(value, type, envelope)).encode())
        else:
            data = plistlib.dumps(plain(value, type, envelope), fmt=plistlib.FMT_BINARY, sort_keys=False)
            file.write(data if envelope == "plist" else Archive(None).data(Object(scalar=data), key))


# Comparison


def sorted_members(item, seen):
    """Puts the members of all objects in the order of their names, which says nothing."""
    if isinstance(item, list):
        for part in item:
            sorted_members(part, seen)
    if not isinstance(item, Object) or id(item) in seen:
        return
    seen.add(id(item))
    if item.name is None:
        item.is_new = True
        return
    for _, part in item.fields:
        sorted_members(part, seen)
    if item.name in ("NSDictionary", "NSMutableDictionary") and all(isinstance(x, list) for _, x in item.fields):
        (keys, values) = (item.fields[0][1], item.fields[1][1])
        order = sorted(range(len(keys)), key=lambda n: keys[n].scalar)
        item.fields = [("NS.keys", [keys[n] for n in order]), ("NS.objects", [values[n] for n in order])]
    elif item.is_application:
        item.fields.sort(key=lambda field: field[0])


def same(left, right):
    """Whether two plain values are the same; in JSON a number is one whatever its type, but no boolean."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


def numbered(value):
    """JSON without the types of its numbers."""
    if isinstance(value, dict):
        return {key: numbered(item) for key, item in value.items()}
    if isinstance(value, list):
        return [numbered(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def unlike(path, value, type, envelope, key, shares, keeps_null, source):
    """How a file differs from a value in its envelope; None if it does not."""
    if envelope in OBJECTS:
        found, archive = read(path)
        if list(archive["$top"]) != [key]:
            return f"top-level keys {list(archive['$top'])}"
        made = Builder(envelope, shares, keeps_null, source).object(value, type, False)
        for graph in made, found:
            sorted_members(graph, set())
        return difference(made, found)
    with open(path, "rb") as file:
        data = file.read()
    expected = plain(value, type, envelope, keeps_null)
    if envelope == "json":
        found, expected = numbered(json.loads(data)), numbered(expected)
    elif envelope == "plist":
        found = plistlib.loads(data)
    else:
        archive = plistlib.loads(data)
        found = plistlib.loads(archive["$objects"][archive["$top"][key].data])
    return None if same(expected, found) else f"{expected!r} {found!r}"


# The trial


class Family:
    """A model in two versions, and the values of a trial."""

    def __init__(self, archtool, folder, number, numbers):
        self.archtool, self.numbers = archtool, numbers
        self.source, self.target = numbers.sample(ENVELOPES, 2)
        self.tells = numbers.choice(["all", "all", "some", "none"])
        # Without objects nothing tells a URL from the forms that it has.
        has_objects = self.source in OBJECTS or self.target in OBJECTS
        Type.scalars = SCALARS if has_objects else [kind for kind in SCALARS if kind != "url"]
        self.type = Type(numbers, self.tells, 3, False, "object")
        self.name = f"E{number}"
        self.keys = [numbers.choice(["root", "root", "model"]) for _ in range(2)]
        self.folder = f"{folder}/{self.name}"
        os.makedirs(f"{self.folder}/families/{self.name}")
        # Without a member a model could be of no version.
        first = next(iter(self.type.parts))
        self.type.parts[first].is_optional = False
        self.renamed = {first: "renamed"} if numbers.random() < 0.3 else {}
        self.values = [self.type.members() for _ in range(12)]
        self.write_schemas()
        os.makedirs(f"{self.folder}/v1")
        for number, value in enumerate(self.values):
            write(f"{self.folder}/v1/{number}", value, self.type, self.source, self.keys[0])

    def write_schemas(self):
        def save(file, value):
            with open(f"{self.folder}/families/{self.name}/{file}", "w") as output:
                json.dump(value, output)

        save("family.json", {"family": self.name, "versions": ["v1", "v2"]})
        for version, envelope, key, names in (
                ("v1", self.source, self.keys[0], None), ("v2", self.target, self.keys[1], self.renamed)):
            archive = {"envelope": envelope}
            if envelope in OBJECTS + ("codable",):
                archive["key"] = key
            if envelope == "nscoding":
                archive["classes"] = [self.type.name]
            save(f"{version}.schema.json", {
                "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:archtool:{self.name}:{version}",
                "x-archive": archive, **self.type.schema(envelope, names)})
        save("v1-v2.lens.json", {"lens": [
            {"rename": {"source": old, "destination": new}} for old, new in self.renamed.items()]})

    def second(self):
        """The values and their type as the second version has them."""
        values = [{self.renamed.get(name, name): item for name, item in value.items()} for value in self.values]
        renamed = Type(self.numbers, "all", 0, False, "text")
        renamed.__dict__ |= self.type.__dict__
        renamed.parts = {self.renamed.get(name, name): part for name, part in self.type.parts.items()}
        return values, renamed

    def migrate(self, source, target, version, *options):
        """Migrates a folder; what was said of each file that was refused, by its number."""
        report = f"{self.folder}/{target}.report"
        process = subprocess.run(
            [self.archtool, "migrate", "--allow-empty", "--schemas", f"{self.folder}/families", "--schema", self.name, "--from",
             "v1" if version == "v2" else "v2", "--to", version, "-q", "-r", f"{self.folder}/{source}", "--output-dir",
             f"{self.folder}/{target}", "--report", report, *options],
            capture_output=True, text=True, timeout=600)
        if process.returncode not in (0, 1):
            raise RuntimeError(f"{self.name}: status {process.returncode}: {process.stderr[:500]}")
        with open(report) as file:
            lines = [json.loads(line) for line in file]
        return {os.path.basename(line["file"]): line for line in lines if "file" in line}


def leaves_null_out(*envelopes):
    return any(envelope in ("codable", "plist") for envelope in envelopes)


def trial(family):
    """What differs, and how many values were the same, and refused."""
    problems, counts = [], {"equal": 0, "refused": 0, "kept": 0}
    # What the schema does not tell is refused, absence is not.
    there = family.migrate("v1", "v2", "v2", "--strict", "--allow-loss=absence")
    kept = family.migrate("v1", "kept", "v2", "--keep-lost")
    allowed = family.migrate("v1", "allowed", "v2", "--allow-loss")
    back = family.migrate("v2", "back", "v1", "--strict", "--allow-loss=absence") if os.path.exists(f"{family.folder}/v2") else {}
    returned = family.migrate("kept", "returned", "v1", "--allow-loss=absence") if os.path.exists(f"{family.folder}/kept") else {}
    values, renamed = family.second()
    shares = family.target in OBJECTS and family.source in OBJECTS
    keeps_null = not leaves_null_out(family.source, family.target)
    for number, value in enumerate(family.values):
        at = f"{family.name}/{number} {family.source} to {family.target}, {family.tells} told"
        place = str(number)

        def check(step, folder, value, type, envelope, key, shares, keeps_null, source):
            path = f"{family.folder}/{folder}/{place}"
            what = unlike(path, value, type, envelope, key, shares, keeps_null, source)
            if what:
                problems.append(f"{at}: {step}: {what}")
            return not what

        def refusal(report):
            line = report.get(place)
            return line if line and line.get("outcome") == "refused" else None

        loses = family.source in OBJECTS and untold(
            value, family.type, family.source, family.target, is_root=True)
        first = refusal(there)
        for report in (there, kept, allowed, back, returned):
            line = refusal(report)
            if line and "$" not in json.dumps(line):
                problems.append(f"{at}: refused without a path: {line}")
        if there.get(place, {}).get("outcome") == "failed":
            problems.append(f"{at}: failed: {there[place]}")
        if first is None and loses:
            problems.append(f"{at}: nothing is said of what the schema does not tell: {there.get(place)}")
        if first is not None and loses is False and family.tells == "all":
            problems.append(f"{at}: refused: {first}")
        if first is not None and refusal(kept) is None and not kept[place].get("losses"):
            problems.append(f"{at}: lost without a report: {kept[place]}")
        arguments = (values[number], renamed, family.target, family.keys[1])
        fine = True
        if first is None:
            fine = check("there", "v2", *arguments, shares, keeps_null, family.source)
            if refusal(back):
                if family.tells == "all":
                    problems.append(f"{at}: back: {refusal(back)}")
                    fine = False
            else:
                fine &= check(
                    "back", "back", value, family.type, family.source, family.keys[0], shares, keeps_null,
                    family.target)
            counts["equal" if fine else "refused"] += 1
        else:
            counts["refused"] += 1
        if refusal(allowed) is None and first is not None:
            check("allowed", "allowed", *arguments, shares, keeps_null, family.source)
        if refusal(kept) is None and first is not None:
            check("kept", "kept", *arguments, shares, keeps_null, family.source)
            if refusal(returned):
                problems.append(f"{at}: what was kept does not come back: {refusal(returned)}")
            elif check("returned", "returned", value, family.type, family.source, family.keys[0], True, True, None):
                counts["kept"] += 1
    return problems, counts


def main():
    archtool, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder = sys.argv[4] if len(sys.argv) > 4 else tempfile.mkdtemp()
    numbers = random.Random(seed)
    sys.setrecursionlimit(100_000)
    problems, total = [], {"equal": 0, "refused": 0, "kept": 0}
    for number in range((count + 11) // 12):
        found, counts = trial(Family(archtool, folder, number, numbers))
        problems += found
        for key, value in counts.items():
            total[key] += value
    for problem in problems[:40]:
        print(problem[:1500])
    print(
        f"models {total['equal'] + total['refused']} equal {total['equal']} refused {total['refused']} "
        f"kept and returned {total['kept']} different {len(problems)} seed {seed}")
    if len(sys.argv) <= 4:
        shutil.rmtree(folder)
    sys.exit(1 if problems or not total["equal"] or not total["kept"] else 0)


if __name__ == "__main__":
    main()
