#!/usr/bin/env python3
"""Makes compiled interface files: NIBArchives as iOS has them, and the keyed archives of macOS.

usage: make_nibs.py FOLDER
"""

import pathlib
import plistlib
import struct
import sys

from keyed import Archive

MAGIC = b"NIBArchive"


def varint(number):
    """Seven bits a byte, least significant first; the high bit marks the last."""
    out = bytearray()
    while True:
        bits, number = number & 0x7F, number >> 7
        if not number:
            return bytes(out + bytes([bits | 0x80]))
        out.append(bits)


class Maker:
    """Collects objects; a value is (key, type, content)."""

    def __init__(self):
        self.objects, self.keys, self.values, self.classes = [], [], [], []

    def name(self, name, *fallbacks):
        """The number of a class."""
        for number, known in enumerate(self.classes):
            if known[0] == name:
                return number
        self.classes.append((name, [self.name(other) for other in fallbacks]))
        return next(n for n, known in enumerate(self.classes) if known[0] == name)

    def key(self, name):
        """The number of a key."""
        if name not in self.keys:
            self.keys.append(name)
        return self.keys.index(name)

    def add(self, name, *values, fallbacks=()):
        """Adds an object."""
        number = self.name(name, *fallbacks)
        encoded = [varint(self.key(key)) + bytes([kind]) + self.content(kind, content)
                   for key, kind, content in values]
        self.objects.append((number, len(self.values), len(values)))
        self.values += encoded
        return len(self.objects) - 1

    @staticmethod
    def content(kind, content):
        """The bytes of a value after its type."""
        if kind == 8:
            return varint(len(content)) + content
        formats = {0: "<b", 1: "<h", 2: "<i", 3: "<q", 6: "<f", 7: "<d", 10: "<I"}
        return struct.pack(formats[kind], content) if kind in formats else b""

    def string(self, text, name="NSString"):
        """Adds a string."""
        return self.add(name, ("NS.bytes", 8, text.encode()))

    def list(self, name, *numbers):
        """Adds a collection of objects."""
        return self.add(name, ("NSInlinedValue", 5, None),
                        *[("UINibEncoderEmptyKey", 10, number) for number in numbers])

    def data(self, version=(1, 9)):
        """The file."""
        lists = [
            [varint(a) + varint(b) + varint(c) for a, b, c in self.objects],
            [varint(len(key.encode())) + key.encode() for key in self.keys],
            self.values,
            [varint(len(name.encode()) + 1) + varint(len(others))
             + b"".join(struct.pack("<I", other) for other in others) + name.encode() + b"\0"
             for name, others in self.classes],
        ]
        header = MAGIC + struct.pack("<II", *version)
        place, body = 50, b""
        for entries in lists:
            header += struct.pack("<II", len(entries), place + len(body))
            body += b"".join(entries)
        return header + body


def view():
    """A view with subviews, as a compiled interface file has it."""
    made = Maker()
    made.add("NSObject", ("UINibTopLevelObjectsKey", 10, 1), ("UINibObjectsKey", 10, 1),
             ("UINibConnectionsKey", 10, 7))
    made.list("NSArray", 2, 3)
    made.add("UIView", ("UITag", 0, 7), ("UIOpaque", 5, None), ("UIHidden", 4, None),
             ("UIBounds", 8, b"\x07" + struct.pack("<4d", 0, 0, 375, 667)),
             ("UIAlpha", 6, 0.5), ("UISubviews", 10, 1))
    made.add("App.TitleLabel", ("UIText", 10, 4), ("UIFontSize", 7, 17.0), ("UILines", 1, -2),
             ("UIColor", 9, None), ("UITextLength", 3, 1 << 40), ("UIWidth", 2, -70000),
             ("UIAttributes", 10, 5), ("UICenter", 8, b"\x06" + struct.pack("<2f", -1.5, 20)),
             ("UIViewLayoutMargins", 8, b"\x07" + struct.pack("<4d", 8, 0.1, 8, 16)), fallbacks=("UILabel", "UIView"))
    made.string("Grüße")
    made.list("NSDictionary", 4, 6, 8, 4)
    made.add("NSNumber", ("NS.intval", 2, 42))
    made.list("NSSet", 4)
    made.string("plain", "NSMutableString")
    return made.data()


def cycle():
    """Two objects that hold each other, and one without values."""
    made = Maker()
    made.add("Parent", ("child", 10, 1), ("$odd", 10, 2))
    made.add("Child", ("parent", 10, 0), ("self", 10, 1))
    made.add("Empty")
    return made.data((1, 10))


def elements():
    """Collections of every kind, also in forms that are not those of a collection."""
    made = Maker()
    made.add("Root", ("list", 10, 1), ("names", 10, 2), ("set", 10, 3), ("odd", 10, 4),
             ("mixed", 10, 5), ("number", 10, 6), ("real", 10, 7), ("flag", 10, 8))
    made.list("NSMutableArray")
    made.list("NSMutableDictionary")
    made.list("NSMutableSet", 0)
    made.add("Odd", ("UINibEncoderEmptyKey", 0, 1), ("name", 0, 2), ("UINibEncoderEmptyKey", 0, 3))
    made.add("Single", ("UINibEncoderEmptyKey", 10, 5))
    made.add("NSNumber", ("NS.intval", 3, -5))
    made.add("NSNumber", ("NS.dblval", 7, 2.5))
    made.add("NSNumber", ("NS.boolval", 5, None))
    return made.data()


def keyed():
    """A keyed archive whose root is under the key that Interface Builder uses."""
    made = Archive()
    windows = made.instance("NSMutableSet", {"NS.objects": []}, "NSSet", "NSObject")
    data = made.instance(
        "NSIBObjectData", {"NSRoot": made.add("Main"), "NSVisibleWindows": windows, "NSNextOid": 7})
    return plistlib.dumps(
        made.parts(**{"IB.objectdata": data}), fmt=plistlib.FMT_BINARY, sort_keys=False)


SAMPLES = {
    "view.nib": view, "cycle.nib": cycle, "elements.nib": elements, "keyedobjects.nib": keyed,
}


def main(words):
    """Writes all samples."""
    folder = pathlib.Path(words[0]) / "Nibs"
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SAMPLES.items():
        (folder / name).write_bytes(make())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
