#!/usr/bin/env python3
"""Writes the archives whose layouts Foundation on Linux cannot write: private and nested classes, cycles,
several top-level keys, archives within archives."""

import datetime
import plistlib
import sys
from plistlib import UID

from keyed import Archive, save

AVATAR = {"name": "Avatar", "director": "James Cameron", "releaseYear": 2009}


def movie_object(name):
    archive = Archive()
    uid = archive.reserve()
    fields = {key: archive.add(value) for key, value in AVATAR.items()}
    archive.put(uid, name, fields)
    return archive.parts(root=uid)


def movies(root):
    save(f"{root}/Movie/v0-nested-class", movie_object("_TtCV3App5Movie10MovieClass"))
    private = "_TtCV4Demo5MovieP33_0123456789ABCDEF0123456789ABCDEF10MovieClass"
    save(f"{root}/Movie/v0-private-nested-class", movie_object(private))
    save(f"{root}/Movie/v0-playground", movie_object("__lldb_expr_11.MovieClass"))
    nil = Archive()
    save(f"{root}/Movie/v0-mirror-class-nil", nil.parts(root=nil.instance("Demo.MovieClass", {})))
    person = Archive()
    uid = person.reserve()
    fields = {"firstName": person.add("Zoë"), "lastName": person.add("Saldaña")}
    person.put(uid, "_TtCV3App6Person11HelperClass", fields)
    save(f"{root}/Person/v0-helper-class", person.parts(root=uid))


def weather(root):
    with open(f"{root}/WeatherFeed/plist-1-city.plist", "rb") as file:
        feed = plistlib.load(file)
    archive = Archive()
    save(f"{root}/WeatherFeed/v1-mutable", archive.parts(root=archive.value(feed, mutable=True)))
    # Foundation on Linux stores equal numbers once whatever their type; here each keeps its own.
    with open(f"{root}/WeatherFeed/v2-50-cities", "rb") as file:
        feed = plistlib.loads(plistlib.load(file)["$objects"][1])
    archive = Archive()
    save(f"{root}/WeatherFeed/v1-50-cities-typed", archive.parts(root=archive.value(feed)))


def cycles(root):
    archive = Archive()
    ada, bob = archive.reserve(), archive.reserve()
    archive.put(ada, "App.Person", {"name": archive.add("Ada"), "partner": bob})
    archive.put(bob, "App.Person", {"name": archive.add("Bob"), "partner": ada})
    save(f"{root}/Graphs/cycle", archive.parts(root=ada))
    archive = Archive()
    uid = archive.reserve()
    archive.put(uid, "NSArray", {"NS.objects": [archive.add("first"), uid]})
    save(f"{root}/Graphs/array-cycle", archive.parts(root=uid))
    archive = Archive()
    uid = archive.reserve()
    keys = [archive.add("firstName"), archive.add("lastName")]
    archive.put(uid, "NSDictionary", {"NS.keys": keys, "NS.objects": [archive.add("Ada"), uid]})
    save(f"{root}/Broken/person-cycle-v1", archive.parts(root=uid))


def shapes(root):
    archive = Archive()
    shared = archive.value(["x", "y"])
    uid = archive.dictionary([("first", shared), ("second", shared)])
    save(f"{root}/Graphs/shared-references", archive.parts(root=uid))
    archive = Archive()
    first, second = archive.add("one"), archive.value([1, 2])
    save(
        f"{root}/Graphs/several-tops",
        archive.parts(**{"$0": first, "list": second, "count": 42, "isOn": True, "ratio": 0.5}),
    )
    archive = Archive()
    fields = {
        "isOn": True, "count": -1, "ratio": 0.25, "bytes": b"\x01\x02",
        "name": archive.add("thing"), "$$weird": archive.add("mangled"), "nothing": UID(0),
    }
    uid = archive.instance("App.Thing", fields, "App.Base", "NSObject")
    save(f"{root}/Graphs/unknown-class", archive.parts(root=uid))
    archive = Archive()
    placeholder = archive.reserve()
    archive.objects[placeholder.data] = "$null"
    uid = archive.instance("App.Node", {"name": archive.add("leaf"), "parent": placeholder})
    save(f"{root}/Graphs/conditional", archive.parts(root=uid))
    archive = Archive()
    mutable = archive.instance(
        "NSMutableString", {"NS.string": "changing"}, "NSString", "NSObject")
    data = archive.instance("NSMutableData", {"NS.data": b"\x00\xff"}, "NSData", "NSObject")
    base = archive.instance("NSURL", {"NS.base": UID(0), "NS.relative": archive.add("https://example.com/a/b")})
    url = archive.instance("NSURL", {"NS.base": base, "NS.relative": archive.add("../c?d")})
    mantissa = archive.add((1234).to_bytes(2, "little") + bytes(14))
    decimal = archive.instance(
        "NSDecimalNumber",
        {"NS.exponent": -2, "NS.length": 1, "NS.negative": False, "NS.compact": True,
         "NS.mantissa": mantissa, "NS.mantissa.bo": 1}, "NSNumber", "NSValue", "NSObject")
    old = archive.reserve()
    archive.put(old, "NSArray", {"NS.object.1": archive.add("b"), "NS.object.0": archive.add("a")})
    uid = archive.dictionary(
        [("string", mutable), ("data", data), ("url", url), ("decimal", decimal), ("old", old)],
        "NSMutableDictionary")
    save(f"{root}/Graphs/mutable-classes", archive.parts(root=uid))


