#!/usr/bin/env python3
"""Prints how two files of one envelope differ, as archive_comparison.py finds it: a line of a kind and a path for each.

usage: archive_differences.py ENVELOPE FILE FILE
"""
import base64
import binascii
import plistlib
import sys

from archive_comparison import differences


def unwrapped(value):
    """A value of user defaults in which Base64 of archives is data."""
    if isinstance(value, dict):
        return {name: unwrapped(item) for name, item in value.items()}
    if isinstance(value, list):
        return [unwrapped(item) for item in value]
    try:
        data = base64.b64decode(value, validate=True) if isinstance(value, str) else b""
    except (binascii.Error, ValueError):
        return value
    return data if data.startswith(b"bplist") else value


def main():
    envelope, *paths = sys.argv[1:]
    data = []
    for path in paths:
        with open(path, "rb") as file:
            data.append(file.read())
    if envelope == "plist":
        data = [plistlib.dumps(unwrapped(plistlib.loads(item)), fmt=plistlib.FMT_BINARY) for item in data]
    for kind, path in sorted(set(differences(*data, envelope))):
        print(kind, path)


if __name__ == "__main__":
    main()
