#!/usr/bin/env python3
"""Compares what archtool finds in databases, backups and folders with Python's own sqlite3, plistlib and csv.

usage: databases.py ARCHTOOL COUNT SEED [SCENARIO...]

Every scenario takes down the bytes, names, modes and times of everything before and after: nothing may change, and
nothing may be left in the folder for temporary files.
"""
import base64
import csv
import gzip
import hashlib
import io
import json
import os
import plistlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from plistlib import UID

STATUSES = {0, 1, 64, 65, 66, 73, 74}
SECONDS = 60


def keyed(value):
    """A keyed archive of a dictionary of strings and integers."""
    names, values = list(value), list(value.values())
    count = len(names)
    record = {"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]}
    root = {"NS.keys": [UID(2 + n) for n in range(count)],
            "NS.objects": [UID(2 + count + n) for n in range(count)], "$class": UID(2 + 2 * count)}
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)},
                           "$objects": ["$null", root, *names, *values, record]}, fmt=plistlib.FMT_BINARY)


def is_archive(value):
    """Whether a value begins as an archive, by rules of its own: signatures, or XML that plistlib reads."""
    if isinstance(value, str):
        value = value.encode()
    if not isinstance(value, bytes):
        return False
    if value.startswith(b"bplist"):
        return True
    if value.startswith(b"<?xml"):
        try:
            plistlib.loads(value)
            return True
        except Exception:
            return False
    return False


def is_sound(value):
    """Whether plistlib decodes an archive."""
    try:
        plistlib.loads(value.encode() if isinstance(value, str) else value)
        return True
    except Exception:
        return False


class Bench:
    def __init__(self, program, count, numbers):
        self.program, self.count, self.numbers = program, count, numbers
        self.base = tempfile.mkdtemp(prefix="archtool-judge-")
        self.live = os.path.join(self.base, "live")
        self.temporary = os.path.join(self.base, "temporary")
        for folder in (self.live, self.temporary):
            os.mkdir(folder)
        self.environment = {**os.environ, "HOME": self.base, "TMPDIR": self.temporary, "ARCHTOOL_SCHEMAS": "",
                            "XDG_CONFIG_HOME": ""}
        os.chdir(self.live)

    def close(self):
        os.chdir("/")
        for place, folders, _ in os.walk(self.base):
            for name in folders:
                os.chmod(os.path.join(place, name), 0o700)
        shutil.rmtree(self.base)

    def listing(self):
        """Everything in the folder with its bytes and times."""
        found = []
        for place, folders, names in os.walk(self.live.encode()):
            status = os.lstat(place)
            found.append((place, status.st_mtime_ns, status.st_ctime_ns, status.st_mode, sorted(folders)))
            for name in names:
                path = os.path.join(place, name)
                status = os.lstat(path)
                digest = b"" if os.path.islink(path) else hashlib.sha256(open(path, "rb").read()).digest()
                found.append((path, status.st_mtime_ns, status.st_ctime_ns, status.st_mode, status.st_size, digest))
        return sorted(found)

    def run(self, *arguments, status=0, **options):
        """Runs archtool, which must change nothing."""
        before = self.listing()
        done = subprocess.run([self.program, *arguments], env=self.environment, timeout=SECONDS,
                              capture_output=True, **options)
        assert self.listing() == before, f"{arguments} changed something"
        assert os.listdir(self.temporary) == [], f"{arguments} left {os.listdir(self.temporary)}"
        expected = {status} if isinstance(status, int) else status
        assert done.returncode in expected, f"{arguments}: {done.returncode} {done.stdout} {done.stderr}"
        return done

    def records(self, *arguments, status=0):
        """The lines of an inventory, by their names."""
        done = self.run("scan", "--format", "ndjson", *arguments, status=status)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        found = {line["name"]: line for line in lines}
        assert len(found) == len(lines), "two lines have one name"
        return found

    def value(self):
        """A value for a column, of many kinds."""
        numbers = self.numbers
        model = {f"k{n}": numbers.choice([f"v{numbers.randrange(99)}", numbers.randrange(1000)])
                 for n in range(numbers.randrange(1, 5))}
        kind = numbers.randrange(12)
        if kind == 0:
            return None
        if kind == 1:
            return numbers.choice([1, 2.5, "text", "", b"", b"\0\1\2", "{\"a\": 1}", b"bplist", "hello world"])
        if kind == 2:
            return plistlib.dumps(model, fmt=plistlib.FMT_XML).decode()
        if kind == 3:
            return plistlib.dumps(model, fmt=plistlib.FMT_XML)
        if kind == 4:
            return keyed(model)[:-numbers.randrange(1, 40)]
        return keyed(model) if kind % 2 else plistlib.dumps(model, fmt=plistlib.FMT_BINARY)

    def judge(self, record, values):
        """Compares the line of a column with the values that sqlite3 reads."""
        archives = [value for value in values if is_archive(value)]
        assert record["rows"] == len(values), (record, len(values))
        assert record["archives"] == len(archives), (record, len(archives))
        assert record["damaged"] == sum(not is_sound(value) for value in archives), record
        assert sum(kind["count"] for kind in record["kinds"]) == record["archives"] - record["damaged"]
        size = sum(len(value.encode() if isinstance(value, str) else value) for value in archives)
        assert record["size"] == size, record


