#!/usr/bin/env python3
"""Makes Databases/Library.db: columns with archives beside other values, for `scan` and for inputs by column."""
import os
import plistlib
import sqlite3
import sys


def main() -> None:
    root = sys.argv[1]

    def archive(path: str) -> bytes:
        with open(os.path.join(root, path), "rb") as file:
            return file.read()

    folder = os.path.join(root, "Databases")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "Library.db")
    if os.path.exists(path):
        os.remove(path)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE feeds(id INTEGER PRIMARY KEY, city TEXT, archive BLOB)")
    database.executemany("INSERT INTO feeds VALUES(?, ?, ?)", [
        (1, "Tokyo", archive("WeatherFeed/v1-1-city")),
        (2, "Tokyo", archive("WeatherFeed/v2-1-city")),
        (3, "Seoul", None),
        (7, "Tokyo", archive("WeatherFeed/v2-1-city")),
    ])
    database.execute("CREATE TABLE settings(key TEXT PRIMARY KEY, value) WITHOUT ROWID")
    settings = plistlib.dumps({"units": "metric"}, fmt=plistlib.FMT_XML).decode()
    database.executemany("INSERT INTO settings VALUES(?, ?)", [
        ("launches", 12), ("name", "home"), ("preferences", settings),
    ])
    database.commit()
    database.close()


main()
