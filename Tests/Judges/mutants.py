#!/usr/bin/env python3
"""Edits and converts files whose structure was changed at random: nothing may change but what was asked for.

usage: mutants.py ARCHTOOL COUNT SEED [--workers N] [--keep DIR]

A file is made of a random value in one of the formats, and its structure is changed: entries of the offset table, the
trailer, markers, counts and references of binary lists, class records and tables of archives, tokens of XML, OpenStep
and JSON, tags of typedstreams, numbers of NIBArchives, lengths of signed messages. archtool edits or converts it. It may
refuse, with a documented status, a sentence and no output; what it writes is read with plistlib, json, or a decoder of
ours, and has to be the value of the changed file with the edit. Where Python has no decoder, archtool's own reading
of both files is compared. Prints counts, and a line for each mutant that is wrong; exit status 1 if there is one.
"""
import copy
import datetime
import json
import math
import multiprocessing
import os
import plistlib
import random
import re
import subprocess
import sys
import tempfile
from plistlib import UID

import archive_comparison
import binary_plist
from comparison_cases import list_of, map_of, object_of, plain
from random_models import Table
from runs import STATUSES

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "TestArchives")
WORDS = ["a", "b1", "long key", "é", "日本", "$x", "x.y", "NS.keys", "", "true", "1"]
NEW = "the new text"


# Values


def value(numbers, kinds, depth=3):
    """A random property list of some kinds of scalars."""
    kind = numbers.choice(kinds + ["list", "map"] * depth)
    if kind == "list":
        return [value(numbers, kinds, depth - 1) for _ in range(numbers.randrange(4))]
    if kind == "map":
        return {key: value(numbers, kinds, depth - 1) for key in numbers.sample(WORDS, numbers.randrange(5))}
    return {"text": lambda: numbers.choice(WORDS + ["x" * 20, "line\nbreak", "<&>\"'"]),
            "integer": lambda: numbers.choice([0, 1, -1, 255, 256, 2 ** 31, 2 ** 63 - 1, 2 ** 64 - 1, -2 ** 63]),
            "real": lambda: numbers.choice([0.5, -0.0, 1.0, 1e300, 0.1]), "flag": lambda: numbers.random() < 0.5,
            "data": lambda: numbers.randbytes(numbers.randrange(20)), "uid": lambda: UID(numbers.randrange(70_000)),
            "date": lambda: datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=numbers.randrange(10 ** 8)),
            "null": lambda: None}[kind]()


def root(numbers, kinds):
    """A random dictionary that is not empty."""
    found = value(numbers, kinds)
    return {"k": found, "last": "end", **(found if isinstance(found, dict) else {})}


def canonical(item):
    """A value as text, in which values are alike that have one type and are equal."""
    if isinstance(item, dict):
        return "{" + ",".join(sorted(f"{canonical(key)}:{canonical(part)}" for key, part in item.items())) + "}"
    if isinstance(item, (list, tuple)):
        return "[" + ",".join(map(canonical, item)) + "]"
    if isinstance(item, datetime.datetime):
        item = binary_plist.Date((item - binary_plist.EPOCH).total_seconds())
    if isinstance(item, (bytearray, memoryview)):
        item = bytes(item)
    name = {binary_plist.Single: "float", UID: "UID"}.get(type(item), type(item).__name__)
    return f"{name} {item.data if isinstance(item, UID) else float(item) if isinstance(item, float) else repr(item)}"


def scalars(item, path=()):
    """The paths of texts, numbers and data."""
    if isinstance(item, dict):
        for key, part in item.items():
            if isinstance(key, str) and "\0" not in key:
                yield from scalars(part, path + (key,))
    elif isinstance(item, list):
        for position, part in enumerate(item):
            yield from scalars(part, path + (position,))
    elif isinstance(item, (str, int, float)):
        yield path


def separate(item):
    """A copy of which no part is in two places."""
    if isinstance(item, dict):
        return {key: separate(part) for key, part in item.items()}
    return [separate(part) for part in item] if isinstance(item, list) else item


def pointer(path):
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def changed(item, path, new):
    """A copy in which a value is another."""
    made = copy.deepcopy(item)
    place = made
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = new
    return made


