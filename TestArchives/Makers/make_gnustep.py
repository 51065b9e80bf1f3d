#!/usr/bin/env python3
"""Writes archives as NSArchiver of gnustep-base lays them out, by the format's description and without archtool.

usage: make_gnustep.py ARCHIVES
       make_gnustep.py --values    prints the values of ARCHIVES/GNUstep/foundation as JSON
       make_gnustep.py --random SEED    writes an archive of random values to standard output
       make_gnustep.py --random-values SEED    prints its values as JSON
"""

import json
import pathlib
import random
import struct
import sys

OBJECT, TYPE, SELECTOR, ARRAY, STRUCTURE = 0x10, 0x11, 0x12, 0x15, 0x16
# The tag of a number, and its form: K is the type, S the size.
NUMBERS = {
    "c": (0x01, ">b"), "C": (0x02, ">B"), "s": (0x03, ">h"), "S": (0x04, ">H"), "i": (0x25, ">i"),
    "I": (0x26, ">I"), "q": (0x49, ">q"), "Q": (0x4A, ">Q"), "f": (0x0B, ">f"), "d": (0x0C, ">d"),
    "B": (0x0D, ">B"),
}


class Made:
    """An object: its class with those that it derives from, nearest first, and its fields as (letter, value)."""

    def __init__(self, chain, fields=()):
        self.chain, self.fields = chain, list(fields)


FOUNDATION = {
    "NSString": [("NSString", 1), ("NSObject", 0)],
    "NSMutableString": [("NSMutableString", 0), ("NSString", 1), ("NSObject", 0)],
    "NSArray": [("NSArray", 1), ("NSObject", 0)],
    "NSMutableArray": [("NSMutableArray", 0), ("NSArray", 1), ("NSObject", 0)],
    "NSDictionary": [("NSDictionary", 0), ("NSObject", 0)],
    "NSSet": [("NSSet", 0), ("NSObject", 0)],
    "NSNumber": [("NSNumber", 0), ("NSValue", 3), ("NSObject", 0)],
    "NSDate": [("NSDate", 1), ("NSObject", 0)],
    "NSData": [("NSData", 0), ("NSObject", 0)],
    "NSNull": [("NSNull", 0), ("NSObject", 0)],
}


