#!/usr/bin/env python3
"""Makes the samples of the family Bookmarks: the same bookmarks in each version, by plistlib.

usage: make_bookmarks.py FOLDER
"""

import datetime
import json
import pathlib
import sys

from make_recipes import codable, dictionariable

# 12:50 at nine hours east of UTC.
ADDED = datetime.datetime(2019, 4, 6, 3, 50)


def folder(member, name, *kids):
    """A folder, whose name is called as the version has it."""
    return {member: name} | ({"kids": list(kids)} if kids else {})


def tree(member):
    """Folders in folders."""
    return folder(
        member, "All", folder(member, "Swift", folder(member, "Lenses")), folder(member, "Later"))


def first():
    """The bookmarks as version 1 has them."""
    return {
        "root": tree("n"), "tags": "swift, xml", "authors": ["Ada", "Grace"],
        "links": [
            {"id": "l1", "type": "url", "u": "https://example.com/a"},
            {"id": "l2", "type": "text", "text": "Read it again."},
        ],
        "NS.keys": ["sort", "view"], "NS.objects": [0, 2], "added": "2019-04-06 12:50",
        "stars": 3,
    }


def second():
    """The bookmarks as version 2 has them."""
    return {
        "root": tree("name"), "tags": ["swift", "xml"],
        "authors": [{"name": "Ada"}, {"name": "Grace"}],
        "links": {
            "l1": {"kind": "link", "href": "https://example.com/a"},
            "l2": {"type": "text", "text": "Read it again."},
        },
        "settings": {"sort": 0, "view": 2}, "added": ADDED, "stars": 3,
    }


def third():
    """The bookmarks as version 3 has them."""
    seconds = "1554522600"
    return {
        "title": "All", "tags": "swift xml", "authors": ["Ada", "Grace"],
        "links": [
            {"id": "l1", "kind": "link", "href": "https://example.com/a"},
            {"id": "l2", "type": "text", "text": "Read it again."},
        ],
        "added": seconds, "changed": seconds, "rating": "some", "note": None,
    }


def text(value):
    """A JSON document."""
    return (json.dumps(value, indent=2) + "\n").encode()


def main(target):
    samples = pathlib.Path(target) / "Families/Bookmarks/samples"
    versions = [
        ("v1", dictionariable, first(), {"tags": ["swift"]}), ("v2", codable, second(), {"stars": 9}),
        ("v3", text, third(), {"rating": "good"}),
    ]
    for name, write, bookmarks, wrong in versions:
        (samples / name / "invalid").mkdir(parents=True, exist_ok=True)
        (samples / name / "reading").write_bytes(write(bookmarks))
        kind = next(iter(wrong))
        (samples / name / "invalid" / f"wrong-{kind}").write_bytes(write(bookmarks | wrong))


if __name__ == "__main__":
    main(sys.argv[1])
