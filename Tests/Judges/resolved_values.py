#!/usr/bin/env python3
"""Makes keyed archives of values that it knows and compares them with what archtool's resolved JSON says.

usage: resolved_values.py ARCHTOOL COUNT SEED

Each archive is made beside the JSON that describes it: Foundation's value classes with the tags of their types, objects
with class and fields, keys that look like tags, and objects that contain themselves. `dump --typed=resolved`,
`dump --format ndjson`, `get` and `query` have to print that JSON. Prints one line of counts; exit status 1 if anything
differs, with the seed of the archive.
"""
import base64
import datetime
import decimal
import json
import math
import os
import plistlib
import random
import subprocess
import sys
import tempfile
import urllib.parse
import uuid
from plistlib import UID

EPOCH = datetime.datetime(2001, 1, 1)
TEXTS = ["", "plain", "Zürich", "東京", "a\"b\\c\n", "2019-04-06T03:50:00Z", "https://example.com"]
KEYS = ["a", "b", "long key", "ключ", "$date", "$id", "$object", "$", "#1"]


def date(seconds):
    text = (EPOCH + datetime.timedelta(seconds=seconds)).isoformat()
    return {"$date": (text.rstrip("0") if "." in text else text) + "Z"}


def integer(number):
    return number if abs(number) <= 1 << 53 else {"$int": str(number)}


def real(number):
    if math.isnan(number) or math.isinf(number):
        return {"$real": "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"}
    return {"$real": number} if number == round(number) else number


