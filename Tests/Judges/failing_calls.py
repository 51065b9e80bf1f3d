#!/usr/bin/env python3
"""Makes system calls fail while archtool works, once or for ever, and watches what becomes of it and of the files.

usage: failing_calls.py ARCHTOOL COUNT SEED

Tests/Faults/interpose.c is loaded before the C library. COUNT times it has the n-th of some call fail in a dump, a
validation, a conversion or a migration in place, an undo or a resumed run. The run must end in time with a documented
status and a sentence on what failed; what says that it succeeded must have. No file may be lost or half-written. A run
that is gone on with and taken back afterwards leaves all as it was, and nothing beside it. Prints one line of counts;
exit status 1 if anything is wrong.
"""
import errno
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from runs import World, manner

CALLS = ["open", "openat", "read", "pread", "fstat", "fstatat", "write", "pwrite", "fsync", "fdatasync", "syncfs",
         "rename", "renameat", "link", "linkat", "unlink", "unlinkat", "mkdir", "ftruncate", "fchmod"]
# glibc's names with a width are the same calls.
CALLS += [name + "64" for name in ("open", "openat", "pread", "pwrite")]
ERRORS = ["EIO", "ENOSPC", "EACCES", "EMFILE", "EINTR", "EROFS"]
BASE = ["migrate", "--to", "v2", "-r", "files"]


