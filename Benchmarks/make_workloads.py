#!/usr/bin/env python3
"""Makes the benchmark workloads: WeatherFeed archives of several sizes and a fleet of small ones.

Every byte follows from this file alone (no clock, no random source), so two machines measure the
same work. What is there already, made by the same version of the generator, is left as it is.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import gc
import os
import plistlib
import shutil
import sys
import time
from pathlib import Path
from typing import Callable

from keyed_archive_writer import KeyedArchiver
from typedstream_writer import TypedStreamWriter

# Raise this whenever the bytes of a workload change: older workloads are then made again.
GENERATOR_VERSION = 1

DEFAULT_FOLDER = Path(__file__).resolve().parent / ".work"

CITY_COUNTS = (50, 5_000, 100_000)
# For the growth alone.
MANY_CITIES = 500_000
MIXED_COUNT = 320_000
# About 0.5 and 50 MB.
TYPEDSTREAM_COUNTS = (2_500, 250_000)
FLEET_FILES = 10_000
FLEET_CITIES = 50
FLEET_FILES_A_FOLDER = 100
GREAT_FLEET_FILES = 20_000
GREAT_FLEET_FILES_A_PART = 1_000

EPOCH = datetime.datetime(2001, 1, 1)
FETCHED_AT = "Apr 6, 2019 at 12:50:00 PM"

# -- Cities ------------------------------------------------------------------------------------

# Prefix, head, middle and tail combine in 8 * 32 * 32 * 32 = 2**18 ways, each a city's at most
# once. Some spell the same name (three prefixes are empty), as real cities share theirs.
PREFIXES = ("", "", "", "New ", "San ", "Port ", "East ", "Bad ")
HEADS = (
    "Al Bar Cor Dun El Fer Gal Har Ist Jor Kar Lim Mar Nor Os Pal Qui Ros Sal Tam Ul Val Wes Xan "
    "Yor Zar Bel Cal Del Mon Tor Vil"
).split()
MIDDLES = (
    "a e i o u an en in on un ar er ir or ur as es is os us al el il ol ul am em im om um ad ed"
).split()
TAILS = (
    "bach berg borg bury by chester dale den field ford gate ham haven holm hurst ia land ley "
    "lin mere mouth na polis port ra sted stad ta ton ville wick worth"
).split()
COMBINATIONS = 1 << 18
ACCENTS = str.maketrans("aeiouAEIOU", "áèîöüÁÈÎÖÜ")

COUNTRIES = (
    ("AR", "Argentina", "Argentina"), ("AT", "Österreich", "Austria"),
    ("BE", "België", "Belgium"), ("BR", "Brasil", "Brazil"), ("CH", "Schweiz", "Switzerland"),
    ("CN", "中国", "China"), ("DE", "Deutschland", "Germany"), ("DK", "Danmark", "Denmark"),
    ("EG", "مصر", "Egypt"), ("ES", "España", "Spain"), ("FI", "Suomi", "Finland"),
    ("FR", "France", "France"), ("GB", "United Kingdom", "United Kingdom"),
    ("GR", "Ελλάδα", "Greece"), ("HU", "Magyarország", "Hungary"), ("IN", "भारत", "India"),
    ("IT", "Italia", "Italy"), ("JP", "日本", "Japan"), ("KR", "대한민국", "South Korea"),
    ("MX", "México", "Mexico"), ("NO", "Norge", "Norway"), ("PL", "Polska", "Poland"),
    ("RU", "Россия", "Russia"), ("US", "United States", "United States"),
)  # fmt: skip
WEATHER_TEXTS = (
    "Sunny", "Mostly sunny", "Partly sunny", "Intermittent clouds", "Hazy sunshine",
    "Mostly cloudy", "Cloudy", "Dreary (overcast)", "Fog", "Showers",
    "Mostly cloudy with showers", "Thunderstorms", "Rain", "Flurries", "Snow", "Ice", "Sleet",
    "Freezing rain", "Rain and snow", "Hot", "Cold", "Windy", "Clear", "Mostly clear",
)  # fmt: skip


def mixed(number: int) -> int:
    """Sixty-four bits that look unlike their neighbours' (the SplitMix64 finaliser)."""
    number = (number * 0x9E3779B97F4A7C15 + 0x1234567) & 0xFFFFFFFFFFFFFFFF
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return number ^ (number >> 31)


def english_name(index: int) -> str:
    # An odd factor permutes the numbers below a power of two: scattered, no combination twice.
    place = (index * 0x2545F) % COMBINATIONS
    prefix, place = PREFIXES[place & 7], place >> 3
    head, place = HEADS[place & 31], place >> 5
    middle, tail = MIDDLES[place & 31], TAILS[place >> 5]
    return prefix + head + middle + tail


