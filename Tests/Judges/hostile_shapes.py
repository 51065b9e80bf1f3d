#!/usr/bin/env python3
"""Small files whose values multiply: each must be read in time and memory that its size allows, or end with one line.

usage: hostile_shapes.py ARCHTOOL [--only NAME] [--seconds S] [--keep FOLDER]

A run is wrong that takes longer than S seconds (2), needs more than 8 times the input and 64 MiB beside what the
program needs for nothing, or is ended by a signal. Output goes to /dev/null. Exit status 1 if a run is wrong.
"""

import base64
import gzip
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import zlib


class Table:
    """A binary property list written object by object, so that any object may be shared, overlap or lead back."""

    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value)
        return len(self.values) - 1

    def string(self, text):
        return self.add(("s", text))

    def data(self, content):
        return self.add(("d", content))

    def integer(self, number):
        return self.add(("i", number))

    def uid(self, number):
        return self.add(("u", number))

    def array(self, items):
        return self.add(("a", items))

    def dictionary(self, pairs):
        return self.add(("m", pairs))

    def bytes(self, top):
        width = 1 if len(self.values) < 256 else 2 if len(self.values) < 65536 else 4
        refs = {1: "B", 2: "H", 4: "I"}[width]
        body, offsets = bytearray(b"bplist00"), []

        def head(tag, count):
            if count < 15:
                return bytes([tag | count])
            size = 0 if count < 256 else 1 if count < 65536 else 2
            return bytes([tag | 15, 0x10 | size]) + count.to_bytes(1 << size, "big")

        for kind, value in self.values:
            offsets.append(len(body))
            if kind == "s":
                raw = value.encode("ascii")
                body += head(0x50, len(raw)) + raw
            elif kind == "d":
                body += head(0x40, len(value)) + value
            elif kind == "i":
                body += b"\x13" + struct.pack(">q", value)
            elif kind == "u":
                body += b"\x83" + struct.pack(">I", value)
            elif kind == "a":
                body += head(0xA0, len(value)) + struct.pack(f">{len(value)}{refs}", *value)
            else:
                flat = [k for k, _ in value] + [v for _, v in value]
                body += head(0xD0, len(value)) + struct.pack(f">{len(flat)}{refs}", *flat)
        start = len(body)
        size = 4 if start >= 65536 else 2
        body += b"".join(o.to_bytes(size, "big") for o in offsets)
        body += bytes(6) + bytes([size, width]) + struct.pack(">QQQ", len(offsets), top, start)
        return bytes(body)


class Archive:
    """A keyed archive over a table: objects by their numbers in `$objects`."""

    def __init__(self):
        self.table = Table()
        self.objects = [self.table.string("$null")]
        self.keys = {}
        self.uids = {}

    def key(self, name):
        if name not in self.keys:
            self.keys[name] = self.table.string(name)
        return self.keys[name]

    def uid(self, number):
        if number not in self.uids:
            self.uids[number] = self.table.uid(number)
        return self.uids[number]

    def add(self, index):
        self.objects.append(index)
        return len(self.objects) - 1

    def record(self, name, chain):
        names = self.table.array([self.key(each) for each in chain])
        return self.add(self.table.dictionary(
            [(self.key("$classname"), self.key(name)), (self.key("$classes"), names)]))

    def object(self, record, fields):
        pairs = [(self.key("$class"), self.uid(record))] + [
            (self.key(name), value) for name, value in fields]
        return self.add(self.table.dictionary(pairs))

    def list(self, record, numbers):
        return self.object(
            record, [("NS.objects", self.table.array([self.uid(n) for n in numbers]))])

    def bytes(self, root):
        table = self.table
        return table.bytes(table.dictionary([
            (self.key("$archiver"), self.key("NSKeyedArchiver")),
            (self.key("$version"), table.integer(100000)),
            (self.key("$top"), table.dictionary([(self.key("root"), self.uid(root))])),
            (self.key("$objects"), table.array(self.objects)),
        ]))


