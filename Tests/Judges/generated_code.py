#!/usr/bin/env python3
"""Compares the Swift code that `archtool schema swift --migrating` writes for random families with `archtool migrate`.

usage: generated_code.py ARCHTOOL COUNT SEED [--batch N] [--keep DIR]

Each family has a random model, two or three versions in random envelopes and random lenses between them, as those of
families.py. The code of a batch is compiled into one program, without a warning, which loads the archives and writes
those of the newest version. Their values must be those that migrate makes, and validate must accept them. Families are
drawn until COUNT are compiled: those that the generator refuses by name are counted with its reasons, and so are the
archives that migrate or the code refuses as archtool-schema(5) says. What Foundation on Linux does otherwise than on
Apple's systems is tried first (PROBE); an archive counts as such a case only if it differs in nothing else.

Prints each failure with its seed, and a line of counts. Exit status 1 if anything failed; 0 without a Swift compiler.
"""
import argparse
import collections
import itertools
import json
import math
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse

from families import ARCHIVES, Family
from random_models import KEYED, MUTABLE, Type

MAIN = """import Foundation

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let wanted = CommandLine.arguments[2]
func write(_ name: String, _ make: () throws -> Data) throws {
  do { try make().write(to: folder.appendingPathComponent(name)) } catch {
    try Data("\\(error)".utf8).write(to: folder.appendingPathComponent(name + ".error"))
  }
}
func data(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
"""


# Prints the class that Foundation archives each mutable object as, and whether equal objects and numbers become one.
PROBE = """import Foundation

let objects: [NSObject] = [
  NSMutableString(string: "a"), NSMutableData(data: Data([1])), NSMutableArray(array: ["a"]),
  NSMutableDictionary(dictionary: ["a": "b"]), NSMutableSet(array: ["a"]), NSMutableOrderedSet(array: ["a"]),
]
func objects(in root: Any) throws -> [Any] {
  let data = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: true)
  let archive = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
  return archive?["$objects"] as? [Any] ?? []
}
for object in objects {
  let names = try objects(in: ["a": object] as [String: Any]).compactMap { ($0 as? [String: Any])?["$classname"] as? String }
  print(names.first { $0.hasPrefix("NSMutable") } ?? "immutable \\(type(of: object))")
}
let archiver = NSKeyedArchiver(requiringSecureCoding: true)
archiver.encode(NSMutableArray(array: ["a"]), forKey: "one")
archiver.encode(NSArray(array: ["a"]), forKey: "other")
let list = try PropertyListSerialization.propertyList(from: archiver.encodedData, format: nil) as? [String: Any]
let arrays = (list?["$objects"] as? [Any] ?? []).filter { ($0 as? [String: Any])?["NS.objects"] != nil }
print(arrays.count < 2 ? "one object" : "two objects")
print(try objects(in: [true, 1] as [Any]).filter { $0 is NSNumber }.count < 2 ? "one number" : "two numbers")
"""


class TypedFamily(Family):
    """A family that remembers the types of its versions."""

    def maker(self, envelopes):
        made = super().maker(envelopes)
        # Swift has no types for objects of frameworks, and Foundation on Linux ends the program at a decimal number.
        refused = {"framework", "decimal"} if any(item in KEYED for item in envelopes) else {"framework"}
        made.scalars = [kind for kind in made.scalars if kind not in refused]
        return made

    def write_family(self, name, *arguments):
        types = super().write_family(name, *arguments)
        if name == self.name:
            self.types = types
        return types

    @property
    def newest(self):
        return f"v{len(self.envelopes)}"

    def problems(self, path, version):
        """What keeps an archive from having a version."""
        made = run(self.archtool, "validate", "--schema", f"{self.name}@{version}", "--schemas", f"{self.folder}/S",
                   path)
        found = [line for line in made.stderr.splitlines() if ": error: " in line]
        return found or ([made.stderr[:300]] if made.returncode else [])

    def expected(self, number):
        """The model that migrate makes of an archive, whose version is the newest that it has; None if refused."""
        source, target = f"{self.folder}/v1/{number}", f"{self.folder}/expected-{number}"
        versions = [f"v{index + 1}" for index in range(len(self.envelopes))]
        found = next((item for item in reversed(versions) if not self.problems(source, item)), "v1")
        if found == self.newest:
            target = source
        else:
            run(self.archtool, "migrate", "-q", "--schemas", f"{self.folder}/S", "--schema", self.name, "--from", found,
                "--to", self.newest, "--allow-loss", "-o", target, source)
        if not os.path.exists(target):
            return None
        made = value(self.archtool, target)
        if found == "v1" or not isinstance(made, (list, dict)):
            return made
        # The members of an older version that fits a later one are unknown to its type.
        is_keyed = self.key != "root" and self.envelopes[-1] not in ("plist", "json")
        root = made[self.key] if is_keyed else made
        type = self.types[-1][0]
        root = [declared(item, type) for item in root] if isinstance(root, list) else declared(root, type)
        return {self.key: root} if is_keyed else root


