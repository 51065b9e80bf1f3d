#!/usr/bin/env python3
"""Changes plans and journals of real runs, and watches what undo, --resume and --apply make of them.

usage: tampered_records.py ARCHTOOL COUNT SEED

Each time one line or one field of a record is changed, dropped, swapped, repeated or cut. What is done with it must be
right or refused: every archive holds the bytes of before or those of after the migration, one whose lines are whole is
as the status says, nothing lies around, and nothing outside of the folder has changed. Prints one line of counts; exit
status 1 if anything is wrong.
"""
import copy
import hashlib
import json
import os
import random
import sys
import tempfile

from runs import World, manner


class Record:
    """The lines of a plan or a journal, and ways to change them."""

    def __init__(self, content, numbers, world):
        self.lines = [json.loads(line) for line in content.splitlines()]
        self.random, self.world = numbers, world
        self.victim = os.path.join(world.live, "outside", "victim")
        with open(self.victim, "rb") as file:
            self.victim_hash = hashlib.sha256(file.read()).hexdigest()

    @staticmethod
    def text(lines):
        return b"".join(line if isinstance(line, bytes) else json.dumps(
            line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines)

    def places(self, value, path=()):
        """The paths to every value in a line."""
        found = [path] if path else []
        if isinstance(value, dict):
            for key in value:
                found += self.places(value[key], path + (key,))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                found += self.places(item, path + (index,))
        return found

    def other(self, value):
        """Another value in its place."""
        choose = self.random.choice
        if isinstance(value, bool):
            return choose([not value, 1, None, "true"])
        if isinstance(value, int):
            return choose([0, -1, value + 1, 2**31, 2**63, 2**64, 1.5, str(value), None])
        if isinstance(value, str):
            sibling = choose(self.world.names)
            return choose([
                "", value[:-1], value + "x", "../" + value, self.victim, "outside/victim", "../outside/victim",
                os.path.join(self.world.files, sibling), "files/" + sibling, "files", ".", "x" * 300, "\u0000",
                value.upper(), "--to=v0", "--allow-loss", self.victim_hash, "0" * 64, "0000", "7777", 7, None, [value],
                self.world.files + "/../outside/victim", os.path.join(self.world.live, "outside"), self.world.live])
        if isinstance(value, list):
            return choose([[], value[::-1], value + value, value[:-1], {}, None, "x", value + [None]])
        if isinstance(value, dict):
            return choose([{}, [], None, "x", {**value, "more": 1}])
        return choose([0, "", [], {}, True])

    def change(self):
        """Changed lines, how they were changed, and the files whose lines are not what they were."""
        lines = copy.deepcopy(self.lines)
        number = self.random.randrange(len(lines))
        touched = {number}
        kind = self.random.choice(
            ["field"] * 12 + ["fields", "drop member", "drop line", "swap", "repeat", "cut", "cut line", "noise", "forge"])
        if kind in ("field", "fields"):
            for _ in range(1 if kind == "field" else 3):
                path = self.random.choice(self.places(lines[number]))
                self.set(lines[number], path, self.other(self.get(lines[number], path)))
            kind += f" {'.'.join(map(str, path))}={self.get(lines[number], path)!r}"[:120]
        elif kind == "drop member":
            path = self.random.choice([each for each in self.places(lines[number]) if isinstance(each[-1], str)])
            del self.get(lines[number], path[:-1])[path[-1]]
            kind += " " + ".".join(map(str, path))
        elif kind == "drop line":
            del lines[number]
        elif kind == "swap":
            second = self.random.randrange(len(lines))
            touched.add(second)
            lines[number], lines[second] = lines[second], lines[number]
        elif kind == "repeat":
            lines.insert(self.random.randrange(len(lines) + 1), lines[number])
        elif kind == "cut":
            text = self.text(lines)
            end = self.random.randrange(len(text))
            touched = set(range(text[:end].count(b"\n"), len(lines)))
            return text[:end], f"cut at {end}", self.names(touched)
        elif kind == "cut line":
            text = self.text([lines[number]])
            lines[number] = text[:self.random.randrange(len(text))] + self.random.choice([b"", b"\n"])
        elif kind == "noise":
            text = bytearray(self.text([lines[number]]))
            text[self.random.randrange(len(text))] = self.random.randrange(256)
            lines[number] = bytes(text)
        else:
            kind = self.forge(lines)
            touched = set(range(len(lines)))
        return self.text(lines), f"line {number}: {kind}", self.names(touched)

    def forge(self, lines):
        """Lines that name the file outside, with its own hash, while the folders of the run stay."""
        for line in lines:
            for path in self.places(line):
                value = self.get(line, path)
                if path[-1] in ("file", "path") and "root" not in path and isinstance(value, str) and path[0] != "roots":
                    self.set(line, path, self.random.choice([
                        self.victim, self.world.files + "/../outside/victim", "outside/victim", "files/../outside/victim"]))
                if path[-1] in ("sha256", "newSha256") and (self.random.random() < 0.5 or "new" in path):
                    self.set(line, path, self.victim_hash)
        return "forge"

    @staticmethod
    def get(value, path):
        for step in path:
            value = value[step]
        return value

    def set(self, value, path, new):
        self.get(value, path[:-1])[path[-1]] = new

    def names(self, numbers):
        """The archives that lines are about; all of them for a line about the run."""
        found = set()
        for number in numbers:
            line = self.lines[number] if number < len(self.lines) else {}
            place = line.get("file")
            found |= {name for name in self.world.names if place and place.endswith("/" + name)} or set(self.world.names)
        return found


class Judge:
    def __init__(self, program, folder, numbers):
        self.program, self.random = program, numbers
        self.world = World(os.path.join(folder, "world"), numbers)
        self.faults, self.refused, self.right = [], 0, 0
        self.prepare()

    def prepare(self):
        world = self.world
        self.before, self.outside = world.listing("files"), world.listing("outside")
        world.save("before")
        base = ["migrate", "--to", "v2", "-r", "files"]
        _, plan, _ = world.run(self.program, base + ["--plan", "--format", "json"])
        self.plan = Record(plan, self.random, world)
        status, _, errors = world.run(self.program, base + ["--in-place", "--journal", "journal", "-j", "1"])
        if status != 0:
            sys.exit(f"the migration itself failed: {errors!r}")
        self.after = world.listing("files")
        world.save("after")
        with open(os.path.join(world.live, "journal"), "rb") as file:
            self.content = file.read()
        self.journal = Record(self.content, self.random, world)
        # A run that was killed behind some line: the files whose line of the end is missing are as they were.
        self.cuts = [number for number, line in enumerate(self.journal.lines) if line.get("event") != "end"]

    def put_journal(self, content):
        path = os.path.join(self.world.live, "journal")
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o600)

    def undo(self):
        self.world.load("after")
        content, what, touched = self.journal.change()
        self.put_journal(content)
        self.judge("undo", what, ["undo", "journal"], touched, self.before)

    def resume(self):
        self.world.load("after")
        end = self.random.choice(self.cuts) + 1
        done = {line["file"] for line in self.journal.lines[:end] if line.get("event") == "done"}
        for name in self.world.names:
            if os.path.join(self.world.files, name) not in done:
                self.world.write(os.path.join("files", name), self.before[name])
        whole, self.journal.lines = self.journal.lines, self.journal.lines[:end]
        content, what, touched = self.journal.change()
        self.journal.lines = whole
        self.put_journal(content)
        self.judge(f"resume of {end} lines", what, ["migrate", "--resume", "journal"], touched, self.after)

    def apply(self):
        self.world.load("before")
        content, what, touched = self.plan.change()
        self.world.write("plan", content)
        options = ["--in-place", "--journal", "new"]
        self.judge("apply", what, ["migrate", "--apply", "plan"] + options, touched, self.after)

    def judge(self, task, what, arguments, touched, wanted):
        status, _, errors = self.world.run(self.program, arguments)
        wrong = manner(status, errors)
        found = self.world.listing("files")
        for name in sorted(set(self.before) | set(found)):
            if name not in self.before:
                wrong.append(f"{name} lies around")
            elif name not in found:
                wrong.append(f"{name} is lost")
            elif found[name] not in (self.before[name], self.after[name]):
                wrong.append(f"{name} is neither as before nor as after")
            elif status == 0 and name not in touched and found[name] != wanted[name]:
                wrong.append(f"{name} is not done although its lines are whole")
        if self.world.listing("outside") != self.outside:
            wrong.append("what lies outside has changed")
        if wrong:
            self.faults.append(f"{task}, {what}: {'; '.join(wrong)} [status {status}: {errors[-200:]!r}]")
        elif status == 0:
            self.right += 1
        else:
            self.refused += 1


def main():
    program, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    numbers = random.Random(seed)
    right = refused = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        made = 0
        while made < count:
            judge = Judge(program, os.path.join(folder, str(made)), numbers)
            for _ in range(min(30, count - made)):
                numbers.choice([judge.undo, judge.resume, judge.apply])()
                made += 1
            for fault in judge.faults:
                print(fault)
            right, refused, wrong = right + judge.right, refused + judge.refused, wrong + len(judge.faults)
    print(f"{count} tampered records: {right} right, {refused} refused, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