ARRAY = ("NSArray", ["NSArray", "NSObject"])
READERS = [
    ["dump"], ["dump", "--format", "json"], ["dump", "--typed"], ["info"], ["validate"],
    ["validate", "--lint"], ["convert", "--to", "xml1", "-o", "-"],
]


def shared_chain():
    a = Archive()
    names = a.table.array([a.table.string(f"C{n}") for n in range(5000)])
    numbers = []
    for n in range(2000):
        record = a.add(a.table.dictionary(
            [(a.key("$classname"), a.table.string(f"R{n}")), (a.key("$classes"), names)]))
        numbers.append(a.object(record, []))
    return a.bytes(a.list(a.record(*ARRAY), numbers)), READERS


def long_names_in_chains():
    a = Archive()
    long = a.table.string("N" * 100_000)
    numbers = []
    for n in range(2000):
        names = a.table.array([long] * 32)
        record = a.add(a.table.dictionary(
            [(a.key("$classname"), a.table.string(f"R{n}")), (a.key("$classes"), names)]))
        numbers.append(a.object(record, []))
    return a.bytes(a.list(a.record(*ARRAY), numbers)), READERS


def one_long_class_name():
    a = Archive()
    long = a.table.string("N" * 1_000_000)
    names = a.table.array([long])
    numbers = []
    for _ in range(3000):
        record = a.add(a.table.dictionary(
            [(a.key("$classname"), long), (a.key("$classes"), names)]))
        numbers.append(a.object(record, []))
    return a.bytes(a.list(a.record(*ARRAY), numbers)), READERS + [
        ["rename-class", "-c", "Nx=Ny", "-n"]]


def long_generic_names():
    a = Archive()
    numbers = []
    for depth in range(550):
        name = a.table.string("_TtGC4Main3Gen" + "GSaSi_" * depth + "_")
        record = a.add(a.table.dictionary(
            [(a.key("$classname"), name), (a.key("$classes"), a.table.array([name]))]))
        numbers.append(a.object(record, []))
    return a.bytes(a.list(a.record(*ARRAY), numbers)), READERS + [["classes"], ["classes", "--format", "json"]]


def _expression(a, records):
    return a.object(records["key"], [("NSExpressionType", a.table.integer(3)),
                                     ("NSKeyPath", a.uid(a.add(a.table.string("k"))))])


def _predicates(depth, copies):
    a = Archive()
    key = a.record("NSKeyPathExpression", ["NSKeyPathExpression", "NSExpression", "NSObject"])
    compare = a.record("NSComparisonPredicate", ["NSComparisonPredicate", "NSPredicate", "NSObject"])
    compound = a.record("NSCompoundPredicate", ["NSCompoundPredicate", "NSPredicate", "NSObject"])
    array = a.record(*ARRAY)
    operator = a.object(
        a.record("NSEqualityPredicateOperator",
                 ["NSEqualityPredicateOperator", "NSPredicateOperator", "NSObject"]),
        [("NSOperatorType", a.table.integer(4)), ("NSModifier", a.table.integer(0)),
         ("NSNegate", a.table.integer(0))])
    left = _expression(a, {"key": key})
    node = a.object(compare, [("NSLeftExpression", a.uid(left)), ("NSRightExpression", a.uid(left)),
                              ("NSPredicateOperator", a.uid(operator))])
    for _ in range(depth):
        both = a.list(array, [node, node])
        node = a.object(compound, [("NSCompoundPredicateType", a.table.integer(1)),
                                   ("NSSubpredicates", a.uid(both))])
    roots = [a.object(compound, [("NSCompoundPredicateType", a.table.integer(1)),
                                 ("NSSubpredicates", a.uid(a.list(array, [node])))])
             for _ in range(copies)]
    return a.bytes(a.list(array, roots))


def shared_predicates():
    return _predicates(12, 1000), READERS


def deep_predicate_unique():
    return _predicates(22, 1), READERS + [["validate", "--schema-file", "unique.json"]]


def predicate_of_many_keys():
    a = Archive()
    compound = a.record("NSCompoundPredicate", ["NSCompoundPredicate", "NSPredicate", "NSObject"])
    fields = [(f"k{n}", a.uid(0)) for n in range(100_000)]
    one = a.object(compound, fields)
    return a.bytes(a.list(a.record(*ARRAY), [one] * 200)), READERS


