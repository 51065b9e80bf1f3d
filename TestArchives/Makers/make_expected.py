#!/usr/bin/env python3
"""Writes manifest.json, the table of README.md, and the model of each archive by plistlib's reading."""

import json
import os
import plistlib
import sys

from keyed import load

BPLIST, XML, JSON = "binary property list", "XML property list", "JSON"

# path, encoding, envelope, family, version, valid, decodable, note
TABLE = [
    ("WeatherFeed/v1-1-city", BPLIST, "dictionariable", "WeatherFeed", "v1", True, True, "one city"),
    ("WeatherFeed/v1-50-cities", BPLIST, "dictionariable", "WeatherFeed", "v1", True, True, "fifty cities"),
    ("WeatherFeed/v1-50-cities-typed", BPLIST, "dictionariable", "WeatherFeed", "v1", True, True, "fifty cities, true and 1 and 1.0 kept apart"),
    ("WeatherFeed/v2-1-city", BPLIST, "codable", "WeatherFeed", "v2", True, True, "one city"),
    ("WeatherFeed/v2-50-cities", BPLIST, "codable", "WeatherFeed", "v2", True, True, "fifty cities"),
    ("WeatherFeed/v1-1-city-xml", XML, "dictionariable", "WeatherFeed", "v1", True, True, "archive in XML"),
    ("WeatherFeed/v2-1-city-xml", XML, "codable", "WeatherFeed", "v2", True, True, "archive in XML"),
    ("WeatherFeed/v1-mutable", BPLIST, "dictionariable", "WeatherFeed", "v1", True, True, "mutable collections"),
    ("WeatherFeed/plist-1-city.plist", BPLIST, "plist", None, None, None, True, "no archive around it"),
    ("WeatherFeed/plist-1-city-xml.plist", XML, "plist", None, None, None, True, "no archive around it"),
    ("WeatherFeed/json-1-city.json", JSON, "json", None, None, None, True, "the model as JSON"),
    ("WeatherFeed/topcities.json", JSON, "json", None, None, None, True, "the service's answer"),
    ("WeatherFeed/error-unauthorized.json", JSON, "json", None, None, None, True, "the service's error"),
    ("WeatherFeed/v1-error-payload", BPLIST, "dictionariable", "WeatherFeed", "v1", False, True, "an error where the feed belongs"),
    ("WeatherFeed/v2-error-payload", BPLIST, "codable", "WeatherFeed", "v2", False, True, "an error where the feed belongs"),
    ("WeatherFeed/v1-error-in-feed", BPLIST, "dictionariable", "WeatherFeed", "v1", False, True, "an error where the cities belong"),
    ("Movie/v0-mirror-class", BPLIST, "nscoding", "Movie", "v0", True, True, "class beside the struct, year boxed"),
    ("Movie/v0-mirror-class-inline", BPLIST, "nscoding", "Movie", "v0", True, True, "class beside the struct, year inline"),
    ("Movie/v0-mirror-class-nil", BPLIST, "nscoding", "Movie", "v0", False, True, "a nil movie: $class alone"),
    ("Movie/v0-playground", BPLIST, "nscoding", "Movie", "v0", True, True, "module of a playground"),
    ("Movie/v0-nested-class", BPLIST, "nscoding", "Movie", "v0", True, True, "class inside the struct"),
    ("Movie/v0-private-nested-class", BPLIST, "nscoding", "Movie", "v0", True, True, "private class inside the struct"),
    ("Movie/v1", BPLIST, "dictionariable", "Movie", "v1", True, True, "one movie"),
    ("Movie/v1-many", BPLIST, "dictionariable", "Movie", "v1", True, True, "an array of three"),
    ("Movie/v2", BPLIST, "codable", "Movie", "v2", True, True, "one movie"),
    ("Movie/v2-many", BPLIST, "codable", "Movie", "v2", True, True, "an array of three"),
    ("Actor/v1", BPLIST, "dictionariable", "Actor", "v1", True, True, "nested dictionaries"),
    ("Actor/v2", BPLIST, "codable", "Actor", "v2", True, True, "nested structs"),
    ("Person/v0-helper-class", BPLIST, "nscoding", "Person", "v0", True, True, "helper class inside the struct"),
    ("Person/v1", BPLIST, "dictionariable", "Person", "v1", True, True, "one person"),
    ("Person/v2", BPLIST, "codable", "Person", "v2", True, True, "one person"),
    ("Graphs/value-classes", BPLIST, "dictionariable", None, None, None, True, "Foundation's value classes"),
    ("Graphs/mutable-collections", BPLIST, "dictionariable", None, None, None, True, "mutable collections within one another, one array held four times"),
    ("Graphs/mutable-classes", BPLIST, "dictionariable", None, None, None, True, "mutable and older spellings"),
    ("Graphs/unknown-class", BPLIST, "nscoding", None, None, None, True, "a class with inline values of each type"),
    ("Graphs/conditional", BPLIST, "nscoding", None, None, None, True, "a conditional object that is nil"),
    ("Graphs/cycle", BPLIST, "nscoding", None, None, None, True, "two objects that hold one another"),
    ("Graphs/array-cycle", BPLIST, "dictionariable", None, None, None, True, "an array that holds itself"),
    ("Graphs/shared-references", BPLIST, "dictionariable", None, None, None, True, "one array under two keys"),
    ("Graphs/several-tops", BPLIST, None, None, None, None, True, "five top-level keys"),
    ("Graphs/user-defaults.plist", BPLIST, "plist", None, None, None, True, "archives in data values"),
    ("Graphs/deep-nesting", BPLIST, "dictionariable", None, None, None, True, "three archives around a property list"),
    ("Graphs/binary-plist.plist", BPLIST, "plist", None, None, None, True, "every type"),
    ("Graphs/xml-plist.plist", XML, "plist", None, None, None, True, "every type"),
    ("Broken/wrong-types-v1", BPLIST, "dictionariable", "WeatherFeed", "v1", False, True, "five wrong types in the second city"),
    ("Broken/wrong-types-v2", BPLIST, "codable", "WeatherFeed", "v2", False, True, "five wrong types in the second city"),
    ("Broken/missing-fields-v1", BPLIST, "dictionariable", "WeatherFeed", "v1", False, True, "three members missing"),
    ("Broken/missing-fields-v2", BPLIST, "codable", "WeatherFeed", "v2", False, True, "three members missing"),
    ("Broken/extra-fields-v1", BPLIST, "dictionariable", "WeatherFeed", "v1", False, True, "two members too many"),
    ("Broken/extra-fields-v2", BPLIST, "codable", "WeatherFeed", "v2", False, True, "two members too many"),
    ("Broken/movie-year-string", BPLIST, "dictionariable", "Movie", "v1", False, True, "the year is a string"),
    ("Broken/movies-one-bad", BPLIST, "dictionariable", "Movie", "v1", False, True, "the second of three lacks members"),
    ("Broken/person-cycle-v1", BPLIST, "dictionariable", "Person", "v1", False, True, "the last name is the person"),
    ("Broken/v2-broken-inner", BPLIST, None, None, None, None, False, "the property list in the root data is cut off"),
    ("Broken/truncated", BPLIST, None, None, None, None, False, "a third of the file is missing"),
    ("Broken/bad-offset", BPLIST, None, None, None, None, False, "an offset beyond the file"),
    ("Broken/bad-trailer", BPLIST, None, None, None, None, False, "sizes of zero in the trailer"),
    ("Broken/dangling-uid", BPLIST, None, None, None, None, False, "a UID without object"),
    ("Broken/missing-top", BPLIST, None, None, None, None, False, "no $top"),
    ("Broken/missing-objects", BPLIST, None, None, None, None, False, "no $objects"),
    ("Broken/class-not-a-record", BPLIST, None, None, None, None, False, "$class leads to a string"),
    ("Broken/keys-objects-mismatch", BPLIST, None, None, None, None, False, "a key fewer than objects"),
    ("Broken/empty", None, None, None, None, None, False, "no bytes"),
    ("Broken/not-an-archive", None, None, None, None, None, False, "a text"),
    ("Broken/circular-container.plist", BPLIST, None, None, None, None, False, "an array that holds itself"),
    ("Broken/bplist-count-overflow.plist", BPLIST, None, None, None, None, False, "a count near 2^64"),
    ("Broken/xml-truncated.plist", XML, None, None, None, None, False, "half of the file is missing"),
    ("Broken/xml-entity-bomb.plist", XML, None, None, None, None, False, "entities that multiply"),
]

