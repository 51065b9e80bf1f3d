#!/usr/bin/env python3
"""Compares random graphs that were edited at random, and checks that `archtool diff` names each edit and nothing else.

usage: graph_differences.py ARCHTOOL COUNT SEED [FOLDER]

Each pair is a graph of objects that refer to one another in cycles, lists and sets, under one or two values at the top of
the archive, and the same graph after one to five edits. The judge knows the objects, and so what differs; it finds the
objects of the paths that are printed itself, also with --strict, where the types of numbers count. A JSON Patch must make
the new graph of the old one. Prints one line of counts; exit status 1 if anything differs. The first pair
that fails is kept in FOLDER.
"""

import copy
import json
import plistlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect_left
from plistlib import UID

SCALARS = ("title", "size", "note")
REFERENCES = ("next", "owner")


class Graph:
    """Objects by number; 0 is the root, or the values at the top have names."""

    def __init__(self):
        self.objects = {}
        self.tops = None
        self.is_cyclic = True

    def add(self, number, maker):
        self.objects[number] = {
            "title": f"object {number}", "size": maker.randrange(5), "children": [], "tags": [],
            "leaves": [maker.randrange(5) for _ in range(maker.randrange(3))]}
        return number

    def reachable(self):
        waiting = list(self.tops.values()) if self.tops else [0]
        found = set(waiting)
        while waiting:
            members = self.objects[waiting.pop()]
            targets = [members.get(name) for name in REFERENCES] + members["children"]
            for target in targets + [tag for tag in members["tags"] if isinstance(tag, int)]:
                if target is not None and target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def write(self, path):
        """Writes a keyed archive; the order of objects is that of their numbers."""
        table = ["$null"]

        def put(value):
            table.append(value)
            return UID(len(table) - 1)

        classes = {
            name: put({"$classname": name, "$classes": [name, "NSObject"]})
            for name in ("Thing", "Leaf", "NSArray", "NSSet")}
        shared = put({"$class": classes["Leaf"], "size": 0})
        numbers = sorted(self.reachable())
        uids = {number: put(None) for number in numbers}
        for number in numbers:
            members = self.objects[number]
            stored = {"$class": classes["Thing"]}
            for name in SCALARS:
                value = members.get(name)
                if value is not None:
                    stored[name] = put(value) if isinstance(value, str) else value
            for name in REFERENCES:
                if members.get(name) is not None:
                    stored[name] = uids[members[name]]
            stored["children"] = put({
                "$class": classes["NSArray"],
                "NS.objects": [uids[child] for child in members["children"]]})
            stored["tags"] = put({
                "$class": classes["NSSet"],
                "NS.objects": [
                    uids[tag] if isinstance(tag, int) else put(tag) for tag in members["tags"]]})
            # Objects without a name, which are known by their places.
            stored["leaves"] = put({
                "$class": classes["NSArray"],
                "NS.objects": [put({"$class": classes["Leaf"], "size": size}) for size in members["leaves"]]})
            if number == numbers[0]:
                # Objects are paired in graphs; what is a tree is compared as one.
                stored["one"] = stored["other"] = uids[number] if self.is_cyclic else shared
            table[uids[number].data] = stored
        archive = {
            "$version": 100000, "$archiver": "NSKeyedArchiver",
            "$top": {name: uids[top] for name, top in (self.tops or {"root": 0}).items()},
            "$objects": table}
        with open(path, "wb") as file:
            plistlib.dump(archive, file, fmt=plistlib.FMT_BINARY)

    def at(self, path):
        """The object that holds the value of a path, and the steps from it: a member, and an index for an element."""
        steps = [
            int(index) if index else key.replace("\\'", "'")
            for key, index in re.findall(r"\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]", path)]
        holder, position = (self.tops[steps[0]], 1) if self.tops else (0, 0)
        while True:
            rest = steps[position:]
            if rest and rest[0] == "leaves":
                return holder, rest[:2]
            length = 2 if rest and rest[0] in ("children", "tags") else 1
            if len(rest) <= length:
                return holder, rest
            value = self.objects[holder][rest[0]]
            holder = value[rest[1]] if length == 2 else value
            position += length

    def value(self, holder, steps):
        value = self.objects[holder]
        for step in steps:
            value = value[step] if isinstance(step, int) else value.get(step)
        return value