def chain_of_urls():
    a = Archive()
    url = a.record("NSURL", ["NSURL", "NSObject"])
    base, numbers = 0, []
    for n in range(1500):
        text = a.add(a.table.string(f"{n:04}" + "x" * 80 + "/"))
        base = a.object(url, [("NS.base", a.uid(base)), ("NS.relative", a.uid(text))])
        numbers.append(base)
    return a.bytes(a.list(a.record(*ARRAY), numbers)), READERS


def xml_default_attributes():
    names = " ".join(f'a{n} CDATA "{"v" * 40}"' for n in range(200))
    body = "<string>x</string>" * 40_000
    return (f'<?xml version="1.0"?><!DOCTYPE plist [<!ATTLIST string {names}>]>'
            f'<plist version="1.0"><array>{body}</array></plist>').encode(), READERS


def xml_attributes():
    names = " ".join(f'a{n}="v"' for n in range(200_000))
    return (f'<?xml version="1.0"?><plist version="1.0"><string {names}>x</string></plist>'
            ).encode(), READERS


def gzip_members_in_data():
    t = Table()
    member = gzip.compress(bytes(6_000_000))
    values = [t.data(member + bytes([n % 256, n >> 8])) for n in range(1000)]
    return t.bytes(t.array(values)), READERS


def gzip_bomb():
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    parts = [compressor.compress(block) for _ in range(4096)]
    return b"".join(parts) + compressor.flush(), READERS


def _nib(objects, keys, values, classes):
    lists = [objects, keys, values, classes]
    header, body = b"NIBArchive" + struct.pack("<II", 1, 9), b""
    for count, content in lists:
        header += struct.pack("<II", count, 50 + len(body))
        body += content
    return header + body


def _varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127)
        number >>= 7
    return bytes(out + bytes([number | 128]))


NIB_CLASS = (1, b"\x82\x80A\0")


def nib_empty_objects():
    return _nib((300_000, b"\x80\x80\x80" * 300_000), (0, b""), (0, b""), NIB_CLASS), READERS


def nib_long_key():
    count = 60_000
    objects = b"".join(b"\x80" + _varint(n) + b"\x81" for n in range(count))
    values = b"".join(b"\x80\x0a" + struct.pack("<I", (n + 1) % count) for n in range(count))
    key = _varint(1_000_000) + b"k" * 1_000_000
    return _nib((count, objects), (1, key), (count, values), NIB_CLASS), READERS


def nib_one_object_everywhere():
    count = 200_000
    objects = b"\x80\x80" + _varint(count)
    values = b"\x80\x0a\0\0\0\0" * count
    return _nib((1, objects), (1, b"\x94UINibEncoderEmptyKey"), (count, values), NIB_CLASS), READERS


def cms_many_parts():
    oid, data = bytes.fromhex("06092a864886f70d010702"), bytes.fromhex("06092a864886f70d010701")
    parts = b"".join(b"\x04\x01" + bytes([byte]) for byte in b"[" + b"1," * 300_000 + b"1]")
    inner = b"\x30\x80" + data + b"\xa0\x80\x24\x80" + parts + b"\0\0" * 3
    return b"\x30\x80" + oid + b"\xa0\x80\x30\x80\x02\x01\x01\x31\0" + inner + b"\0\0" * 3, READERS


def base64_of_many():
    t = Table()
    inner = t.bytes(t.array([t.integer(n) for n in range(100_000)]))
    return base64.encodebytes(inner), READERS


def known_data_many_times():
    t = Table()
    text = t.data(b"text of a data value " * 10_000)
    return t.bytes(t.array([text] * 300_000)), READERS


def shared_long_key():
    t = Table()
    key = t.string("k" * 1_000_000)
    items = [t.dictionary([(key, t.integer(n))]) for n in range(9000)]
    return t.bytes(t.array(items)), READERS + [["validate", "--schema-file", "closed.json"]]