def run(*arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, errors="replace", timeout=900, **options)


def value(archtool, path):
    """The model of an archive."""
    made = run(archtool, "dump", "-q", "--format", "json", path)
    if made.returncode != 0:
        return f"no archive: {made.stderr[:200]}"
    return json.loads(made.stdout)


def difference(left, right, has_sets, path="$"):
    """Where two models differ, and how; None if they are equal. The elements of sets have no order."""
    lists = [part for part in (left, right) if isinstance(part, list) and all(isinstance(item, str) for item in part)]
    if has_sets and len(lists) == 2:
        # A set has one of two texts that are canonically equivalent, which Swift takes for equal.
        left, right = (list(dict.fromkeys(map(composed, part))) for part in (left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        if "relative" in left and "relative" in right and resolved(left) == resolved(right):
            # Foundation on Linux resolves the NSURLs of a dictionary.
            return None
        # A type of Swift has nil for null and for what is absent.
        left, right = (
            {composed(key): item for key, item in part.items() if item is not None} for part in (left, right))
        if left.keys() != right.keys():
            return f"{path}: {sorted(left)} but {sorted(right)}"
        found = (difference(left[key], right[key], has_sets, f"{path}.{key}") for key in left)
        return next((item for item in found if item), None)
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        found = (difference(*pair, has_sets, f"{path}[{index}]") for index, pair in enumerate(zip(left, right)))
        made = next((item for item in found if item), None)
        if made and has_sets and not any(isinstance(item, (dict, list)) for item in left + right):
            pairs = zip(*(sorted(part, key=rank) for part in (left, right)))
            return next((item for item in (difference(*pair, False, path) for pair in pairs) if item), None)
        return made
    if isinstance(left, bool) == isinstance(right, bool):
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            # A real of single precision is shown with the digits that tell it from others of that precision.
            if left == right or single(left) == single(right) or math.isnan(left) and math.isnan(right):
                return None
        elif composed(left) == composed(right) or is_same_moment(left, right):
            return None
    return f"{path}: {json.dumps(left)[:200]} but {json.dumps(right)[:200]}"


def resolved(item):
    """The text of a URL in the form of Codable."""
    base = item.get("base")
    return urllib.parse.urljoin(resolved(base), item["relative"]) if base else item["relative"]


def declared(item, type):
    """A model without the members that a type does not have."""
    if isinstance(item, list) and type.kind == "list":
        return [declared(part, type.element) for part in item]
    if isinstance(item, dict) and type.kind == "map":
        return {key: declared(part, type.element) for key, part in item.items()}
    if isinstance(item, dict) and type.is_structure:
        parts = {composed(name): part for name, part in type.parts.items()}
        parts["$class"] = Type("text")
        return {key: declared(part, parts[composed(key)]) for key, part in item.items() if composed(key) in parts}
    return item


def is_same_moment(left, right):
    """Whether two texts are dates less than a microsecond apart: JSONSerialization rounds numbers of many digits."""
    texts = [re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d(?:\.\d+)?)Z", str(item)) for item in (left, right)]
    return all(texts) and texts[0][1] == texts[1][1] and abs(float(texts[0][2]) - float(texts[1][2])) < 1e-6


def rank(item):
    """What the elements of a set are sorted by."""
    return ("", item) if isinstance(item, (int, float)) else (composed(str(item)), 0)


def composed(item):
    """A text that Swift takes for the same one: it compares texts by canonical equivalence."""
    return unicodedata.normalize("NFC", item) if isinstance(item, str) else item


def single(number):
    return struct.pack("f", number) if isinstance(number, float) and abs(number) < 3e38 else number


def is_wide(item):
    """Whether a model has an integer that an Int of Swift does not hold."""
    if isinstance(item, (dict, list)):
        return any(map(is_wide, item.values() if isinstance(item, dict) else item))
    return isinstance(item, int) and item > 2**63 - 1


def has_object_keys(data):
    """Whether a key of a dictionary in an archive, or in one within it, is no text."""
    if not data.startswith(b"bplist"):
        return False
    archive = plistlib.loads(data)
    objects = archive.get("$objects", []) if isinstance(archive, dict) else []
    keys = [key for item in objects if isinstance(item, dict) for key in item.get("NS.keys", [])]
    inner = (item for item in parts(archive) if isinstance(item, bytes))
    return any(not isinstance(objects[key.data], str) for key in keys) or any(map(has_object_keys, inner))


def parts(item):
    """The values in a property list."""
    inner = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return [item] + [part for value in inner for part in parts(value)]


def has_sets(type):
    parts = list(type.parts.values()) + ([type.element] if type.element else []) + [item for item, _ in type.versions]
    return type.kind in ("set", "ordered") or any(map(has_sets, parts))


def without_booleans(item):
    """A model with 1 for true and 0 for false."""
    if isinstance(item, list):
        return [without_booleans(part) for part in item]
    if isinstance(item, dict):
        return {key: without_booleans(part) for key, part in item.items()}
    return int(item) if isinstance(item, bool) else item


class Foundation:
    """What the system's Foundation does otherwise than Apple's."""

    def __init__(self, compiler, folder):
        with open(f"{folder}/main.swift", "w") as file:
            file.write(PROBE)
        run(compiler, f"{folder}/main.swift", "-o", f"{folder}/probe")
        lines = run(f"{folder}/probe").stdout.splitlines()
        # Its classes of objects that are mutable only in the program.
        self.immutable = {name.replace("Mutable", "") for name in MUTABLE.values() if f"immutable {name}" in lines}
        self.shares_numbers, self.shares_objects = "one number" in lines, "one object" in lines

    def explains(self, problems, source, numbers=False):
        """Whether all problems of an archive come from what it does, and not from the code that wrote it."""
        for line in problems:
            found = re.search(r"expected a mutable object, found class NS(\w+)", line)
            is_lost = found and f"NS{found[1]}" in self.immutable and f"NSMutable{found[1]}(" in source
            # An object stands for an equal one that follows it.
            is_shared = self.shares_objects and re.search(r"expected an object that is not mutable, found class NSM", line)
            is_number = numbers and re.search(r"expected (boolean|integer|number|real)", line)
            if not is_lost and not is_shared and not is_number:
                return False
        return True


class Batch:
    """Families whose code is compiled together."""

    def __init__(self, archtool, folder, foundation):
        self.archtool, self.folder, self.foundation = archtool, folder, foundation
        self.counts, self.reasons, self.failures = collections.Counter(), collections.Counter(), []

    def fail(self, kind, seed, text):
        self.counts[kind] += 1
        self.failures.append((seed, f"seed {seed}: {kind}: {text}"))

    def run(self, compiler, count, seeds):
        """Draws families until the code of so many is generated, and judges them."""
        self.families, sources = [], []
        for folder in "out", "code":
            os.makedirs(f"{self.folder}/{folder}")
        while len(self.families) < count:
            seed = next(seeds)
            family = TypedFamily(self.archtool, seed, f"{self.folder}/{seed}")
            made = self.generate(family)
            if made:
                self.families.append(family)
                sources.append(made)
        program = self.compile(compiler, sources)
        if program is None:
            return
        self.counts["compiled"] += len(self.families)
        for family in self.families:
            for _ in range(5):
                made = run(program, f"{self.folder}/out", family.name)
                if "Duplicate keys" not in made.stderr or "NSKeyedArchiver._referenceObject" not in made.stderr:
                    break
                # On Linux, mutable texts are equal to others but hashed differently, at random in each process.
                self.counts["restarted on Linux"] += 1
            if made.returncode != 0:
                self.fail("stopped", int(family.name[1:]), made.stderr[:400])
            else:
                self.judge(family)

    def generate(self, family):
        """The sources of a family and of those whose archives are in its data; None if one is refused."""
        sources = []
        for name in sorted(os.listdir(f"{family.folder}/S")):
            source = f"{self.folder}/code/{name}.swift"
            made = run(self.archtool, "schema", "swift", "--migrating", "--schemas", f"{family.folder}/S", "-o", source,
                       name)
            if made.returncode != 0:
                self.counts["refused by name"] += 1
                reason = made.stderr.split("no Swift code")[-1].split(": ", 1)[-1].strip()
                self.reasons[" ".join(word for word in reason.split() if word.isalpha())[:60]] += 1
                if made.returncode != 65 or "no Swift code" not in made.stderr:
                    self.fail("not generated", int(family.name[1:]), made.stderr[:300])
                return None
            sources.append(source)
        return sources

    def compile(self, compiler, sources):
        """The program of the families; one whose code is not compiled fails, and the others are compiled without it."""
        program = f"{self.folder}/program"
        while self.families:
            with open(f"{self.folder}/code/main.swift", "w") as file:
                file.write(MAIN + "".join(map(self.calls, self.families)))
            files = [file for group in sources for file in group]
            made = run(compiler, "-swift-version", "6", "-warnings-as-errors", "-Onone", *files,
                       f"{self.folder}/code/main.swift", "-o", program)
            if made.returncode == 0:
                return program
            problems = [line for line in made.stderr.splitlines() if "error:" in line and ".swift:" in line]
            guilty = {index for index, group in enumerate(sources) for file in group
                      if any(line.startswith(file + ":") for line in problems)}
            if not guilty:
                self.fail("not compiled", 0, made.stderr[:900])
                return None
            for index in guilty:
                lines = [line[len(self.folder):] for line in problems if line.startswith(tuple(sources[index]))]
                self.fail("not compiled", int(self.families[index].name[1:]), "\n".join(lines[:5]))
            self.families = [item for index, item in enumerate(self.families) if index not in guilty]
            sources = [item for index, item in enumerate(sources) if index not in guilty]
        return None

    @staticmethod
    def calls(family):
        lines = ""
        for number in range(ARCHIVES):
            body = f'try {family.name}.load(from: data).archive()'
            if family.is_list:
                body = f'try {family.name}.archive({family.name}.loadList(from: data))'
            lines += f'if wanted == "{family.name}" {{\ntry write("{family.name}-{number}") {{\n'
            lines += f'  let data = try data("{family.folder}/v1/{number}")\n'
            lines += f"  return {body}\n}}\n}}\n"
        return lines

    def judge(self, family):
        for number in range(ARCHIVES):
            expected = family.expected(number)
            if expected is None:
                self.counts["migrate refused"] += 1
            else:
                self.judge_archive(family, number, expected)

    def judge_archive(self, family, number, wanted):
        seed, told = int(family.name[1:]), f"{number}, {' to '.join(family.envelopes)}, {family.told} told"
        loaded = f"{self.folder}/out/{family.name}-{number}"
        if not os.path.exists(loaded):
            with open(loaded + ".error") as file:
                error = file.read()
            with open(f"{family.folder}/v1/{number}", "rb") as file:
                has_keys = has_object_keys(file.read())
            if has_keys:
                self.counts["key refused"] += 1
            elif is_wide(value(self.archtool, f"{family.folder}/v1/{number}")):
                self.counts["wide integer refused"] += 1
            else:
                self.fail("not loaded", seed, f"{told}: {error[:300]}")
            return
        found, sets = value(self.archtool, loaded), has_sets(family.types[-1][0])
        differs, problems = difference(found, wanted, sets), family.problems(loaded, family.newest)
        foundation, source = self.foundation, ""
        for name in os.listdir(f"{family.folder}/S") if family.envelopes[-1] in KEYED else []:
            with open(f"{self.folder}/code/{name}.swift") as file:
                source += file.read()
        if differs and source and foundation.shares_numbers and foundation.explains(problems, source, numbers=True) and (
                not difference(without_booleans(found), without_booleans(wanted), sets)):
            self.counts["numbers on Linux"] += 1
        elif differs:
            self.fail("different", seed, f"{told}: {differs}; {problems[:2]}")
        elif problems and foundation.explains(problems, source):
            self.counts["mutability on Linux"] += 1
        elif problems:
            self.fail("not valid", seed, f"{told}: {problems[:2]}")
        else:
            self.counts["equal"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archtool", type=os.path.abspath)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--batch", type=int, default=25)
    parser.add_argument("--keep", type=os.path.abspath)
    options = parser.parse_args()
    compiler = shutil.which("swiftc")
    if compiler is None:
        print("generated code: swiftc is not on the path, so nothing is compiled")
        return
    total, reasons, failed = collections.Counter(), collections.Counter(), set()
    seeds = itertools.count(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        foundation = Foundation(compiler, folder)
    for start in range(0, options.count, options.batch):
        folder = tempfile.mkdtemp()
        batch = Batch(options.archtool, folder, foundation)
        batch.run(compiler, min(options.batch, options.count - start), seeds)
        total += batch.counts
        reasons += batch.reasons
        for seed, text in batch.failures:
            failed.add(seed)
            print(text[:1200], flush=True)
        if batch.failures and options.keep:
            shutil.copytree(folder, f"{options.keep}/{start}", dirs_exist_ok=True)
        shutil.rmtree(folder)
    for reason, number in reasons.most_common():
        print(f"refused by name {number}: {reason}")
    counts = " ".join(f"{kind.replace(' ', '-')} {number}" for kind, number in sorted(total.items()))
    print(f"families {next(seeds) - options.seed}: {counts}; failed families {len(failed)} seed {options.seed}")
    sys.exit(1 if failed or total["compiled"] < options.count or not total["equal"] else 0)


if __name__ == "__main__":
    main()
