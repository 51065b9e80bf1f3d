#!/usr/bin/env python3
"""Makes files with dates and URLs and compares the tables that archtool makes of them with Python's.

usage: timeline.py ARCHTOOL COUNT SEED

The files are property lists, with keyed archives in data values. `find --format csv` has to list each date and URL with
its path, type, class, value and offset; `--between` chooses the dates that datetime and zoneinfo choose, and
`--time-zone` shows them as these do; `query --column` has the cells of a table. Prints one line of counts; exit status 1
if anything differs.
"""
import csv
import datetime
import io
import json
import os
import plistlib
import random
import struct
import subprocess
import sys
import tempfile
import zoneinfo
from plistlib import UID

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(2001, 1, 1, tzinfo=UTC)
ZONES = ["UTC", "+02:00", "-09:30", "+05:45", "Europe/Zurich", "America/New_York", "Australia/Lord_Howe",
         "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "Etc/GMT+5"]
URLS = ["https://example.com/a?b=1", "http://localhost:8080", "file:///tmp/x%20y", "ftp://example.com/x", "HTTPS://EXAMPLE.COM"]
TEXTS = ["no url", "https://", "example.com", "mailto:a@example.com", "see https://example.com", "https://a b", "x,\"y\"\r\nz",
         "=1+1", "-7", "file:relative", "2020-01-01T00:00:00Z"]


def zone(name):
    if name[0] in "+-":
        hours, minutes = int(name[1:3]), int(name[4:])
        offset = datetime.timedelta(hours=hours, minutes=minutes)
        return datetime.timezone(offset if name[0] == "+" else -offset)
    return zoneinfo.ZoneInfo(name)


class Maker:
    def __init__(self, seed):
        self.numbers = random.Random(seed)
        # path -> (type, class, value)
        self.found = {}

    def seconds(self):
        numbers = self.numbers
        # Some at the changes of clocks.
        moment = numbers.choice([
            numbers.randrange(-2_000_000_000, 1_500_000_000), 196_131_600 + numbers.randrange(-7200, 7200),
            214_880_400 + numbers.randrange(-7200, 7200), 86_400 * numbers.randrange(3000, 8000)])
        return moment + numbers.choice([0, 0, 0.5, 0.25])

    def date(self, path, name):
        seconds = self.seconds()
        self.found[path] = ("date", name, EPOCH + datetime.timedelta(seconds=seconds))
        return seconds

    def list(self):
        return [self.member(f"$['rows'][{number}]") for number in range(self.numbers.randrange(1, 6))]

    def member(self, path):
        numbers, row = self.numbers, {"n": self.numbers.randrange(-5, 5), "s": self.numbers.choice(TEXTS)}
        if numbers.random() < 0.7:
            seconds = self.date(path + "['when']", "")
            # plistlib has whole and half seconds exactly.
            row["when"] = (EPOCH + datetime.timedelta(seconds=seconds)).replace(tzinfo=None)
        if numbers.random() < 0.4:
            row["link"] = numbers.choice(URLS)
            self.found[path + "['link']"] = ("string", "", row["link"])
        if numbers.random() < 0.4:
            row["blob"] = self.archive(path + "['blob']")
        if numbers.random() < 0.3:
            row["tags"] = [numbers.choice(TEXTS) for _ in range(numbers.randrange(1, 4))]
        return row

    def archive(self, path):
        """A keyed archive with a date, a URL and, at times, one more date as its root."""
        if self.numbers.random() < 0.3:
            objects = ["$null", {"NS.time": float(self.date(path, "NSDate")), "$class": UID(2)},
                       {"$classname": "NSDate", "$classes": ["NSDate", "NSObject"]}]
        else:
            address = self.numbers.choice(URLS + ["x-app:/y"])
            self.found[path + "['u']"] = ("string", "NSURL", address)
            objects = [
                "$null", {"NS.keys": [UID(4), UID(5)], "NS.objects": [UID(6), UID(7)], "$class": UID(2)},
                {"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]},
                {"$classname": "NSDate", "$classes": ["NSDate", "NSObject"]}, "t", "u",
                {"NS.time": float(self.date(path + "['t']", "NSDate")), "$class": UID(3)},
                {"NS.base": UID(0), "NS.relative": UID(8), "$class": UID(9)}, address,
                {"$classname": "NSURL", "$classes": ["NSURL", "NSObject"]}]
        top = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)}, "$objects": objects}
        return plistlib.dumps(top, fmt=plistlib.FMT_BINARY)


def day_start(day, where):
    moment = datetime.datetime(day.year, day.month, day.day, tzinfo=where).astimezone(UTC)
    return moment