def difference(found, wanted):
    """Two texts from a little before the first difference on."""
    place = max(len(os.path.commonprefix([found, wanted])) - 40, 0)
    return f"{found[place:place + 120]} and not {wanted[place:place + 120]}"


def renumbered(text):
    """Typed JSON whose objects are numbered in the order of their names; null is NSNull in an archive."""
    numbers = {}
    null = '{"$object": {"class": "NSNull", "classes": ["NSNull", "NSObject"], "fields": {}}}'
    text = text.replace(null, "null")
    return re.sub(r'"\$(id|ref)": ?(\d+)', lambda part: f'"${part[1]}":{numbers.setdefault(part[2], len(numbers))}', text)


# Formats: each makes bytes, changes them, and reads them


class Binary:
    kinds = ["text", "integer", "real", "flag", "data", "uid", "date"]

    def make(self, numbers):
        return binary_plist.dumps(root(numbers, self.kinds))

    def mutate(self, data, numbers):
        data = bytearray(data)
        size, width, count, top, start = data[-26], data[-25], *(
            int.from_bytes(data[-8 * n:len(data) - 8 * n + 8], "big") for n in (3, 2, 1))
        where = numbers.choice(["offset", "offset", "trailer", "marker", "marker", "body", "swap", "none"])
        if where == "offset":
            entry = start + size * numbers.randrange(count)
            source = start + size * numbers.randrange(count)
            data[entry:entry + size] = data[source:source + size]
        elif where == "swap":
            one, other = (start + size * numbers.randrange(count) for _ in range(2))
            data[one:one + size], data[other:other + size] = data[other:other + size], data[one:one + size]
        elif where == "trailer":
            data[-numbers.randrange(1, 33)] ^= 1 << numbers.randrange(8)
        elif where == "marker":
            entry = start + size * numbers.randrange(count)
            place = int.from_bytes(data[entry:entry + size], "big")
            data[place] = numbers.choice([data[place] ^ 1, data[place] + 0x10 & 255, numbers.randrange(256)])
        elif where == "body":
            data[numbers.randrange(8, start)] = numbers.randrange(256)
        return bytes(data)

    def read(self, data):
        found = plistlib.loads(data)
        mine = binary_plist.loads(data)
        # What two decoders read in different ways has no value.
        if canonical(found) != canonical(mine):
            raise ValueError("read in two ways")
        return found

    targets = {"binary1": plistlib.loads, "xml1": plistlib.loads}


