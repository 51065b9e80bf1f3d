#!/usr/bin/env python3
"""Makes the samples of the families in Migrations, each a step of a kind that applications take: from dictionaries to
objects, from objects to JSON, a text that becomes a URL. Each version holds the same values, written independently.

usage: make_migrations.py FOLDER
"""

import base64
import datetime
import json
import pathlib
import struct
import sys
import uuid

from make_apps import URL, AppArchive, Inline, Object, archived, binary, codable
from make_typedstreams import Stream

WHEN = datetime.datetime(2021, 11, 5, 7, 45, 30)
EPOCH = datetime.datetime(2001, 1, 1)
TOKEN = uuid.UUID("12345678-9ABC-4DEF-8123-456789ABCDEF")


class Set(list):
    """The elements of an NSSet."""


class SetArchive(AppArchive):
    """An archive whose values may be sets."""

    def fill(self, uid, value):
        if isinstance(value, Set):
            return self.put(uid, "NSSet", self.elements(value))
        return super().fill(uid, value)


def with_sets(root):
    archive = SetArchive()
    return binary(archive.parts(root=archive.value(root)))


def text(value):
    """A JSON document."""
    return json.dumps(value, separators=(",", ":")).encode()


# Dictionaries in a list, which became objects.

GROUPS = [("Films", 800, False, "/films"), ("Music", 0, True, None)]


def groups(version):
    if version == "v1":
        names = ("Name", "Limit", "Paused", "Folder")
        return archived([
            {name: value for name, value in zip(names, group) if value is not None} for group in GROUPS])
    return archived([
        Object("Transfers.Group", {
            "name": name, "speedLimit": Inline(limit), "isPaused": Inline(paused), **({"folder": folder} if folder else {})})
        for name, limit, paused, folder in GROUPS])


# A class and a kind with another name each.


def event(version, number):
    kind = Inline(number) if version == "v2" else ["arrived", "left", "lost"][number]
    return archived(Object({"v1": "PKParcelEvent", "v2": "Parcels.Event"}[version], {
        "kind": kind, "at": WHEN, "weight": Inline(2.25), "details": {"depot": "North"} if number else {}}))


# Texts that became a URL and a UUID.


def source(version, hasToken):
    isNew = version == "v2"
    token = {"token": TOKEN if isNew else str(TOKEN).upper()} if hasToken else {}
    address = "https://feeds.example.org/all?kind=atom"
    return archived(Object("FDSource", {
        "modelVersion": Inline(int(isNew)), "title": "All news", "address": URL(address) if isNew else address, **token}))


# Sets, to which another was added.


def grant(version, rights):
    more = {"expired": Set(), "domain": "main"} if version == "v2" else {}
    return with_sets(Object("AGGrant", {
        "token": "t-1", "rights": Set(rights), "refused": Set(), "expires": WHEN, **more}))


# Enumerations: with a type and a raw value, and as Swift encodes those with values.


def payment(version, plan):
    if version == "v1":
        return codable({
            "owner": "Mira", "plan": plan, "methods": [{"type": "card", "number": "4000"}, {"type": "cash"}]})
    return codable({"owner": "Mira", "plan": {plan: {}}, "methods": [{"card": {"number": "4000"}}, {"cash": {}}]})


# A member that old files do not have.


def relays(version, isNew):
    first = {"host": "a.example.net", "weight": 10}
    if version == "v2" or isNew is not None:
        first["isNew"] = bool(isNew)
    return codable({"format": int(version[1]), "fetched": WHEN, "relays": [first, {"host": "b.example.net", "weight": 3, "isNew": True}]})


# JSON with dates as text, which became a property list of Codable.


def member(version):
    created = datetime.datetime(2020, 1, 2, 3, 4, 5, 750_000)
    if version == "v1":
        return text({
            "objectId": "m7", "createdAt": "2020-01-02T03:04:05.75Z", "profile": {"nickname": "Mira", "score": 12}})
    # plistlib writes whole seconds.
    return codable({"id": "m7", "created": created.replace(microsecond=0), "nickname": "Mira", "score": 12}).replace(
        seconds(created.replace(microsecond=0)), seconds(created))


def seconds(date):
    """The bytes of a date in a binary property list."""
    return b"\x33" + struct.pack(">d", (date - EPOCH).total_seconds())


# JSON in snake case, with a new date.


