#!/usr/bin/env python3
"""Times `archtool scan` on a database of 10,000 archives and on a tree of 5,000 mixed files.

usage: scan.py ARCHTOOL [ROUNDS]

Beside it run `find -type f | wc -l`, which only lists the files, and Python with sqlite3 and plistlib, which decodes
every archive and does not look for its class or schema. Commands take turns; the fastest time of each is shown.
"""
import gzip
import os
import plistlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from plistlib import UID

ROWS = 10_000
FILES = 5_000

PEER = r'''
import gzip, os, plistlib, sqlite3, sys
def look(data):
    if data[:2] == b"\x1f\x8b":
        try: data = gzip.decompress(data)
        except Exception: return 0
    if not (data[:6] == b"bplist" or data[:5] == b"<?xml"): return 0
    try: plistlib.loads(data)
    except Exception: return 0
    return 1
count = 0
for place, folders, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(place, name)
        with open(path, "rb") as file: data = file.read()
        if data[:16] == b"SQLite format 3\0":
            database = sqlite3.connect("file:" + path + "?mode=ro&immutable=1", uri=True)
            for value, in database.execute("SELECT archive FROM feeds"):
                if isinstance(value, bytes): count += look(value)
        else: count += look(data)
print(count)
'''


def feed(numbers):
    """A keyed archive of a few cities."""
    objects = ["$null"]

    def add(value):
        objects.append(value)
        return UID(len(objects) - 1)

    record = add({"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]})
    lists = add({"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]})

    def dictionary(members):
        return add({"NS.keys": [add(key) for key in members], "NS.objects": list(members.values()), "$class": record})

    cities = [dictionary({"Key": add(str(numbers.randrange(10**6))), "EnglishName": add(f"City {numbers.randrange(10**6)}"),
                          "WeatherIcon": add(numbers.randrange(40)), "Temperature": add(numbers.random() * 40)})
              for _ in range(8)]
    root = dictionary({"topCityWeathers": add({"NS.objects": cities, "$class": lists}), "fetchedAt": add("now")})
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root},
                           "$objects": objects}, fmt=plistlib.FMT_BINARY)


def make(base):
    numbers = random.Random(1)
    os.makedirs(f"{base}/database")
    os.makedirs(f"{base}/tree")
    database = sqlite3.connect(f"{base}/database/feeds.db")
    database.execute("CREATE TABLE feeds(id INTEGER PRIMARY KEY, city TEXT, archive BLOB)")
    database.executemany("INSERT INTO feeds VALUES(?, ?, ?)",
                         ((number, f"city {number}", feed(numbers)) for number in range(ROWS)))
    database.commit()
    database.close()
    for number in range(FILES):
        folder = f"{base}/tree/{number % 50}"
        os.makedirs(folder, exist_ok=True)
        content = [lambda: feed(numbers), lambda: plistlib.dumps({"n": number}, fmt=plistlib.FMT_XML),
                   lambda: gzip.compress(feed(numbers)), lambda: b"text\n" * 200, lambda: b'{"a": 1}',
                   lambda: numbers.randbytes(20_000), lambda: b""][number % 7]()
        with open(f"{folder}/{number}", "wb") as file:
            file.write(content)


def main():
    archtool = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    base = tempfile.mkdtemp(prefix="archtool-scan-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        make(base)
        for place in ("database", "tree"):
            folder = f"{base}/{place}"
            commands = {
                "archtool scan": [archtool, "scan", "-q", folder],
                "archtool scan -j 1": [archtool, "scan", "-q", "-j", "1", folder],
                "find -type f | wc -l": ["sh", "-c", f"find {folder} -type f | wc -l"],
                "Python, sqlite3 and plistlib": [sys.executable, "-c", PEER, folder],
            }
            best = dict.fromkeys(commands, float("inf"))
            for _ in range(rounds):
                for name, command in commands.items():
                    start = time.perf_counter()
                    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                    best[name] = min(best[name], time.perf_counter() - start)
            print(f"{place}: " + (f"{ROWS:,} rows" if place == "database" else f"{FILES:,} files"))
            for name, seconds in best.items():
                print(f"  {name:32} {seconds * 1000:8.1f} ms")
    finally:
        shutil.rmtree(base)


main()
