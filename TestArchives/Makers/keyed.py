"""Keyed archives from their parts, for layouts that Foundation on Linux does not write."""

import plistlib
from plistlib import UID


class Archive:
    """Collects objects and gives each its UID."""

    def __init__(self):
        self.objects = ["$null"]
        self.classes = {}
        self.scalars = {}

    def add(self, value):
        """Adds a value; strings and numbers are stored once, as NSKeyedArchiver does."""
        if isinstance(value, (str, int, float, bool, bytes)):
            key = (type(value), value)
            if key not in self.scalars:
                self.objects.append(value)
                self.scalars[key] = UID(len(self.objects) - 1)
            return self.scalars[key]
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def reserve(self):
        """Takes a place for an object whose contents come first."""
        self.objects.append(None)
        return UID(len(self.objects) - 1)

    def record(self, name, *ancestors):
        """The class record of a name."""
        if name not in self.classes:
            chain = [name, *(ancestors or ("NSObject",))]
            self.classes[name] = self.add({"$classname": name, "$classes": chain})
        return self.classes[name]

    def put(self, uid, name, fields, *ancestors):
        """Fills a reserved place with an object of a class."""
        self.objects[uid.data] = {**fields, "$class": self.record(name, *ancestors)}
        return uid

    def instance(self, name, fields, *ancestors):
        """Adds an object of a class whose fields are stored values."""
        uid = self.reserve()
        return self.put(uid, name, fields, *ancestors)

    def dictionary(self, pairs, name="NSDictionary"):
        """Adds a dictionary; the values are UIDs already."""
        uid = self.reserve()
        keys = [self.add(key) for key, _ in pairs]
        fields = {"NS.keys": keys, "NS.objects": [value for _, value in pairs]}
        ancestors = ("NSDictionary", "NSObject") if name != "NSDictionary" else ()
        return self.put(uid, name, fields, *ancestors)

    def value(self, value, mutable=False):
        """Adds a tree of dictionaries, lists and scalars."""
        prefix = "NSMutable" if mutable else "NS"
        if isinstance(value, dict):
            uid = self.reserve()
            keys = [self.add(key) for key in value]
            fields = {"NS.keys": keys, "NS.objects": [self.value(v, mutable) for v in value.values()]}
            return self.put(uid, prefix + "Dictionary", fields, *(("NSDictionary", "NSObject") if mutable else ()))
        if isinstance(value, list):
            uid = self.reserve()
            fields = {"NS.objects": [self.value(v, mutable) for v in value]}
            return self.put(uid, prefix + "Array", fields, *(("NSArray", "NSObject") if mutable else ()))
        return self.add(value)

    def parts(self, **tops):
        """The property list of the archive."""
        return {
            "$version": 100000,
            "$archiver": "NSKeyedArchiver",
            "$top": tops,
            "$objects": self.objects,
        }


def save(path, plist, fmt=plistlib.FMT_BINARY):
    with open(path, "wb") as file:
        plistlib.dump(plist, file, fmt=fmt, sort_keys=False)


def load(path):
    """Reads an archive; plistlib leaves the UIDs of XML archives as dictionaries."""
    with open(path, "rb") as file:
        return with_uids(plistlib.load(file))


def with_uids(value):
    if isinstance(value, list):
        return [with_uids(item) for item in value]
    if isinstance(value, dict):
        if set(value) == {"CF$UID"}:
            return UID(value["CF$UID"])
        return {key: with_uids(item) for key, item in value.items()}
    return value
