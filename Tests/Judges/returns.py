#!/usr/bin/env python3
"""Migrations whose way back once lost something: each comes back as it was, or is refused before anything is written.

usage: returns.py ARCHTOOL [CASE...]

A case is an archive, two schemas and a lens. It is migrated by one command and back by another, and compared by
archive_comparison.py. What a case must do besides is in its checks. Prints what is wrong; exit status 1 if anything is.
"""
import json
import os
import subprocess
import sys
import tempfile
import uuid

import binary_plist
from archive_comparison import differences
from binary_plist import Single
from comparison_cases import list_of, map_of, object_of, plain
from families import ALLOWED, undeclared
from object_graphs import Inline, Object
from random_models import CHAINS, FRAMEWORK, Table, Values

STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
NULLABLE = {"type": ["string", "null"]}
MAP = {"type": "object", "additionalProperties": STRING}
URL = {"type": "string", "x-class": "NSURL"}


def texts(**facts):
    return {"type": "array", "items": STRING, **facts}


def version(envelope, properties, required=None, **facts):
    """A schema; for nscoding of the class App.Leaf."""
    archive = {"envelope": envelope}
    if envelope == "nscoding":
        facts = {"x-class": "App.Leaf", "x-classes": ["App.Leaf", "NSObject"], **facts}
        archive["classes"] = [facts["x-class"]]
    if facts.pop("list", False):
        archive["list"] = True
    return {"x-archive": archive, "type": "object", "properties": properties,
            "required": sorted(properties) if required is None else required, "additionalProperties": False, **facts}


def renamed(source, destination):
    return [{"rename": {"source": source, "destination": destination}}]


class Case:
    """An archive that is migrated there and back."""

    def __init__(self, root, old, new, lens=None, must_migrate=False, must_be_sound=False):
        self.root, self.versions, self.lens = root, (old, new), lens
        self.must_migrate, self.must_be_sound = must_migrate, must_be_sound

    def run(self, archtool, folder):
        """What is wrong with the case."""
        envelope = self.versions[0]["x-archive"]["envelope"]
        data = self.root if isinstance(self.root, bytes) else Table().bytes(self.root, "root")
        family = f"{folder}/S/F"
        os.makedirs(family)
        with open(f"{folder}/v1", "wb") as file:
            file.write(data)
        texts = {"family.json": {"family": "F", "versions": ["v1", "v2"]}}
        for name, schema in zip(("v1", "v2"), self.versions):
            texts[f"{name}.schema.json"] = {"$id": f"urn:archtool:F:{name}", **schema}
        if self.lens is not None:
            texts["v1-v2.lens.json"] = {"lens": self.lens}
        for name, value in texts.items():
            with open(f"{family}/{name}", "w") as file:
                json.dump(value, file)

        def command(*arguments):
            return subprocess.run(
                [archtool, *arguments], cwd=folder, capture_output=True, text=True, env={"HOME": folder}, timeout=60)

        def migrate(source, target, file, output):
            return command(
                "migrate", "--schemas", "S", "--schema", "F", "--from", source, "--to", target, file, "-o", output,
                "--report", f"{output}.report")

        if self.must_be_sound:
            check = command("schema", "check", "S")
            if check.returncode:
                yield f"not sound: {check.stderr}"
        there = migrate("v1", "v2", "v1", "v2")
        if there.returncode not in (0, 1) or there.returncode and os.path.exists(f"{folder}/v2"):
            yield f"status {there.returncode}: {there.stderr}"
        if there.returncode:
            if self.must_migrate:
                yield f"refused: {there.stderr}"
            return
        yield from misnamed(f"{folder}/v2")
        with open(f"{folder}/v2.report") as file:
            losses = [loss for line in file for loss in json.loads(line).get("losses", [])]
        if any(loss["lost"] not in ALLOWED for loss in losses):
            yield f"loses {losses}"
        back = migrate("v2", "v1", "v2", "again")
        if back.returncode:
            if not losses:
                yield f"does not come back: {back.stderr}"
            return
        with open(f"{folder}/again", "rb") as file:
            found = undeclared(differences(data, file.read(), envelope), losses)
        if found:
            yield f"comes back with another {found}"


class Renaming:
    """A class that gets the name of one of its superclasses, which must not be in its chain twice."""

    def run(self, archtool, folder):
        """What is wrong with the case."""
        chain = ["UICachedDeviceRGBColor", "UIDeviceRGBColor", "UIColor", "NSObject"]
        with open(f"{folder}/old", "wb") as file:
            file.write(Table().bytes(Object(chain[0], chain, [("UIRed", Inline(1.0))]), "root"))
        subprocess.run([archtool, "rename-class", "-q", "-c", f"{chain[0]}=UIColor", "old", "-o", "new"], cwd=folder)
        if os.path.exists(f"{folder}/new"):
            with open(f"{folder}/new", "rb") as file:
                found = [item["$classes"] for item in binary_plist.loads(file.read())["$objects"] if "$classes" in item]
            if any(len(set(names)) < len(names) for names in found):
                yield f"the chain is {found}"