class Judge:
    def __init__(self, archtool, folder):
        self.archtool, self.folder, self.failures, self.rows = archtool, folder, 0, 0

    def table(self, *arguments):
        result = subprocess.run([self.archtool, *arguments], capture_output=True, cwd=self.folder)
        if result.returncode > 1:
            raise SystemExit(f"{arguments}: {result.stderr.decode()}")
        text = result.stdout.decode()
        if not text.endswith("\r\n"):
            raise SystemExit(f"{arguments}: lines end with CRLF")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def expect(self, condition, *facts):
        if not condition:
            self.failures += 1
            print(*facts)

    def check_timeline(self, name, data, found, numbers):
        zone_name = numbers.choice(ZONES)
        where = zone(zone_name)
        rows = self.table("find", "--type", "date", "--type", "url", "--format", "csv", "--csv-plain",
                          "--time-zone", zone_name, name)
        self.rows += len(rows)
        self.expect({row["path"] for row in rows} == set(found), name, "paths", rows, found)
        for row in rows:
            kind, class_name, value = found.get(row["path"], (None, None, None))
            self.expect((row["file"], row["type"], row["class"]) == (name, kind, class_name), name, row)
            if kind != "date":
                self.expect(row["value"] == value, name, row, value)
                continue
            moment = datetime.datetime.fromisoformat(row["value"])
            expected = value.astimezone(where)
            self.expect(moment == expected and moment.utcoffset() == expected.utcoffset(), name, row, expected)
            if not class_name:
                stored = struct.pack(">d", (value - EPOCH).total_seconds())
                offset = int(row["offset"])
                self.expect(data[offset:offset + 9] == b"\x33" + stored, name, row, "offset")
        lines = subprocess.run(
            [self.archtool, "find", "--type", "date", "--type", "url", "--format", "ndjson", name],
            capture_output=True, cwd=self.folder).stdout.splitlines()
        members = [json.loads(line) for line in lines]
        self.expect([(m["path"], m["type"], m["class"] or "", str(m["offset"])) for m in members]
                    == [(r["path"], r["type"], r["class"], r["offset"]) for r in rows], name, members)
        self.check_spans(name, found, numbers, zone_name, where)

    def check_spans(self, name, found, numbers, zone_name, where):
        dates = {path: value for path, (kind, _, value) in found.items() if kind == "date"}
        if not dates:
            return
        for _ in range(3):
            chosen = [numbers.choice(list(dates.values())) + datetime.timedelta(hours=numbers.randrange(-30, 30))
                      for _ in range(2)]
            bounds, texts = [None, None], ["", ""]
            for side, moment in enumerate(sorted(chosen)):
                form = numbers.choice(["day", "moment", "local", "open"])
                if form == "open" and (side == 0 or texts[0]):
                    continue
                day = moment.astimezone(where).date()
                if form == "day":
                    texts[side] = day.isoformat()
                    bounds[side] = day_start(day + datetime.timedelta(days=side), where)
                elif form == "local":
                    local = moment.astimezone(where).replace(tzinfo=None, microsecond=0)
                    texts[side], bounds[side] = local.isoformat(), local.replace(tzinfo=where).astimezone(UTC)
                else:
                    texts[side], bounds[side] = moment.isoformat().replace("+00:00", "Z"), moment
                if side == 1 and form == "day":
                    bounds[1] -= datetime.timedelta(microseconds=1)
            start, end = bounds
            if start and end and end < start:
                continue
            span = "..".join(texts)
            rows = self.table("find", "--between", span, "--time-zone", zone_name, "--format", "csv", name)
            expected = {path for path, date in dates.items()
                        if (start is None or date >= start) and (end is None or date <= end)}
            self.expect({row["path"] for row in rows} == expected, name, span, zone_name, rows, expected)

    def check_columns(self, names, lists):
        rows = self.table("query", "$.rows[*]", "--csv-plain", "--column", "n=@.n", "--column", "s=$.s",
                          "--column", "tags=@.tags[*]", "--column", "eq=@[?@ == 'no url']", *names)
        expected = []
        for name, rows_of_file in zip(names, lists):
            for row in rows_of_file:
                tags = row.get("tags", [])
                expected.append({
                    "file": name, "n": str(row["n"]), "s": row["s"],
                    "tags": "" if not tags else tags[0] if len(tags) == 1 else tags,
                    "eq": row["s"] if row["s"] == "no url" else ""})
        found = [{**row, "tags": json.loads(row["tags"]) if row["tags"].startswith("[") else row["tags"]}
                 for row in rows]
        self.rows += len(found)
        self.expect(found == expected, "columns", found, expected)


def main():
    archtool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    judge = Judge(archtool, tempfile.mkdtemp())
    names, lists = [], []
    for number in range(seed, seed + count):
        maker = Maker(number)
        rows = maker.list()
        data = plistlib.dumps({"rows": rows}, fmt=plistlib.FMT_BINARY)
        name = f"{number}.plist"
        with open(os.path.join(judge.folder, name), "wb") as file:
            file.write(data)
        names.append(name)
        lists.append(rows)
        judge.check_timeline(name, data, maker.found, maker.numbers)
    judge.check_columns(names, lists)
    print(f"{len(names)} files, {judge.rows} rows, {judge.failures} differ")
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