def connect(path, *statements):
    database = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        database.execute(statement)
    return database


def fill(database, table, rows):
    database.execute("BEGIN")
    for row in rows:
        database.execute(f"INSERT INTO {table} VALUES({','.join('?' * len(row))})", row)
    database.execute("COMMIT")


def column(bench):
    """A column with as many values as asked for: the inventory, and each command with a row as its input."""
    database = connect("a.db", "CREATE TABLE t(id INTEGER PRIMARY KEY, v)")
    identifiers = sorted(bench.numbers.sample(range(-bench.count, bench.count * 9), bench.count))
    fill(database, "t", [(number, bench.value()) for number in identifiers])
    rows = database.execute("SELECT id, v FROM t ORDER BY id").fetchall()
    database.close()
    values = [value for _, value in rows]
    bench.judge(bench.records("a.db")["a.db#t.v"], values)
    bench.judge(bench.records(".")["./a.db#t.v"], values)
    archives = [(number, value) for number, value in rows if is_archive(value)]
    sound = [(number, value) for number, value in archives if is_sound(value)]
    status = 0 if len(sound) == len(archives) else 65
    plain = {number: plistlib.loads(value.encode() if isinstance(value, str) else value) for number, value in sound}
    # All values in the order of their rows, whatever the number of threads.
    outputs = {bench.run("dump", "--format", "json", "--raw", "--compact", "-j", jobs, "a.db#t.v", status=status).stdout
               for jobs in ("1", "4")}
    assert len(outputs) == 1
    lines = [json.loads(line) for line in outputs.pop().splitlines()]
    failed = [line for line in lines if line.keys() == {"file", "error"}]
    assert len(failed) == len(archives) - len(sound)
    lines = [line["value"] for line in lines if line not in failed]
    assert len(lines) == len(sound)
    for line, model in zip(lines, plain.values()):
        if "$objects" not in model:
            assert line == model, (line, model)
    # Reports name every row, and errors those that are damaged.
    report = os.path.join(bench.base, "report")
    done = bench.run("validate", "--format-only", "--report", report, "a.db#t.v", status=status)
    with open(report) as file:
        entries = [json.loads(line) for line in file][:-1]
    assert [entry["file"] for entry in entries] == [f"a.db#t.v@{number}" for number, _ in archives]
    good = {entry["file"] for entry in entries if entry["outcome"] == "valid"}
    assert good == {f"a.db#t.v@{number}" for number, _ in sound}
    assert (f"{sum(value is None for value in values):,} NULL").encode() in done.stderr
    done = bench.run("find", "--value", "7", "--format", "ndjson", "a.db#t.v", status={0, 1, 65})
    hits = [json.loads(line) for line in done.stdout.splitlines()]
    hits = [hit["file"] for hit in hits if "error" not in hit]
    expected = []
    for number, model in plain.items():
        found = model["$objects"] if "$objects" in model else model.values()
        expected += [f"a.db#t.v@{number}"] * sum(type(value) is int and value == 7 for value in found)
    assert hits == expected
    for number, value in bench.numbers.sample(rows, min(8, len(rows))):
        wanted = {0} if (number, value) in sound else {65}
        done = bench.run("get", "--format", "json", f"a.db#t.v@{number}", "$", status=wanted)
        if (number, value) in sound and "$objects" not in plain[number]:
            assert json.loads(done.stdout) == plain[number]
        bench.run("info", f"A.db#T.V@{number}", status=66)
        bench.run("info", f"a.db#T.V@{number}", status=wanted)
    bench.run("get", f"a.db#t.v@{bench.count * 10}", "$", status=66)
    # Each archive of a column has a value; one document is that of its first archive, which is said.
    done = bench.run("get", "--format", "json", "a.db#t.v", "$", status={0, 65})
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["file"] for answer in answers if "value" in answer] == [f"a.db#t.v@{row}" for row, _ in sound]
    done = bench.run("convert", "--to", "binary1", "a.db#t.v", status={0, 1, 65})
    assert b"is a column; this is its first archive, a.db#t.v@" in done.stderr
    into = bench.run("convert", "--to", "binary1", "a.db#t.v", "-o", "/dev/null", status={0, 1, 65})
    assert into.stderr == done.stderr and into.returncode == done.returncode
    first = bench.run("dump", "--fail-fast", "a.db#t.v", status={0, 65})
    if status:
        bad = next(number for number, value in archives if not is_sound(value))
        assert first.stderr.count(b"error") == 1
        assert any(f"a.db#t.v@{bad}{end}".encode() in first.stderr for end in ":@")
    # A file of that very name is a file.
    with open("a.db#t.v", "wb") as file:
        file.write(keyed({"a": "b"}))
    assert b"dictionariable" in bench.run("info", "a.db#t.v").stdout