def article(version):
    more = {"last_opened": EPOCH.replace(tzinfo=datetime.timezone.utc).timestamp()} if version == "v2" else {}
    return text({"article_title": "Slow trains", "saved_at": 1636098330.5, "page_count": 4, **more})


# Objects that became JSON.


def playlist(version):
    tracks = [("Intro", 61.5), ("Coda", 200.25)]
    if version == "v1":
        return archived(Object("PLPlaylist", {
            "title": "Evening", "made": WHEN,
            "tracks": [Object("PLTrack", {"name": name, "seconds": Inline(length)}) for name, length in tracks]}))
    return text({
        "title": "Evening", "made": (WHEN - EPOCH).total_seconds(),
        "tracks": [{"name": name, "seconds": length} for name, length in tracks]})


# Keys and values in turn, which became a dictionary.


def keys(version):
    pairs = {"home": "k-1", "work": "k-2"}
    listed = [item for pair in pairs.items() for item in pair]
    return codable({"label": "Mine", "keys": listed if version == "v1" else pairs})


# Members that were added to some dictionaries.


def theme(version):
    def color(name, *parts):
        more = {"alpha": 1.0, "space": "sRGB"} if version == "v2" and name != "Cursor" else {}
        return dict(zip(("red", "green", "blue"), parts)) | more
    return archived({
        "title": "Dusk", "Ansi 0": color("Ansi 0", 0.0, 0.5, 0.25), "Ansi 1": color("Ansi 1", 0.75, 0.125, 0.0),
        "Cursor": color("Cursor", 1.0, 0.5, 0.0)})


# Objects of frameworks, which became what Codable has for them.


def pin(version):
    if version == "v2":
        return codable({"name": "Pier", "tint": "#4080BF", "place": [47.5, 8.25]})
    parts = {"UIRed": 0.25, "UIGreen": 0.5, "UIBlue": 0.75}
    tint = Object("UIColor", {
        "UIColorComponentCount": Inline(4), "UIAlpha": Inline(1.0), "NSRGB": Inline(b"0.25 0.5 0.75"),
        "NSColorSpace": Inline(2), **{name: Inline(part) for name, part in parts.items()},
        **{f"{name}-Double": Inline(part) for name, part in parts.items()}})
    place = Object("CLLocation", {
        f"kCLLocationCodingKey{name}": Inline(value) for name, value in (
            ("CoordinateLatitude", 47.5), ("CoordinateLongitude", 8.25), ("Altitude", 0.0), ("HorizontalAccuracy", 5.0),
            ("VerticalAccuracy", -1.0), ("Speed", -1.0), ("Course", -1.0), ("Timestamp", 657000000.0))})
    return archived(Object("PNPin", {"name": "Pier", "tint": tint, "place": place}))


# User defaults that hold JSON in a string, JSON in a keyed archive, and an archive as Base64.


def look(version):
    if version == "v1":
        return text({"fontName": "Georgia", "size": 17, "isDark": True})
    return text({"font": "Georgia", "size": 17, "isDark": True, "spacing": 1.5})


def reader(version):
    return binary({"look": look(version).decode(), "launches": 12})


def profile(version):
    joined = (WHEN - EPOCH).total_seconds()
    return text({"v1": {"name": "Mira", "joined": joined}, "v2": {"displayName": "Mira", "joined": joined, "badges": []}}[version])


def account(version):
    return binary({"profile": archived(profile(version)), "isGuest": False})


def brew(version):
    if version == "v1":
        return archived(Object("BJBrew", {"beans": "Yirgacheffe", "grams": Inline(18.5), "at": WHEN}))
    return codable({"beans": "Yirgacheffe", "dose": 18.5, "at": WHEN})


def kettle(version):
    return binary({"lastBrew": base64.b64encode(brew(version)).decode(), "unit": "g"})


# Objects in the rows of a database.


def mark(version, number):
    address = f"https://read.example.org/{number}"
    note = {} if number % 2 else {"note": f"page {number}"}
    if version == "v1":
        return archived(Object("MKMark", {"title": f"Mark {number}", "address": address, "kind": number % 3} | note))
    kind = ["later", "read", "kept"][number % 3]
    return archived(Object("Marks.Mark", {"title": f"Mark {number}", "address": URL(address), "kind": kind} | note))


# Colors of NSArchiver in user defaults, which became keyed archives.