def shared_long_string():
    t = Table()
    text = t.string("k" * 1_000_000)
    return t.bytes(t.array([text] * 60_000)), READERS


def one_array_many_objects():
    a = Archive()
    inner = a.list(a.record(*ARRAY), [0] * 100_000)
    stored = a.objects[inner]
    first = len(a.objects)
    for _ in range(50_000):
        a.add(stored)
    return a.bytes(a.list(a.record(*ARRAY), range(first, first + 50_000))), READERS


def many_references_to_wide_object():
    a = Archive()
    thing = a.record("App.Thing", ["App.Thing", "NSObject"])
    wide = a.object(thing, [(f"k{n}", a.uid(0)) for n in range(100_000)])
    return a.bytes(a.list(a.record(*ARRAY), [wide] * 300_000)), READERS


def plists_with_one_end():
    t = Table()
    inner = Table()
    one = inner.bytes(inner.array([inner.string("x")]))
    t.array([t.data(one + bytes(100)) for _ in range(10_000)])
    return t.bytes(len(t.values) - 1), READERS + [["validate", "--format-only"]]


def overlapping_strings():
    text = b"\x5f\x12" + struct.pack(">I", 1_000_000) + b"a" * 1_010_000
    body = bytearray(b"bplist00")
    start = len(body)
    body += text
    # Each string begins a byte later, within the one before: the count is what the letters spell.
    offsets = [start] + [start + 6 + 4 * n for n in range(1, 10_000)]
    for offset in offsets[1:]:
        body[offset:offset + 4] = b"\x5f\x11\x7f\xff"
    table = len(body)
    refs = b"\xaf\x11" + struct.pack(">H", len(offsets)) + b"".join(
        struct.pack(">H", n) for n in range(len(offsets)))
    top = len(body)
    body += refs
    offsets.append(top)
    table = len(body)
    body += b"".join(struct.pack(">I", o) for o in offsets)
    body += bytes(6) + bytes([4, 2]) + struct.pack(">QQQ", len(offsets), len(offsets) - 1, table)
    return bytes(body), READERS + [["convert", "--to", "keyed-archive", "-o", "-"]]


def overlapping_arrays():
    body = bytearray(b"bplist00")
    top = len(body)
    body += b"\xa0"
    start = len(body)
    count = 60_000
    body += b"\xaf\x11\xea\x60" + bytes(2 * count)
    offsets = [top] + [start] * 20_000
    table = len(body)
    body += b"".join(struct.pack(">I", o) for o in offsets)
    body += bytes(6) + bytes([4, 2]) + struct.pack(">QQQ", len(offsets), 0, table)
    return bytes(body), READERS


def deep_violations():
    t = Table()
    node = t.array([t.string("x") for _ in range(1)] * 10_000)
    for _ in range(400):
        node = t.array([node])
    return t.bytes(node), READERS + [["validate", "--schema-file", "numbers.json"]]


def reference_chain_schema():
    defs = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(20_000)}
    defs["d20000"] = {"type": "array"}
    tree = {"$ref": "#/$defs/d0", "$defs": defs}
    return json.dumps(tree).encode(), [["validate", "--schema-file", "@", "small"],
                                       ["schema", "diff", "@", "any.json"]]


def _diff(tree):
    return json.dumps(tree).encode(), [
        ["schema", "diff", "@", "any.json"], ["schema", "diff", "any.json", "@"],
        ["schema", "diff", "@", "@other"], ["validate", "--schema-file", "@", "small"]]


def enum_schema():
    return _diff({"enum": [f"v{n}" for n in range(200_000)]})


def required_schema():
    return _diff({"type": "object", "required": [f"v{n}" for n in range(200_000)]})


def properties_schema():
    return _diff({"type": "object", "properties": {f"v{n}": {"type": "string"} for n in range(60_000)}})


def any_of_schema():
    return _diff({"anyOf": [{"const": f"v{n}"} for n in range(20_000)]})


def contains_schema():
    tree = {"allOf": [{"contains": {"const": number}} for number in range(3000)]}
    return json.dumps(tree).encode(), [["validate", "--schema-file", "@", "integers.json"]]


