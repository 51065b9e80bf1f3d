"""Prints what Python's plistlib finds in property lists, a line of JSON a file.

usage: plist_expectations.py FILE...

Each line names the file and has the FNV-1a hash of a text that tells every value with its type, the text that
PropertyListExpectationTests makes of what archtool reads; or, for a file that plistlib refuses, its error.
"""

import datetime
import json
import plistlib
import struct
import sys

EPOCH = datetime.datetime(2001, 1, 1)


def text(value):
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, int):
        return "i%d" % value
    if isinstance(value, float):
        return "r%x" % struct.unpack(">Q", struct.pack(">d", value))[0]
    if isinstance(value, str):
        return "s" + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, bytes):
        return "x" + value.hex()
    if isinstance(value, datetime.datetime):
        return "d%d" % round((value - EPOCH).total_seconds())
    if isinstance(value, plistlib.UID):
        return "u%d" % value.data
    if isinstance(value, list):
        return "[" + ",".join(text(item) for item in value) + "]"
    if isinstance(value, dict) and list(value) == ["CF$UID"] and isinstance(value["CF$UID"], int):
        # How CoreFoundation spells UIDs in XML; plistlib leaves the dictionary.
        return "u%d" % value["CF$UID"]
    if isinstance(value, dict):
        pairs = sorted((key.encode("utf-8").hex(), text(item)) for key, item in value.items())
        return "{" + ",".join("%s:%s" % pair for pair in pairs) + "}"
    raise TypeError(type(value))


def fingerprint(told):
    value = 0xCBF29CE484222325
    for byte in told.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return "%016x" % value


for name in sys.argv[1:]:
    line = {"file": name}
    try:
        with open(name, "rb") as file:
            line["hash"] = fingerprint(text(plistlib.load(file)))
    except Exception as error:
        line["error"] = "%s: %s" % (type(error).__name__, error)
    print(json.dumps(line))
