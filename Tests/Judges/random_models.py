"""Random types of models, their values as apps archive them in each envelope, and the schemas that describe them."""
import base64
import copy
import datetime
import json
import math
import struct
import uuid

import binary_plist
from binary_plist import Date, Single
from object_graphs import Archive, Inline, KNOWN, Object

KEYED = ("nscoding", "dictionariable")
ENVELOPES = KEYED + ("codable", "plist", "json")
CHAINS = {
    **KNOWN,
    "NSNumber": ["NSNumber", "NSValue", "NSObject"],
    "NSMutableSet": ["NSMutableSet", "NSSet", "NSObject"],
    "NSOrderedSet": ["NSOrderedSet", "NSObject"],
    "NSMutableOrderedSet": ["NSMutableOrderedSet", "NSOrderedSet", "NSObject"],
    "NSDecimalNumber": ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
    "App.Model": ["App.Model", "App.Base", "NSObject"], "App.Leaf": ["App.Leaf", "NSObject"],
    "App.Deep": ["App.Deep", "App.Middle", "App.Base", "NSObject"],
    "_TtCV3App5Movie10MovieClass": ["_TtCV3App5Movie10MovieClass", "NSObject"],
}
CLASSES = ["App.Model", "App.Leaf", "App.Deep", "_TtCV3App5Movie10MovieClass"]
SCALARS = ["text", "text", "integer", "real", "boolean", "date", "data", "url", "uuid", "decimal"]
CONTAINERS = ["list", "list", "set", "ordered", "map", "record", "object", "object"]
NUMBERS = ("integer", "real", "boolean")
MUTABLE = {"text": "NSMutableString", "data": "NSMutableData", "list": "NSMutableArray", "set": "NSMutableSet",
           "ordered": "NSMutableOrderedSet", "map": "NSMutableDictionary", "record": "NSMutableDictionary",
           "object": "NSMutableDictionary"}
FIXED = {"list": "NSArray", "set": "NSSet", "ordered": "NSOrderedSet", "map": "NSDictionary", "record": "NSDictionary",
         "object": "NSDictionary", "url": "NSURL", "uuid": "NSUUID", "decimal": "NSDecimalNumber"}
# Objects whose classes show other members than they store.
FRAMEWORK = {
    "NSDateComponents": [("NS.calendar", None), ("NS.timezone", None), ("NS.era", Inline(2**63 - 1))] + [
        (f"NS.{name}", Inline({"year": 2020, "month": 2}.get(name, 2**63 - 1))) for name in (
            "year", "month", "day", "hour", "minute", "second", "nanosec", "weekday", "weekdayOrdinal", "quarter",
            "weekOfMonth", "weekOfYear", "yearForWOY")],
    "CLLocation": [(f"kCLLocationCodingKey{name}", Inline(value)) for name, value in (
        ("CoordinateLatitude", 47.25), ("CoordinateLongitude", 8.5), ("Altitude", 4.0), ("HorizontalAccuracy", 5.0),
        ("VerticalAccuracy", -1.0), ("Timestamp", 6e8), ("Speed", -1.0), ("Course", -1.0))],
    "UIColor": [("UIColorComponentCount", Inline(4)), ("UIRed", Inline(1.0)), ("UIGreen", Inline(0.5)),
                ("UIBlue", Inline(0.0)), ("UIAlpha", Inline(1.0))],
    "NSValue": [("NS.special", Inline(4)), ("NS.rangeval.location", Object(scalar=3)),
                ("NS.rangeval.length", Object(scalar=5))],
    "NSIndexPath": [("NSIndexPathLength", Inline(1)), ("NSIndexPathValue", Inline(7))],
}
NAMES = ["a", "b", "c", "d", "e f", "g\u00e4", "$h", "i.j"]
TEXTS = ["", "x", "y", "a,b", "a,,b", "7", "007", "-3", "true", "0.5", "2020-01-02T03:04:05Z",
         "2020-01-02T03:04:05.678Z", "\u00e4\u20ac\U0001F600", "http://h/1", "YWJj", "caf\u00e9", "cafe\u0301"]