def counted_contains_schema():
    tree = {"allOf": [{"contains": {"const": number}, "maxContains": 1} for number in range(1500)]}
    return json.dumps(tree).encode(), [["validate", "--schema-file", "@", "integers.json"]]


def patterns_schema():
    tree = {"items": {"anyOf": [{"pattern": f"^(a|aa)+{number}$"} for number in range(300)]}}
    return json.dumps(tree).encode(), [["validate", "--schema-file", "@", "texts.json"]]


def property_patterns_schema():
    tree = {"patternProperties": {f"k.*{number}$": {} for number in range(2000)}, "additionalProperties": False}
    return json.dumps(tree).encode(), [["validate", "--schema-file", "@", "members.json"]]


SHAPES = [value for name, value in list(globals().items())
          if callable(value) and not name.startswith("_") and name.islower()
          and getattr(value, "__module__", "") == "__main__"]

# What compressed data becomes counts as the input: the program takes 64 times as much.
INFLATING = {"gzip_bomb": 160}
# What ends at the limit of steps, and not at once, with the seconds for it.
STEPPING = {"contains_schema": 5, "counted_contains_schema": 5, "patterns_schema": 5, "property_patterns_schema": 5}

HELPERS = {
    "unique.json": '{"uniqueItems": true}',
    "closed.json": '{"items": {"type": "object", "additionalProperties": {"type": "string"}}}',
    "numbers.json": '{"$defs": {"n": {"anyOf": [{"type": "number"}, {"type": "array", '
                    '"items": {"$ref": "#/$defs/n"}}]}}, "$ref": "#/$defs/n"}',
    "any.json": "{}",
    "integers.json": json.dumps(list(range(50_000))),
    "texts.json": json.dumps(["a" * 22 + f"{number}!" for number in range(3000)]),
    "members.json": json.dumps({f"k{number}x": 1 for number in range(30_000)}),
}


def run(command, folder, seconds):
    """The status, seconds and KiB of a run."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = int(seconds * 4) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    with open(os.devnull, "wb") as nothing, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, cwd=folder, stdout=nothing, stderr=errors,
                                 stdin=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = 0
        size = errors.seek(0, os.SEEK_END)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss, size


def main():
    arguments = sys.argv[1:]
    program = os.path.abspath(arguments.pop(0))
    options = dict(zip(arguments[::2], arguments[1::2]))
    seconds = float(options.get("--seconds", 2))
    wrong = total = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.get("--keep", temporary)
        os.makedirs(folder, exist_ok=True)
        for name, text in HELPERS.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        small = Table()
        with open(os.path.join(folder, "small"), "wb") as file:
            file.write(small.bytes(small.array([])))
        base = run([program, "info", "small"], folder, seconds)[2]
        for shape in SHAPES:
            if options.get("--only", shape.__name__) != shape.__name__:
                continue
            content, commands = shape()
            for name, data in (("input", content), ("other", content.replace(b"v1", b"w1"))):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
            factor = INFLATING.get(shape.__name__, 8)
            for command in commands:
                words = [{"@": "input", "@other": "other"}.get(word, word) for word in command]
                # A command that reads both files may need as much for each.
                size = len(content) * (2 if "@other" in command else 1)
                allowed = base + (factor * size >> 10) + (64 << 10)
                if "@" not in command:
                    words.append("input")
                allowed_seconds = STEPPING.get(shape.__name__, seconds)
                status, took, memory, lines = run([program] + words, folder, allowed_seconds)
                total += 1
                faults = []
                if took > allowed_seconds:
                    faults.append(f"{took:.1f} s")
                if memory > allowed:
                    faults.append(f"{memory >> 10} MiB of {allowed >> 10}")
                if status < 0:
                    faults.append(f"signal {-status}")
                if faults:
                    wrong += 1
                    print(f"{shape.__name__} ({len(content)} bytes): {' '.join(words)}: "
                          f"{', '.join(faults)}", flush=True)
    print(f"{total} runs, {wrong} over their budget")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