def shim(folder):
    """Tests/Faults/interpose.c as a library, by the compiler of the Swift toolchain or the system's."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Faults", "interpose.c")
    swift = shutil.which("swiftc")
    beside = swift and os.path.join(os.path.dirname(os.path.realpath(swift)), "clang")
    compiler = beside if beside and os.path.exists(beside) else shutil.which("cc") or shutil.which("clang")
    if not compiler or sys.platform != "linux":
        print("no compiler for the calls to fail: skipped")
        sys.exit(0)
    library = os.path.join(folder, "interpose.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


class Task:
    """A command, the state of files that it starts from, and what it should leave."""

    def __init__(self, name, state, arguments, wanted, again=()):
        self.name, self.state, self.arguments, self.wanted = name, state, arguments, wanted
        # Commands that, without faults, must succeed afterwards, and the files behind each.
        self.again = again
        self.counts, self.output = {}, b""


class Judge:
    def __init__(self, program, library, folder, numbers):
        self.program, self.library, self.random = program, library, numbers
        self.world = World(os.path.join(folder, "world"), numbers)
        self.faults, self.done, self.failed = [], 0, 0
        self.tasks = self.prepare(folder)
        for task in self.tasks:
            self.count(task, os.path.join(folder, "counts"))

    def must(self, arguments):
        status, output, errors = self.world.run(self.program, arguments)
        if status != 0:
            sys.exit(f"{' '.join(arguments)} itself failed: {errors!r}")
        return output

    def prepare(self, folder):
        world = self.world
        before = world.listing("files")
        world.save("before")
        self.must(["convert", "--in-place", "--to", "xml1", "-r", "files"])
        converted = world.listing("files")
        world.load("before")
        journal = ["--in-place", "--journal", "journal", "-j", "1"]
        self.must(BASE + journal)
        after = world.listing("files")
        world.save("after")
        with open(os.path.join(world.live, "journal"), "rb") as file:
            lines = file.read().splitlines(keepends=True)
        # A run that was killed behind its first file.
        end = next(n for n, line in enumerate(lines) if json.loads(line).get("event") == "done") + 1
        ready = {json.loads(line)["file"] for line in lines[:end] if b'"done"' in line}
        for name in world.names:
            if os.path.join(world.files, name) not in ready:
                world.write(os.path.join("files", name), before[name])
        with open(os.path.join(world.live, "journal"), "wb") as file:
            file.write(b"".join(lines[:end]))
        world.save("half")
        self.before = before
        resume, undo = ["migrate", "--resume", "journal"], ["undo", "journal"]
        return [
            Task("dump", "before", ["dump", "files/a"], before),
            Task("validate", "before", ["validate", "-r", "files"], before),
            Task("convert", "before", ["convert", "--in-place", "--to", "xml1", "-r", "files"], converted),
            Task("migrate", "before", BASE + journal, after, [(resume, after), (undo, before)]),
            Task("undo", "after", undo, before, [(undo, before)]),
            Task("resume", "half", resume, after, [(resume, after), (undo, before)]),
        ]

    def count(self, task, path):
        """How often a task makes each call."""
        if os.path.exists(path):
            os.unlink(path)
        self.world.load(task.state)
        status, task.output, _ = self.world.run(
            self.program, task.arguments,
            {"LD_PRELOAD": self.library, "FAULT_CALLS": ",".join(CALLS), "FAULT_COUNT": path})
        if status != 0:
            sys.exit(f"{task.name} fails beside the library for faults")
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                call = line.split(" ")[0]
                task.counts[call] = task.counts.get(call, 0) + 1

    def run(self):
        task = self.random.choice(self.tasks)
        call = self.random.choice(sorted(task.counts))
        number = self.random.randrange(task.counts[call]) + 1
        error = self.random.choice(ERRORS)
        # A call that is interrupted is made again, and one that is for ever would have no end.
        for_ever = error != "EINTR" and self.random.random() < 0.4
        environment = {"LD_PRELOAD": self.library, "FAULT_CALLS": call, "FAULT_AT": str(number),
                       "FAULT_ERRNO": str(getattr(errno, error))}
        if for_ever:
            environment["FAULT_LAST"] = "1"
        self.world.load(task.state)
        start = self.world.listing("files")
        status, output, errors = self.world.run(self.program, task.arguments, environment)
        wrong = manner(status, errors)
        found = self.world.listing("files")
        wrong += [f"{name} is lost" for name in self.before if name not in found]
        wrong += [f"{name} is neither old nor new" for name in self.before
                  if name in found and found[name] not in (start[name], task.wanted[name])]
        if status == 0 and any(found.get(name) != task.wanted[name] for name in self.before):
            wrong.append("it says that it succeeded, and it did not")
        if status == 0 and task.name in ("dump", "validate") and output != task.output:
            wrong.append("it says that it succeeded, and shows something else")
        if not wrong:
            wrong += self.clean_up(task, call, found)
        if wrong:
            how = "from then on" if for_ever else "once"
            self.faults.append(f"{task.name}, {call} {number} of {task.counts[call]} fails with {error} {how}: "
                               f"{'; '.join(wrong)} [status {status}: {errors[-250:]!r}]")
        elif status == 0:
            self.done += 1
        else:
            self.failed += 1

    def clean_up(self, task, call, found):
        """What is wrong with the files when the run is gone on with and taken back."""
        steps = list(task.again)
        if task.name == "migrate":
            path = os.path.join(self.world.live, "journal")
            size = os.path.getsize(path) if os.path.exists(path) else 0
            status, _, errors = self.world.run(self.program, ["journal", "show", "journal"]) if size else (66, b"", b"")
            if status != 0:
                # It ended before it changed anything, which the files must bear out. A lock that nobody holds may
                # stay, since it could be another's: the next run takes it away.
                after = task.wanted
                steps = [(BASE + ["--in-place", "--journal", "second", "-j", "1"], after), (["undo", "second"], self.before)]
                if any(found[name] != self.before[name] for name in self.before):
                    return [f"files are changed without a journal: {errors!r}"]
        for arguments, wanted in steps:
            status, _, errors = self.world.run(self.program, arguments)
            now = self.world.listing("files")
            if status != 0 or any(now.get(name) != wanted[name] for name in self.before):
                return [f"{' '.join(arguments)} does not put it right: status {status}, {errors[-200:]!r}"]
        # What cannot be deleted stays, where no journal knows of it.
        if not steps and call.startswith("unlink"):
            return []
        rest = sorted(set(self.world.listing("files")) - set(self.before))
        rest += sorted(name for name in os.listdir(self.world.live) if name.startswith(".archtool"))
        return [f"{name} lies around" for name in rest]


def main():
    program, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    numbers = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(program, shim(folder), folder, numbers)
        for _ in range(count):
            judge.run()
    for fault in judge.faults:
        print(fault)
    print(f"{count} failing calls: {judge.done} did no harm, {judge.failed} refused, {len(judge.faults)} wrong")
    return 1 if judge.faults else 0


if __name__ == "__main__":
    sys.exit(main())
