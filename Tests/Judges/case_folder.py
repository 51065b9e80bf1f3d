#!/usr/bin/env python3
"""Makes a folder of evidence, and checks that what `scan` prints can be given to every command that reads.

usage: case_folder.py ARCHTOOL FILES SEED [ADDRESSES]

The folder has FILES mixed files, three databases with write-ahead logs, and a plain, an old and an encrypted backup. Each
address that scan prints, or ADDRESSES of them chosen at random, is given to dump, get, query, find, info, classes, graph,
explore, diff, extract, convert, validate and schema infer. `find -r --type date --format csv` has to give the dates that
plistlib, sqlite3 and the decoder below find. `diff -r` of the folder and a changed copy has to name what was changed, in
databases and backups too. Nothing in the folder may change a byte or a time. Prints one line of counts; exit status 1 if
anything differs. Needs the package cryptography.
"""
import base64
import collections
import concurrent.futures
import csv
import datetime
import gzip
import io
import json
import os
import plistlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from plistlib import UID

import make_backups

EPOCH = datetime.datetime(2001, 1, 1)
TEXTS = ["alpha", "Grüße", "日本", "a b", "x" * 300, "http://example.com/?q=1"]


# ---------------------------------------------------------------- what the files are made of

class Maker:
    def __init__(self, numbers):
        self.numbers = numbers

    def date(self):
        half = self.numbers.random() < 0.3
        return EPOCH + datetime.timedelta(seconds=self.numbers.randrange(-10**9, 10**9) + (0.5 if half else 0))

    def value(self, depth=2):
        numbers = self.numbers
        kinds = ["text", "number", "date", "date"] + (["list", "members", "archive", "list"] if depth else [])
        match numbers.choice(kinds):
            case "text": return numbers.choice(TEXTS)
            case "number": return numbers.choice([numbers.randrange(10**6), numbers.random(), True])
            case "date": return self.date()
            case "list": return [self.value(depth - 1) for _ in range(numbers.randrange(4))]
            case "archive": return self.keyed(self.members(depth - 1))
            case _: return self.members(depth - 1)

    def members(self, depth=2):
        # Every archive has a text, for what searches it.
        return {"name": self.numbers.choice(TEXTS)} | {
            f"k{n}": self.value(depth) for n in range(self.numbers.randrange(1, 5))}

    def keyed(self, members):
        """A keyed archive of an object of an application with these fields."""
        objects, classes = ["$null"], {}

        def add(item):
            objects.append(item)
            return UID(len(objects) - 1)

        def named(name, *above):
            if name not in classes:
                classes[name] = add({"$classname": name, "$classes": [name, *above, "NSObject"]})
            return classes[name]

        def stored(value):
            match value:
                case dict():
                    keys, values = [stored(key) for key in value], [stored(each) for each in value.values()]
                    return add({"NS.keys": keys, "NS.objects": values, "$class": named("NSDictionary")})
                case list():
                    return add({"NS.objects": [stored(each) for each in value], "$class": named("NSArray")})
                case datetime.datetime():
                    return add({"NS.time": (value - EPOCH).total_seconds(), "$class": named("NSDate")})
                case _:
                    return add(value)

        root = {key: stored(value) for key, value in members.items()}
        top = add(root | {"$class": named("App.Model")})
        return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": top},
                               "$objects": objects}, fmt=plistlib.FMT_BINARY)

    def archive(self):
        members = self.members()
        match self.numbers.randrange(4):
            case 0: return plistlib.dumps(members, fmt=plistlib.FMT_BINARY)
            case 1: return plistlib.dumps(members, fmt=plistlib.FMT_XML)
            case _: return self.keyed(members)

    def file(self):
        """The bytes of a file, and whether scan lists it."""
        archive = self.archive()
        match self.numbers.randrange(10):
            case 0: return b"plain text\n" * self.numbers.randrange(1, 40), False
            case 1: return b"\x89PNG\r\n\x1a\n" + self.numbers.randbytes(50), False
            case 2: return json.dumps({"a": [1, 2, self.numbers.random()]}).encode(), False
            case 3: return gzip.compress(archive), True
            case 4 if archive.startswith(b"bplist"): return base64.encodebytes(archive), True
            case _: return archive, True


def fill(folder, maker, count):
    names = ["file", "ein Name", "日本", "it's", "a#b", "$x", "-dash", "a;b", "semi,colon"]
    for number in range(count):
        below = os.path.join(folder, *(f"d{maker.numbers.randrange(6)}" for _ in range(maker.numbers.randrange(3))))
        os.makedirs(below, exist_ok=True)
        with open(os.path.join(below, f"{maker.numbers.choice(names)} {number}"), "wb") as file:
            file.write(maker.file()[0])