INTEGERS = [0, 1, 2, -7, 64, 2**31, 2**40, -2**60, 2**53 + 1, 2**63 - 1, -2**63, 2**63, 2**64 - 1]
REALS = [0.0, -0.0, 0.5, 64.0, -1.25, 1e300, 0.1, 2.0**53, 1e-7, math.inf, -math.inf, math.nan]
KEYS = {"text": ["k", "l", "$m", "n o"], "number": [1, 2, 30, -4], "uuid": []}


class Type:
    """A type of values, and what the schemas say of their classes and storage."""

    def __init__(self, kind, told=True):
        self.kind, self.told, self.is_optional, self.is_nullable, self.is_mutable = kind, told, False, False, False
        self.storage, self.is_single, self.has_plist_type = "boxed", False, True
        self.element, self.key, self.parts, self.name, self.chain = None, "text", {}, None, None
        # The types of an archive in data in its two versions, and their envelopes.
        self.versions, self.version = [], 0

    @property
    def is_structure(self):
        return self.kind in ("record", "object")

    def clone(self):
        return copy.deepcopy(self)

    def plainly(self):
        """The type without nil and absence."""
        made = self.clone()
        made.is_optional = made.is_nullable = False
        return made


class TypeMaker:
    """Makes random types."""

    def __init__(self, numbers, told, envelope):
        self.random, self.share_told = numbers, {"all": 1, "some": 0.7, "none": 0}[told]
        self.envelope = envelope
        self.scalars = SCALARS + ["framework"] if envelope in KEYED else SCALARS

    def type(self, depth, is_field=True, kind=None):
        numbers = self.random
        kind = kind or numbers.choice(self.scalars if depth <= 0 else self.scalars + CONTAINERS * 2)
        made = Type(kind, numbers.random() < self.share_told)
        made.is_optional = is_field and numbers.random() < 0.2
        made.is_nullable = numbers.random() < 0.15
        # An object of an application is a dictionary in the envelope dictionariable.
        can_change = kind in MUTABLE or kind == "object" and self.envelope == "dictionariable"
        made.is_mutable = can_change and numbers.random() < 0.25
        made.storage = numbers.choice(["inline", "boxed"])
        made.is_single = kind == "real" and numbers.random() < 0.2
        made.has_plist_type = numbers.random() < 0.8
        if kind == "framework":
            made.name = numbers.choice(list(FRAMEWORK))
        elif kind in ("list", "map"):
            made.element = self.type(depth - 1, False)
        elif kind in ("set", "ordered"):
            made.element = self.type(0, False, numbers.choice(["text", "integer", "date"]))
            made.element.is_mutable = made.element.is_nullable = False
        if kind == "map":
            made.key = numbers.choice(["text", "text", "number", "uuid"])
        if made.is_structure:
            self.fill(made, depth)
        return made

    def fill(self, made, depth):
        numbers = self.random
        made.name = numbers.choice(CLASSES)
        made.chain = CHAINS[made.name]
        names = numbers.sample(NAMES, numbers.randrange(1, 6))
        made.parts = {name: self.type(depth - 1) for name in names}
        containers = [part for part in made.parts.values() if part.element or part.is_structure]
        if containers and numbers.random() < 0.4:
            # One object may be the value of both.
            made.parts["twin"] = numbers.choice(containers).clone()
        if numbers.random() < 0.35:
            made.parts["id"] = Type("text")

    def root(self):
        made = self.type(3, False, "object")
        made.is_optional = made.is_nullable = False
        made.parts["id"] = Type("text")
        return made


# Values