def misnamed(path):
    """Objects of a framework's class with fields that it does not store."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"bplist"):
        return
    archive = binary_plist.loads(data)
    for value in archive.get("$objects", []) if isinstance(archive, dict) else []:
        if isinstance(value, dict) and "$class" in value:
            name = archive["$objects"][value["$class"].data]["$classname"]
            known = {key for key, _ in FRAMEWORK.get(name, [])}
            if known and not known.issuperset(value.keys() - {"$class"}):
                yield f"an object of {name} with the fields {sorted(value.keys() - {'$class'})}"


def displayed(name, members):
    """The schema of an object of a framework's class by the members that it shows."""
    return {"type": "object", "x-class": name, "properties": members, "required": sorted(members)}


def framework(name):
    return Object(name, [name, "NSObject"], list(FRAMEWORK[name]))


def model(**fields):
    return object_of("App.Leaf", **fields)


def identifiers():
    return [Values(None, "nscoding").identifier(uuid.UUID(int=number)) for number in (1, 2)]


def separate_numbers():
    return list_of(*(model(v=plain(0)) for _ in range(2)))


SHARED = list_of(plain("q"), plain("r"))
COLOR = {"hex": STRING, "alpha": {**NUMBER, "x-storage": "inline"}}
LOCATION = {name: {**NUMBER, "x-storage": "inline"} for name in (
    "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "speed", "course")}
LOCATION["timestamp"] = DATE = {"type": "string", "x-plist-type": "date"}
FLAT = {**{name: NUMBER for name in LOCATION}, "timestamp": DATE}
BASE = Values(None, "nscoding").url("http://h/a/", None)
ITEM = {"type": "object", "properties": {"id": STRING}, "required": ["id"]}
LIST = {**texts(), "x-class": "NSArray"}

CASES = {
    "location": Case(
        model(l=framework("CLLocation")), version("nscoding", {"l": displayed("CLLocation", LOCATION)}),
        version("json", FLAT), [
            {"hoist": {"host": "l", "name": name, **({"prune": True} if name == "timestamp" else {})}}
            for name in LOCATION]),
    "color": Case(
        model(c=framework("UIColor")), version("nscoding", {"c": displayed("UIColor", COLOR)}),
        version("codable", {"c": {"type": "object"}})),
    "color-from-json": Case(
        b'{"c": {"hex": "#FF8000", "alpha": 1}}', version("json", {"c": {"type": "object", "properties": {
            "hex": STRING, "alpha": NUMBER}}}), version("nscoding", {"c": displayed("UIColor", COLOR)}), []),
    "number-keys": Case(
        map_of((plain("d"), map_of((plain(1), plain("one")), (plain(2), plain("two"))))),
        version("dictionariable", {"d": {**MAP, "x-class": "NSDictionary"}}), version("codable", {"d": MAP})),
    "uuid-keys": Case(
        map_of((plain("d"), map_of(*zip(identifiers(), (plain("one"), plain("two")))))),
        version("dictionariable", {"d": {}}), version("codable", {"d": {}})),
    "date-keys": Case(
        map_of((plain("d"), map_of((object_of("NSDate", **{"NS.time": Inline(5.0)}), plain("one"))))),
        version("dictionariable", {"d": {}}), version("plist", {"d": {}})),
    "root-list": Case(
        list_of(map_of((plain("a"), plain("x"))), name="NSMutableArray"),
        version("dictionariable", {"a": STRING}, list=True), version("nscoding", {"b": STRING}, list=True),
        renamed("a", "b")),
    "root-list-of-dictionaries": Case(
        list_of(map_of((plain("a"), plain("x")))),
        version("dictionariable", {"a": STRING}, list=True, **{"x-class": "NSDictionary"}),
        version("codable", {"a": STRING}, list=True)),
    "wrapped-null": Case(
        b'{"a": "x", "b": null}', version("json", {"a": STRING, "b": NULLABLE}, ["a"]),
        version("json", {"a": STRING, "b": {"type": "array", "items": NULLABLE}}, ["a"]), [{"wrap": {"name": "b"}}]),
    "null-left-out": Case(
        b'{"a": "x", "b": null}', version("json", {"a": STRING, "b": NULLABLE}, ["a"]),
        version("plist", {"a": STRING, "b": STRING}, ["a"])),
    "required-null": Case(
        b'{"a": "x", "b": null}', version("json", {"a": STRING, "b": NULLABLE}),
        version("plist", {"a": STRING, "b": STRING}, ["a"]), must_migrate=True),
    "shared-list": Case(
        model(b=SHARED, s=SHARED), version("nscoding", {"b": LIST, "s": LIST}),
        version("dictionariable", {"b": texts(), "s": STRING}), [{"join": {"name": "s", "separator": ":"}}]),
    "superclasses-of-dictionaries": Case(
        map_of((plain("b"), list_of(map_of((plain("id"), plain("i0")))))),
        version("dictionariable", {"b": {"type": "array", "items": {**ITEM, "x-class": "NSDictionary"}}}),
        version("nscoding", {"b": {"type": "array", "items": {
            **ITEM, "x-class": "Old", "x-classes": ["Old", "Base", "NSObject"]}}})),
    "dictionary-without-class": Case(
        model(b=map_of((plain("k"), plain("v")))), version("nscoding", {"b": MAP}), version("json", {"b": MAP})),
    "stored-across": Case(
        model(a=Inline(3)), version("nscoding", {"a": {**INTEGER, "x-storage": "inline"}}),
        version("dictionariable", {"a": INTEGER}), [{"store": {"name": "a", "as": "inline"}}]),
    "range": Case(
        model(r=framework("NSValue")), version("nscoding", {"r": {"x-class": "NSValue"}}),
        version("json", {"r": {"type": "array", "items": INTEGER}})),
    "added-set-from-json": Case(
        b'{"a": "x"}', version("json", {"a": STRING}),
        version("nscoding", {"a": STRING, "n": {**texts(), "x-class": "NSSet"}}),
        [{"add": {"name": "n", "default": ["q"]}}], must_migrate=True),
    "added-set": Case(
        model(a=plain("x")), version("nscoding", {"a": STRING}),
        version("nscoding", {"a": STRING, "n": {**texts(), "x-class": "NSSet"}}),
        [{"add": {"name": "n", "default": ["q"]}}], must_migrate=True),
    "added-ordered-set": Case(
        model(a=plain("x")), version("nscoding", {"a": STRING}),
        version("nscoding", {"a": STRING, "n": {**texts(), "x-class": "NSOrderedSet"}}),
        [{"add": {"name": "n", "default": ["q"]}}], must_migrate=True),
    "added-url": Case(
        b'{"a": "x"}', version("json", {"a": STRING}), version("nscoding", {"a": STRING, "n": URL}),
        [{"add": {"name": "n", "default": "http://d/"}}], must_migrate=True),
    "text-to-number": Case(
        model(a=plain("s")), version("nscoding", {"a": {"enum": ["u", "s"]}}),
        version("nscoding", {"a": {"enum": [0, 1], "x-storage": "inline"}}),
        [{"convert": {"name": "a", "values": [["u", 0], ["s", 1]]}}], must_migrate=True, must_be_sound=True),
    "milliseconds": Case(
        binary_plist.dumps({"t": "2020-01-02T03:04:05.678Z"}), version("plist", {"t": STRING}),
        version("plist", {"t": DATE}),
        [{"convert": {"name": "t", "sourceType": "string", "destinationType": "date", "format": "iso8601"}}],
        must_migrate=True),
    "separate-numbers": Case(
        separate_numbers(), version("nscoding", {"v": {"const": 0}}, list=True),
        version("nscoding", {"v": {"const": 1}}, list=True), [{"convert": {"name": "v", "values": [[0, 1]]}}],
        must_migrate=True),
    "base-of-a-url": Case(
        model(u=Values(None, "nscoding").url("b", BASE)), version("nscoding", {"u": URL}),
        version("json", {"u": STRING})),
    "single-precision": Case(
        model(f=Inline(Single(0.5))), version("nscoding", {"f": {**NUMBER, "x-storage": "inline"}}),
        version("codable", {"f": NUMBER})),
    "minus-zero": Case(
        binary_plist.dumps({"c": -0.0}), version("plist", {"c": NUMBER}), version("plist", {"c": INTEGER}),
        [{"convert": {"name": "c", "sourceType": "real", "destinationType": "integer"}}]),
    "empty-ordered-set": Case(
        model(o=Object("NSOrderedSet", CHAINS["NSOrderedSet"])),
        version("nscoding", {"o": {**texts(), "x-class": "NSOrderedSet"}}),
        version("dictionariable", {"o": {**texts(), "x-class": "NSOrderedSet"}})),
}
CASES["renamed-to-superclass"] = Renaming()


def main():
    archtool, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(CASES)
    failed = False
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for problem in CASES[name].run(archtool, folder):
                failed = True
                print(f"{name}: {problem.strip()}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
