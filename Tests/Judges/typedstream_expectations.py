"""Prints what python-typedstream (PyPI: pytypedstream) finds in typedstreams, a line of JSON a file.

usage: typedstream_expectations.py FILE...

Each line names the file, counts its objects, and has the FNV-1a hash of a text that tells every object with its
classes, types and values: the text that TypedStreamExpectationTests makes of what archtool reads.
"""

import json
import os
import struct
import sys

import typedstream.stream as ts

from fingerprint import fingerprint


def text(data):
    if data is None:
        return "n"
    try:
        return "s" + data.decode("utf-8").encode("utf-8").hex()
    except UnicodeDecodeError:
        return "s" + data.decode("latin-1").encode("utf-8").hex()


def scalar(value):
    if value is None:
        return "n"
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, int):
        return "i%d" % value
    if isinstance(value, float):
        return "r%x" % struct.unpack(">Q", struct.pack(">d", value))[0]
    if isinstance(value, ts.CString):
        return text(value.contents)
    if isinstance(value, ts.Atom):
        return text(value.contents)
    if isinstance(value, ts.Selector):
        return text(value.name)
    if isinstance(value, ts.ByteArray):
        return "x" + value.data.hex()
    return text(value)


class Reading:
    def __init__(self, reader):
        self.events = iter(reader)
        self.objects = []
        self.table = []

    def chain(self, event):
        """The classes from an event on, as text; the entries of the table are filled from the end."""
        names, places = [], []
        while isinstance(event, ts.SingleClass):
            places.append(len(self.table))
            self.table.append(None)
            names.append("%s:%d" % (event.name.decode("latin-1"), event.version))
            event = next(self.events)
        tail = "" if event is None else self.table[event.number]
        for name, place in zip(reversed(names), reversed(places)):
            tail = name + (" " + tail if tail else "")
            self.table[place] = tail
        return tail

    def value(self, event):
        if isinstance(event, ts.BeginObject):
            number = len(self.objects)
            self.objects.append(None)
            self.table.append("o%d" % number)
            classes = self.chain(next(self.events))
            groups = []
            event = next(self.events)
            while not isinstance(event, ts.EndObject):
                groups.append(self.group(event))
                event = next(self.events)
            self.objects[number] = classes + "|" + "|".join(groups)
            return "o%d" % number
        if isinstance(event, ts.SingleClass):
            return "k" + self.chain(event)
        if isinstance(event, ts.ObjectReference):
            known = self.table[event.number]
            return "k" + known if event.referenced_type == ts.ObjectReference.Type.CLASS else known
        if isinstance(event, ts.CString):
            self.table.append(text(event.contents))
        if isinstance(event, (ts.BeginArray, ts.BeginStruct)):
            ends = (ts.EndArray, ts.EndStruct)
            members = []
            event = next(self.events)
            while not isinstance(event, ends):
                members.append(self.value(event))
                event = next(self.events)
            return "[" + ",".join(members) + "]"
        return scalar(event)

    def group(self, event):
        types = b"".join(event.encodings).decode("latin-1")
        values = []
        event = next(self.events)
        while not isinstance(event, ts.EndTypedValues):
            values.append(self.value(event))
            event = next(self.events)
        return types + " " + ",".join(values)

    def tops(self):
        return [self.group(event) for event in self.events]


def main():
    sys.setrecursionlimit(100000)
    for path in sys.argv[1:]:
        name = os.path.relpath(path)
        try:
            with ts.TypedStreamReader.open(path) as reader:
                reading = Reading(reader)
                tops = reading.tops()
        except Exception as problem:
            print(json.dumps({"file": name, "refused": str(problem)}))
            continue
        told = "\n".join(tops + reading.objects)
        print(
            json.dumps(
                {"file": name, "objects": len(reading.objects), "hash": fingerprint(told)}
            )
        )


main()
