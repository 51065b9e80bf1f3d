#!/usr/bin/env python3
"""Compares the Swift code that `archtool schema swift --migrating` writes for random families with `archtool migrate`.

usage: generated_code.py ARCHTOOL COUNT SEED [--batch N] [--keep DIR]

Each family has a random model, two or three versions in random envelopes and random lenses between them, as those of
families.py. The code of a batch is compiled into one program, without a warning, which loads the archives of the first
version and writes those of the newest. Their values must be those that migrate makes, and validate must accept them.
What the generator refuses by name, and what migrate refuses, is counted.

Prints each failure with its seed, and a line of counts. Exit status 1 if anything failed, and 0 without a Swift compiler.
"""
import argparse
import collections
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata

import families
from families import ARCHIVES, Family
from random_models import SCALARS, TypeMaker

MAIN = """import Foundation

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
func write(_ name: String, _ make: () throws -> Data) throws {
  do { try make().write(to: folder.appendingPathComponent(name)) } catch {
    try Data("\\(error)".utf8).write(to: folder.appendingPathComponent(name + ".error"))
  }
}
func data(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
"""


class PlainTypeMaker(TypeMaker):
    """Makes types whose values Swift has a type for."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.scalars = SCALARS


class TypedFamily(Family):
    """A family that remembers the types of its versions."""

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


def same(left, right, has_sets):
    """Whether two models are equal; the elements of sets have no order."""
    if isinstance(left, dict) and isinstance(right, dict):
        left, right = ({composed(key): item for key, item in part.items()} for part in (left, right))
        return left.keys() == right.keys() and all(same(left[key], right[key], has_sets) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            return False
        if all(same(one, other, has_sets) for one, other in zip(left, right)):
            return True
        return has_sets and all(not isinstance(item, (dict, list)) for item in left + right) and sorted(
            map(repr, map(composed, left))) == sorted(map(repr, map(composed, right)))
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    return composed(left) == composed(right)


def composed(item):
    """A text that Swift takes for the same one: it compares texts by canonical equivalence."""
    return unicodedata.normalize("NFC", item) if isinstance(item, str) else item


def has_sets(type):
    parts = list(type.parts.values()) + ([type.element] if type.element else [])
    return type.kind == "set" or any(map(has_sets, parts))


class Batch:
    """Families whose code is compiled together."""

    def __init__(self, archtool, folder, seeds):
        self.archtool, self.folder, self.seeds = archtool, folder, seeds
        self.counts, self.failures = collections.Counter(), []

    def fail(self, kind, seed, text):
        self.counts[kind] += 1
        self.failures.append((seed, f"seed {seed}: {kind}: {text}"))

    def run(self, compiler):
        self.families, sources, main = [], [], MAIN
        for folder in "out", "code":
            os.makedirs(f"{self.folder}/{folder}")
        for seed in self.seeds:
            family = TypedFamily(self.archtool, seed, f"{self.folder}/{seed}")
            source = f"{self.folder}/code/{family.name}.swift"
            made = run(self.archtool, "schema", "swift", "--migrating", "--schemas", f"{family.folder}/S", "-o", source,
                       family.name)
            if made.returncode != 0:
                self.counts["refused by name"] += 1
                if made.returncode != 65 or "no Swift" not in made.stderr:
                    self.fail("not generated", seed, made.stderr[:300])
                continue
            self.families.append(family)
            sources.append(source)
            main += self.calls(family)
        with open(f"{self.folder}/code/main.swift", "w") as file:
            file.write(main)
        program = f"{self.folder}/program"
        made = run(compiler, "-swift-version", "6", "-warnings-as-errors", "-Onone", *sources,
                   f"{self.folder}/code/main.swift", "-o", program)
        if made.returncode != 0:
            problems = [line for line in made.stderr.splitlines() if "error:" in line]
            self.fail("not compiled", self.seeds[0], "\n".join(problems[:8]) or made.stderr[:900])
            return
        made = run(program, f"{self.folder}/out")
        if made.returncode != 0:
            self.fail("stopped", self.seeds[0], made.stderr[-400:])
        for family in self.families:
            self.judge(family)

    @staticmethod
    def calls(family):
        lines = ""
        for number in range(ARCHIVES):
            body = f'try {family.name}.load(from: data).archive()'
            if family.is_list:
                body = f'try {family.name}.archive({family.name}.loadList(from: data))'
            lines += f'try write("{family.name}-{number}") {{\n  let data = try data("{family.folder}/v1/{number}")\n'
            lines += f"  return {body}\n}}\n"
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
            told = f"{number}, {' to '.join(family.envelopes)}"
            if not os.path.exists(loaded):
                with open(loaded + ".error") as file:
                    self.fail("not loaded", seed, f"{told}: {file.read()[:300]}")
                continue
            found, wanted = value(self.archtool, loaded), value(self.archtool, expected)
            if not same(found, wanted, has_sets(family.types[-1][0])):
                self.fail("different", seed, f"{told}: {json.dumps(found)[:400]} but migrate: {json.dumps(wanted)[:400]}")
            elif not family.fits(loaded, family.newest):
                self.fail("not valid", seed, told)
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
    total, failed = collections.Counter(), set()
    seeds = range(options.seed, options.seed + options.count)
    for start in range(0, options.count, options.batch):
        folder = tempfile.mkdtemp()
        batch = Batch(options.archtool, folder, seeds[start:start + options.batch])
        batch.run(compiler)
        total += batch.counts
        for seed, text in batch.failures:
            failed.add(seed)
            print(text[:1200], flush=True)
        if batch.failures and options.keep:
            shutil.copytree(folder, f"{options.keep}/{seeds[start]}", dirs_exist_ok=True)
        shutil.rmtree(folder)
    counts = " ".join(f"{kind.replace(' ', '-')} {number}" for kind, number in sorted(total.items()))
    print(f"families {options.count}: {counts}; failed families {len(failed)} seed {options.seed}")
    sys.exit(1 if failed or not total["equal"] else 0)


if __name__ == "__main__":
    main()
