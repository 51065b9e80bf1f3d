#!/usr/bin/env python3
"""Writes archives with one thing wrong in each."""

import copy
import plistlib
import struct
import sys

from keyed import Archive, save


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def v1(feed):
    archive = Archive()
    return archive.parts(root=archive.value(feed))


def v2(model):
    return {
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)},
        "$objects": ["$null", plistlib.dumps(model, fmt=plistlib.FMT_BINARY, sort_keys=False)],
    }


def models(root):
    """Archives that can be decoded and do not fit."""
    feed = plistlib.loads(read(f"{root}/WeatherFeed/plist-1-city.plist"))
    second = copy.deepcopy(feed["topCityWeathers"][0])
    feed["topCityWeathers"].append(second)
    wrong = copy.deepcopy(feed)
    city = wrong["topCityWeathers"][1]
    city["WeatherIcon"] = "4"
    city["IsDayTime"] = 2
    city["Key"] = 226396
    city["Temperature"]["Metric"]["Value"] = "18.5"
    city["Country"] = ["JP"]
    missing = copy.deepcopy(feed)
    del missing["fetchedAt"]
    del missing["topCityWeathers"][1]["LocalizedName"]
    del missing["topCityWeathers"][1]["Temperature"]["Imperial"]
    extra = copy.deepcopy(feed)
    extra["version"] = 1
    extra["topCityWeathers"][0]["TimeZone"] = {"Code": "JST", "Name": "Asia/Tokyo"}
    for name, model in (("wrong-types", wrong), ("missing-fields", missing), ("extra-fields", extra)):
        save(f"{root}/Broken/{name}-v1", v1(model))
        save(f"{root}/Broken/{name}-v2", v2(model))
    avatar = {"name": "Avatar", "director": "James Cameron", "releaseYear": 2009}
    save(f"{root}/Broken/movie-year-string", v1({**avatar, "releaseYear": "2009"}))
    save(f"{root}/Broken/movies-one-bad", v1([avatar, {"name": "Alien"}, avatar]))


def keyed(root):
    """Keyed archives whose parts do not agree."""
    whole = plistlib.loads(read(f"{root}/WeatherFeed/v1-1-city"))

    def broken(name, change):
        parts = copy.deepcopy(whole)
        change(parts)
        save(f"{root}/Broken/{name}", parts)

    def dangle(parts):
        parts["$objects"][1]["NS.objects"][1] = plistlib.UID(9999)

    def unclass(parts):
        text = next(i for i, o in enumerate(parts["$objects"]) if isinstance(o, str) and o != "$null")
        parts["$objects"][1]["$class"] = plistlib.UID(text)

    broken("dangling-uid", dangle)
    broken("missing-top", lambda parts: parts.pop("$top"))
    broken("missing-objects", lambda parts: parts.pop("$objects"))
    broken("class-not-a-record", unclass)
    broken("keys-objects-mismatch", lambda parts: parts["$objects"][1]["NS.keys"].pop())
    inner = plistlib.loads(read(f"{root}/WeatherFeed/v2-1-city"))["$objects"][1]
    parts = v2({})
    parts["$objects"][1] = inner[: len(inner) // 2]
    save(f"{root}/Broken/v2-broken-inner", parts)


def bytes_(root):
    """Files whose bytes are damaged."""
    whole = read(f"{root}/WeatherFeed/v1-1-city")
    write(f"{root}/Broken/truncated", whole[: len(whole) * 2 // 3])
    trailer = struct.unpack(">6xBBQQQ", whole[-32:])
    width, table = trailer[0], trailer[4]
    write(
        f"{root}/Broken/bad-offset",
        whole[: table + 3 * width] + b"\xff" * width + whole[table + 4 * width :],
    )
    write(f"{root}/Broken/bad-trailer", whole[:-26] + b"\x00\x00" + whole[-24:])
    write(f"{root}/Broken/empty", b"")
    write(f"{root}/Broken/not-an-archive", b"Dear diary, today it rained.\n")
    write(f"{root}/Broken/circular-container.plist", plist([b"\xa1\x00"]))
    write(f"{root}/Broken/bplist-count-overflow.plist", plist([b"\xaf\x13" + b"\xff" * 8]))
    xml = read(f"{root}/WeatherFeed/plist-1-city-xml.plist")
    write(f"{root}/Broken/xml-truncated.plist", xml[: len(xml) // 2])
    bomb = ['<?xml version="1.0"?>', "<!DOCTYPE plist [", '<!ENTITY a "ha">']
    for previous, name in zip("abcdefgh", "bcdefghi"):
        bomb.append(f'<!ENTITY {name} "{("&" + previous + ";") * 10}">')
    bomb += ["]>", "<plist><string>&i;</string></plist>", ""]
    write(f"{root}/Broken/xml-entity-bomb.plist", "\n".join(bomb).encode())


def plist(objects):
    """A binary property list of encoded objects."""
    body, offsets = b"bplist00", b""
    for encoded in objects:
        offsets += bytes([len(body)])
        body += encoded
    trailer = struct.pack(">6xBBQQQ", 1, 1, len(objects), 0, len(body))
    return body + offsets + trailer


def main(root):
    models(root)
    keyed(root)
    bytes_(root)


if __name__ == "__main__":
    main(sys.argv[1])
