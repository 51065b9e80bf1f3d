#!/usr/bin/env python3
"""Makes the samples of the family Itinerary: one journey in each version and envelope, by plistlib.

usage: make_itineraries.py FOLDER
"""

import base64
import datetime
import json
import pathlib
import plistlib
import sys

from make_recipes import codable, dictionariable

START = datetime.datetime(2024, 6, 3, 9, 30)
COVER = bytes.fromhex("ffd8ffe000104a464946")
CITIES = [("Lisbon", 0, 38.72, -9.14), ("Porto", 313, 41.15, -8.61)]
TEXTS = {"title": "Two cities", "notes": "Take the slow train."}


def first():
    """The journey as version 1 has it."""
    return {
        "Title": TEXTS["title"], "Start": "Jun 3, 2024 at 9:30:00 AM", "Nights": 5, "Status": 1,
        "Booking": 48213, "Traveller": "Ines", "Notes": TEXTS["notes"], "Cover": COVER,
        "Stops": [
            {"City": city, "Km": km, "place": {"lat": lat, "lon": lon}}
            for city, km, lat, lon in CITIES
        ],
    }


def second():
    """The journey as version 2 has it."""
    return {
        "title": TEXTS["title"], "start": START, "nights": 5, "status": "booked",
        "booking": 48213, "traveller": "Ines", "notes": TEXTS["notes"], "cover": COVER,
        "stops": [
            {"city": city, "km": float(km), "place": {"lat": lat, "lon": lon}}
            for city, km, lat, lon in CITIES
        ],
    }


def third():
    """The journey as version 3 has it."""
    return {
        "title": TEXTS["title"], "dates": {"start": START, "nights": 5}, "status": "booked",
        "booking": 48213, "travellers": ["Ines", "Rui"], "currency": "EUR",
        "notes": TEXTS["notes"], "cover": COVER,
        "stops": [
            {"city": city, "km": float(km), "lat": lat, "lon": lon}
            for city, km, lat, lon in CITIES
        ],
    }


def fourth():
    """The journey as version 4 has it."""
    journey = third() | {
        "dates": {"start": "2024-06-03T09:30:00Z", "nights": 5}, "booking": "48213",
        "cover": base64.b64encode(COVER).decode(),
    }
    del journey["notes"]
    return journey


def fifth():
    """The journey as version 5 has it."""
    journey = fourth() | {
        "dates": {"start": START, "nights": 5}, "status": "open", "leader": "Ines", "cover": COVER,
    }
    del journey["travellers"]
    return journey


def plain(value):
    """A property list without an archive around it."""
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)


def text(value):
    """A JSON document."""
    return (json.dumps(value, indent=2) + "\n").encode()


def main(folder):
    samples = pathlib.Path(folder) / "Families/Itinerary/samples"
    versions = [
        ("v1", dictionariable, first(), {"Status": 3}), ("v2", codable, second(), {"status": "lost"}),
        ("v3", plain, third(), {"travellers": []}), ("v4", text, fourth(), {"booking": 48213}),
        ("v5", codable, fifth(), {"leader": ""}),
    ]
    for name, write, journey, wrong in versions:
        (samples / name / "invalid").mkdir(parents=True, exist_ok=True)
        (samples / name / "two-cities").write_bytes(write(journey))
        kind = next(iter(wrong)).lower()
        (samples / name / "invalid" / f"wrong-{kind}").write_bytes(write(journey | wrong))


if __name__ == "__main__":
    main(sys.argv[1])
