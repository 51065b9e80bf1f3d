#!/usr/bin/env python3
"""Prints how two files of one envelope differ, as archive_comparison.py finds it: a line of a kind and a path for each.

usage: archive_differences.py ENVELOPE FILE FILE
"""
import sys

from archive_comparison import differences


def main():
    envelope, *paths = sys.argv[1:]
    data = []
    for path in paths:
        with open(path, "rb") as file:
            data.append(file.read())
    for kind, path in sorted(set(differences(*data, envelope))):
        print(kind, path)


if __name__ == "__main__":
    main()