def log(bench):
    """A write-ahead log that no checkpoint has taken over, with and without a writer at work."""
    database = connect("w.db", "PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0", "CREATE TABLE t(v)")
    fill(database, "t", [(bench.value(),) for _ in range(bench.count)])
    values = [value for value, in database.execute("SELECT v FROM t")]
    assert os.path.getsize("w.db-wal") > 0
    bench.judge(bench.records("w.db")["w.db#t.v"], values)
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO t VALUES(?)", (keyed({"a": "b"}),))
    bench.judge(bench.records(".")["./w.db#t.v"], values)
    bench.run("find", "--key", "k1", "w.db#t.v", status={0, 65})
    os.symlink("w.db", "link")
    bench.run("classes", "link#t.v", status={0, 65})
    os.chmod(".", 0o555)
    bench.judge(bench.records("w.db")["w.db#t.v"], values)
    os.chmod(".", 0o755)
    # What beside a database is a link could lead anywhere.
    shutil.copy("w.db", "l.db")
    os.symlink("w.db-wal", "l.db-wal")
    assert b"is a link" in bench.run("scan", "l.db", status=66).stderr
    os.remove("l.db-wal")
    os.mkdir("l.db-wal")
    bench.run("scan", "l.db", status={66, 74})
    os.rmdir("l.db-wal")
    os.remove("l.db")
    database.execute("ROLLBACK")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert os.path.getsize("w.db-wal") == 0
    bench.judge(bench.records("w.db")["w.db#t.v"], values)
    database.close()
    bench.judge(bench.records("w.db")["w.db#t.v"], values)


def journal(bench):
    """A writer that has written a part of its transaction: what was committed is found."""
    database = connect("r.db", "CREATE TABLE t(v)")
    fill(database, "t", [(bench.value(),) for _ in range(20)])
    values = [value for value, in database.execute("SELECT v FROM t")]
    database.execute("PRAGMA cache_size=5")
    database.execute("BEGIN EXCLUSIVE")
    for _ in range(300):
        database.execute("INSERT INTO t VALUES(?)", (keyed({"a": "b" * 3000}),))
    database.execute("DELETE FROM t WHERE rowid < 10")
    assert os.path.getsize("r.db-journal") > 0
    bench.judge(bench.records("r.db")["r.db#t.v"], values)
    database.execute("ROLLBACK")
    # A journal that names one of a transaction over several databases: SQLite would delete the file of that name.
    database.execute("BEGIN EXCLUSIVE")
    for _ in range(300):
        database.execute("INSERT INTO t VALUES(?)", (keyed({"a": "b" * 3000}),))
    for name in ("r.db", "r.db-journal"):
        shutil.copy(name, "super" + name)
    database.execute("ROLLBACK")
    victim = os.path.join(bench.live, "victim").encode()
    with open(victim, "wb") as file:
        file.write(b"precious")
    with open("superr.db-journal", "ab") as file:
        file.write(b"\0\0\0\1" + victim + len(victim).to_bytes(4, "big") + sum(victim).to_bytes(4, "big")
                   + bytes.fromhex("d9d505f920a163d7"))
    assert b"several databases" in bench.run("scan", "superr.db", status=65).stderr
    # A writer that has only locked the database is no obstacle.
    database.execute("BEGIN EXCLUSIVE")
    bench.judge(bench.records("r.db")["r.db#t.v"], values)
    database.close()


def names(bench):
    """Tables and columns of every kind and name."""
    database = connect(
        "n#a.db", 'CREATE TABLE "a.b#c"("x@1" BLOB, "q""r" BLOB)', 'CREATE TABLE "w"(k TEXT PRIMARY KEY, v) WITHOUT ROWID',
        'CREATE TABLE "rows"(rowid TEXT, _rowid_ TEXT, v)', 'CREATE TABLE "all"(rowid, _rowid_, oid, v)',
        'CREATE TABLE g(a, b GENERATED ALWAYS AS (a) VIRTUAL, c GENERATED ALWAYS AS (a) STORED)',
        'CREATE TABLE "select"("from" BLOB, "東京" BLOB)', "CREATE VIRTUAL TABLE f USING fts5(v)",
        "CREATE VIEW seen AS SELECT v FROM w", "CREATE INDEX i ON g(a)", "CREATE TABLE empty(v)",
        "CREATE TRIGGER r AFTER INSERT ON w BEGIN DELETE FROM w; END", 'CREATE TABLE " "(" ")')
    database.execute("DROP TRIGGER r")
    one = keyed({"a": "b"})
    fill(database, '"a.b#c"', [(one, None), (None, one)])
    fill(database, '"w"', [(key, keyed({"k": key})) for key in "zebra"])
    fill(database, '"rows"', [("x", "y", one)])
    fill(database, '"all"', [(1, 2, 3, one)])
    database.execute("INSERT INTO g VALUES(?)", (one,))
    fill(database, '"select"', [(one, one)])
    fill(database, "f", [("text",)])
    fill(database, '" "', [(one,)])
    database.execute("CREATE TRIGGER r AFTER INSERT ON w BEGIN DELETE FROM w; END")
    database.close()
    found = bench.records("n#a.db")
    expected = {'"a.b#c"."x@1"', '"a.b#c"."q""r"', "w.v", "rows.v", "all.v", "g.a", "g.c", "select.from",
                "select.東京", " . "}
    assert set(found) == {"n#a.db#" + name for name in expected}, found.keys()
    for name in found:
        bench.run("info", name)
        bench.run("info", f"{name}@{2 if 'q' in name else 1}")
    # Without a rowid the number is the position in the order of the primary key.
    for position, key in enumerate(sorted("zebra")):
        assert bench.run("get", f"n#a.db#w.v@{position + 1}", "k").stdout == f"{key}\n".encode()
    bench.run("get", "n#a.db#w.v@6", "k", status=66)
    bench.run("get", "n#a.db#w.v@0", "k", status=66)
    for name in ("seen.v", "f.v", "g.b", "sqlite_master.sql", "w", "w.", ".v", 'w."v', "w.v@", "w.v@1x", "w.v@+1"):
        bench.run("info", "n#a.db#" + name, status=66)
    # Names of databases need not be text, nor harmless in a URI.
    for name in (b"n\xff %?#'\"&x.db", b"-x.db", b"?mode=memory"):
        shutil.copy("n#a.db", name)
        bench.run("info", "--", name + b"#w.v@1")
    assert len(bench.records(".")) == 4 * len(expected)