class Archive:
    """The bytes of an archive, with the tables that its references count in."""

    def __init__(self, version=1000000):
        self.version = version
        self.body = bytearray()
        self.classes, self.objects, self.pointers = [], [], []

    def number(self, letter, value):
        tag, form = NUMBERS[letter]
        self.body += bytes([tag]) + struct.pack(form, value)

    def reference(self, kind, number, known):
        size = 1 if number < 256 else 2 if number < 65536 else 3
        self.body.append((0x80 if known else 0) | size << 5 | kind)
        self.body += number.to_bytes(1 << (size - 1), "big")

    def type(self, chain):
        names = [name for name, _ in self.classes]
        if chain[0][0] in names:
            return self.reference(TYPE, names.index(chain[0][0]) + 1, True)
        for name, version in chain:
            if name in names:
                break
            self.classes.append((name, version))
            self.reference(TYPE, len(self.classes), False)
            self.body += struct.pack(">H", len(name)) + name.encode() + struct.pack(">I", version)
        self.body.append(0)

    def object(self, value):
        if value is None:
            return self.body.append(0x80 | OBJECT)
        for number, known in enumerate(self.objects):
            if known is value or isinstance(value, str) and type(known) is str and known == value:
                return self.reference(OBJECT, number + 1, True)
        self.objects.append(value)
        self.reference(OBJECT, len(self.objects), False)
        made = value if isinstance(value, Made) else self.foundation(value)
        self.type(made.chain)
        for letter, field in made.fields:
            self.field(letter, field)

    @staticmethod
    def foundation(value):
        """What Foundation's classes write of a value."""
        if isinstance(value, str):
            if not value:
                fields = [("I", 0)]
            elif all(ord(character) < 256 for character in value):
                fields = [("I", len(value)), ("i", 5), ("C[]", value.encode("latin-1"))]
            else:
                units = value.encode("utf-16-be")
                fields = [("I", len(units) // 2), ("i", 10), ("S[]", units)]
            return Made(FOUNDATION["NSString"], fields)
        if isinstance(value, bytes):
            fields = [("I", len(value))] + ([("C", 0), ("C[]", value)] if value else [])
            return Made(FOUNDATION["NSData"], fields)
        if isinstance(value, (bool, int, float)):
            letter = "d" if isinstance(value, float) else "q" if abs(value) >> 31 else "i"
            if isinstance(value, bool):
                letter = "B"
            return Made(FOUNDATION["NSNumber"], [("c", ord(letter)), (letter, value)])
        if isinstance(value, list):
            fields = [("I", len(value))] + ([("@[]", value)] if value else [])
            return Made(FOUNDATION["NSArray"], fields)
        if isinstance(value, dict):
            pairs = [("@", part) for pair in value.items() for part in pair]
            return Made(FOUNDATION["NSDictionary"], [("I", len(value))] + pairs)
        raise TypeError(value)

    def field(self, letter, value):
        if letter == "@":
            return self.object(value)
        if letter == "#":
            return self.type(value)
        if letter == ":":
            if value is None:
                return self.body.append(0x80 | SELECTOR)
            if value in self.pointers:
                return self.reference(SELECTOR, self.pointers.index(value) + 1, True)
            self.pointers.append(value)
            self.reference(SELECTOR, len(self.pointers), False)
            self.body += struct.pack(">HH", len(value), 8) + value.encode() + b"v12@0:4@"
            return None
        if letter.endswith("[]"):
            return self.array(letter[0], value)
        if letter in ("S{}", "R{}"):
            parts = [value] if letter[0] == "S" else [value[:2], value[2:]]
            if letter[0] == "R":
                self.body.append(STRUCTURE)
            for part in parts:
                self.body.append(STRUCTURE)
                for number in part:
                    self.number("f", number)
            return None
        return self.number(letter, value)

    def array(self, letter, value):
        size = 1 if letter in "@C" else 2
        count = len(value) // size
        self.body.append(ARRAY)
        if self.version == 12402:
            digits = [count & 0x7F]
            while count >> 7:
                count >>= 7
                digits.insert(0, count & 0x7F | 0x80)
            self.body += bytes(digits)
        else:
            self.body += struct.pack(">I", count)
        if letter == "@":
            for element in value:
                self.object(element)
        else:
            self.body += bytes([NUMBERS[letter][0]]) + value

    def data(self, root):
        self.object(root)
        counts = (self.version, len(self.classes), len(self.objects), len(self.pointers))
        return b"GNUstep archive" + b"".join(b"%08x:" % count for count in counts) + bytes(self.body)


VALUES = {
    "text": "plain", "empty": "", "latin": "Grüße", "wide": "日本 🌦", "again": "plain",
    "whole": 42, "negative": -7, "long": 1 << 40, "real": 2.5, "yes": True,
    "data": bytes(range(1, 9)), "list": ["a", 1, ["nested", []]], "table": {"x": {"y": "z"}},
}


def foundation():
    """Values of Foundation's classes, one of which is shared."""
    shared = ["shared"]
    date = Made(FOUNDATION["NSDate"], [("d", 0.5)])
    mutable = Made(FOUNDATION["NSMutableString"], [("I", 3), ("i", 1), ("C[]", b"abc")])
    items = Made(FOUNDATION["NSMutableArray"], [("I", 1), ("@[]", [Made(FOUNDATION["NSNull"])])])
    values = dict(VALUES, date=date, mutable=mutable, items=items, first=shared, second=shared)
    return Archive().data(values)


def shown():
    """The values of `foundation` as dump --format json shows them."""
    return dict(VALUES, date="2001-01-01T00:00:00.5Z", mutable="abc", items=[None],
                first=["shared"], second=["shared"], data="AQIDBAUGBwg=")


RESPONDER = [("NSResponder", 0), ("NSObject", 0)]
VIEW = [("NSView", 2)] + RESPONDER
CONTROL = [("NSControl", 0)] + VIEW


def view(frame):
    """The fields of a view."""
    return ([("I", 0), ("@", None), ("R{}", frame), ("R{}", (0.0, 0.0) + frame[2:])]
            + [("C", 0)] * 3 + [("C", 1), ("I", 18), ("@", None), ("@", None), ("@", []),
                                ("@", None)])


def cell(title):
    """The fields of a button's cell, of the versions 3, 0 and 2, which shifts the modifiers by 16 bits."""
    return ([("@", title), ("@", None), ("@", None), ("@", None)] + [("C", 0)] * 16
            + [("i", 0)] * 8 + [("@", None)] * 3 + [("C", 0)] * 6
            + [("i", 0), ("@", None), (":", None), ("@", None)]
            + [("@", "q"), ("@", None), ("@", None), ("@", None), ("C", 0), ("I", 1 << 4),
               ("i", 0), ("i", 0), ("@", None), ("@", None), ("f", 0.25), ("f", 0.5), ("I", 1),
               ("I", 0), ("C", 1), ("C", 0)])


BUTTON_CELL = [("NSButtonCell", 2), ("NSActionCell", 0), ("NSCell", 3), ("NSObject", 0)]


def interface(*extra):
    """An interface file of Gorm: a button in a custom view, and its connections."""
    owner = Made([("GSNibItem", 1), ("NSObject", 0)],
                 [("@", "NSApplication"), ("R{}", (0, 0, 0, 0)), ("I", 0)])
    button = Made([("NSButton", 1)] + CONTROL,
                  view((20.0, 30.0, 96.0, 24.0))
                  + [("i", 7), ("@", Made(BUTTON_CELL, cell("Quit"))), ("C", 0)])
    swapped = Made([("GSViewTemplate", 1), ("GSClassSwapper", 1), ("NSObject", 0)],
                   [("@", "MyView"), ("#", VIEW)] + view((0.0, 0.0, 200.0, 100.0)))
    action = Made([("NSNibControlConnector", 0), ("NSNibConnector", 0), ("NSObject", 0)],
                  [("@", button), ("@", owner), ("@", "terminate:")])
    outlet = Made([("NSNibOutletConnector", 0), ("NSNibConnector", 0), ("NSObject", 0)],
                  [("@", owner), ("@", swapped), ("@", "view")])
    names = {"NSOwner": owner, "Button": button, "View": swapped}
    tops = Made(FOUNDATION["NSSet"], [("I", 2), ("@", button), ("@", swapped)])
    root = Made([("GSNibContainer", 2), ("NSObject", 0)],
                [("@", tops), ("@", []), ("@", []), ("@", names),
                 ("@", [action, outlet] + list(extra)), ("@", {})])
    return root


def unknown():
    """An object of a class that nobody knows, before two that are known."""
    strange = Made([("MyThing", 3), ("NSObject", 0)], [("i", 5), ("@", "inside"), ("d", 1.5)])
    return Archive().data(interface(strange))


SAMPLES = {
    "foundation": foundation, "interface.gorm": lambda: Archive().data(interface()),
    "unknown-class": unknown, "version-12402": lambda: Archive(12402).data(["x" * 200, "y" * 20000]),
}


def random_value(numbers, depth=4):
    """A value of Foundation's classes."""
    kind = numbers.randrange(8 if depth else 5)
    if kind == 0:
        return "".join(numbers.choice("abcäöüß日本🌦 \\\"") for _ in range(numbers.randrange(12)))
    if kind == 1:
        return numbers.choice([0, 1, -1, 127, -129, 70000, 1 << 31, -(1 << 31), 1 << 62])
    if kind == 2:
        return numbers.choice([0.5, -1.25, 1e300, 0.1])
    if kind == 3:
        return numbers.random() < 0.5
    if kind == 4:
        return "x" * numbers.randrange(300)
    if kind < 6:
        return [random_value(numbers, depth - 1) for _ in range(numbers.randrange(6))]
    return {f"k{number}": random_value(numbers, depth - 1)
            for number in range(numbers.randrange(6))}


def main(words):
    """Writes the archives, or prints values."""
    if words[0] == "--values":
        print(json.dumps(shown()))
    elif words[0].startswith("--random"):
        value = random_value(random.Random(int(words[1])), 6)
        if words[0] == "--random-values":
            print(json.dumps(value))
        else:
            sys.stdout.buffer.write(Archive().data(value))
    else:
        folder = pathlib.Path(words[0]) / "GNUstep"
        folder.mkdir(exist_ok=True)
        for name, make in SAMPLES.items():
            (folder / name).write_bytes(make())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