class Values:
    """Random values of a type as one archive of an envelope holds them."""

    def __init__(self, numbers, envelope):
        self.random, self.envelope, self.pools, self.met = numbers, envelope, {}, 0

    def chance(self, share):
        return self.random.random() < share

    def scalar(self, type):
        """A scalar in terms of Python: `decimal` as sign, digits and exponent."""
        numbers = self.random
        if type.kind == "text":
            return numbers.choice(TEXTS)
        if type.kind == "integer":
            return numbers.choice(INTEGERS if self.chance(0.5) else range(-9, 99))
        if type.kind == "real":
            found = numbers.choice(REALS)
            if self.envelope == "json" and not math.isfinite(found):
                return 0.5
            return Single(struct.unpack(">f", struct.pack(">f", found if abs(found) < 1e30 else 0.1))[0]) if (
                type.is_single and self.envelope != "json") else found
        if type.kind == "boolean":
            return self.chance(0.5)
        if type.kind == "archive":
            inner, envelope = type.versions[0]
            return Values(numbers, envelope).archive(inner, "root")
        if type.kind == "data":
            return bytes(numbers.randrange(256) for _ in range(numbers.randrange(5)))
        if type.kind == "date":
            return Date(numbers.choice([0, 0.25, -1e9, 631152000, numbers.randrange(10**9), numbers.random() * 1e9]))
        if type.kind == "url":
            return numbers.choice(["http://h/1", "http://h/2?q=%20", "file:///tmp/x", "mailto:a@b"])
        if type.kind == "uuid":
            return uuid.UUID(int=numbers.getrandbits(128), version=4)
        return self.chance(0.3), numbers.choice([0, 1, 1999, 65537, 123456789]), numbers.choice([0, -2, 3])

    def keys(self, type):
        """The keys of a dictionary in terms of Python."""
        count = self.random.choice([0, 1, 2, 2, 3])
        if type.key == "uuid":
            return [uuid.UUID(int=self.random.getrandbits(128), version=4) for _ in range(count)]
        return self.random.sample(KEYS[type.key], count)

    def unique(self):
        self.met += 1
        return f"i{self.met}"

    def members(self, type):
        """The members of a structure and whether each is absent, null or a value."""
        for name, part in type.parts.items():
            if part.is_optional and self.chance(0.3):
                continue
            yield name, part, part.is_nullable and self.chance(0.35)

    def elements(self, type):
        count = self.random.choice([0, 1, 2, 3])
        if type.kind in ("set", "ordered"):
            found = {}
            for _ in range(count):
                value = self.scalar(type.element)
                found.setdefault(repr(value), value)
            return list(found.values())
        return range(count)

    # Codable and JSON

    def plain(self, type):
        """A value as Codable types encode themselves in a property list or JSON."""
        is_json = self.envelope == "json"
        if type.is_structure:
            found = {}
            for name, part, is_null in self.members(type):
                if name == "id":
                    found[name] = self.unique()
                elif not is_null:
                    found[name] = self.plain(part)
                elif is_json:
                    found[name] = None
            return found
        if type.kind == "list":
            return [self.plain_element(type.element) for _ in self.elements(type)]
        if type.kind in ("set", "ordered"):
            return [self.plain_scalar(type.element, item) for item in self.elements(type)]
        if type.kind == "map":
            keys = [str(key).upper() if type.key == "uuid" else str(key) for key in self.keys(type)]
            values = [self.plain_element(type.element) for _ in keys]
            if type.key == "uuid":
                return [item for pair in zip(keys, values) for item in pair]
            return dict(zip(keys, values))
        return self.plain_scalar(type, self.scalar(type))

    def plain_element(self, type):
        if type.is_nullable and self.chance(0.3):
            return None if self.envelope == "json" else "$null"
        return self.plain(type)

    def plain_scalar(self, type, value):
        is_json = self.envelope == "json"
        if type.kind == "date":
            return float(value) if is_json else value
        if type.kind == "data":
            return base64.b64encode(value).decode() if is_json else value
        if type.kind == "url":
            return value if is_json else {"relative": value}
        if type.kind == "uuid":
            return str(value).upper()
        if type.kind == "decimal":
            sign, digits, exponent = value
            if is_json:
                return float(f"{'-' if sign else ''}{digits}e{exponent}")
            low = [digits >> 16 * n & 0xFFFF for n in range(8)]
            return {"exponent": exponent, "isCompact": True, "isNegative": sign and digits > 0,
                    "length": sum(1 for item in low if item), "mantissa": low}
        return value

    # Objects

    def slot(self, type, is_field, is_nullable=None):
        """An object, an inline value, or nil."""
        if (type.is_nullable and self.chance(0.3)) if is_nullable is None else is_nullable:
            return None if is_field and self.chance(0.9) else Object("NSNull", CHAINS["NSNull"])
        if type.kind in NUMBERS:
            value = self.scalar(type)
            is_inline = is_field and type.storage == "inline"
            return Inline(value) if is_inline else Object(scalar=value)
        pool = self.pools.setdefault(signature(type), [])
        if pool and self.chance(0.3):
            return self.random.choice(pool)
        made = self.object(type)
        pool.append(made)
        return made

    def object(self, type):
        if type.kind == "text":
            text = self.scalar(type)
            return self.named(type, [("NS.string", Inline(text))]) if type.is_mutable else Object(scalar=text)
        if type.kind in ("data", "archive"):
            data = self.scalar(type)
            return self.named(type, [("NS.data", Inline(data))]) if type.is_mutable else Object(scalar=data)
        if type.kind == "date":
            return Object("NSDate", CHAINS["NSDate"], [("NS.time", Inline(float(self.scalar(type))))])
        if type.kind == "framework":
            return Object(type.name, [type.name, "NSObject"], list(FRAMEWORK[type.name]))
        if type.kind == "url":
            base = None
            if self.chance(0.15):
                base = self.url("http://h/a/", None)
            return self.url("b?c" if base else self.scalar(type), base)
        if type.kind == "uuid":
            return self.identifier(self.scalar(type))
        if type.kind == "decimal":
            return self.decimal(self.scalar(type))
        return self.container(type)

    def url(self, text, base):
        return Object("NSURL", CHAINS["NSURL"], [("NS.base", base), ("NS.relative", Object(scalar=text))])

    def identifier(self, value):
        return Object("NSUUID", CHAINS["NSUUID"], [("NS.uuidbytes", Inline(value.bytes))])

    def decimal(self, value):
        sign, digits, exponent = value
        length = (digits.bit_length() + 15) // 16
        return Object("NSDecimalNumber", CHAINS["NSDecimalNumber"], [
            ("NS.exponent", Inline(exponent)), ("NS.length", Inline(length)),
            ("NS.negative", Inline(sign and digits > 0)), ("NS.compact", Inline(True)),
            ("NS.mantissa", Object(scalar=digits.to_bytes(16, "little"))), ("NS.mantissa.bo", Inline(1))])

    def named(self, type, fields):
        name = MUTABLE[type.kind] if type.is_mutable else FIXED[type.kind]
        return Object(name, CHAINS[name], fields)

    def container(self, type):
        if type.kind == "object" and self.envelope == "nscoding":
            return Object(type.name, type.chain, [
                (name, Object(scalar=self.unique()) if name == "id" else self.slot(part, True, is_null))
                for name, part, is_null in self.members(type)])
        if type.kind in ("record", "object"):
            members = list(self.members(type))
            keys = [Object(scalar=name) for name, _, _ in members]
            values = [
                Object(scalar=self.unique()) if name == "id" else self.slot(part, False, is_null)
                for name, part, is_null in members]
            return self.named(type, [("NS.keys", keys), ("NS.objects", values)])
        if type.kind == "map":
            keys = [self.identifier(key) if type.key == "uuid" else Object(scalar=key) for key in self.keys(type)]
            return self.named(type, [("NS.keys", keys), ("NS.objects", [self.slot(type.element, False) for _ in keys])])
        if type.kind == "list":
            return self.named(type, [("NS.objects", [self.slot(type.element, False) for _ in self.elements(type)])])
        items = [self.element(type.element, item) for item in self.elements(type)]
        if type.kind == "set":
            return self.named(type, [("NS.objects", items)])
        return self.named(type, [(f"NS.object.{number}", item) for number, item in enumerate(items)])

    def element(self, type, value):
        if type.kind == "date":
            return Object("NSDate", CHAINS["NSDate"], [("NS.time", Inline(float(value)))])
        return Object(scalar=value)

    # Files

    def archive(self, type, key, count=None, is_mutable=False):
        """The bytes of an archive with a model, or with a list of some."""
        if self.envelope in KEYED:
            root = self.object(type)
            if count is not None:
                name = "NSMutableArray" if is_mutable else "NSArray"
                models = [self.object(type) for _ in range(count)]
                root = Object(name, CHAINS[name], [("NS.objects", models)])
            return Table().bytes(root, key)
        root = self.plain(type) if count is None else [self.plain(type) for _ in range(count)]
        if self.envelope == "json":
            return json.dumps(root).encode()
        data = binary_plist.dumps(root)
        return data if self.envelope == "plist" else Table().bytes(Object(scalar=data), key)


