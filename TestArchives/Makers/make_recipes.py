#!/usr/bin/env python3
"""Makes the samples of the family Recipe: keyed archives as apps write them, by plistlib.

usage: make_recipes.py FOLDER
"""

import datetime
import pathlib
import plistlib
import sys

import keyed

PANCAKES = {
    "name": "Pancakes", "minutes": 20, "cooked": datetime.datetime(2019, 4, 6, 8, 30),
    "ingredients": [
        {"what": "flour", "grams": 250}, {"what": "milk", "grams": 480.5}, {"what": "eggs"},
    ],
}
TEA = {"name": "Tea", "minutes": 4, "ingredients": [{"what": "tea leaves", "grams": 2.5}]}


class RecipeArchive(keyed.Archive):
    """An archive whose values may be dates."""

    def value(self, value, mutable=False):
        if isinstance(value, datetime.datetime):
            seconds = (value - datetime.datetime(2001, 1, 1)).total_seconds()
            return self.instance("NSDate", {"NS.time": seconds})
        return super().value(value, mutable)


def dictionariable(value):
    """A keyed archive whose root is an NSDictionary of the fields."""
    archive = RecipeArchive()
    root = archive.value(value)
    return plistlib.dumps(archive.parts(root=root), fmt=plistlib.FMT_BINARY, sort_keys=False)


def codable(value):
    """A keyed archive whose root is the data of a property list."""
    inner = plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)
    return plistlib.dumps({
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)},
        "$objects": ["$null", inner],
    }, fmt=plistlib.FMT_BINARY, sort_keys=False)


def main(folder):
    samples = pathlib.Path(folder) / "Families/Recipe/samples"
    for version in ["v1/invalid", "v2"]:
        (samples / version).mkdir(parents=True, exist_ok=True)
    (samples / "v1/pancakes").write_bytes(dictionariable(PANCAKES))
    (samples / "v1/tea").write_bytes(dictionariable(TEA))
    (samples / "v1/invalid/no-minutes").write_bytes(
        dictionariable({"name": "Toast", "ingredients": [{"what": "bread"}]}))
    (samples / "v1/invalid/minutes-as-text").write_bytes(
        dictionariable(TEA | {"minutes": "four"}))
    (samples / "v2/pancakes").write_bytes(
        codable(PANCAKES | {"difficulty": "easy", "photo": bytes.fromhex("ffd8ffe000104a464946")}))
    (samples / "v2/tea").write_bytes(codable(TEA | {"difficulty": "easy"}))


if __name__ == "__main__":
    main(sys.argv[1])