class Maker:
    def __init__(self, seed):
        self.numbers = random.Random(seed)
        self.objects, self.classes = ["$null"], {}
        # The objects that contain what is made now, each with its number and its JSON.
        self.open = []

    def add(self, value):
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def of_class(self, name, fields, *parents):
        if name not in self.classes:
            self.classes[name] = self.add(
                {"$classname": name, "$classes": [name, *parents, "NSObject"]})
        return self.add({**fields, "$class": self.classes[name]})

    def value(self, depth):
        """A reference to a new value, and its JSON."""
        kinds = ["text", "integer", "real", "boolean", "date", "data", "uuid", "url", "null", "nil", "decimal"]
        if depth > 0:
            kinds += ["list", "set", "ordered", "dictionary", "object"] * 3
        if self.open and self.numbers.random() < 0.08:
            return self.again()
        return getattr(self, self.numbers.choice(kinds))(depth)

    def again(self):
        """An object that contains this place."""
        number, form = self.numbers.choice(self.open)
        form["$id"] = f"#{number}"
        return UID(number), {"$ref": f"#{number}"}

    # Scalars

    def text(self, _):
        text = self.numbers.choice(TEXTS)
        if self.numbers.random() < 0.3:
            return self.of_class("NSMutableString", {"NS.string": text}, "NSString"), text
        return self.add(text), text

    def integer(self, _):
        number = self.numbers.choice([0, -1, 17, 1 << 53, (1 << 53) + 1, -(1 << 63), (1 << 63) - 1, (1 << 64) - 1])
        return self.add(number), integer(number)

    def real(self, _):
        number = self.numbers.choice([0.5, -1.25, 64.0, 1e300, math.nan, math.inf, -math.inf])
        return self.add(number), real(number)

    def boolean(self, _):
        flag = self.numbers.random() < 0.5
        return self.add(flag), flag

    def date(self, _):
        seconds = self.numbers.choice([0.0, 576215400.0, -86400.5, 700000000.25])
        return self.of_class("NSDate", {"NS.time": seconds}), date(seconds)

    def data(self, _):
        data = self.numbers.randbytes(self.numbers.randrange(5))
        form = {"$data": base64.b64encode(data).decode()}
        if self.numbers.random() < 0.5:
            return self.of_class("NSMutableData", {"NS.data": data}, "NSData"), form
        return self.add(data), form

    def uuid(self, _):
        identifier = uuid.UUID(int=self.numbers.getrandbits(128))
        return self.of_class("NSUUID", {"NS.uuidbytes": identifier.bytes}), {"$uuid": str(identifier).upper()}

    def url(self, _):
        base, relative = "https://example.com/a/b", self.numbers.choice(["c?d=1", "/e", "https://swift.org/x"])
        if self.numbers.random() < 0.5:
            relative = urllib.parse.urljoin(base, relative)
            return self.of_class("NSURL", {"NS.base": UID(0), "NS.relative": self.add(relative)}), {"$url": relative}
        whole = self.of_class("NSURL", {"NS.base": UID(0), "NS.relative": self.add(base)})
        form = {"$url": urllib.parse.urljoin(base, relative)}
        return self.of_class("NSURL", {"NS.base": whole, "NS.relative": self.add(relative)}), form

    def null(self, _):
        return self.of_class("NSNull", {}), None

    def nil(self, _):
        return UID(0), None

    def decimal(self, _):
        mantissa, exponent = self.numbers.randrange(1, 10**6) * 10 + 1, -self.numbers.randrange(1, 4)
        sign = self.numbers.random() < 0.5
        text = format(decimal.Decimal(mantissa).scaleb(exponent), "f")
        words = (mantissa.bit_length() + 15) // 16
        fields = {
            "NS.exponent": exponent, "NS.length": words, "NS.negative": sign, "NS.compact": True,
            "NS.mantissa.bo": 1, "NS.mantissa": mantissa.to_bytes(16, "little")}
        form = {"$decimal": ("-" if sign else "") + text}
        return self.of_class("NSDecimalNumber", fields, "NSNumber", "NSValue"), form

    # Containers

    def values(self, depth):
        made = [self.value(depth - 1) for _ in range(self.numbers.randrange(4))]
        return [reference for reference, _ in made], [form for _, form in made]

    def list(self, depth):
        references, forms = self.values(depth)
        return self.of_class("NSMutableArray", {"NS.objects": references}, "NSArray"), forms

    def set(self, depth):
        references, forms = self.values(depth)
        return self.of_class("NSSet", {"NS.objects": references}), {"$set": forms}

    def ordered(self, depth):
        references, forms = self.values(depth)
        return self.of_class("NSOrderedSet", {"NS.objects": references}), {"$orderedSet": forms}

    def dictionary(self, depth):
        keys = self.numbers.sample(KEYS, self.numbers.randrange(4))
        if self.numbers.random() < 0.2:
            keys.append(self.numbers.randrange(9))
        made = [self.value(depth - 1) for _ in keys]
        fields = {"NS.keys": [self.add(key) for key in keys], "NS.objects": [reference for reference, _ in made]}
        forms = [form for _, form in made]
        reference = self.of_class("NSDictionary", fields)
        if any(not isinstance(key, str) or key.startswith("$") for key in keys):
            return reference, {"$entries": [{"key": key, "value": form} for key, form in zip(keys, forms)]}
        return reference, dict(zip(keys, forms))

    def object(self, depth):
        reference = self.add(None)
        fields, members = {}, {}
        form = {"$object": {"class": "App.Thing", "fields": members}}
        self.open.append((reference.data, form))
        for key in self.numbers.sample(["name", "count", "$weird", "$ref", "NS.x"], self.numbers.randrange(4)):
            stored = "$" + key if key.startswith("$") else key
            if self.numbers.random() < 0.3:
                number = self.numbers.randrange(1000)
                fields[stored], members[key] = number, number
            else:
                fields[stored], members[key] = self.value(depth - 1)
        self.open.pop()
        if "App.Thing" not in self.classes:
            self.classes["App.Thing"] = self.add({"$classname": "App.Thing", "$classes": ["App.Thing", "NSObject"]})
        self.objects[reference.data] = {**fields, "$class": self.classes["App.Thing"]}
        return reference, form

    def archive(self):
        reference, form = self.numbers.choice([self.object, self.dictionary, self.list])(4)
        top = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": reference}, "$objects": self.objects}
        return plistlib.dumps(top, fmt=plistlib.FMT_BINARY), form


def same(one, other):
    """Whether two JSON values are the same, with the types of their numbers."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def main():
    archtool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    folder = tempfile.mkdtemp()
    forms, failures = {}, 0
    for number in range(seed, seed + count):
        data, form = Maker(number).archive()
        path = os.path.join(folder, str(number))
        with open(path, "wb") as file:
            file.write(data)
        forms[path] = form

    def run(*arguments):
        return subprocess.run([archtool, *arguments], capture_output=True, check=True).stdout

    def check(path, found, command):
        nonlocal failures
        if not same(forms[path], found):
            failures += 1
            print(f"{command} {os.path.basename(path)}:\n  {json.dumps(forms[path])}\n  {json.dumps(found)}")

    for line in run("dump", "--format", "ndjson", "--typed=resolved", *forms).splitlines():
        line = json.loads(line)
        check(line["file"], line["value"], "dump")
    for line in run("query", "$", "--format", "ndjson", "--typed=resolved", *forms).splitlines():
        line = json.loads(line)
        check(line["file"], line["value"], "query")
    for path in list(forms)[:20]:
        check(path, json.loads(run("get", "--typed=resolved", path, "$")), "get")
        check(path, json.loads(run("dump", "--typed=resolved", path)), "dump")
    print(f"{len(forms)} archives, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
