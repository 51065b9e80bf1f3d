#!/usr/bin/env python3
"""Edits and migrates archives and JSON in layers of Base64, gzip and keyed archives, and takes the layers off again
with Python's own base64, gzip, json and plistlib: nothing but what was asked for may have changed.

usage: layers.py ARCHTOOL COUNT SEED
"""
import base64
import gzip
import json
import os
import plistlib
import random
import subprocess
import sys
import tempfile
import zlib
from plistlib import UID

LENS = {"lens": [{"rename": {"source": "name", "destination": "title"}},
                 {"add": {"name": "pages", "default": 1}}]}
NAMES = ["plain", "with/slash", "é ü 日本", "emoji 😀/x", "quote \" \\ back", "tab\tnew\nline", ""]


def schema(envelope, name, more):
    members = {name: {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}, **more}
    return {"x-archive": {"envelope": envelope}, "type": "object", "properties": members,
            "required": list(members), "additionalProperties": False}


def make_families(folder):
    """A family for each kind of content."""
    for family, envelope in (("JsonNote", "json"), ("PlistNote", "plist"), ("KeyedNote", "dictionariable")):
        path = os.path.join(folder, family)
        os.makedirs(path)
        files = {"family.json": {"family": family, "versions": ["v1", "v2"]},
                 "v1.schema.json": schema(envelope, "name", {}),
                 "v2.schema.json": schema(envelope, "title", {"pages": {"type": "integer"}}),
                 "v1-v2.lens.json": LENS}
        for name, tree in files.items():
            with open(os.path.join(path, name), "w") as file:
                json.dump(tree, file)


# Contents


class JSONText:
    """JSON in a style of its own."""
    family = "JsonNote"

    def __init__(self, numbers):
        self.ascii, self.slashes = numbers.random() < 0.3, numbers.random() < 0.4
        self.options = numbers.choice([
            {"separators": (",", ":")}, {}, {"indent": 2}, {"indent": 4}, {"indent": "\t"},
            {"indent": 2, "separators": (",", " : ")}])
        self.end = numbers.choice(["", "\n"])

    def write(self, value):
        text = json.dumps(value, ensure_ascii=self.ascii, **self.options)
        return ((text.replace("/", "\\/") if self.slashes else text) + self.end).encode()

    def check(self, found, value):
        assert found == self.write(value), (found, self.write(value))


class PropertyList:
    family = "PlistNote"

    def __init__(self, numbers):
        self.format = numbers.choice([plistlib.FMT_XML, plistlib.FMT_BINARY])

    def write(self, value):
        return plistlib.dumps(value, fmt=self.format, sort_keys=False)

    def check(self, found, value):
        assert plistlib.loads(found) == value
        assert found.startswith(b"bplist00") == (self.format == plistlib.FMT_BINARY)


class Keyed:
    """A keyed archive of a dictionary."""
    family = "KeyedNote"

    def __init__(self, numbers):
        pass

    def write(self, value):
        objects = ["$null"]

        def add(value):
            number = len(objects)
            objects.append(None)
            if isinstance(value, dict):
                keys, values = [add(key) for key in value], [add(item) for item in value.values()]
                objects[number] = {"NS.keys": keys, "NS.objects": values, "$class": record("NSDictionary")}
            elif isinstance(value, list):
                objects[number] = {"NS.objects": [add(item) for item in value], "$class": record("NSArray")}
            else:
                objects[number] = value
            return UID(number)

        def record(name):
            tree = {"$classname": name, "$classes": [name, "NSObject"]}
            if tree not in objects:
                objects.append(tree)
            return UID(objects.index(tree))
        return archive(objects, add(value))

    def check(self, found, value):
        tree = plistlib.loads(found)
        objects = tree["$objects"]

        def read(uid):
            item = objects[uid.data]
            if not isinstance(item, dict):
                return item
            values = [read(each) for each in item["NS.objects"]]
            return dict(zip([read(key) for key in item["NS.keys"]], values)) if "NS.keys" in item else values
        assert read(tree["$top"]["root"]) == value, (read(tree["$top"]["root"]), value)


def archive(objects, root, form=plistlib.FMT_BINARY):
    tree = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root}, "$objects": objects}
    return plistlib.dumps(tree if form == plistlib.FMT_BINARY else without_uids(tree), fmt=form, sort_keys=False)


