#!/usr/bin/env python3
"""Merges random edits of random keyed archives, and compares the results with what they should be, object for object.

usage: merges.py ARCHTOOL COUNT SEED [FOLDER]

It makes keyed archives as edits.py does, and edits each twice on graphs of its own that plistlib has read: once for ours,
once for theirs. `archtool git merge` must make both edits: class, chain, storage, identity and value of every object must
be those of the graph with both. A conflict or a refusal is allowed, and must be one if an edit is inside of what the
other has removed or replaced; without a conflict ours must be left as it is then. As many random property lists with several
changes are merged both ways, which must give the same values or two conflicts; if only one side has changed anything, the
result must be that side. Prints one line of counts; exit status 1 if anything differs.
"""
import copy
import json
import os
import plistlib
import random
import subprocess
import sys
import tempfile

from edits import Maker, Refused, edit, members, pointer, position, random_operation, read, same, write


def resolved(tops, steps):
    """The values on the way of steps, in another graph of the same archive."""
    value, way = tops[0][1] if [key for key, _ in tops] == ["root"] else None, []
    for step in steps:
        way.append(value)
        found = members(tops, value)
        if step == steps[-1] and len(way) == len(steps):
            break
        value = found.slots[position(found, step)]
    return way


def change(tops, numbers, kinds):
    """Edits a graph; the operation, or None."""
    operation = random_operation(tops, numbers)
    if operation is None or operation["op"] not in kinds:
        return None
    if operation["op"] == "replace" and operation["value"] == {}:
        # Foundation has one empty dictionary, which may be many values.
        return None
    holder = operation["way"][-1]
    if operation["op"] in ("add", "move", "replace") and holder is not None and holder.name in ("NSSet", "NSMutableSet"):
        # The order of a set is nothing that a merge keeps.
        return None
    edit(tops, operation)
    return operation


def collide(one, other):
    """Whether two operations change the same container, or one changes what is in a value of the other."""
    if one["way"][-1] is other["way"][-1]:
        return True
    for inner, outer in ((one, other), (other, one)):
        for at in range(len(inner["way"]) - 1):
            if inner["way"][at] is outer["way"][-1] and inner["steps"][at] == outer["steps"][-1]:
                return outer["op"] in ("remove", "replace", "rename")
    return False


def trial(program, folder, numbers, counts):
    maker, known = Maker(numbers), []
    tops = [("root", maker.value(5, known))]
    if numbers.random() < 0.25:
        tops = [(key, maker.value(4, known)) for key in numbers.sample(["first", "second", "$third", "fourth"], 2)]
    base = write(tops, [])
    ours, theirs, both = read(base)[0], read(base)[0], read(base)[0]
    try:
        one = change(ours, numbers, ("add", "remove", "replace", "rename", "move"))
        other = change(theirs, numbers, ("add", "remove", "replace", "move"))
    except Refused:
        return None
    if one is None or other is None:
        return None
    left = dict(one, way=resolved(both, one["steps"]))
    right = dict(other, way=resolved(both, other["steps"]))
    mustConflict = collide(left, right)
    for name, data in (("base", base), ("ours", write(ours, [])), ("theirs", write(theirs, []))):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    before = write(ours, [])
    conflicts = os.path.join(folder, "ours.conflicts.json")
    if os.path.exists(conflicts):
        os.remove(conflicts)
    done = subprocess.run([program, "git", "merge", "base", "ours", "theirs"], cwd=folder, capture_output=True, timeout=60)
    told = (f"ours {one['op']} {pointer(one['steps'])}, theirs {other['op']} {pointer(other['steps'])} "
            f"{other.get('value')!r}: {done.stderr.decode()[-300:]}")
    counts["merges"] += 1
    with open(os.path.join(folder, "ours"), "rb") as file:
        after = file.read()
    if done.returncode == 1:
        counts["refused"] += 1
        if b"internal" in done.stderr:
            return f"internal error {told}"
        if os.path.exists(conflicts):
            with open(conflicts) as file:
                counts["conflicts"] += len(json.load(file)["conflicts"])
        elif after != before:
            return f"a refused merge has changed ours {told}"
        return None
    if done.returncode != 0:
        return f"status {done.returncode} {told}"
    if mustConflict:
        # What is in one container may be merged, and is not judged here.
        counts["together"] += 1
        return None
    try:
        edit(both, left)
        edit(both, right)
    except Refused as reason:
        return f"not refused: {reason} {told}"
    difference = same(both, read(after)[0])
    counts["merged"] += 1
    return f"{difference} {told}" if difference else None