def tint(version, parts):
    if version == "v1":
        stream = Stream()
        stream.types("@"), stream.begin("color", ("NSColor", 0), stream.OBJECT)
        stream.types("c"), stream.value("c", 1), stream.types("ffff")
        for part in (*parts, 1):
            stream.real(part, "f")
        stream.end()
        return bytes(stream.bytes)
    numbers = " ".join(f"{part:g}" for part in parts).encode()
    return archived(Object("NSColor", {"NSColorSpace": Inline(1), "NSRGB": Inline(numbers + b"\0")}))


def subtitles(version):
    return binary({"subtitleColor": tint(version, (1, 0.75, 0.5)), "subtitleSize": 24})


# Structures and a text with attributes, which became lists and a plain text.


def panel(version):
    if version == "v2":
        return codable({
            "caption": "Notes", "frame": [10.0, 20.5, 300.0, 400.0], "origin": [4.5, 8.0], "extent": [64.0, 32.0], "selection": [3, 12]})
    def structure(special, name, value):
        return Object("NSValue", {"NS.special": Inline(special), name: value})
    return archived(Object("PNPanel", {
        "caption": Object("NSAttributedString", {"NSString": "Notes", "NSAttributes": {}}),
        "frame": structure(3, "NS.rectval", "{{10, 20.5}, {300, 400}}"),
        "origin": structure(1, "NS.pointval", "{4.5, 8}"),
        "extent": structure(2, "NS.sizeval", "{64, 32}"),
        "selection": Object("NSValue", {
            "NS.special": Inline(4), "NS.rangeval.location": 3, "NS.rangeval.length": 12})}))


def main(target):
    families = {
        "TransferGroups": {f"{version}/two": groups(version) for version in ("v1", "v2")},
        "ParcelEvents": {f"{version}/kind-{number}": event(version, number) for version in ("v1", "v2")
                         for number in (0, 2)},
        "FeedSources": {f"{version}/{name}": source(version, name == "token") for version in ("v1", "v2")
                        for name in ("token", "plain")},
        "AccessGrants": {f"{version}/{name}": grant(version, rights) for version in ("v1", "v2")
                         for name, rights in (("none", []), ("two", ["read", "write"]))},
        "PaymentMethods": {f"{version}/{plan}": payment(version, plan) for version in ("v1", "v2")
                           for plan in ("free", "pro")},
        "RelayCache": {f"{version}/{name}": relays(version, isNew) for version in ("v1", "v2")
                       for name, isNew in (("old", None), ("known", True))},
        "MemberRecord": {f"{version}/mira": member(version) for version in ("v1", "v2")},
        "ReadingQueue": {f"{version}/trains.json": article(version) for version in ("v1", "v2")},
        "PlaylistCache": {f"{version}/evening": playlist(version) for version in ("v1", "v2")},
        "KeyRing": {f"{version}/two": keys(version) for version in ("v1", "v2")},
        "MapPins": {f"{version}/pier": pin(version) for version in ("v1", "v2")},
        "ThemePalette": {f"{version}/dusk": theme(version) for version in ("v1", "v2")},
        "ReaderLook": {f"{version}/dark.json": look(version) for version in ("v1", "v2")},
        "ReaderDefaults": {f"{version}/reader": reader(version) for version in ("v1", "v2")},
        "AccountProfile": {f"{version}/mira.json": profile(version) for version in ("v1", "v2")},
        "AccountDefaults": {f"{version}/account": account(version) for version in ("v1", "v2")},
        "BrewRecord": {f"{version}/morning": brew(version) for version in ("v1", "v2")},
        "KettleDefaults": {f"{version}/kettle": kettle(version) for version in ("v1", "v2")},
        "MarkRow": {f"{version}/row-{number}": mark(version, number) for version in ("v1", "v2")
                    for number in range(1, 6)},
        "SubtitleColor": {f"{version}/amber": tint(version, (1, 0.75, 0.5)) for version in ("v1", "v2")},
        "PlayerDefaults": {f"{version}/player": subtitles(version) for version in ("v1", "v2")},
        "PanelLayout": {f"{version}/notes": panel(version) for version in ("v1", "v2")},
    }
    for family, samples in families.items():
        for name, data in samples.items():
            file = pathlib.Path(target) / "Migrations" / family / "samples" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1])