def database(path, maker, rows):
    """A database as it is while its application has it open: with a log that has rows which the file lacks."""
    work = path + ".work"
    connection = sqlite3.connect(work, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute('CREATE TABLE "my.table"(id INTEGER PRIMARY KEY, body BLOB, note TEXT)')
    connection.execute("CREATE TABLE plain(v)")

    def insert(count):
        connection.executemany('INSERT INTO "my.table"(body, note) VALUES(?, ?)',
                               [(maker.archive() if maker.numbers.random() < 0.8 else None, "x") for _ in range(count)])
        connection.executemany("INSERT INTO plain VALUES(?)", [(maker.archive(),) for _ in range(count // 2)])

    insert(rows)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    insert(rows // 2 + 1)
    for end in ("", "-wal"):
        shutil.copyfile(work + end, path + end)
    connection.close()
    for end in ("", "-wal", "-shm"):
        if os.path.exists(work + end):
            os.remove(work + end)


def backups(folder, maker, work):
    """A plain, an old and an encrypted backup; their files by the address of each."""
    found = {}
    for kind in make_backups.KINDS:
        if kind.name not in ("plain", "records", "encrypted"):
            continue
        inner = os.path.join(work, f"{kind.name}.db")
        database(inner, maker, 6)
        files = {("HomeDomain", f"Library/Preferences/{n}.plist"): maker.archive() for n in range(6)}
        files[("AppDomain-org.example.app", "Documents/Grüße #1.archive")] = maker.archive()
        files[("AppDomain-org.example.app", "Documents/note.txt")] = b"a note"
        for end in ("", "-wal"):
            with open(inner + end, "rb") as file:
                files[("HomeDomain", "Library/SMS/sms.db" + end)] = file.read()
        make_backups.make(folder, kind, files)
        found[f"{folder}/{kind.name}"] = (files, inner)
    return found


# ---------------------------------------------------------------- a decoder of its own

def dates(data):
    """The dates in an archive, those in archives within it included."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    elif not data.startswith((b"bplist", b"<?xml")):
        try:
            data = base64.b64decode(data, validate=False)
        except ValueError:
            return set()
    if not data.startswith((b"bplist", b"<?xml")):
        return set()
    root, found = plistlib.loads(data), set()
    objects = root.get("$objects") if isinstance(root, dict) and root.get("$archiver") else None
    waiting, seen = [root["$top"] if objects else root], set()
    while waiting:
        item = waiting.pop()
        match item:
            case UID():
                if objects and item.data not in seen:
                    seen.add(item.data)
                    waiting.append(objects[item.data])
            case dict() if objects and "NS.time" in item: found.add(EPOCH + datetime.timedelta(seconds=item["NS.time"]))
            case dict(): waiting += item.values()
            case list(): waiting += item
            case datetime.datetime(): found.add(item)
            case bytes() if item.startswith((b"bplist", b"<?xml")): found |= dates(item)
    return found


def rows(path, name):
    """The dates in a database by the address of each row; it is read from a copy, with its log."""
    found = {}
    with tempfile.TemporaryDirectory() as work:
        for end in ("", "-wal"):
            shutil.copyfile(path + end, f"{work}/db{end}")
        connection = sqlite3.connect(f"{work}/db")
        for table, column, shown in (("my.table", "body", '"my.table".body'), ("plain", "v", "plain.v")):
            for number, value in connection.execute(f'SELECT rowid, {column} FROM "{table}"'):
                if isinstance(value, bytes):
                    found[f"{name}#{shown}@{number}"] = dates(value)
        connection.close()
    return found


def expected(folder, places):
    found = {}
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(base, name) not in places]
        for name in names:
            path = os.path.join(base, name)
            if name.endswith(("-wal", "-shm")):
                continue
            if name.endswith(".db"):
                found |= rows(path, path)
                continue
            with open(path, "rb") as file:
                found[path] = dates(file.read())
    for place, (files, inner) in places.items():
        for (domain, path), data in files.items():
            if not path.endswith((".db", "-wal")):
                found[f"{place}//{domain}/{path}"] = dates(data)
        found |= rows(inner, f"{place}//HomeDomain/Library/SMS/sms.db")
        with open(f"{place}/Manifest.plist", "rb") as file:
            found[f"{place}/Manifest.plist"] = dates(file.read())
    return {(name, moment) for name, moments in found.items() for moment in moments}


# ---------------------------------------------------------------- the checks

# ---------------------------------------------------------------- a copy with changes

def changed_copy(folder, copy, places, maker):
    """Copies the folder, and changes archives, rows and files of backups; the pairs of names that differ then."""
    shutil.copytree(folder, copy)
    numbers, found = maker.numbers, set()

    def another(name):
        return maker.keyed({"name": name, "changed": numbers.randrange(10**9)})

    backups_there = [copy + backup[len(folder):] for backup in places]
    folders = [above for above, _, names in os.walk(copy)
               if names and not any(above == there or above.startswith(there + "/") for there in backups_there)]
    for _ in range(20):
        below = numbers.choice(folders)
        names = sorted(os.listdir(below))
        if not names:
            continue
        name = os.path.join(below, numbers.choice(names))
        old = folder + name[len(copy):]
        if not os.path.isfile(name) or os.path.islink(name) or ".db" in name or any(name == new for _, new in found):
            continue
        kind = numbers.random()
        if kind < 0.3:
            os.remove(name)
            found.add((old, None))
            # What is no file of its own is not compared, nor read.
            if kind < 0.1:
                os.symlink(os.path.abspath(old), name)
            elif kind < 0.2:
                os.mkfifo(name)
        else:
            with open(name, "wb") as file:
                file.write(numbers.choice([another(name), b"\x00 other bytes" + numbers.randbytes(4)]))
            found.add((old, name))
    with open(f"{copy}/new", "wb") as file:
        file.write(another("new"))
    found.add((None, f"{copy}/new"))
    for name in sorted(os.listdir(copy)):
        if name.endswith(".db"):
            found |= changed_rows(f"{copy}/{name}", f"{folder}/{name}", f"{copy}/{name}", another)
    for backup, (files, inner) in places.items():
        new = copy + backup[len(folder):]
        files = dict(files)
        shutil.rmtree(new)
        for key in numbers.sample([key for key in sorted(files) if "sms.db" not in key[1]], 3):
            names = [f"{side}//{'/'.join(key)}" for side in (backup, new)]
            if numbers.random() < 0.3:
                del files[key]
                names[1] = None
            else:
                files[key] = another(key[1])
            found.add(tuple(names))
        rows = [f"{side}//HomeDomain/Library/SMS/sms.db" for side in (backup, new)]
        found |= changed_rows(inner, *rows, another)
        for end in ("", "-wal"):
            if os.path.exists(inner + end):
                with open(inner + end, "rb") as file:
                    files[("HomeDomain", "Library/SMS/sms.db" + end)] = file.read()
            else:
                found.add((f"{rows[0]}{end}", None))
                del files[("HomeDomain", "Library/SMS/sms.db" + end)]
        make_backups.make(copy, next(kind for kind in make_backups.KINDS if kind.name == os.path.basename(new)), files)
    for name in sorted(os.listdir(folder)):
        if name.endswith("-wal") and not os.path.exists(f"{copy}/{name}"):
            found.add((f"{folder}/{name}", None))
    return found


def changed_rows(path, old, new, another):
    """Changes, removes and adds a row; the pairs of their names."""
    connection = sqlite3.connect(path)
    rows = [row for row, in connection.execute('SELECT id FROM "my.table" WHERE body IS NOT NULL ORDER BY id')]
    last, = connection.execute('SELECT max(id) FROM "my.table"').fetchone()
    connection.execute('UPDATE "my.table" SET body = ? WHERE id = ?', (another("row"), rows[0]))
    connection.execute('DELETE FROM "my.table" WHERE id = ?', (rows[1],))
    connection.execute('INSERT INTO "my.table"(id, body) VALUES(?, ?)', (last + 1, another("row")))
    connection.execute("CREATE TABLE a(z, b)")
    connection.execute("INSERT INTO a VALUES(?, ?)", (another("z"), another("b")))
    connection.commit()
    connection.close()
    column = '#"my.table".body'
    return {(f"{old}{column}@{rows[0]}", f"{new}{column}@{rows[0]}"), (f"{old}{column}@{rows[1]}", None),
            (None, f"{new}{column}@{last + 1}"), (None, f"{new}#a.z@1"), (None, f"{new}#a.b@1")}


def listing(folder):
    """Every file with its bytes and times."""
    found = {}
    for base, _, names in os.walk(folder):
        for name in [*names, "."]:
            path = os.path.join(base, name)
            status = os.stat(path)
            content = b"" if name == "." else open(path, "rb").read()
            found[path] = (content, status.st_mtime_ns, status.st_ctime_ns, status.st_mode)
    return found


COMMANDS = [
    ["dump", "@"], ["get", "@", "$", "--format", "json"], ["query", "$", "@"], ["find", "--type", "string", "@"],
    ["info", "@"], ["classes", "@"], ["graph", "--format", "dot", "--max-boxes", "0", "@"], ["explore", "@"],
    ["diff", "@", "@"], ["extract", "$", "@"], ["convert", "--to", "binary1", "@"], ["validate", "@"],
    ["schema", "infer", "@"],
]


def main():
    program, count, numbers = os.path.abspath(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    problems = collections.Counter()
    with tempfile.TemporaryDirectory() as base:
        os.chdir(base)
        folder, work = "case", f"{base}/work"
        os.makedirs(folder)
        os.makedirs(work)
        maker = Maker(numbers)
        fill(folder, maker, count)
        for name in ("one.db", "two.db", "d1 three.db"):
            database(os.path.join(folder, name), maker, max(4, count // 20))
        places = backups(folder, maker, work)
        with open(f"{work}/password", "w") as file:
            file.write(make_backups.PASSWORD + "\n")
        environment = {"PATH": os.environ["PATH"], "HOME": work, "TMPDIR": work, "BROWSER": "true", "LC_ALL": "C.UTF-8"}

        def run(*arguments):
            return subprocess.run([program, *arguments], env=environment, capture_output=True, timeout=600,
                                  stdin=subprocess.DEVNULL)

        before, moment = listing(folder), os.times().elapsed
        password = f"--password-file={work}/password"
        done = run("scan", password, "--format", "ndjson", folder)
        assert done.returncode == 0, done.stderr
        addresses = [json.loads(line)["name"] for line in done.stdout.splitlines()]
        assert len(set(addresses)) == len(addresses)
        chosen = addresses if len(sys.argv) < 5 else numbers.sample(addresses, min(len(addresses), int(sys.argv[4])))

        def trial(address):
            failed = []
            for command in COMMANDS:
                words = [address if word == "@" else word for word in command]
                done = run(*(words[:2] if words[0] == "schema" else words[:1]), password,
                           *(words[2:] if words[0] == "schema" else words[1:]))
                # A column of archives of several kinds has no schema; that is an answer.
                isAnswer = command[0] == "schema" and "#" in address and done.returncode == 1
                if not isAnswer and (done.returncode != 0 or not done.stdout and command[0] != "diff"):
                    failed.append(f"{' '.join(words)}: {done.returncode} {done.stderr.decode()[:300]}")
            return failed

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for failed in pool.map(trial, chosen):
                for line in failed:
                    problems[line.split()[0]] += 1
                    print(line)

        # The addresses of the table can be pasted into a shell.
        table = run("scan", "-q", password, folder).stdout.decode().splitlines()
        start = table[0].index("ADDRESS")
        for line in numbers.sample(table[1:], min(20, len(table) - 1)):
            done = subprocess.run(["sh", "-c", f'"$0" info -q {password} {line[start:]}', program], env=environment,
                                  capture_output=True)
            if done.returncode != 0:
                problems["pasted"] += 1
                print(line, done.stderr)

        done = run("find", "-r", password, "--type", "date", "--format", "csv", folder)
        assert done.returncode == 0, done.stderr
        lines = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
        found = {(line["file"].removeprefix("'"), datetime.datetime.fromisoformat(line["value"].removesuffix("Z")))
                 for line in lines}
        wanted = expected(folder, places)
        for name, moment in sorted(wanted ^ found)[:20]:
            print("not found" if (name, moment) in wanted else "not expected", name, moment)
        problems["dates"] += len(wanted ^ found)
        wanted_pairs = changed_copy(folder, "copy", places, maker)
        done = run("diff", "-r", password, "--format", "json", folder, "copy")
        assert done.returncode == 1, done.stderr
        # The lists of a backup's files differ, too.
        pairs = {(item.get("oldFile"), item.get("newFile")) for item in json.loads(done.stdout)}
        pairs = {pair for pair in pairs if not any(
            f"{side}/{name}/" in (each or "").replace("//", "!")
            for each in pair for name in map(os.path.basename, places) for side in ("case", "copy"))}
        for pair in sorted(wanted_pairs ^ pairs, key=str)[:20]:
            print("not compared" if pair in wanted_pairs else "not changed", pair)
        problems["pairs"] += len(wanted_pairs ^ pairs)
        done = run("diff", "-r", "--no-databases", "--no-backups", "--format", "json", folder, "copy")
        pairs = {(item.get("oldFile"), item.get("newFile")) for item in json.loads(done.stdout)}
        problems["pairs"] += any(mark in str(pairs) for mark in (".db#", "//"))
        problems["pairs"] += (f"{folder}/one.db", "copy/one.db") not in pairs
        # Two databases are compared as those in folders are.
        done = run("diff", "--format", "json", f"{folder}/one.db", "copy/one.db")
        pairs = {(item.get("oldFile"), item.get("newFile")) for item in json.loads(done.stdout)}
        problems["pairs"] += len(pairs ^ {pair for pair in wanted_pairs if "/one.db#" in str(pair)})
        after = listing(folder)
        problems["changed"] += sum(before.get(path) != after.get(path) for path in before.keys() | after.keys())
    total = sum(problems.values())
    print(f"case folder: {count} files, {len(addresses)} addresses, {len(chosen)} of them given to {len(COMMANDS)} "
          f"commands, {len(wanted)} dates, {len(wanted_pairs)} pairs, {total} problems {dict(problems) if total else ''}")
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