class XML:
    kinds = ["text", "integer", "real", "flag", "data", "date"]

    def make(self, numbers):
        return plistlib.dumps(root(numbers, self.kinds))

    def mutate(self, data, numbers):
        tokens = re.findall(rb"<[^>]*>|[^<]+", data)
        position = numbers.randrange(3, len(tokens))
        token = tokens[position]
        how = numbers.choice(["drop", "twice", "swap", "comment", "cdata", "entity", "end", "encoding", "none", "none"])
        if how == "drop":
            del tokens[position]
        elif how == "twice":
            tokens.insert(position, token)
        elif how == "swap":
            other = numbers.randrange(3, len(tokens))
            tokens[position], tokens[other] = tokens[other], tokens[position]
        elif how == "comment" and token.startswith(b"<"):
            tokens.insert(position, b"<!-- <key>no</key> -->")
        elif how == "cdata" and not token.startswith(b"<") and token.strip() and b"&" not in token:
            tokens[position] = b"<![CDATA[" + token + b"]]>"
        elif how == "entity" and not token.startswith(b"<") and token.strip().isalnum():
            tokens[position] = b"&#%d;" % token.strip()[0] + token.strip()[1:]
        elif how == "end" and re.fullmatch(rb"<(true|false|array|dict|data)/>", token):
            tokens[position] = token[:-2] + b"></" + token[1:-2] + b">"
        made = b"".join(tokens)
        if how == "encoding":
            made = made.decode().replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16")
        return made

    def read(self, data):
        found = plistlib.loads(data)
        # plistlib passes over what it does not know, and takes the last of two keys.
        if re.search(rb"<data>[^<]*=[^=<]*[^\s=<][^<]*</data>", data):
            raise ValueError("data in two parts")
        tags = set(re.findall(r"<(\w+)", data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")))
        if not tags <= {"plist", "dict", "array", "key", "string", "integer", "real", "true", "false", "data", "date", "xml"}:
            raise ValueError("unknown elements")
        return found

    targets = {"binary1": plistlib.loads, "xml1": plistlib.loads}


class JSON:
    kinds = ["text", "integer", "real", "flag", "null"]

    def make(self, numbers):
        return json.dumps(root(numbers, self.kinds), ensure_ascii=numbers.random() < 0.5,
                          indent=numbers.choice([None, 1])).encode()

    def mutate(self, data, numbers):
        tokens = re.findall(rb'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+|\s+', data)
        position = numbers.randrange(len(tokens))
        how = numbers.choice(["drop", "twice", "swap", "blank", "escape", "encoding", "none"])
        if how == "drop":
            del tokens[position]
        elif how == "twice":
            tokens.insert(position, tokens[position])
        elif how == "swap":
            other = numbers.randrange(len(tokens))
            tokens[position], tokens[other] = tokens[other], tokens[position]
        elif how == "blank":
            tokens.insert(position, b"\r\n\t ")
        elif how == "escape" and tokens[position][:1] == b'"' and tokens[position][1:2].isalpha():
            tokens[position] = b'"\\u%04x' % tokens[position][1] + tokens[position][2:]
        made = b"".join(tokens)
        return made.decode().encode("utf-16-le" if numbers.random() < 0.5 else "utf-32-be") if how == "encoding" else made

    def read(self, data):
        return json.loads(data)

    targets = {"json": json.loads}


class OpenStep:
    kinds = ["text", "data"]

    def make(self, numbers):
        self.numbers = numbers
        self.value = root(numbers, self.kinds)
        return self.text(self.value).encode()

    def text(self, item):
        gap = self.numbers.choice(["", " ", "\n", "/* c ; } */", "// c\n"])
        if isinstance(item, dict):
            return gap + "{" + "".join(f"{self.text(key)}={self.text(part)};{gap}" for key, part in item.items()) + "}"
        if isinstance(item, list):
            return gap + "(" + ",".join(map(self.text, item)) + ")" + gap
        if isinstance(item, bytes):
            return "<" + item.hex(self.numbers.choice(["", " "]) or " ", 4) + ">" if item else "<>"
        if re.fullmatch(r"[A-Za-z0-9]+", item) and self.numbers.random() < 0.5:
            return item
        quoted = "".join(
            rf"\U{ord(c):04x}" if self.numbers.random() < 0.2 and ord(c) < 0x10000 else
            {"\n": r"\n", '"': r"\"", "\\": r"\\"}.get(c, c) for c in item)
        return f'{gap}"{quoted}"'

    def mutate(self, data, numbers):
        return data

    def read(self, data):
        return separate(self.value)

    targets = {"binary1": plistlib.loads, "xml1": plistlib.loads, "openstep": None}


class Archive(Binary):
    """A keyed archive, which is compared object by object."""

    def make(self, numbers):
        self.paths = []
        return Table().bytes(self.object(numbers, 3, "$"), "root")

    def object(self, numbers, depth, path):
        kind = numbers.choice(["text", "number", "list", "map", "object"] if depth else ["text", "number"])
        if depth == 3:
            kind = "object"
        if kind in ("text", "number"):
            self.paths.append(path)
            return plain(f"t{numbers.randrange(9)}" if kind == "text" else numbers.randrange(10))
        if kind == "list":
            return list_of(*(self.object(numbers, depth - 1, f"{path}[{n}]") for n in range(numbers.randrange(3))))
        parts = {name: self.object(numbers, depth - 1, f"{path}.{name}")
                 for name in numbers.sample("abcdef", numbers.randrange(1, 4))}
        return map_of(*((plain(name), part) for name, part in parts.items())) if kind == "map" else object_of(
            numbers.choice(["App.A", "App.B"]), **parts)

    def mutate(self, data, numbers):
        if numbers.random() < 0.5:
            return super().mutate(data, numbers)
        found = binary_plist.loads(data)
        objects = found["$objects"]
        containers = [item for item in objects if isinstance(item, dict)]
        item = numbers.choice(containers)
        how = numbers.choice(["reference", "class", "chain", "field", "spare", "null"])
        if how == "reference":
            for key in item:
                if isinstance(item[key], UID):
                    item[key] = UID(numbers.randrange(len(objects) + 1))
        elif how == "class" and "$class" in item:
            item["$class"] = UID(numbers.randrange(len(objects)))
        elif how == "chain" and "$classes" in item:
            numbers.choice([list.reverse, list.clear, lambda names: names.append(names[0])])(item["$classes"])
        elif how == "field":
            item[numbers.choice(["a", "NS.keys", "NS.objects", "$0", "$classhints"])] = numbers.choice(
                [UID(0), 1, "x", [UID(1)], b"x", []])
        elif how == "spare":
            objects.insert(0 if numbers.random() < 0.1 else len(objects), {"$class": UID(1)})
        elif how == "null":
            objects[numbers.randrange(len(objects))] = "$null"
        return binary_plist.dumps(found)

    targets = {"binary1": plistlib.loads, "xml1": plistlib.loads}


class Sample:
    """A file that Python has no decoder for: archtool's own reading is compared."""

    def __init__(self, folder, places):
        base = os.path.join(SAMPLES, folder)
        self.files = sorted(os.path.join(base, name) for name in os.listdir(base) if not name.startswith("."))
        self.places = places

    def make(self, numbers):
        with open(numbers.choice(self.files), "rb") as file:
            return file.read()

    def mutate(self, data, numbers):
        data = bytearray(data)
        marked = [n for n, byte in enumerate(data) if byte in self.places] or [0]
        for _ in range(numbers.choice([0, 1, 1, 2])):
            place = numbers.choice(marked) if numbers.random() < 0.7 else numbers.randrange(len(data))
            data[place] = numbers.choice([data[place] ^ 1, data[place] + 1 & 255, numbers.choice(self.places)])
        return bytes(data)


FORMATS = [Binary, Binary, XML, XML, JSON, OpenStep, Archive, Archive,
           lambda: Sample("TypedStreams", [0x81, 0x82, 0x84, 0x85, 0x86, 0x92, 0x93, 0x95, 0x40, 0x69, 0x2A]),
           lambda: Sample("Nibs", [0x80, 0x81, 0x82, 0, 1, 4, 5, 9, 10]),
           lambda: Sample("XPC", [0xA0, 0xD0, 0x81, 0xE0, 0x7F, 0x6F, 0x11, 0x23]),
           lambda: Sample("Wrapped", [0x30, 0x82, 0x04, 0xA0, 0x06, 0x2B, 0x3D])]


# Runs


class Trial:
    def __init__(self, archtool, folder, numbers):
        self.archtool, self.folder, self.numbers = archtool, folder, numbers
        self.is_ambiguous = False
        self.format = numbers.choice(FORMATS)()
        self.data = self.format.mutate(self.format.make(numbers), numbers)
        with open(f"{folder}/in", "wb") as file:
            file.write(self.data)

    def run(self, *words):
        return subprocess.run([self.archtool, *words], cwd=self.folder, capture_output=True, timeout=60,
                              env={"HOME": self.folder})

    def result(self, *words):
        """The bytes that a command writes; None if it refuses. Anything else about its end is wrong."""
        output = f"{self.folder}/out"
        if os.path.exists(output):
            os.remove(output)
        done = self.run(*words, "-o", "out")
        if done.returncode not in STATUSES:
            raise AssertionError(f"status {done.returncode}: {done.stderr[-200:]!r}")
        # Of a key that is stored twice decoders take one value or the other.
        self.is_ambiguous |= b"is repeated" in done.stderr
        with open(f"{self.folder}/in", "rb") as file:
            if file.read() != self.data:
                raise AssertionError("the input is another")
        if done.returncode != 0:
            if not done.stderr.strip():
                raise AssertionError(f"status {done.returncode} without a word")
            if os.path.exists(output):
                raise AssertionError(f"status {done.returncode}, and an output")
            return None
        with open(output, "rb") as file:
            return file.read()

    def typed(self, name):
        done = self.run("dump", "--typed", "--compact", name)
        return done.stdout.decode() if done.returncode == 0 else None

    def check(self):
        """refused, unread or kept; an AssertionError for what is wrong."""
        if isinstance(self.format, Sample):
            return self.check_sample()
        try:
            before = self.format.read(self.data)
        except Exception:  # a decoder of Python ends in any way on a damaged file
            before = None
        if self.numbers.random() < 0.5 or before is None or not isinstance(before, dict):
            target = self.numbers.choice(list(self.format.targets))
            after = self.result("convert", "--to", target, "in")
            expected = before
        elif isinstance(self.format, Archive):
            return self.check_archive()
        else:
            path = self.numbers.choice(list(scalars(before)) or [("last",)])
            after = self.result("set", "--string", "in", pointer(path), NEW)
            target, expected = None, changed(before, path, NEW) if after is not None else None
        if after is None:
            return "refused"
        if before is None or self.is_ambiguous:
            return "unread"
        if isinstance(self.format, OpenStep) and (target is None or target == "openstep"):
            with open(f"{self.folder}/in", "wb") as file:
                file.write(after)
            self.data = after
            after = self.result("convert", "--to", "binary1", "in")
        read = json.loads if isinstance(self.format, JSON) else plistlib.loads
        # XML has no UIDs but in dictionaries of their own.
        found = canonical(read(after)).replace("{str 'CF$UID':int ", "UID ") if after else None
        wanted = canonical(expected)
        if target == "xml1":
            # Nor has it fractions of seconds, of which there is a warning.
            found = re.sub(r"UID (\d+)}", r"UID \1", found)
            wanted = re.sub(r"Date (-?[\d.e+]+)", lambda date: f"Date {float(math.floor(float(date[1])))}", wanted)
        if found != wanted:
            raise AssertionError(f"{target or 'set'}: {difference(found, wanted)}")
        return "kept"

    def check_archive(self):
        if not self.format.paths:
            return "unread"
        path = self.numbers.choice(self.format.paths)
        after = self.result("set", "--string", "in", path, NEW)
        if after is None:
            return "refused"
        try:
            found = archive_comparison.differences(self.data, after, "nscoding")
        except Exception:
            return "unread"
        # Paths of objects in keys are of the comparison, and those beside a root are of $top.
        if any("['(" in place or place == "$top" for _, place in found):
            return "unread"
        # What is set has the text, and another class if it was a number.
        # A damaged object may have fields that the comparison does not look at; the text must be there all the same.
        if NEW.encode() not in after or any(place != path for _, place in found):
            raise AssertionError(f"set {path}: {found}")
        return "kept"

    def check_sample(self):
        before = self.typed("in")
        target = self.numbers.choice(["binary1", "keyed-archive"])
        after = self.result("convert", "--to", target, "in")
        if after is None:
            return "refused"
        if before is None:
            return "unread"
        found = self.typed("out")
        if found is None:
            raise AssertionError(f"{target}: the output cannot be read")
        if target == "keyed-archive" and renumbered(found) != renumbered(before):
            raise AssertionError(f"{target}: {difference(renumbered(found), renumbered(before))}")
        return "kept"


def work(task):
    archtool, seed, keep = task
    numbers = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(archtool, folder, numbers)
        try:
            return seed, trial.check(), None
        except (AssertionError, subprocess.TimeoutExpired) as error:
            if keep:
                with open(os.path.join(keep, str(seed)), "wb") as file:
                    file.write(trial.data)
            name = getattr(trial.format, "places", None) and "Sample" or type(trial.format).__name__
            return seed, "wrong", f"{name}: {error}"


def main():
    archtool, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    options = dict(zip(sys.argv[4::2], sys.argv[5::2]))
    keep = options.get("--keep")
    if keep:
        os.makedirs(keep, exist_ok=True)
    counts = {}
    with multiprocessing.Pool(int(options.get("--workers", os.cpu_count() or 1))) as pool:
        tasks = ((archtool, seed + number, keep) for number in range(count))
        for number, outcome, problem in pool.imap_unordered(work, tasks, chunksize=16):
            counts[outcome] = counts.get(outcome, 0) + 1
            if problem:
                print(f"mutant {number}: {problem}", flush=True)
    print("mutants " + " ".join(f"{name} {counts[name]}" for name in sorted(counts)) + f"; seed {seed}")
    return 1 if counts.get("wrong") else 0


if __name__ == "__main__":
    sys.exit(main())