def make(maker):
    graph = Graph()
    graph.is_cyclic = maker.randrange(2) == 0
    count = maker.randrange(3, 30)
    for number in range(count):
        graph.add(number, maker)
        if number > 0:
            graph.objects[maker.randrange(number)]["children"].append(number)
    for _ in range(maker.randrange(2 * count)):
        members = graph.objects[maker.randrange(count)]
        target = maker.randrange(count)
        kind = maker.randrange(4)
        if kind < 2:
            members[REFERENCES[kind]] = target
        elif kind == 2 and target not in members["children"]:
            members["children"].append(target)
        elif kind == 3:
            tag = target if maker.randrange(2) else f"tag {target}"
            if tag not in members["tags"]:
                members["tags"].append(tag)
    if maker.randrange(4) == 0:
        graph.tops = {"first": 0, "second": maker.randrange(count)}
    return graph


def edit(graph, maker, step):
    """Makes one edit, and says what it was.

    What identifies an object, its title and its size, is not changed twice, and those of a new object are its own: an
    object all of whose scalars differ is another one.
    """
    numbers = sorted(graph.reachable())
    number = maker.choice(numbers)
    members = graph.objects[number]
    kind = maker.randrange(11)
    fresh = 1000 + step
    if kind < 2 or kind == 9:
        if members.get("isChanged") or number >= 1000:
            kind = 8
        members["isChanged"] = True
    if kind == 0:
        members["title"] = f"new title {fresh}"
    elif kind == 1:
        members["size"] = fresh
    elif kind == 2:
        if "note" in members:
            del members["note"]
        else:
            members["note"] = f"note {fresh}"
    elif kind == 3:
        graph.add(fresh, maker)
        graph.objects[fresh]["size"] = fresh
        members["children"].insert(maker.randrange(len(members["children"]) + 1), fresh)
        if maker.randrange(2):
            graph.objects[fresh]["owner"] = number
    elif kind == 4 and members["children"]:
        members["children"].pop(maker.randrange(len(members["children"])))
    elif kind == 5 and len(members["children"]) > 1:
        child = members["children"].pop(maker.randrange(len(members["children"])))
        members["children"].insert(maker.randrange(len(members["children"]) + 1), child)
    elif kind == 6:
        members[maker.choice(REFERENCES)] = maker.choice(numbers)
    elif kind == 7:
        members[maker.choice(REFERENCES)] = None
    elif kind == 9:
        members["size"] = float(members["size"])
    elif kind == 10 and members["leaves"]:
        members["leaves"][maker.randrange(len(members["leaves"]))] = fresh
    elif kind == 8:
        if members["tags"] and maker.randrange(2):
            members["tags"].pop(maker.randrange(len(members["tags"])))
        else:
            members["tags"].append(f"tag {fresh}")
    return f"edit {kind} of object {number}"


def increasing(numbers):
    ends = []
    for number in numbers:
        position = bisect_left(ends, number)
        ends[position:position + 1] = [number]
    return len(ends)


def expected(old, new, is_strict):
    """What differs in the objects that both graphs have, and how many elements of each list were moved."""
    common = old.reachable() & new.reachable()
    found, moves = set(), {}
    for number in common:
        one, two = old.objects[number], new.objects[number]
        for name in SCALARS + REFERENCES:
            before, after = one.get(name), two.get(name)
            if before is None and after is not None:
                found.add(("added", number, name, after))
            elif before is not None and after is None:
                found.add(("removed", number, name, before))
            elif before != after:
                found.add(("changed", number, name, after))
        if is_strict and type(one["size"]) is not type(two["size"]):
            found.add(("storage", number, "size", two["size"]))
        for before, after in zip(one["leaves"], two["leaves"]):
            if before != after:
                found.add(("changed", number, "leaves", after))
        for name in ("children", "tags"):
            before, after = one[name], two[name]
            found |= {("removed", number, name, value) for value in before if value not in after}
            found |= {("added", number, name, value) for value in after if value not in before}
        both = [value for value in two["children"] if value in one["children"]]
        order = [one["children"].index(value) for value in both]
        if len(order) > increasing(order):
            moves[number] = len(order) - increasing(order)
    return found, moves