def schema(bench):
    """Schemas that lie: a view under the name of a table, tables that share their pages, code in a column."""
    database = connect("v.db", "CREATE TABLE t(v)", "CREATE TABLE s(v)")
    fill(database, "t", [(keyed({"a": "b"}),) for _ in range(50)])
    database.execute("PRAGMA writable_schema=ON")
    (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name='t'").fetchone()
    for number in range(300):
        database.execute("INSERT INTO sqlite_master VALUES('table', ?, ?, ?, ?)",
                         (f"t{number}", f"t{number}", page, f"CREATE TABLE t{number}(v)"))
    database.close()
    bench.run("scan", "v.db", status=65)
    # A schema in which pages lead to the same page again and again.
    database = connect("endless.db", "PRAGMA page_size=512", "CREATE TABLE t(a UNIQUE)")
    database.close()
    with open("endless.db", "rb") as file:
        whole = bytearray(file.read())

    def leaf(cell):
        page = bytes([13, 0, 0, 0, 1]) + (512 - len(cell)).to_bytes(2, "big") + b"\0"
        page += (512 - len(cell)).to_bytes(2, "big")
        return page + b"\0" * (512 - len(page) - len(cell)) + cell

    def interior(children, start=0):
        cells = [child.to_bytes(4, "big") + bytes([1]) for child in children[:-1]]
        content = 512 - 5 * len(cells)
        page = bytes([5, 0, 0]) + len(cells).to_bytes(2, "big") + content.to_bytes(2, "big") + b"\0"
        page += children[-1].to_bytes(4, "big")
        page += b"".join((content + 5 * n).to_bytes(2, "big") for n in range(len(cells)))
        return page + b"\0" * (512 - start - len(page) - 5 * len(cells)) + b"".join(cells)

    pointers = [int.from_bytes(whole[108 + 2 * n:110 + 2 * n], "big") for n in range(2)]
    cells = [bytes(whole[at:at + 2 + whole[at]]) for at in pointers]
    pages = [leaf(cells[0]), leaf(cells[1])] + [interior([page] * 60) for page in range(5, 10)]
    whole[100:512] = interior([4] + [10] * 40, 100)
    whole[28:32] = (len(whole) // 512 + len(pages)).to_bytes(4, "big")
    with open("endless.db", "wb") as file:
        file.write(bytes(whole) + b"".join(pages))
    bench.run("scan", "endless.db", status=65)
    os.remove("endless.db")
    for sql in ("CREATE VIEW s AS SELECT v FROM t", "CREATE VIRTUAL TABLE s USING fts5(v)",
                "CREATE TABLE s(v, g AS (load_extension('x')) STORED)", "CREATE TABLE s(v, g AS (randomblob(1e9)))"):
        shutil.rmtree("d", ignore_errors=True)
        os.mkdir("d")
        database = connect("d/v.db", "CREATE TABLE t(v)", "CREATE TABLE s(v)")
        fill(database, "s", [(keyed({"a": "b"}),)])
        database.execute("PRAGMA writable_schema=ON")
        database.execute("UPDATE sqlite_master SET sql=? WHERE name='s'", (sql,))
        database.close()
        bench.run("scan", "d", status={0, 65})
        bench.run("info", "d/v.db#s.v", status={0, 65, 66})


def damage(bench):
    """Databases that are cut, or have other bytes: an error in one line, in bounded time."""
    database = connect("b.db", "PRAGMA page_size=1024", "CREATE TABLE t(v, w)", "CREATE TABLE u(k PRIMARY KEY, v) WITHOUT ROWID")
    fill(database, "t", [(keyed({"a": "b" * bench.numbers.randrange(3000)}), bench.value()) for _ in range(150)])
    fill(database, "u", [(number, keyed({"a": number})) for number in range(150)])
    database.close()
    with open("b.db", "rb") as file:
        whole = file.read()
    os.remove("b.db")

    def attempt(content):
        with open("x.db", "wb") as file:
            file.write(content)
        done = bench.run("scan", "x.db", status={0, 65, 66, 74})
        for line in done.stderr.decode().splitlines():
            assert line.startswith("x.db") and ": error: " in line or "archive" in line or "passed over" in line, line
        bench.run("find", "--key", "a", "x.db#t.v", status={0, 1, 65, 66, 74})

    for _ in range(bench.count // 2):
        attempt(whole[:bench.numbers.randrange(len(whole))])
    for _ in range(bench.count):
        content = bytearray(whole)
        for _ in range(bench.numbers.choice([1, 3, 30, 300])):
            near = bench.numbers.randrange(3)
            limit = (100, 2048, len(whole))[near]
            content[bench.numbers.randrange(16, limit)] = bench.numbers.randrange(256)
        attempt(bytes(content))
    # Headers of pages point to pages of others.
    for _ in range(bench.count):
        content = bytearray(whole)
        pages = len(whole) // 1024
        for _ in range(bench.numbers.randrange(1, 20)):
            page = bench.numbers.randrange(1, pages) * 1024
            content[page + 8:page + 12] = bench.numbers.randrange(1, pages + 1).to_bytes(4, "big")
            content[page] = bench.numbers.choice([2, 5, 10, 13, content[page]])
        attempt(bytes(content))
    for content in (b"", whole[:16], whole[:100], b"SQLite format 4\0" + whole[16:]):
        attempt(content)
    with open("x.db", "wb") as file:
        file.write(b"SQLite format 3\0" + b"\0" * 100)
    bench.run("scan", "x.db", status=65)
    bench.run("scan", "nowhere", status=66)


def backup(bench):
    """A backup as iTunes and Finder lay it out, an encrypted one, and one that lies."""
    def make(folder, files):
        os.mkdir(folder)
        database = connect(f"{folder}/Manifest.db", "CREATE TABLE Files(fileID TEXT PRIMARY KEY, domain TEXT, "
                           "relativePath TEXT, flags INTEGER, file BLOB)", "CREATE TABLE Properties(key TEXT, value BLOB)")
        for domain, path, content in files:
            digest = hashlib.sha1(f"{domain}-{path}".encode()).hexdigest()
            flags = 2 if content is None else 1
            database.execute("INSERT INTO Files VALUES(?, ?, ?, ?, ?)",
                             (digest, domain, path, flags, plistlib.dumps({"$version": 1}, fmt=plistlib.FMT_BINARY)))
            if content is not None:
                os.makedirs(f"{folder}/{digest[:2]}", exist_ok=True)
                with open(f"{folder}/{digest[:2]}/{digest}", "wb") as file:
                    file.write(content)
        with open(f"{folder}/Manifest.plist", "wb") as file:
            plistlib.dump({"IsEncrypted": False, "Version": "10.0"}, file, fmt=plistlib.FMT_BINARY)
        return database

    inner = connect("inner.db", "CREATE TABLE t(v)")
    fill(inner, "t", [(keyed({"a": "b"}),)])
    inner.close()
    with open("inner.db", "rb") as file:
        content = file.read()
    os.remove("inner.db")
    one = keyed({"a": "b"})
    files = [("HomeDomain", "Library", None), ("HomeDomain", "Library/Preferences/com.a.plist", one),
             ("AppDomain-com.example", "Documents/x.sqlite", content), ("AppDomain-com.example", "Documents/y.txt", b"y"),
             ("CameraRollDomain", "Media/é.jpg", b"\xff\xd8\xff")]
    make("B", files).close()
    found = bench.records("B")
    assert set(found) == {
        "B//HomeDomain/Library/Preferences/com.a.plist", "B//AppDomain-com.example/Documents/x.sqlite#t.v",
        "B/Manifest.plist", "B/Manifest.db#Files.file"}, found.keys()
    digest = hashlib.sha1(b"HomeDomain-Library/Preferences/com.a.plist").hexdigest()
    assert found["B//HomeDomain/Library/Preferences/com.a.plist"]["file"] == f"B/{digest[:2]}/{digest}"
    assert len(bench.records("--include", "AppDomain*/**", "B")) == 1
    database = make("L", files[1:2])
    for name, domain in (("../../../etc/passwd", "x"), ("ab" * 20, "\x1b[31m\nx"), ("AB" * 20, "x"), ("a", None)):
        database.execute("INSERT INTO Files VALUES(?, ?, 'p', 1, NULL)", (name, domain))
    database.execute("INSERT INTO Files VALUES(?, 'x', 'link', 1, NULL)", ("cd" * 20,))
    database.close()
    os.mkdir("L/cd")
    os.symlink("/etc/passwd", "L/cd/" + "cd" * 20)
    done = bench.run("scan", "L", status=66)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert any(b"keyed" in line and line[-1] == b"L//HomeDomain/Library/Preferences/com.a.plist" for line in lines)
    assert b"\x1b" not in done.stdout + done.stderr and b"root:" not in done.stdout + done.stderr
    for folder in ("E", "F"):
        os.makedirs(f"{folder}/ab")
        with open(f"{folder}/ab/{'ab' * 20}", "wb") as file:
            file.write(os.urandom(99))
        with open(f"{folder}/Manifest.db", "wb") as file:
            file.write(b"\x13\x37" * 500)
        with open(f"{folder}/Manifest.plist", "wb") as file:
            plistlib.dump({"IsEncrypted": folder == "E"}, file, fmt=plistlib.FMT_BINARY)
        done = bench.run("scan", folder, status=65)
        words = b"has no key bag" if folder == "E" else b"not a database"
        assert done.stderr.count(words) == 1, done.stderr


def tree(bench):
    """A tree of mixed files, by kind; --archives-only of every command that has it."""
    kinds, expected = {}, {}
    for number in range(bench.count):
        folder = f"t/{number % 7}/{number % 11}"
        os.makedirs(folder, exist_ok=True)
        name, kind, content = bench.numbers.choice([
            (f"f{number}", "archive", keyed({"n": number})),
            (f"f{number}.plist", "archive", plistlib.dumps({"n": number}, fmt=plistlib.FMT_XML)),
            (f"f{number}.gz", "archive", gzip.compress(keyed({"n": number}))),
            (f"f{number}.strings", "archive", f'"a" = "{number}";\n'.encode()),
            (f"f{number}.txt", "text", b"some text\n" * number), (f"f{number}", "empty", b""),
            (f"f{number}.c", "text", b"struct a { int b; };\n"), (f"f{number}.json", "JSON", b'{"a": 1}'),
            (f"f{number}.svg", "XML", b"<?xml version='1.0'?><svg/>"), (f"f{number}.jpg", "binary", b"\0\1\2" + bench.numbers.randbytes(3000)),
            (f"f{number}.tgz", "compressed", gzip.compress(b"x" * 50000)), (f"f{number}.bin", "damaged", b"bplist00" + b"\0" * 99),
        ])
        if kind == "text" and not content:
            kind = "empty"
        if content.startswith(b"bplist1"):
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        expected[f"{folder}/{name}"] = kind
        with open(f"{folder}/{name}", "wb") as file:
            file.write(content)
    done = bench.run("scan", "--format", "ndjson", "t")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    found = {line["name"]: "damaged" if "error" in line else "archive" for line in lines}
    assert found == {name: kind for name, kind in expected.items() if kind in ("archive", "damaged")}
    others = {kind: count for kind, count in kinds.items() if kind not in ("archive", "damaged")}
    last = done.stderr.decode().splitlines()[-1]
    assert sorted(last.split(": ", 1)[1].split(", ")) == sorted(f"{count:,} {kind}" for kind, count in others.items()), last
    total = sum(others.values())
    bad = kinds.get("damaged", 0)
    for command in (["validate", "--format-only"], ["dump"], ["info"], ["find", "--key", "n"], ["query", "$.n"], ["classes"]):
        done = bench.run(*command, "--archives-only", "-r", "t", status=65 if bad else 0)
        assert f"{total:,} file".encode() in done.stderr, done.stderr
        for name, kind in expected.items():
            if kind != "archive":
                assert (f"{name}@".encode() in done.stderr) == (kind == "damaged"), (command, name)
    listed = "\n".join(expected).encode()
    done = bench.run("info", "--archives-only", "--files-from", "-", input=listed, status=65 if bad else 0)
    assert done.stdout.count(b"encoding: ") == kinds.get("archive", 0)
    # The formats say the same.
    lines = list(csv.reader(io.StringIO(bench.run("scan", "--format", "csv", "t").stdout.decode(), newline="")))
    assert [line[1] for line in lines[1:]] == [json.loads(line)["name"] for line in
                                              bench.run("scan", "--format", "ndjson", "-j", "1", "t").stdout.splitlines()]
    assert all(len(line) == len(lines[0]) for line in lines)
    assert [record["name"] for record in json.loads(bench.run("scan", "--format", "json", "t").stdout)] == \
        [line[1] for line in lines[1:]]
    assert json.loads(bench.run("scan", "--format", "json", "--only", "nothing", "t").stdout) == []
    assert set(bench.records("--only", "XML*", "t")) == {name for name in expected if name.endswith(".plist")}
    assert set(bench.records("--only", "NSDictionary", "t")) == \
        {name for name, kind in expected.items() if kind == "archive" and not name.endswith((".plist", ".strings"))}


def extraction(bench):
    """Archives are written under names that lead nowhere else, and nothing is overwritten."""
    one = {name: keyed({"n": name}) for name in
           ("a", "A", "sub/a", "..x", "-o", "e\x1b[31m", "new\nline", "x" * 250, "x" * 249 + "y", "sp ace", "%2F", "東京", "a~2")}
    os.mkdir("in")
    os.mkdir("in/sub")
    for name, content in one.items():
        with open("in/" + name, "wb") as file:
            file.write(content)
    with open(b"in/\xff", "wb") as file:
        file.write(keyed({"n": "byte"}))
    database = connect("in/d.db", 'CREATE TABLE "../t"("a/b")')
    fill(database, '"../t"', [(keyed({"n": number}),) for number in range(3)])
    database.close()
    out = os.path.join(bench.base, "out")
    bench.run("scan", "--extract", out, "in")
    names = os.listdir(out)
    written = sorted(open(os.path.join(out, name), "rb").read() for name in names)
    assert written == sorted([*one.values(), keyed({"n": "byte"}), *(keyed({"n": n}) for n in range(3))])
    assert len({name.lower() for name in names}) == len(names) == len(one) + 4
    for name in names:
        assert len(name) < 256 and name.isascii() and name.isprintable() and name[0] not in ".-" and " " not in name, name
    assert sorted(os.listdir(bench.base)) == ["live", "out", "temporary"]
    before = {name: os.stat(os.path.join(out, name)).st_mtime_ns for name in names}
    bench.run("scan", "--extract", out, "in", status=73)
    assert {name: os.stat(os.path.join(out, name)).st_mtime_ns for name in os.listdir(out)} == before
    # Into a folder that is scanned itself: what is written is not found.
    shutil.copytree("in", os.path.join(bench.base, "again"))
    for _ in range(2):
        inside = os.path.join(bench.base, "again")
        done = subprocess.run([bench.program, "scan", "--extract", inside + "/o", inside], capture_output=True,
                              env=bench.environment)
        assert len(os.listdir(inside + "/o")) == len(names), done.stderr
    shutil.rmtree(os.path.join(bench.base, "again"))


def refusal(bench):
    """Commands that replace files refuse databases in one sentence, which names the ways that there are."""
    database = connect("a.db", "CREATE TABLE t(v)")
    fill(database, "t", [(keyed({"name": "a"}),)])
    database.close()
    reference = "a.db#t.v"
    out = os.path.join(bench.base, "out")
    for command in (["migrate", "--to", "v2", "--in-place"], ["migrate", "--to", "v2", "--in-place", "--no-journal"],
                    ["rename-class", "-c", "A=B", "--in-place"], ["convert", "--to", "xml1", "--in-place"]):
        for operand in (reference, reference + "@1"):
            done = bench.run(*command, operand, status={64, 65})
            assert b"archtool extract" in done.stderr and b"--output-database" in done.stderr, (command, done.stderr)
    # What only reads the database makes files of its archives.
    for command in (["convert", "--to", "xml1"], ["extract", "$"]):
        bench.run(*command, reference + "@1", "-o", out)
        assert bench.run("get", out, "name").stdout == b"a\n"
        os.remove(out)
    done = bench.run("dump", "a.db", status=65)
    assert b"archtool scan" in done.stderr


def migration(bench):
    """Columns are migrated in a copy: the archives are the new ones, everything else is the same."""
    families = os.path.join(bench.base, "families", "Note")
    os.makedirs(families)
    for name, tree in (("family.json", {"family": "Note", "versions": ["v1", "v2"]}),
                       ("v1.schema.json", note_schema({"name": {"type": "string"}})),
                       ("v2.schema.json", note_schema({"title": {"type": "string"}, "pages": {"type": "integer"}})),
                       ("v1-v2.lens.json", {"lens": [{"rename": {"source": "name", "destination": "title"}},
                                                     {"add": {"name": "pages", "default": 1}}]})):
        with open(os.path.join(families, name), "w") as file:
            json.dump(tree, file)
    options = ["--schemas", os.path.dirname(families), "--to", "v2"]
    count = max(bench.count // 100, 20)
    numbers = bench.numbers

    def cell():
        """A value, and what becomes of it."""
        name = f"note {numbers.randrange(1000)}"
        old, new = keyed({"name": name}), {"title": name, "pages": 1}
        text = base64.b64encode(old).decode()
        return numbers.choice([
            (old, new), (old, new), (gzip.compress(old, mtime=7), new), (text, new), (text.encode(), new),
            (keyed({"title": "new", "pages": 2}), None), (None, None), (numbers.random(), None), ("words", None),
            (b"\0\1", None)])

    def check(copy, before, table, columns, expected):
        database = sqlite3.connect(copy)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = list(database.execute(f"SELECT * FROM {table}"))
        assert len(found) == len(before)
        for row, old, news in zip(found, before, expected):
            for position, (value, other) in enumerate(zip(row, old)):
                new = news[columns.index(position)] if position in columns else None
                if new is None:
                    assert value == other and type(value) is type(other), (row, old)
                    continue
                assert type(value) is type(other), (value, other)
                data = value.encode() if isinstance(value, str) else value
                if not data.startswith((b"bplist", b"\x1f\x8b")):
                    data = base64.b64decode(data)
                if data.startswith(b"\x1f\x8b"):
                    assert data[:10] == other[:10]
                    data = gzip.decompress(data)
                assert unkeyed(data) == new, (unkeyed(data), new)
        mode = database.execute("PRAGMA journal_mode").fetchone()[0]
        log = list(database.execute("SELECT * FROM log")) if table == "t" else []
        database.close()
        return mode, log

    def copy_of(*operands, status=0, more=()):
        out = os.path.join(bench.base, "copy.db")
        done = bench.run("migrate", *options, *more, "--output-database", out, *operands, status=status)
        made = os.path.exists(out)
        assert made == (status in (0, 73)), (done.stdout, done.stderr)
        beside = [name for name in os.listdir(bench.base) if name.startswith((".archtool", "copy.db-"))]
        assert beside == [], beside
        return out, done

    definition = ("id INTEGER PRIMARY KEY, a BLOB, b, kept TEXT, size AS (length(a)) STORED, "
                  "twice AS (kept || kept) VIRTUAL, CHECK(b IS NULL OR length(b) < 1000000)")
    for mode in ("delete", "wal"):
        database = connect("m.db", f"PRAGMA journal_mode={mode}", f"CREATE TABLE t({definition})",
                           "CREATE TABLE log(x)", "CREATE INDEX i ON t(b)", "CREATE VIEW v AS SELECT a FROM t",
                           "CREATE TRIGGER r AFTER UPDATE ON t BEGIN INSERT INTO log VALUES(1); END",
                           "CREATE TRIGGER s BEFORE UPDATE ON t BEGIN SELECT nowhere(NEW.a); END",
                           "CREATE TABLE w(k TEXT COLLATE NOCASE, n REAL, v, PRIMARY KEY(n, k)) WITHOUT ROWID")
        cells = [(cell(), cell()) for _ in range(count)]
        database.execute("BEGIN")
        for (a, _), (b, _) in cells:
            database.execute("INSERT INTO t(a, b, kept) VALUES(?, ?, ?)", (a, b, numbers.choice(["x", None, "ü"])))
        keys = [(f"K{n % 7}", n / 3) for n in range(count)]
        numbers.shuffle(keys)
        rows = [(*key, cell()) for key in keys]
        for k, n, (v, _) in rows:
            database.execute("INSERT INTO w VALUES(?, ?, ?)", (k, n, v))
        database.execute("COMMIT")
        before = list(database.execute("SELECT * FROM t"))
        if mode == "delete":
            database.close()
        # The application has the database with a log open, and nothing of it is touched.
        out, done = copy_of("m.db#t.a", "m.db#t.b")
        assert b"each row compared" in done.stderr
        found, log = check(out, [(*row[:4], len_of(out, row[0])) + row[5:] for row in before], "t", [1, 2],
                           [(a[1], b[1]) for a, b in cells])
        assert (found, log) == (mode, []), (found, log)
        copy_of("m.db#t.a", status=73)
        copy = sqlite3.connect(out)
        assert copy.execute("SELECT count(*) FROM t").fetchone() == (count,)
        copy.close()
        os.remove(out)
        out, _ = copy_of("m.db#w.v")
        ordered = sorted(rows, key=lambda row: (row[1], row[0].lower()))
        check(out, [(k, n, v) for k, n, (v, _) in ordered], "w", [2], [(cell[1],) for _, _, cell in ordered])
        os.remove(out)
        copy_of("m.db#t.size", status=65)
        copy_of("m.db#v.a", status=66)
        copy_of("m.db#w.n", status=65)
        database.close() if mode == "wal" else None
        # An archive that is refused, and a value that a check does not allow, leave no copy.
        database = connect("m.db")
        database.execute("INSERT INTO t(id, a) VALUES(1000000, ?)", (keyed({"other": "x"}),))
        database.close()
        _, done = copy_of("m.db#t.a", status=1)
        assert b"m.db#t.a@1000000" in done.stderr
        os.remove("m.db")


def len_of(path, row):
    """What the copy has computed, which is the length of the new value."""
    database = sqlite3.connect(path)
    size, length = database.execute("SELECT size, length(a) FROM t WHERE id = ?", (row,)).fetchone()
    database.close()
    assert size == length
    return size


def note_schema(members):
    return {"x-archive": {"envelope": "dictionariable"}, "type": "object", "properties": members,
            "required": list(members), "additionalProperties": False}


def unkeyed(data):
    """The dictionary in an archive as `keyed` makes it."""
    tree = plistlib.loads(data)
    objects = tree["$objects"]
    root = objects[tree["$top"]["root"].data]
    return {objects[key.data]: objects[value.data] for key, value in zip(root["NS.keys"], root["NS.objects"])}


def interruption(bench):
    """A signal while the copy of a database with a log is made leaves nothing."""
    database = connect("w.db", "CREATE TABLE t(v)")
    database.execute("BEGIN")
    for _ in range(40):
        database.execute("INSERT INTO t VALUES(zeroblob(1000000))")
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("INSERT INTO t VALUES(?)", (keyed({"a": "b"}),))
    for number in range(30):
        for command in (["get", "w.db#t.v@41", "a"], ["scan", "w.db"]):
            run = subprocess.Popen([bench.program, *command], env=bench.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            time.sleep(number * 0.004)
            run.send_signal(signal.SIGTERM if number % 2 else signal.SIGINT)
            status = run.wait(SECONDS)
            assert status in (0, 74, 128 + 15, 128 + 2, -15, -2), status
            assert os.listdir(bench.temporary) == [], (command, number, status)
    database.close()


SCENARIOS = [column, log, journal, names, schema, damage, backup, tree, extraction, refusal, migration, interruption]


def main():
    program, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    chosen = sys.argv[4:]
    for scenario in SCENARIOS:
        if chosen and scenario.__name__ not in chosen:
            continue
        bench = Bench(program, count, random.Random(seed))
        try:
            scenario(bench)
        finally:
            bench.close()
        print(f"{scenario.__name__}: agrees")


main()
