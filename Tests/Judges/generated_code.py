#!/usr/bin/env python3
"""Compares the Swift code that `archtool schema swift --migrating` writes for random families with `archtool migrate`.

usage: generated_code.py ARCHTOOL COUNT SEED [--batch N] [--keep DIR]

Each family has a random model, two or three versions in random envelopes and random lenses between them, as those of
families.py. The code of a batch is compiled into one program, without a warning, which loads the archives of the first
version and writes those of the newest. Their values must be those that migrate makes, and validate must accept them.
What the generator refuses by name, and what migrate refuses, is counted.

Prints each failure with its seed, and a line of counts. Exit status 1 if anything failed; 0 without a Swift compiler.
"""
import argparse
import collections
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse

import families
from families import ARCHIVES, Family
from random_models import KEYED, SCALARS, TypeMaker

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


class PlainTypeMaker(TypeMaker):
    """Makes types that Swift has, without decimal numbers: Foundation on Linux cannot archive them."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.scalars = [kind for kind in SCALARS if kind != "decimal"]

    def type(self, *arguments):
        made = super().type(*arguments)
        # A dictionary whose keys are no texts is a list in Codable, which does not say so.
        made.key = "text" if made.key == "uuid" else made.key
        return made


class TypedFamily(Family):
    """A family that remembers the types of its versions, whose schemas say all that they can."""

    def write_family(self, name, *arguments):
        types = super().write_family(name, *arguments)
        if name == self.name:
            self.types = types
        return types

    @property
    def newest(self):
        return f"v{len(self.envelopes)}"

    def fits(self, path, version):
        """Whether an archive has a version."""
        return run(self.archtool, "validate", "-q", "--schema", f"{self.name}@{version}", "--schemas",
                   f"{self.folder}/S", path).returncode == 0


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


def has_sets(type):
    parts = list(type.parts.values()) + ([type.element] if type.element else [])
    return type.kind in ("set", "ordered") or any(map(has_sets, parts))


class Batch:
    """Families whose code is compiled together."""

    def __init__(self, archtool, folder, seeds):
        self.archtool, self.folder, self.seeds = archtool, folder, seeds
        self.counts, self.reasons, self.failures = collections.Counter(), collections.Counter(), []

    def fail(self, kind, seed, text):
        self.counts[kind] += 1
        self.failures.append((seed, f"seed {seed}: {kind}: {text}"))

    def run(self, compiler):
        self.families, sources = [], []
        for folder in "out", "code":
            os.makedirs(f"{self.folder}/{folder}")
        for seed in self.seeds:
            family = TypedFamily(self.archtool, seed, f"{self.folder}/{seed}")
            if family.told != "all":
                self.counts["not told"] += 1
                continue
            made = self.generate(family)
            if made:
                self.families.append(family)
                sources.append(made)
        program = self.compile(compiler, sources)
        if program is None:
            return
        for family in self.families:
            made = run(program, f"{self.folder}/out", family.name)
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
                self.fail("not compiled", self.seeds[0], made.stderr[:900])
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
        family.run("v1", "expected", "--allow-loss")
        for number in range(ARCHIVES):
            source, seed = f"{family.folder}/v1/{number}", int(family.name[1:])
            expected = f"{family.folder}/expected/{number}"
            loaded = f"{self.folder}/out/{family.name}-{number}"
            if not os.path.exists(expected):
                self.counts["migrate refused"] += 1
                continue
            if any(family.fits(source, f"v{later}") for later in range(2, len(family.envelopes) + 1)):
                self.counts["fits two versions"] += 1
                continue
            if is_wide(value(self.archtool, source)):
                self.counts["wide integer"] += 1
                continue
            told = f"{number}, {' to '.join(family.envelopes)}"
            if not os.path.exists(loaded):
                with open(loaded + ".error") as file:
                    self.fail("not loaded", seed, f"{told}: {file.read()[:300]}")
                continue
            found, wanted = value(self.archtool, loaded), value(self.archtool, expected)
            differs = difference(found, wanted, has_sets(family.types[-1][0]))
            equal = r": (true but 1|1 but true|false but 0|0 but false)$"
            if differs and family.envelopes[-1] in KEYED and re.search(equal, differs):
                # Foundation on Linux archives a number as an equal boolean that came before it, and the reverse.
                self.counts["numbers on Linux"] += 1
            elif differs:
                self.fail("different", seed, f"{told}: {differs}")
            elif not family.fits(loaded, family.newest):
                made = run(self.archtool, "validate", "--schema", f"{family.name}@{family.newest}", "--schemas",
                           f"{family.folder}/S", loaded)
                problems = [line for line in made.stderr.splitlines() if ": error: " in line]
                # Foundation on Linux archives mutable texts and sets as such that are not.
                if problems and all("expected a mutable object, found class NS" in line for line in problems):
                    self.counts["mutability on Linux"] += 1
                else:
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
    families.TypeMaker = PlainTypeMaker
    total, reasons, failed = collections.Counter(), collections.Counter(), set()
    seeds = range(options.seed, options.seed + options.count)
    for start in range(0, options.count, options.batch):
        folder = tempfile.mkdtemp()
        batch = Batch(options.archtool, folder, seeds[start:start + options.batch])
        batch.run(compiler)
        total += batch.counts
        reasons += batch.reasons
        for seed, text in batch.failures:
            failed.add(seed)
            print(text[:1200], flush=True)
        if batch.failures and options.keep:
            shutil.copytree(folder, f"{options.keep}/{seeds[start]}", dirs_exist_ok=True)
        shutil.rmtree(folder)
    for reason, number in reasons.most_common():
        print(f"refused by name {number}: {reason}")
    counts = " ".join(f"{kind.replace(' ', '-')} {number}" for kind, number in sorted(total.items()))
    print(f"families {options.count}: {counts}; failed families {len(failed)} seed {options.seed}")
    sys.exit(1 if failed or not total["equal"] else 0)


if __name__ == "__main__":
    main()