class Table(Archive):
    """The object table of an archive."""

    def __init__(self):
        super().__init__(None)

    def bytes(self, root, key):
        top = {key: self.reference(root)}
        return binary_plist.dumps(
            {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": self.objects})


def signature(type):
    """What values of a type have in common, so that one may be in two places."""
    parts = tuple((name, signature(part), part.storage) for name, part in sorted(type.parts.items()))
    element = signature(type.element) if type.element else None
    return (type.kind, type.is_mutable, type.key, element, type.element and type.element.is_nullable,
            type.name if type.kind in ("object", "framework") else None, parts)


# Schemas


def schema(type, envelope, is_field=False):
    """The schema of a type in an envelope."""
    is_keyed = envelope in KEYED
    kinds = {"text": "string", "integer": "integer", "real": "number", "boolean": "boolean", "data": "string",
             "date": "string", "url": "string", "uuid": "string", "list": "array", "set": "array", "ordered": "array"}
    result = {"type": kinds.get(type.kind, "object")}
    if type.kind in ("text", "date", "data") and (type.has_plist_type or type.kind != "text"):
        result["x-plist-type"] = {"text": "string"}.get(type.kind, type.kind)
    if type.kind == "archive":
        result = {"type": "string", "x-plist-type": "data", "x-archived": {"$ref": f"{type.name}@v{type.version + 1}"}}
    if type.kind in ("framework", "decimal") or type.kind == "url" and not is_keyed:
        # Codable and JSON have different forms of these.
        result = {}
    if type.kind == "map" and type.key == "uuid":
        result = {} if is_keyed else {"type": "array"}
    elif type.element:
        result["additionalProperties" if type.kind == "map" else "items"] = schema(type.element, envelope)
    if type.is_structure:
        result["properties"] = {
            name: schema(part, envelope, type.kind == "object" and envelope == "nscoding")
            for name, part in type.parts.items()}
        result["required"] = [name for name, part in type.parts.items() if is_required(part, envelope)]
    if type.told and is_keyed:
        result |= structure(type, envelope, is_field)
    if type.is_nullable:
        for key in "type", "x-plist-type":
            if key in result:
                result[key] = [result[key], "null"]
    return result


def is_required(part, envelope):
    """A property list leaves out what is null."""
    return not part.is_optional and not (part.is_nullable and envelope in ("codable", "plist"))


def structure(type, envelope, is_field):
    """What a schema says of a value's class and storage."""
    if type.kind == "object" and envelope == "nscoding":
        return {"x-class": type.name, "x-classes": type.chain}
    if type.kind in NUMBERS:
        return {"x-storage": type.storage} if is_field else {}
    if type.kind == "framework":
        return {"x-class": type.name}
    if type.kind == "map" and not type.has_plist_type:
        # A schema that says nothing of a dictionary may still describe all else.
        return {}
    result = {}
    if type.kind in FIXED and type.kind != "list":
        result["x-class"] = FIXED[type.kind]
    if type.kind in MUTABLE and (type.kind not in ("set", "ordered") or type.is_mutable):
        result["x-mutable"] = type.is_mutable
    if type.kind == "map" and type.key != "text":
        result["x-key-class"] = {"number": "NSNumber", "uuid": "NSUUID"}[type.key]
    return result