def collections(root):
    """Foundation on Linux writes a mutable collection within another as an immutable one."""
    archive = Archive()

    def put(uid, name, fields):
        return archive.put(uid, "NSMutable" + name, fields, "NS" + name, "NSObject")

    top, array, ordered, inner = (archive.reserve() for _ in range(4))
    date = archive.instance("NSDate", {"NS.time": 0.5})
    unique = archive.instance("NSUUID", {"NS.uuidbytes": bytes(range(16))})
    put(array, "Array", {"NS.objects": [date, unique, archive.instance("NSNull", {}), date]})
    one = archive.reserve()
    put(one, "Set", {"NS.objects": [archive.add("only")]})
    none = archive.reserve()
    put(none, "Set", {"NS.objects": []})
    # An ordered set numbers its members.
    members = [archive.add("z"), array, archive.add(-7)]
    put(ordered, "OrderedSet", {f"NS.object.{n}": uid for n, uid in enumerate(members)})
    keys = [archive.add(7), archive.add("seven")]
    put(inner, "Dictionary", {"NS.keys": keys, "NS.objects": [archive.add(True), array]})
    pairs = [
        ("array", array), ("sameArray", array), ("set", one), ("emptySet", none),
        ("orderedSet", ordered), ("inner", inner),
    ]
    fields = {"NS.keys": [archive.add(key) for key, _ in pairs], "NS.objects": [u for _, u in pairs]}
    put(top, "Dictionary", fields)
    save(f"{root}/Graphs/mutable-collections", archive.parts(root=top))


def nested(root):
    def read(path):
        with open(f"{root}/{path}", "rb") as file:
            return file.read()

    save(f"{root}/Graphs/user-defaults.plist", {
        "launches": 17, "volume": 0.5, "isFirstLaunch": False, "user": "zoë",
        "installed": datetime.datetime(2019, 4, 6, 3, 50), "recent": ["a", "b"],
        "window": {"width": 800, "height": 600.5},
        "WeatherFeed": read("WeatherFeed/v2-1-city"), "Movie": read("Movie/v1"),
        "settings": read("WeatherFeed/plist-1-city-xml.plist"), "token": b"\x00\x01\x02\x03",
    })
    inner = plistlib.dumps({"level": 4}, fmt=plistlib.FMT_BINARY)
    for level in (3, 2, 1):
        archive = Archive()
        uid = archive.dictionary([("level", archive.add(level)), ("inside", archive.add(inner))])
        inner = plistlib.dumps(archive.parts(root=uid), fmt=plistlib.FMT_BINARY)
    with open(f"{root}/Graphs/deep-nesting", "wb") as file:
        file.write(inner)
    save(f"{root}/Graphs/binary-plist.plist", {
        "true": True, "false": False, "integers": [0, 255, 256, 65536, 2**32, -1, 2**63 - 1, 2**64 - 1],
        "reals": [0.0, 64.0, -1.5, float("inf")], "date": datetime.datetime(2001, 1, 1),
        "data": b"\x00" * 20, "strings": ["", "ASCII", "Zürich", "東京", "🌦️"], "uid": UID(70000),
        "nested": {"array": [[], {}]},
    })
    with open(f"{root}/Graphs/xml-plist.plist", "w", encoding="utf-8") as file:
        file.write(XML)


XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- every type -->
<plist version="1.0">
<dict>
\t<key>string</key><string>a &lt;b&gt; &amp; &#x1F326;</string>
\t<key><![CDATA[<cdata>]]></key><string><![CDATA[<raw> & ]]></string>
\t<key>hexadecimal</key><integer>0xff</integer>
\t<key>negative</key><integer>-42</integer>
\t<key>unsigned</key><integer>18446744073709551615</integer>
\t<key>real</key><real>6.02e23</real>
\t<key>infinity</key><real>-inf</real>
\t<key>date</key><date>2019-04-06T03:50:00Z</date>
\t<key>data</key><data>
\tAAEC
\t</data>
\t<key>array</key><array><true/><false/><!-- none --></array>
\t<key>uid</key><dict><key>CF$UID</key><integer>7</integer></dict>
\t<key>empty</key><dict/>
</dict>
</plist>
"""


def main(root):
    movies(root)
    weather(root)
    cycles(root)
    shapes(root)
    collections(root)
    nested(root)


if __name__ == "__main__":
    main(sys.argv[1])
