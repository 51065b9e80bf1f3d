#!/usr/bin/env python3
"""Migrates archives of random families forward and back by two commands, and compares what comes back with what was.

usage: families.py ARCHTOOL COUNT SEED [--workers N] [--keep DIR]

Each family has a random model, two or three versions in random envelopes, random lenses of the whole vocabulary between
them, and archives of the first version. They are migrated to the last version, and by a second command back. What a
plan calls lossless must come back as it was: class, storage, mutability, identity, keys, nil and absence, value. So
must what --keep-lost or --keep-lost-inside kept. Where a plan says that classes, storage or mutability are lost, only
these may differ, and only there. Whatever else a lens or an envelope cannot hold must be refused.

Prints each failure with its seed, with which `families.py ARCHTOOL 1 SEED` repeats it, and a line of counts; --keep
leaves the files of families with failures in a folder. Exit status 1 if anything failed.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from archive_comparison import Comparison, differences, generalized, step
from comparison_cases import verify
from random_lenses import LensMaker
from random_models import ENVELOPES, KEYED, KEYS, Type, TypeMaker, Values, schema

# What an envelope without classes cannot hold is lost without a question; all else has to be allowed.
ALLOWED = {"class", "storage", "mutability"}
SECONDS = 60
ARCHIVES = 3


class Family:
    """A random family, its archives, and the commands that migrate them."""

    def __init__(self, archtool, seed, folder):
        self.archtool, self.folder, self.name = archtool, folder, f"R{seed}"
        self.numbers = numbers = random.Random(seed)
        self.told = numbers.choice(["all", "all", "all", "some", "none"])
        self.envelopes = [numbers.choice(ENVELOPES) for _ in range(numbers.choice([2, 2, 2, 2, 3]))]
        self.key = numbers.choice(["root", "root", "model"])
        self.is_list = numbers.random() < 0.15
        self.type = self.maker(self.envelopes).root()
        os.makedirs(f"{folder}/S")
        if numbers.random() < 0.1 and "json" not in self.envelopes:
            self.type.parts["archive"] = self.archive(f"I{seed}")
        self.write_family(self.name, self.type, self.envelopes, self.key, self.is_list)
        self.write_archives()
        self.keeping = numbers.choice(["--keep-lost", "--keep-lost", "--keep-lost-inside"])

    def maker(self, envelopes):
        """What makes the types of a family with versions in some envelopes."""
        return TypeMaker(self.numbers, self.told, envelopes[0])

    def archive(self, name):
        """The type of data that holds an archive of another family."""
        envelopes = [self.numbers.choice(ENVELOPES[:-1]) for _ in range(2)]
        made = Type("archive")
        made.name = name
        made.versions = self.write_family(name, self.maker(envelopes).root(), envelopes)
        return made

    def write_family(self, name, type, envelopes, key="root", is_list=False):
        """Writes schemas and random lenses of a family; the types and envelopes of its versions."""
        numbers, versions, types = self.numbers, [f"v{number + 1}" for number in range(len(envelopes))], []
        folder = f"{self.folder}/S/{name}"
        os.makedirs(folder)

        def save(file, value):
            with open(f"{folder}/{file}", "w") as output:
                json.dump(value, output, indent=1)

        save("family.json", {"family": name, "versions": versions})
        for version, envelope in zip(versions, envelopes):
            if types:
                type = type.clone()
                maker = LensMaker(numbers, self.told, envelope)
                lens = {"lens": maker.lens(type) if numbers.random() < 0.85 else []}
                if maker.lenses:
                    lens["lenses"] = maker.lenses
                if numbers.random() < 0.02:
                    lens["direction"] = "forward"
                save(f"{versions[len(types) - 1]}-{version}.lens.json", lens)
            types.append((type, envelope))
            archive = {"envelope": envelope}
            if envelope in KEYED + ("codable",):
                archive["key"] = key
            if envelope == "nscoding":
                archive["classes"] = [type.name]
            if is_list:
                archive["list"] = True
            save(f"{version}.schema.json", {
                "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:archtool:{name}:{version}",
                "x-archive": archive, **({"additionalProperties": False} if numbers.random() < 0.3 else {}),
                **schema(type, envelope)})
        return types

    def write_archives(self):
        os.makedirs(f"{self.folder}/v1")
        for number in range(ARCHIVES):
            values = Values(self.numbers, self.envelopes[0])
            count = self.numbers.randrange(1, 4) if self.is_list else None
            data = values.archive(self.type, self.key, count, self.numbers.random() < 0.4)
            with open(f"{self.folder}/v1/{number}", "wb") as file:
                file.write(data)

    def run(self, source, target=None, *options, is_back=False):
        """Migrates a folder into another, or plans it; what was said of each archive by its name."""
        start, end = ("v1", f"v{len(self.envelopes)}")[::-1 if is_back else 1]
        report = f"{self.folder}/{target}.report"
        output = ["--plan", "--format", "json"]
        if target:
            output = ["--output-dir", f"{self.folder}/{target}", "--report", report]
        process = subprocess.run(
            [self.archtool, "migrate", "--schemas", f"{self.folder}/S", "--schema", self.name, "--from", start, "--to",
             end, "-j", "1", "-q", "--allow-empty", "-r", f"{self.folder}/{source}", *output, *options],
            capture_output=True, text=True, errors="replace", timeout=SECONDS,
            env={"HOME": self.folder, "PATH": os.environ.get("PATH", "")})
        if process.returncode not in (0, 1):
            raise Failure(f"status {process.returncode} of {source}: {process.stderr.strip()[:400]}")
        lines = process.stdout
        if target:
            with open(report) as file:
                lines = file.read()
        records = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
        return {os.path.basename(item["file"]): item for item in records if "file" in item}

    def differences(self, folder, name):
        """How an archive that came back differs from what it was."""
        data = []
        Comparison.are_collections_values = any(
            envelope not in ("nscoding", "dictionariable") for envelope in self.envelopes[1:])
        for path in f"{self.folder}/v1/{name}", f"{self.folder}/{folder}/{name}":
            with open(path, "rb") as file:
                data.append(file.read())
        return differences(*data, self.envelopes[0], set(set_paths(self.type, "$[*]" if self.is_list else "$")))

    def exists(self, folder):
        """Whether a migration has written anything."""
        return os.path.isdir(f"{self.folder}/{folder}")


def set_paths(type, path):
    """The paths of the sets of a type, which have no order even where they are lists."""
    if type.kind == "set":
        yield path
    if type.kind == "list":
        yield from set_paths(type.element, path + "[*]")
    for name, part in type.parts.items():
        yield from set_paths(part, step(path, name))
    if type.kind == "map":
        for key in KEYS[type.key]:
            yield from set_paths(type.element, step(path, str(key)))
        yield from set_paths(type.element, path + "[*]")


class Failure(Exception):
    """What a program must not do, whatever it is given."""


def undeclared(found, losses):
    """The differences that no loss of the plan announces: a path of a loss may have indexes in another place."""
    declared = {(loss.get("lost"), generalized(loss["path"])) for loss in losses}
    remaining = []
    for kinds, paths in found:
        # What becomes of an object's fields follows from its class.
        places = [generalized(path) for path in paths.split("\n")]
        holders = [place[:cut] for place in places for cut in range(1, len(place)) if place[cut] in ".[⟨"]
        is_announced = any((kind, place) in declared for kind in kinds.split() for place in places) or any(
            ("class", holder) in declared for holder in places + holders if kinds in ALLOWED)
        if not is_announced:
            remaining.append((kinds, paths))
    return remaining


class Trial:
    """The commands on one family, and what came of its archives."""

    def __init__(self, family):
        self.family, self.counts, self.failures = family, collections.Counter(), []

    def fail(self, kind, name, text):
        family = self.family
        told = f"{' to '.join(family.envelopes)}, {family.told} told"
        self.counts[kind] += 1
        self.failures.append((kind, f"{name}, {told}: {text}"))

    def run(self):
        family = self.family
        planned = family.run("v1")
        there = family.run("v1", "v2")
        kept = family.run("v1", "kept", family.keeping)
        back = family.run("v2", "back", is_back=True) if family.exists("v2") else {}
        returned = family.run("kept", "returned", is_back=True) if family.exists("kept") else {}
        for name in map(str, range(ARCHIVES)):
            self.judge(name, planned.get(name), there.get(name), back.get(name))
            self.judge_kept(name, there.get(name), kept.get(name), returned.get(name))

    def judge(self, name, plan, there, back):
        """Judges an archive that was migrated without options for losses."""
        if there is None:
            self.fail("unreported", name, "nothing was reported")
            return
        outcome = there.get("outcome")
        planned = (plan or {}).get("outcome")
        if (planned == "changed") != (outcome == "changed"):
            self.fail("plan differs", name, f"planned {planned}, but {outcome}: {there}")
        if outcome != "changed":
            self.counts["refused"] += 1
            return
        if there.get("oneWay"):
            self.counts["one way"] += 1
            return
        losses = there.get("losses", [])
        is_lossless = bool(there.get("lossless")) and not losses
        if plan is not None and bool(plan.get("lossless")) != bool(there.get("lossless")):
            self.fail("plan differs", name, f"planned lossless {plan.get('lossless')}, but {there.get('lossless')}")
        forbidden = [loss for loss in losses if loss.get("lost") not in ALLOWED]
        if forbidden:
            self.fail("allowed", name, f"lost without an option: {forbidden[:2]}")
        if back is None or back.get("outcome") != "changed":
            if is_lossless:
                self.fail("cannot return", name, f"after lossless: {message(back)}")
            else:
                self.counts["declared"] += 1
            return
        found = self.family.differences("back", name)
        if not found:
            self.counts["equal"] += 1
        elif is_lossless:
            self.fail("different", name, f"after lossless: {sorted(found)[:3]}")
        elif undeclared(found, losses):
            self.fail("undeclared", name, f"{sorted(undeclared(found, losses))[:3]}, but the plan says {losses[:3]}")
        else:
            self.counts["declared"] += 1

    def judge_kept(self, name, there, kept, back):
        """Judges an archive whose losses were kept."""
        if not kept or kept.get("outcome") != "changed":
            if there and there.get("outcome") == "changed" and self.family.keeping == "--keep-lost":
                self.fail("kept refused", name, f"migrated, but not with {self.family.keeping}: {message(kept)}")
            return
        if not kept.get("losses") or kept.get("oneWay"):
            return
        if back is None or back.get("outcome") != "changed":
            self.fail("cannot return", name, f"after {self.family.keeping}: {message(back)}")
            return
        found = self.family.differences("returned", name)
        # Between envelopes without objects the precision of a real may not come back, which the report says.
        losses = (kept or {}).get("losses") or []
        found = [item for item in found if item[0] != "storage value" or undeclared([item], losses)]
        if found:
            self.fail("different", name, f"after {self.family.keeping}: {sorted(found)[:3]}")
        else:
            self.counts["kept equal"] += 1


def message(record):
    """What a record of a report says, in short."""
    if record is None:
        return "no report"
    return str(record.get("error") or record.get("message") or record)[:300]


def trial(job):
    """The counts and failures of a family."""
    archtool, seed, kept = job
    folder = tempfile.mkdtemp()
    counts, failures = collections.Counter(), []
    try:
        run = Trial(Family(archtool, seed, folder))
        try:
            run.run()
        except Failure as problem:
            run.fail("failed", "all", str(problem))
        except subprocess.TimeoutExpired:
            run.fail("failed", "all", f"no end within {SECONDS} seconds")
        counts, failures = run.counts, run.failures
        if failures and kept:
            shutil.rmtree(f"{kept}/{seed}", ignore_errors=True)
            shutil.copytree(folder, f"{kept}/{seed}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return seed, counts, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archtool", type=os.path.abspath)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=os.path.abspath)
    options = parser.parse_args()
    verify()
    jobs = [(options.archtool, options.seed + number, options.keep) for number in range(options.count)]
    total, shown, failed = collections.Counter(), 0, set()
    with concurrent.futures.ProcessPoolExecutor(options.workers) as pool:
        for seed, counts, failures in pool.map(trial, jobs):
            total += counts
            for kind, text in failures:
                failed.add(seed)
                shown += 1
                if shown <= 60:
                    print(f"seed {seed}: {kind}: {text}"[:900])
    counts = " ".join(f"{kind.replace(' ', '-')} {number}" for kind, number in sorted(total.items()))
    print(
        f"families {options.count} archives {options.count * ARCHIVES}: {counts}; failed families {len(failed)} "
        f"seed {options.seed}")
    sys.exit(1 if failed or options.count >= 20 and not (total["equal"] and total["kept equal"]) else 0)


if __name__ == "__main__":
    main()
