"""Archives for the tests, with what plistlib alone says that they hold."""

from __future__ import annotations

import plistlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
ARCHIVES = PROJECT / "TestArchives"

sys.path.insert(0, str(PROJECT / "Benchmarks"))
import make_workloads  # noqa: E402


def feed_v1(number: int) -> bytes:
    """A feed of one to three cities, no city the same in any two feeds."""
    feed = make_workloads.weather_feed(3 * number, 1 + number % 3)
    return make_workloads.dictionariable_archive(feed)


def feed_v2(number: int) -> bytes:
    return make_workloads.codable_archive(make_workloads.weather_feed(3 * number, 1))


def stored(name: str) -> Callable[[int], bytes]:
    return lambda _: (ARCHIVES / name).read_bytes()


# What is not a v1 feed, by the remainder that its number leaves.
PERIOD = 97
ODD_ONES: dict[int, Callable[[int], bytes | None]] = {
    7: feed_v2,
    13: lambda number: feed_v1(number)[: 200 + number % 100],
    29: lambda _: b"",
    41: lambda _: None,
    53: stored("Broken/wrong-types-v1"),
    61: stored("Broken/not-an-archive"),
    67: stored("Broken/missing-objects"),
    71: stored("WeatherFeed/v1-error-payload"),
    83: stored("Movie/v0-mirror-class"),
}
CURRENT = 7
UNREADABLE = (13, 29, 41, 61, 67)


def archive(number: int) -> bytes | None:
    return ODD_ONES.get(number % PERIOD, feed_v1)(number)


def expected_outcomes(number: int) -> tuple[str, ...]:
    """The outcomes that are right for an archive."""
    remainder = number % PERIOD
    if remainder == CURRENT:
        return ("unchanged",)
    if remainder in UNREADABLE:
        return ("failed",)
    return ("refused", "failed") if remainder in ODD_ONES else ("changed",)


def model_v1(archive: bytes) -> Any:
    """What a keyed archive of dictionaries, arrays and plain values holds."""
    parts = plistlib.loads(archive)
    objects = parts["$objects"]

    def value(uid: plistlib.UID) -> Any:
        stored = objects[uid.data]
        if not isinstance(stored, dict):
            return stored
        elements = [value(element) for element in stored["NS.objects"]]
        if "NS.keys" not in stored:
            return elements
        return dict(zip(map(value, stored["NS.keys"]), elements, strict=True))

    return value(parts["$top"]["root"])


def model_v2(archive: bytes) -> Any:
    """What the property list holds that is the archive's root data."""
    parts = plistlib.loads(archive)
    return plistlib.loads(parts["$objects"][parts["$top"]["root"].data])


def typed(value: Any) -> Any:
    """A value that equals another only if all types are the same: in Python, True == 1 == 1.0."""
    if isinstance(value, dict):
        return {key: typed(element) for key, element in value.items()}
    if isinstance(value, list):
        return [typed(element) for element in value]
    return type(value).__name__, value