# Property lists


def plain(numbers, depth=0):
    kind = numbers.randrange(8 if depth < 3 else 5)
    if kind < 5:
        return [numbers.randrange(4), numbers.choice("abcd"), numbers.random() < 0.5, numbers.randrange(4) + 0.5,
                bytes([numbers.randrange(3)])][kind]
    if kind < 7:
        return {numbers.choice("klmnop"): plain(numbers, depth + 1) for _ in range(numbers.randrange(4))}
    return [plain(numbers, depth + 1) for _ in range(numbers.randrange(6))]


def changed(value, numbers, depth=0):
    choice = numbers.random()
    if isinstance(value, dict) and value and (depth == 0 or numbers.random() < 0.85):
        key = numbers.choice(list(value))
        if choice < 0.15:
            del value[key]
        elif choice < 0.3:
            value[numbers.choice("klmnop")] = plain(numbers, depth + 1)
        else:
            value[key] = changed(value[key], numbers, depth + 1)
        return value
    if isinstance(value, list) and value and numbers.random() < 0.85:
        at = numbers.randrange(len(value))
        if choice < 0.2:
            del value[at]
        elif choice < 0.4:
            value.insert(at, plain(numbers, depth + 1))
        elif choice < 0.5:
            value.insert(numbers.randrange(len(value)), value.pop(at))
        else:
            value[at] = changed(value[at], numbers, depth + 1)
        return value
    return plain(numbers, depth) if depth else value


def alike(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return set(a) == set(b) and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(alike, a, b))
    return a == b


def plain_merge(program, folder, base, ours, theirs, form):
    for name, value in (("base", base), ("ours", ours), ("theirs", theirs)):
        with open(os.path.join(folder, name), "wb") as file:
            plistlib.dump(value, file, fmt=form)
    done = subprocess.run([program, "git", "merge", "base", "ours", "theirs"], cwd=folder, capture_output=True, timeout=60)
    with open(os.path.join(folder, "ours"), "rb") as file:
        return done.returncode, plistlib.load(file), done.stderr.decode()


def plain_trial(program, folder, numbers, counts):
    base = {key: plain(numbers) for key in "abcdef"}
    ours, theirs = copy.deepcopy(base), copy.deepcopy(base)
    for side in (ours, theirs):
        for _ in range(numbers.randrange(4)):
            changed(side, numbers)
    form = numbers.choice([plistlib.FMT_BINARY, plistlib.FMT_XML])
    one, first, told = plain_merge(program, folder, base, ours, theirs, form)
    other, second, _ = plain_merge(program, folder, base, theirs, ours, form)
    counts["plain"] += 1
    told = f"{base} {ours} {theirs}: {told[-300:]}"
    if one not in (0, 1) or one and "conflict:" not in told:
        return f"status {one} {told}"
    if one != other:
        return f"status {one} one way, {other} the other way {told}"
    if one == 0 and not alike(first, second):
        return f"{first} one way, {second} the other way {told}"
    for same, result in ((alike(base, ours), theirs), (alike(base, theirs), ours), (alike(ours, theirs), ours)):
        if same and not (one == 0 and alike(first, result)):
            return f"{first} instead of {result} {told}"
    return None


def main():
    program, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    counts = {"merges": 0, "merged": 0, "together": 0, "refused": 0, "conflicts": 0, "plain": 0}
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = sys.argv[4] if len(sys.argv) > 4 else folder
        os.makedirs(folder, exist_ok=True)
        for number in range(count):
            numbers = random.Random(seed * 1_000_003 + number)
            difference = trial(program, folder, numbers, counts) or plain_trial(program, folder, numbers, counts)
            if difference:
                failures += 1
                print(f"merges: archive {number} of seed {seed}: {difference}", file=sys.stderr)
    print(f"merges: {counts['merges']} merges, {counts['merged']} as they should be, {counts['together']} in one container, "
          f"{counts['refused']} refused or with conflicts; {counts['plain']} property lists; {failures} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
