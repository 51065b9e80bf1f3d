#!/usr/bin/env python3
"""Compares the answers to records with what the same commands say of the archives as files.

usage: records.py ARCHTOOL FOLDER [SCENARIO]

FOLDER has archives and property lists. Records are written with Python's json, base64 and binascii in each way that
--records reads, answers are read with json, and values of plain property lists are compared with plistlib's as well.
Prints one line of counts; exit status 1 if anything differs.
"""
import base64
import datetime
import json
import math
import os
import plistlib
import subprocess
import sys
import tempfile

MOST_BYTES = 200_000
FEW = 24


class Bench:
    def __init__(self, archtool, root):
        self.archtool, self.folder = os.path.abspath(archtool), tempfile.mkdtemp()
        os.environ.update(HOME=self.folder, XDG_CONFIG_HOME=self.folder, ARCHTOOL_SCHEMAS="")
        self.files = []
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name not in ("Makers", "Transcripts"))
            for name in sorted(names):
                path = os.path.join(folder, name)
                if os.path.isfile(path) and 0 < os.path.getsize(path) <= MOST_BYTES:
                    self.files.append(path)
        self.count = 0

    def run(self, *words, data=b""):
        done = subprocess.run([self.archtool, *words], input=data, capture_output=True)
        assert done.returncode in (0, 1, 65), (words, done.returncode, done.stderr[-500:])
        return done

    def ask(self, words, files, write):
        """The answers to the files as records, one for each; other members must come back as they are."""
        path = os.path.join(self.folder, "records")
        with open(path, "wb") as lines:
            for number, file in enumerate(files):
                with open(file, "rb") as archive:
                    lines.write(write(number, archive.read()) + b"\n")
        done = self.run(*words, path)
        assert done.stderr == b"", (words, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(files), (words, len(answers), len(files))
        assert done.returncode == (not all(is_good(answer) for answer in answers)), words
        self.count += len(answers)
        return answers

    def lines(self, *words):
        """The lines of NDJSON for several files, by file."""
        found = {}
        for line in self.run(*words).stdout.splitlines():
            result = json.loads(line)
            found.setdefault(result.pop("file"), []).append(result)
        return found


def is_good(answer):
    return answer["outcome"] not in ("failed", "refused", "invalid") and answer.get("found") is not False


def some(files):
    """Some of the files, of all kinds."""
    return files[:: max(1, len(files) // FEW)]


def usual(number, data):
    return json.dumps({"id": number, "n": [number], "data": base64.b64encode(data).decode()}).encode()


# A record in each way, with the options that read it, and the members of the record that are answered.
WAYS = {
    "usual": (["--records"], usual),
    "named": (
        ["--records=base64", "--data-key", "a \u00e9\""],
        lambda number, data: json.dumps({"n": number, "a \u00e9\"": base64.b64encode(data).decode()}).encode()),
    "slashes": (
        ["--records"],
        lambda number, data: usual(number, data).replace(b"/", b"\\/")),
    "hexadecimal": (
        ["--records=hex", "--data-key=value"],
        lambda number, data: json.dumps({"value": data.hex()}).encode()),
    "prefixed": (
        ["--records=hex"], lambda number, data: json.dumps({"data": "\\x" + data.hex().upper()}).encode()),
    "bare": (["--records=base64"], lambda number, data: base64.b64encode(data) + b" \r"),
    "bare-hexadecimal": (["--records=hex"], lambda number, data: b"0x" + data.hex().encode()),
}


def dump(bench):
    """The value of each file in the options that shape JSON; the error of one that is not read."""
    for options in [[], ["--depth", "2"], ["--raw"], ["--no-nested"], ["--recover"], ["--unreachable"]]:
        lines = bench.lines("dump", "--format", "ndjson", *options, *bench.files)
        expected = {file: found for file, found in lines.items() if "value" in found[0]}
        answers = bench.ask(["dump", "--records", *options], bench.files, usual)
        for file, answer in zip(bench.files, answers):
            assert expected.get(file, [{}])[0].get("value") == answer.get("value"), (file, options)
            assert (file in expected) == ("value" in answer), (file, options)
            assert ("error" in answer) == (answer["outcome"] == "failed"), file
    # These are not for NDJSON of files.
    few = some(bench.files)
    for option in ["--typed", "--references"]:
        for file, answer in zip(few, bench.ask(["dump", "--records", option], few, usual)):
            done = bench.run("dump", option, file)
            found = json.loads(done.stdout) if done.stdout else None
            assert found == answer.get("value") and (done.returncode == 0) == is_good(answer), (file, option)


def ways(bench):
    """The same values in each way of writing a record, from a file, from standard input, and on one thread."""
    expected = bench.ask(["dump", "--records"], bench.files, usual)
    for name, (options, write) in WAYS.items():
        for more in [[], ["-j", "1"]]:
            answers = bench.ask(["dump", *options, *more], bench.files, write)
            for file, one, other in zip(bench.files, expected, answers):
                assert one.get("value") == other.get("value") and one["outcome"] == other["outcome"], (file, name)
                assert "data" not in other and "value" in other or one["outcome"] == "failed", (file, name)
    path = os.path.join(bench.folder, "records")
    with open(path, "rb") as lines:
        data = lines.read()
    options = WAYS["bare-hexadecimal"][0]
    direct = bench.run("dump", *options, path).stdout
    assert direct == bench.run("dump", *options, data=data).stdout
    assert direct == bench.run("dump", *options, "-", data=data).stdout
    # Two files are as one that has the lines of both; lines are counted in each.
    twice = [json.loads(line) for line in bench.run("dump", *options, path, path).stdout.splitlines()]
    count = len(bench.files)
    assert len(twice) == 2 * count
    # A line that is an archive alone has no other name than its number.
    for number, answer in enumerate(twice):
        assert answer["line"] == number % count + 1, number


def plists(bench):
    """Plain property lists are what plistlib reads."""
    answers = bench.ask(["dump", "--records"], bench.files, usual)
    compared = 0
    for file, answer in zip(bench.files, answers):
        # Regressions have keys that plistlib takes for one.
        if "value" not in answer or "Regressions" in file:
            continue
        try:
            with open(file, "rb") as archive:
                value = plistlib.load(archive)
        except Exception:
            continue
        if isinstance(value, dict) and "$archiver" in value or not is_plain(value):
            continue
        assert same(value, answer["value"]), file
        compared += 1
    assert compared > 0
    bench.count += compared


def is_plain(value):
    """Whether JSON shows the value as it is: data may be shown as what is in it."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(is_plain(item) for item in value)
    return not isinstance(value, (bytes, plistlib.UID))


def same(value, shown):
    if isinstance(value, dict):
        return isinstance(shown, dict) and value.keys() == shown.keys() and all(same(value[key], shown[key]) for key in value)
    if isinstance(value, list):
        return isinstance(shown, list) and len(value) == len(shown) and all(map(same, value, shown))
    if isinstance(value, datetime.datetime):
        return isinstance(shown, str) and shown.startswith(value.strftime("%Y").rjust(4, "0"))
    if isinstance(value, float) and not isinstance(shown, (int, float)):
        return not math.isfinite(value)
    return value == shown


def searches(bench):
    """What query and find find, and how much."""
    for words, member in [
        (["query", "$..*"], "results"), (["query", "--all-paths", "$..name"], "results"),
        (["find", "--text", "a"], "matches"), (["find", "--key", "*e*", "--type", "string"], "matches"),
        (["find", "--class", "NS*"], "matches"),
    ]:
        lines = bench.lines(words[0], "--format", "ndjson", *words[1:], *bench.files)
        # Lines of find have more members, and a file that cannot be read has a line of its own.
        expected = {file: [{"path": hit["path"], "value": hit["value"]} for hit in found if "value" in hit]
                    for file, found in lines.items()}
        answers = bench.ask([words[0], "--records", *words[1:]], bench.files, usual)
        counts = bench.ask([words[0], "--records", "--count", *words[1:]], bench.files, usual)
        for file, answer, count in zip(bench.files, answers, counts):
            assert expected.get(file, []) == answer.get(member, []), (words, file)
            assert count.get("count") == (len(answer[member]) if member in answer else None), (words, file)
    found = bench.ask(["query", "--records", "--exists", "$..title"], bench.files, usual)
    assert {answer.get("found") for answer in found} == {True, False, None}
    nothing = subprocess.run([bench.archtool, "find", "--records", "--text", "no such text"], input=usual(1, b"{}"), capture_output=True)
    assert nothing.returncode == 1 and json.loads(nothing.stdout)["matches"] == []


def facts(bench):
    """What info, classes and get say of a file."""
    reports = json.loads(bench.run("info", "--format", "json", *bench.files).stdout)
    reports = {report.pop("file"): report for report in reports}
    answers = bench.ask(["info", "--records"], bench.files, usual)
    for file, answer in zip(bench.files, answers):
        assert reports.get(file) == answer.get("info"), file
    few = some(bench.files)
    for file, answer in zip(few, bench.ask(["classes", "--records"], few, usual)):
        done = bench.run("classes", "--format", "json", file)
        assert done.returncode != 0 or json.loads(done.stdout) == answer["classes"], file
    for path in ["$", "name"]:
        for file, answer in zip(few, asked(bench, [path], few)):
            done = bench.run("get", "--format", "json", file, path)
            assert (json.loads(done.stdout) if done.stdout else None) == answer.get("value"), (path, file)
            assert (done.returncode == 0) == (answer.get("found") is True), (path, file)
        for file, answer in zip(few, asked(bench, ["--type", path], few)):
            assert bench.run("get", "--type", file, path).stdout.decode().strip() == answer.get("type", ""), (path, file)


def asked(bench, words, files):
    """The answers of get, whose PATH is the last operand."""
    data = b"".join(usual(number, open(file, "rb").read()) + b"\n" for number, file in enumerate(files))
    answers = [json.loads(line) for line in bench.run("get", "--records", *words, data=data).stdout.splitlines()]
    bench.count += len(answers)
    assert [answer["id"] for answer in answers] == list(range(len(files)))
    return answers


def conversions(bench):
    """The new files of convert and rename-class, in the digits of the record."""
    few = some(bench.files)
    for command in [["convert", "--to", "xml1"], ["convert", "--to", "json"], ["convert", "--to", "binary1"],
                    ["rename-class", "-c", "NS*=XS*"]]:
        for way, member, decode in [("usual", "data", base64.b64decode), ("named", "a \u00e9\"", base64.b64decode),
                                    ("hexadecimal", "value", bytes.fromhex), ("bare", "data", base64.b64decode)]:
            options, write = WAYS[way]
            answers = bench.ask([*command, *options], few, write)
            for file, answer in zip(few, answers):
                done = bench.run(*command, file)
                new = decode(answer[member]) if answer["outcome"] in ("changed", "unchanged") else None
                assert new == (done.stdout if done.returncode == 0 else None), (command, way, file, answer.get("error"))


SCENARIOS = [dump, ways, plists, searches, facts, conversions]


def main():
    archtool, root, *names = sys.argv[1:]
    bench = Bench(archtool, root)
    for scenario in SCENARIOS:
        if not names or scenario.__name__ in names:
            scenario(bench)
    print(f"{len(bench.files)} files, {bench.count} answers compared")


main()
