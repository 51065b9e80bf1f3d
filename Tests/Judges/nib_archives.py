#!/usr/bin/env python3
"""Reads NIBArchives without archtool: a line of JSON for each file, in the form of dump --format json without $id.

usage: nib_archives.py FILE...
"""

import base64
import json
import pathlib
import struct
import sys

MAGIC = b"NIBArchive"


class Reader:
    """Reads a NIBArchive and shows each object as archtool does."""

    def __init__(self, data):
        self.data = data
        if data[:10] != MAGIC:
            raise ValueError("not a NIBArchive")
        fields = struct.unpack_from("<10I", data, 10)
        counts, places = fields[2::2], fields[3::2]
        self.place = places[3]
        self.classes = [self.read_class() for _ in range(counts[3])]
        self.place = places[1]
        self.keys = [self.take(self.varint()).decode() for _ in range(counts[1])]
        self.place = places[2]
        self.values = [self.read_value() for _ in range(counts[2])]
        self.place = places[0]
        self.objects = [(self.varint(), self.varint(), self.varint()) for _ in range(counts[0])]

    def take(self, count):
        """The next bytes."""
        piece = self.data[self.place:self.place + count]
        if len(piece) < count:
            raise ValueError("too short")
        self.place += count
        return piece

    def varint(self):
        """The next number."""
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte & 0x80:
                return number

    def read_class(self):
        """A class name."""
        length, extra = self.varint(), self.varint()
        self.take(4 * extra)
        return self.take(length).rstrip(b"\0").decode()

    def read_value(self):
        """A value as (key, type, content)."""
        key, kind = self.varint(), self.take(1)[0]
        if kind == 8:
            return key, kind, self.take(self.varint())
        formats = {0: "<b", 1: "<h", 2: "<i", 3: "<q", 6: "<f", 7: "<d", 10: "<I"}
        if kind in formats:
            size = struct.calcsize(formats[kind])
            return key, kind, struct.unpack(formats[kind], self.take(size))[0]
        return key, kind, {4: False, 5: True, 9: None}[kind]

    def members(self, number):
        """The class of an object and its (key, type, content)."""
        name, first, count = self.objects[number]
        pairs = [(self.keys[key], kind, content)
                 for key, kind, content in self.values[first:first + count]]
        return self.classes[name], pairs

    def show(self, number, path):
        """An object; one of those that hold it is named by its number."""
        if number in path:
            return {"$ref": f"#{number + 1}"}
        name, pairs = self.members(number)
        path = path + [number]

        def value(kind, content):
            if kind == 10:
                return self.show(content, path)
            return base64.b64encode(content).decode() if kind == 8 else content

        def field(key, kind, content):
            text = geometry(key, content) if kind == 8 else None
            return text or value(kind, content)
        if name in ("NSString", "NSMutableString"):
            return pairs[0][2].decode()
        if name == "NSNumber":
            return pairs[0][2]
        if pairs and pairs[0][0] == "NSInlinedValue":
            elements = [value(kind, content) for _, kind, content in pairs[1:]]
            if "Dictionary" in name:
                return dict(zip(elements[::2], elements[1::2]))
            return elements
        unnamed = [value(kind, content) for key, kind, content in pairs
                   if key == "UINibEncoderEmptyKey"]
        shown = {"$class": name}
        for key, kind, content in pairs:
            several = key == "UINibEncoderEmptyKey" and len(unnamed) > 1
            shown[key] = unnamed if several else field(key, kind, content)
        return shown


def geometry(key, content):
    """The text of a point, size, rectangle or insets."""
    form = {9: "<2f", 17: "<4f" if content[:1] == b"\x06" else "<2d", 33: "<4d"}.get(len(content))
    if content[:1] not in (b"\x06", b"\x07") or not form:
        return None
    texts = ["%.17g" % number for number in struct.unpack(form, content[1:])]
    if len(texts) == 2 or key.endswith(("Insets", "Margins")):
        return "{%s}" % ", ".join(texts)
    return "{{%s, %s}, {%s, %s}}" % tuple(texts)


def main(words):
    """Shows each file."""
    for name in words:
        reader = Reader(pathlib.Path(name).read_bytes())
        print(json.dumps(reader.show(0, []), sort_keys=True, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