def city(index: int) -> dict:
    """The city of this number: the same one in every workload that reaches so far."""
    bits = mixed(index)
    name = english_name(index)
    country, local_country, english_country = COUNTRIES[bits % len(COUNTRIES)]
    celsius = (bits >> 8) % 901 / 10 - 40
    return {
        "Key": str(100_000 + 13 * index),
        "LocalizedName": name.translate(ACCENTS) if (bits >> 20) % 4 == 0 else name,
        "EnglishName": name,
        "WeatherText": WEATHER_TEXTS[(bits >> 24) % len(WEATHER_TEXTS)],
        "WeatherIcon": 1 + (bits >> 32) % 44,
        "IsDayTime": (bits >> 40) % 2 == 0,
        "Country": {
            "ID": country,
            "LocalizedName": local_country,
            "EnglishName": english_country,
        },
        "Temperature": {
            "Metric": {"Value": round(celsius, 1), "Unit": "C", "UnitType": 17},
            "Imperial": {"Value": float(round(celsius * 9 / 5 + 32)), "Unit": "F", "UnitType": 18},
        },
    }


def weather_feed(first: int, count: int) -> dict:
    cities = [city(index) for index in range(first, first + count)]
    return {"fetchedAt": FETCHED_AT, "topCityWeathers": cities}



# -- Archives ----------------------------------------------------------------------------------


def envelope(objects: list, root: int) -> dict:
    return {
        "$version": 100_000,
        "$archiver": "NSKeyedArchiver",
        "$top": {"root": plistlib.UID(root)},
        "$objects": objects,
    }


def binary(value) -> bytes:
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)


def dictionariable_archive(feed: dict) -> bytes:
    """v1: a keyed archive of the dictionaries themselves."""
    return KeyedArchiver().archive(feed)


def long_dictionariable_archive(count: int) -> bytes:
    """The same of a feed whose cities are made one after another."""
    cities = map(city, range(count))
    return dictionariable_archive({"fetchedAt": FETCHED_AT, "topCityWeathers": cities})


def codable_archive(feed: dict) -> bytes:
    """v2: a keyed archive whose root is the data that PropertyListEncoder would write."""
    return binary(envelope(["$null", binary(feed)], 1))


# By version, of so many cities.
ARCHIVES = {
    "v1": long_dictionariable_archive,
    "v2": lambda count: codable_archive(weather_feed(0, count)),
}

# -- Mixed property lists ------------------------------------------------------------------------


def mixed_record(index: int) -> dict:
    """A record with every type of a property list, few of its values the same as another's."""
    bits = mixed(index)
    name = english_name(index)
    return {
        "identifier": index,
        "checksum": bits >> 1,
        "name": name,
        "native": name.translate(ACCENTS),
        "note": f"{name} was seen {bits % 977} times, last by station {bits % 89_989}",
        "score": (bits >> 11) / (1 << 53),
        "position": [bits % 180_000 / 1000 - 90, bits % 359_993 / 1000 - 180],
        "isOpen": bits & 1 == 1,
        "changed": EPOCH + datetime.timedelta(seconds=bits % 600_000_000),
        "digest": mixed(bits).to_bytes(8, "big") * 2 + bits.to_bytes(8, "big"),
        "tags": [WEATHER_TEXTS[bits % 24], f"tag {bits % 4_099}"],
    }


def mixed_list(count: int) -> bytes:
    return binary({"records": [mixed_record(index) for index in range(count)]})


def mixed_xml(count: int) -> bytes:
    records = [mixed_record(index) for index in range(count)]
    return plistlib.dumps({"records": records}, fmt=plistlib.FMT_XML, sort_keys=False)


def typedstream(count: int) -> bytes:
    """Records like the mixed ones, of the classes that pytypedstream knows as well."""
    records = []
    for index in range(count):
        record = mixed_record(index)
        del record["changed"], record["digest"]
        record["checksum"] >>= 32
        records.append(record)
    return TypedStreamWriter().archive({"records": records})


# -- Files -------------------------------------------------------------------------------------


def feed_path(folder: Path, version: str, count: int) -> Path:
    return folder / f"WeatherFeed-{version}-{count}"


def mixed_path(folder: Path, count: int) -> Path:
    return folder / f"mixed-{count}.plist"


def typedstream_path(folder: Path, count: int) -> Path:
    return folder / f"typedstream-{count}"


def fleet_path(folder: Path) -> Path:
    return folder / "fleet"


def fleet_cut(folder: Path) -> Path:
    """The fleet's first folder, for programs that take too long over all of it."""
    return fleet_folder(fleet_path(folder), 0)