KEYS = ("path", "encoding", "envelope", "family", "version", "valid", "decodable", "note")

FOUNDATION, ANSWER = "FoundationMaker", "make_answer.py"
LAYOUTS, BROKEN = "make_layouts.py", "make_broken.py"

# Who makes an archive: the first row whose path begins the archive's.
MAKERS = [
    ("WeatherFeed/topcities.json", ANSWER),
    ("WeatherFeed/error-unauthorized.json", ANSWER),
    ("WeatherFeed/v1-mutable", LAYOUTS),
    ("WeatherFeed/v1-50-cities-typed", LAYOUTS),
    ("WeatherFeed/", FOUNDATION),
    ("Movie/v0-mirror-class-nil", LAYOUTS),
    ("Movie/v0-mirror-class", FOUNDATION),
    ("Movie/v0-", LAYOUTS),
    ("Movie/", FOUNDATION),
    ("Actor/", FOUNDATION),
    ("Person/v0-", LAYOUTS),
    ("Person/", FOUNDATION),
    ("Graphs/value-classes", FOUNDATION),
    ("Graphs/", LAYOUTS),
    ("Broken/person-cycle-v1", LAYOUTS),
    ("Broken/", BROKEN),
]

TABLE_HEADING = "## Every archive\n"


def resolve(value, objects):
    """The model behind a stored value of a keyed archive."""
    if isinstance(value, plistlib.UID):
        value = objects[value.data]
    if isinstance(value, dict):
        if "NS.keys" in value:
            keys = [resolve(key, objects) for key in value["NS.keys"]]
            return dict(zip(keys, [resolve(v, objects) for v in value["NS.objects"]]))
        if "NS.objects" in value:
            return [resolve(v, objects) for v in value["NS.objects"]]
        return {key: resolve(v, objects) for key, v in value.items() if key != "$class"}
    return value


