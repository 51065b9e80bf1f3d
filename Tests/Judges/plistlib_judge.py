"""Reads property lists with Python's plistlib (or with `json` as argument, JSON) and tells each in one line.

Standard input: records of a length (8 bytes, big-endian) and so many bytes.
Standard output: for each record the line that SampleValue.canonical makes, or what was wrong.
"""

import datetime
import json
import plistlib
import struct
import sys

REFERENCE = datetime.datetime(2001, 1, 1)


def bits(number):
    if number != number:
        return "nan"
    return format(struct.unpack(">Q", struct.pack(">d", number))[0], "x")


def quoted(text):
    units = text.encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2])
    return "'" + ".".join(format(high << 8 | low, "x") for high, low in pairs) + "'"


def canonical(value):
    if value is None:
        return "n"
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, int):
        return "i%d" % value
    if isinstance(value, float):
        return "r" + bits(value)
    if isinstance(value, datetime.datetime):
        return "d" + bits((value - REFERENCE).total_seconds())
    if isinstance(value, (bytes, bytearray)):
        return "x" + value.hex()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, plistlib.UID):
        return "u%d" % value.data
    if isinstance(value, list):
        return "[" + ",".join(canonical(element) for element in value) + "]"
    if isinstance(value, dict):
        items = sorted(quoted(key) + ":" + canonical(member) for key, member in value.items())
        return "{" + ",".join(items) + "}"
    return "?" + type(value).__name__


def main():
    read = json.loads if sys.argv[1:] == ["json"] else plistlib.loads
    data = sys.stdin.buffer.read()
    place = 0
    while place < len(data):
        (length,) = struct.unpack_from(">Q", data, place)
        record = data[place + 8 : place + 8 + length]
        place += 8 + length
        try:
            print(canonical(read(record)))
        except Exception as problem:  # the line tells it, the test compares the lines
            print("refused: %r" % problem)


if __name__ == "__main__":
    main()