def wholes(value):
    """The titles of the objects that a value shows with their members."""
    if isinstance(value, list):
        return [title for element in value for title in wholes(element)]
    if not isinstance(value, dict):
        return []
    own = [value["title"]] if "title" in value else []
    return own + [title for member in value.values() for title in wholes(member)]


def answer(old, new, lines):
    """What the lines say, in the same form; also the objects that they show, and what is wrong with them."""
    common = old.reachable() & new.reachable()
    found, moves, shown, wrong = set(), {}, {"old": [], "new": []}, []
    for line in lines:
        kind = line["kind"]
        side = "old" if kind == "removed" else "new"
        graph = old if side == "old" else new
        holder, steps = graph.at(line[side + "Path"])
        for name in ("old", "new"):
            shown[name] += wholes(line.get(name))
        if kind == "moved":
            moves[holder] = moves.get(holder, 0) + 1
            continue
        if kind == "changed" and old.at(line["oldPath"]) != (holder, steps):
            wrong.append(line)
        if holder not in common:
            # An object that only one graph has, shown at its own path because another of them has it, too.
            if graph.value(holder, steps) in common or kind == "changed":
                wrong.append(line)
            continue
        value = graph.value(holder, steps)
        if isinstance(line[side], dict) and "$ref" in line[side]:
            # Objects that both graphs have are named by their paths in the new one.
            named = new if value in common else graph
            target = named.at(line[side]["$ref"])
            if (named.value(*target) if target[1] else target[0]) != value:
                wrong.append(line)
        entry = (kind, holder, steps[0], value)
        if entry in found:
            wrong.append(line)
        found.add(entry)
    return found, moves, shown, wrong


def problems_of(old, new, lines, is_strict):
    """What a comparison should have printed, or should not."""
    wanted, moves = expected(old, new, is_strict)
    found, moved, shown, wrong = answer(old, new, lines)
    problems = [f"not named: {entry}" for entry in sorted(wanted - found, key=str)]
    problems += [f"named besides: {entry}" for entry in sorted(found - wanted, key=str)]
    problems += [f"wrong: {line}" for line in wrong]
    if moves != moved:
        problems.append(f"moved: {moved}, not {moves}")
    for name, graph, other in (("old", old, new), ("new", new, old)):
        only = graph.reachable() - other.reachable()
        titles = sorted(graph.objects[one]["title"] for one in only)
        if sorted(shown[name]) != titles:
            problems.append(f"shown of the {name}: {sorted(shown[name])}, not {titles}")
    return problems


def run(arguments, status):
    result = subprocess.run(arguments, capture_output=True, text=True)
    if result.returncode not in status:
        raise RuntimeError(f"{arguments[1]}: exit status {result.returncode}: {result.stderr}")
    return result.stdout


def compare(program, folder, old, new):
    old.write(f"{folder}/old")
    new.write(f"{folder}/new")
    try:
        diff = [program, "diff", "--format"]
        paths = [f"{folder}/old", f"{folder}/new"]
        problems = problems_of(old, new, json.loads(run(diff + ["json"] + paths, (0, 1))), False)
        strict = run(diff + ["json", "--strict"] + paths, (0, 1))
        problems += [
            "strict: " + problem for problem in problems_of(old, new, json.loads(strict), True)]
        with open(f"{folder}/patch", "w") as file:
            file.write(run(diff + ["json-patch"] + paths, (0, 1)))
        run([program, "patch", "-qf", "--copy", "-o", f"{folder}/made", paths[0], f"{folder}/patch"], (0,))
        run([program, "diff", f"{folder}/made", paths[1]], (0,))
        return problems
    except RuntimeError as error:
        return [str(error)]


def main():
    program, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            maker = random.Random(seed * 1_000_003 + number)
            old = make(maker)
            new = copy.deepcopy(old)
            edits = [edit(new, maker, step) for step in range(maker.randrange(1, 6))]
            problems = compare(program, folder, old, new)
            if not problems:
                continue
            print(f"pair {number} of seed {seed}: {', '.join(edits)}")
            print("\n".join("  " + problem for problem in problems[:8]))
            if failures == 0 and len(sys.argv) > 4:
                shutil.copytree(folder, sys.argv[4], dirs_exist_ok=True)
            failures += 1
    print(f"{count} pairs, {failures} failed")
    sys.exit(1 if failures else 0)


main()