def model(path):
    parts = load(path)
    root = resolve(parts["$top"]["root"], parts["$objects"])
    return plistlib.loads(root) if isinstance(root, bytes) else root


def count(family, value):
    """How many cities a feed has, or how many models a file holds."""
    if family == "WeatherFeed":
        return len(value["topCityWeathers"])
    return len(value) if isinstance(value, list) else 1


def table():
    """The rows of README.md."""
    lines = [
        "",
        "| archive | maker | encoding | envelope | family and version | fits | what it is for |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for path, encoding, envelope, family, version, valid, decodable, note in TABLE:
        maker = next(maker for start, maker in MAKERS if path.startswith(start))
        label = f"{family} {version}" if family else ""
        fits = {True: "yes", False: "no", None: ""}[valid] if decodable else "cannot be decoded"
        cells = [f"`{path}`", f"`{maker}`", encoding or "", envelope or "", label, fits, note]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write_table(path):
    """Writes the table anew below its heading, which is README's last."""
    with open(path, encoding="utf-8") as file:
        text, heading, _ = file.read().partition(TABLE_HEADING)
    assert heading, f"{path} has no heading for the table"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + heading + table())


def write(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1, sort_keys=True)
        file.write("\n")


def main(root):
    listed = {row[0] for row in TABLE}
    for folder in ("WeatherFeed", "Movie", "Actor", "Person", "Graphs", "Broken"):
        for name in os.listdir(f"{root}/{folder}"):
            assert f"{folder}/{name}" in listed, f"{folder}/{name} is not in the table"
    manifest = []
    for row in TABLE:
        entry = dict(zip(KEYS, row))
        path, family = entry["path"], entry["family"]
        assert os.path.exists(f"{root}/{path}"), path
        entry["count"] = None
        if family and entry["valid"]:
            value = model(f"{root}/{path}")
            entry["count"] = count(family, value)
            write(f"{root}/Expected/{path.replace('/', '_')}.json", value)
        manifest.append(entry)
    write(f"{root}/manifest.json", manifest)
    write_table(f"{root}/README.md")


if __name__ == "__main__":
    main(sys.argv[1])