def without_uids(value):
    """In XML a UID is a dictionary."""
    if isinstance(value, dict):
        return {key: without_uids(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_uids(item) for item in value]
    return {"CF$UID": value.data} if isinstance(value, UID) else value


# Layers


class Base64:
    is_text, is_written = True, False

    def __init__(self, numbers):
        self.url = numbers.random() < 0.3
        self.width = numbers.choice([0, 0, 64, 76])
        self.newline = numbers.choice(["\n", "\r\n"])
        self.end = self.newline if self.width and numbers.random() < 0.5 else ""

    def wrap(self, content):
        text = (base64.urlsafe_b64encode(content).rstrip(b"=") if self.url else base64.b64encode(content)).decode()
        # The first text shows the length of its lines only if it has several.
        if not self.is_written and len(text) <= self.width:
            self.width = 0
        self.is_written = True
        if self.width:
            text = self.newline.join(text[at:at + self.width] for at in range(0, len(text), self.width))
        return (text + self.end).encode()

    def unwrap(self, outer):
        # A text without any of four characters is the same in both alphabets, and need not show that it has no padding.
        text = outer.decode()
        plain = "".join(text.split()).translate(str.maketrans("-_", "+/")).rstrip("=")
        content = base64.b64decode(plain + "=" * (-len(plain) % 4))
        if self.url:
            assert len(text.split()) == len(self.wrap(content).split())
        else:
            assert outer == self.wrap(content), (outer, self.wrap(content))
        return content


class Gzip:
    is_text = False

    def __init__(self, numbers):
        self.time = numbers.randrange(1 << 31)
        self.name = numbers.choice([b"", b"note.json", "ü".encode("latin-1")])
        self.level = numbers.choice([1, 6, 9])

    def header(self):
        extra = 2 if self.level == 9 else 4 if self.level == 1 else 0
        return (b"\x1f\x8b\x08" + bytes([8 if self.name else 0]) + self.time.to_bytes(4, "little")
                + bytes([extra, 3]) + (self.name + b"\0" if self.name else b""))

    def wrap(self, content):
        deflate = zlib.compressobj(self.level, zlib.DEFLATED, -15)
        return (self.header() + deflate.compress(content) + deflate.flush()
                + zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little"))

    def unwrap(self, outer):
        assert outer.startswith(self.header()), (outer[:40], self.header())
        return gzip.decompress(outer)


class Archived:
    """A keyed archive whose root is data, mutable data or a string."""
    is_text = False

    def __init__(self, numbers):
        self.form = numbers.choice([plistlib.FMT_XML, plistlib.FMT_BINARY])
        self.kind = numbers.choice(["data", "mutable data"])
        self.other = numbers.choice(["another object", 12, b"bytes"])

    def hold(self, is_text, numbers):
        if is_text and numbers.random() < 0.7:
            self.kind = numbers.choice(["string", "mutable string"])

    def wrap(self, content):
        value = content.decode() if "string" in self.kind else content
        objects = ["$null", self.other, value]
        if "mutable" in self.kind:
            name, field = ("NSMutableData", "NS.data") if "data" in self.kind else ("NSMutableString", "NS.string")
            objects[2] = {field: value, "$class": UID(3)}
            objects.append({"$classname": name, "$classes": [name, name.replace("Mutable", ""), "NSObject"]})
        return archive(objects, UID(2), self.form)

    def unwrap(self, outer):
        value = plistlib.loads(outer)["$objects"][2]
        if isinstance(value, dict):
            value = value.get("NS.data", value.get("NS.string"))
        content = value.encode() if isinstance(value, str) else value
        assert plistlib.loads(outer) == plistlib.loads(self.wrap(content))
        return content


def make_layers(content, is_text, numbers):
    """Layers, innermost first: a list without two of which one would hide the other from whoever looks."""
    layers = []
    for _ in range(numbers.randrange(4)):
        kinds = [Base64, Gzip, Archived]
        if layers and isinstance(layers[-1], Base64):
            kinds.remove(Base64)
        # Data with a property list in a keyed archive is what Codable writes.
        if not layers and isinstance(content, PropertyList):
            kinds.remove(Archived)
        layer = numbers.choice(kinds)(numbers)
        if isinstance(layer, Archived):
            layer.hold(is_text, numbers)
        layers.append(layer)
        is_text = layer.is_text or isinstance(layer, Archived) and layer.form == plistlib.FMT_XML
    return layers, is_text


# Files


class Defaults:
    """A property list with the value among others."""

    def __init__(self, numbers):
        self.form = numbers.choice([plistlib.FMT_XML, plistlib.FMT_BINARY])
        self.others = {"first": "x", "count": 3, "data": b"\x00\x01", "words": ["a", {"b": True}]}

    path = "$.settings.note"

    def tree(self, value):
        return {**self.others, "settings": {"before": 1, "note": value, "after": "z"}, "last": 2.5}

    def write(self, value):
        return plistlib.dumps(self.tree(value), fmt=self.form, sort_keys=False)

    def read(self, found):
        assert found.startswith(b"bplist00") == (self.form == plistlib.FMT_BINARY)
        value = plistlib.loads(found)["settings"]["note"]
        assert plistlib.loads(found) == self.tree(value)
        return value


class Document:
    """JSON with the value among others."""
    path = "$.rows[1].note"

    def __init__(self, numbers):
        self.style = JSONText(numbers)

    def tree(self, value):
        return {"rows": [{"id": 1, "note": None}, {"id": 2.50, "note": value, "also": [1, {}, []]}], "next": "a/b"}

    def write(self, value):
        return self.style.write(self.tree(value))

    def read(self, found):
        value = json.loads(found)["rows"][1]["note"]
        assert found == self.write(value), (found, self.write(value))
        return value


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, timeout=60,
                          env={"PATH": os.environ["PATH"], "HOME": "/nowhere"})
    assert done.returncode == 0, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def main():
    program, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        families = os.path.join(folder, "families")
        make_families(families)
        for number in range(count):
            numbers = random.Random(seed * 1_000_000 + number)
            content = numbers.choice([JSONText, JSONText, PropertyList, Keyed])(numbers)
            names = NAMES if content.family == "JsonNote" else NAMES[:5]
            value = {"name": numbers.choice(names), "tags": ["ü/x", *(numbers.choice(names) for _ in range(numbers.randrange(4)))]}
            is_text = content.family == "JsonNote" or getattr(content, "format", None) == plistlib.FMT_XML
            layers, is_text = make_layers(content, is_text, numbers)
            is_json = is_text and numbers.random() < 0.3
            outer = (Document if is_json else Defaults)(numbers)

            # XML has no carriage returns.
            if any(getattr(part, "form", None) == plistlib.FMT_XML for part in [outer, *layers]):
                for layer in layers:
                    if isinstance(layer, Base64):
                        layer.newline, layer.end = "\n", layer.end and "\n"

            def wrapped(value):
                data = content.write(value)
                for layer in layers:
                    data = layer.wrap(data)
                return data

            def check(found, value):
                data = outer.read(found)
                data = data.encode() if isinstance(data, str) else data
                for layer in reversed(layers):
                    data = layer.unwrap(data)
                content.check(data, value)
            data = wrapped(value)
            # A string as well as data, where the bytes are text that XML can hold.
            is_string = is_json or is_text and numbers.random() < 0.7
            path = os.path.join(folder, "file")
            with open(path, "wb") as file:
                file.write(outer.write(data.decode() if is_string else data))
            case = (number, content.family, [type(layer).__name__ for layer in layers], is_string)
            try:
                at = ["--at", outer.path]
                assert json.loads(run(program, "dump", "--format", "json", *at, path)) == value
                assert run(program, "get", *at, path, "$.name").decode() == value["name"] + "\n"
                label = run(program, "validate", "--schemas", families, *at, path).decode()
                assert f"valid, {content.family}@v1" in label, label
                new = {**value, "name": "changed/é"}
                check(run(program, "set", "-q", "--string", *at, path, "$.name", "changed/é"), new)
                longer = {**value, "tags": value["tags"] + ["more"]}
                check(run(program, "append", "-q", "--string", *at, path, "$.tags", "more"), longer)
                two = {"title": value["name"], "tags": value["tags"], "pages": 1}
                there = os.path.join(folder, "there")
                run(program, "migrate", "-q", "-f", "--schemas", families, "--to", "v2", *at, path, "-o", there)
                with open(there, "rb") as file:
                    found = file.read()
                check(found, two)
                back = run(program, "migrate", "-q", "--schemas", families, "--to", "v1", *at, there, "-o", "-")
                check(back, value)
            except AssertionError:
                print(case, file=sys.stderr)
                raise
    print(f"{count} layered values: agree")


main()
