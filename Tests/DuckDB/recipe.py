#!/usr/bin/env python3
"""Runs the DuckDB recipe of archtool-tutorial(7) as it is printed, and compares what it finds with what plistlib reads.

usage: recipe.py ARCHTOOL

It takes the examples of the section ARCHIVES IN TABLES: lines that begin with a dollar sign are given to a shell, and
others to DuckDB, whose table `feeds` has archives of TestArchives.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "Examples" / "spark"))
import sample_archives  # noqa: E402

FEEDS = ["v1-1-city", "v1-50-cities"]


def displays(page, section):
    """The examples in a section of a manual page, without the marks of roff."""
    text = page[page.index(f".Sh {section}\n") + 4:]
    text = text[: text.index("\n.Sh ")]
    for display in re.findall(r"^\.Bd .*?\n(.*?)^\.Ed$", text, re.MULTILINE | re.DOTALL):
        for mark, character in [(r"\-", "-"), (r"\(aq", "'"), (r"\(dq", '"'), (r"\e", "\\")]:
            display = display.replace(mark, character)
        yield display


def main():
    archtool = os.path.abspath(sys.argv[1])
    page = (PROJECT / "man" / "archtool-tutorial.7").read_text()
    archives = [(PROJECT / "TestArchives" / "WeatherFeed" / name).read_bytes() for name in FEEDS]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(archtool, "archtool")
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        database = duckdb.connect()
        database.execute("CREATE TABLE feeds (id INTEGER, archive BLOB)")
        for number, archive in enumerate(archives):
            database.execute("INSERT INTO feeds VALUES (?, ?)", [number, archive])
        count = 0
        for display in displays(page, "ARCHIVES IN TABLES"):
            if display.startswith("$ "):
                subprocess.run(display[2:], shell=True, check=True, env=environment)
            else:
                rows = database.execute(display).fetchall()
            count += 1
        assert count >= 3, count
    found = sorted(rows)
    expected = sorted(
        (number, city["EnglishName"])
        for number, archive in enumerate(archives)
        for city in sample_archives.model_v1(archive)["topCityWeathers"])
    assert found == expected, (found, expected)
    print(f"DuckDB {duckdb.__version__}: {len(found)} values compared")


main()