def fleet_folder(fleet: Path, number: int) -> Path:
    return fleet / f"{number:02}"


def fleet_file(fleet: Path, number: int) -> Path:
    folder = fleet_folder(fleet, number // FLEET_FILES_A_FOLDER)
    return folder / f"WeatherFeed-{number:04}"


def great_fleet_path(folder: Path) -> Path:
    return folder / "great-fleet"


def great_fleet_parts(folder: Path, files: int) -> list[Path]:
    """The great fleet's first folders, which hold so many files."""
    fleet, count = great_fleet_path(folder), files // GREAT_FLEET_FILES_A_PART
    return [fleet / f"{part:02}" for part in range(count)]


def great_fleet_file(fleet: Path, number: int) -> Path:
    part, place = divmod(number, GREAT_FLEET_FILES_A_PART)
    folder = fleet / f"{part:02}" / f"{place // FLEET_FILES_A_FOLDER:02}"
    return folder / f"WeatherFeed-{number:05}"


def flat_fleet_path(folder: Path) -> Path:
    return folder / "flat-fleet"


def flat_fleet_file(fleet: Path, number: int) -> Path:
    return fleet / f"WeatherFeed-{number:05}"


def stamp_path(path: Path) -> Path:
    return path.with_name(path.name + ".stamp")


def stamp_text(size: int) -> str:
    return f"generator {GENERATOR_VERSION}, {size} bytes\n"


def size_of(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size


def is_current(path: Path) -> bool:
    """Whether a workload is whole and of this generator's version: its stamp says its size."""
    try:
        return stamp_path(path).read_text() == stamp_text(size_of(path))
    except OSError:
        return False


def make_file(path: Path, content: Callable[[], bytes]) -> None:
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content())
    partial.replace(path)


def make_fleet(path: Path, files: int, file_path: Callable[[Path, int], Path]) -> None:
    """Files of different cities; the great fleet begins with the archives of the fleet."""
    partial = path.with_name(path.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    for number in range(files):
        file = file_path(partial, number)
        file.parent.mkdir(parents=True, exist_ok=True)
        feed = weather_feed(number * FLEET_CITIES, FLEET_CITIES)
        file.write_bytes(dictionariable_archive(feed))
    shutil.rmtree(path, ignore_errors=True)
    partial.rename(path)


def workloads(folder: Path) -> dict:
    """Path and maker of each workload, by its name on the command line."""
    made = {}

    def add(name: str, path: Path, content: Callable[[], bytes]) -> None:
        made[name] = (path, functools.partial(make_file, path, content))

    feeds = [(version, count) for count in CITY_COUNTS for version in ARCHIVES]
    feeds.append(("v1", MANY_CITIES))
    for version, count in feeds:
        path = feed_path(folder, version, count)
        add(f"{version}-{count}", path, functools.partial(ARCHIVES[version], count))
    path = mixed_path(folder, MIXED_COUNT)
    add(f"mixed-{MIXED_COUNT}", path, functools.partial(mixed_list, MIXED_COUNT))
    for count in TYPEDSTREAM_COUNTS:
        path = typedstream_path(folder, count)
        add(f"typedstream-{count}", path, functools.partial(typedstream, count))
    fleet = fleet_path(folder)
    made["fleet"] = (fleet, lambda: make_fleet(fleet, FLEET_FILES, fleet_file))
    great = great_fleet_path(folder)
    made["great-fleet"] = (
        great,
        lambda: make_fleet(great, GREAT_FLEET_FILES, great_fleet_file),
    )
    flat = flat_fleet_path(folder)
    made["flat-fleet"] = (
        flat,
        lambda: make_fleet(flat, GREAT_FLEET_FILES, flat_fleet_file),
    )
    return made


def ensure(path: Path, make) -> None:
    """Makes one workload unless it is there, and says what became of it."""
    if is_current(path):
        print(f"{path.name}: {size_of(path):,} bytes, kept")
        return
    print(f"{path.name}: making", flush=True)
    begin = time.monotonic()
    stamp_path(path).unlink(missing_ok=True)
    make()
    stamp_path(path).write_text(stamp_text(size_of(path)))
    print(f"{path.name}: {size_of(path):,} bytes, made in {time.monotonic() - begin:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="where they are kept")
    parser.add_argument("names", nargs="*", help="the workloads to make (all, if none is named)")
    options = parser.parse_args()
    known = workloads(options.folder)
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"unknown workload {unknown[0]!r}; known: {', '.join(known)}")
    os.makedirs(options.folder, exist_ok=True)
    # Millions of live references and no cycle among them: the collector would only walk them.
    gc.disable()
    for name in options.names or known:
        ensure(*known[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
