"""Compares two files of one envelope.

It compares values, nil and absence, and in object tables class, storage, mutability, keys and sharing, with a decoder of
its own. `differences` gives the kind of each difference and its path. Kinds are those of archtool's plans; where either
of two would be right, both are given. The order of members, of a dictionary's entries and of a set counts for nothing,
nor does the identity of values that cannot change, such as numbers, dates and texts.
"""
import json
import math
import re
import uuid
from fractions import Fraction
from plistlib import UID

import binary_plist
from binary_plist import Date, Single

# Objects that are values: whether two references lead to one of them or to two equal ones makes no difference.
VALUES = {
    "NSDate", "NSDateInterval", "NSURL", "NSUUID", "NSNumber", "NSDecimalNumber", "NSNull", "NSString", "NSData",
    "NSIndexPath", "NSIndexSet", "NSValue", "NSTimeZone", "NSLocale", "NSColor", "UIColor", "CLLocation",
}
LISTS = {"NSArray", "NSSet", "NSOrderedSet"}
TEXTS = {"NSMutableString": "NS.string", "NSMutableData": "NS.data"}


def differences(left, right, envelope, sets=frozenset()):
    """How the bytes of two files differ: pairs of a kind and a path. Lists at the paths of sets have no order."""
    if envelope == "json":
        return plain(json.loads(left), json.loads(right), sets, is_json=True)
    return archives(binary_plist.loads(left), binary_plist.loads(right), sets)


def archives(left, right, sets=frozenset()):
    """How two property lists differ, which may be keyed archives."""
    both = left, right
    if not all(isinstance(item, dict) and "$archiver" in item for item in both):
        return plain(left, right, sets)
    for key in "$archiver", "$version":
        if left[key] != right[key]:
            return [("value", key)]
    if list(left["$top"]) != list(right["$top"]):
        return [("value", "$top")]
    roots = [item["$objects"][next(iter(item["$top"].values())).data] for item in both]
    if all(isinstance(item, bytes) for item in roots):
        return plain(*map(binary_plist.loads, roots), sets)
    return Comparison(left, right).run()


def data(left, right, path):
    """How data differs, of which both may be property lists or archives."""
    if left == right:
        return []
    if left[:6] == right[:6] == b"bplist":
        found = archives(binary_plist.loads(left), binary_plist.loads(right))
        return [(kind, f"{path}\u27e8archive\u27e9{inner[1:]}") for kind, inner in found]
    return [("value", path)]


def same(left, right, is_json=False):
    """Whether two scalars are the same; a number of JSON has no type."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if is_json and isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right and math.copysign(1, left) == math.copysign(1, right)
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        is_same = left == right and math.copysign(1, left) == math.copysign(1, right)
        return is_same or math.isnan(left) and math.isnan(right)
    return left == right


def step(path, name):
    """The path of a member, as archtool prints it."""
    if re.fullmatch(r"[^\W\d]\w*", name):
        return f"{path}.{name}"
    return path + "['" + name.replace("\\", "\\\\").replace("'", "\\'") + "']"


def is_value(name):
    """Whether a class of a framework is neither a collection nor an application's."""
    return name[:2] in ("NS", "UI", "CL") and name not in LISTS and name != "NSDictionary"


def unmangled(key):
    """A field's key as the application named it: an archiver puts a `$` before one that begins with it."""
    return key[1:] if key.startswith("$$") else key


def generalized(path):
    """A path with any index of a list in place of each."""
    return re.sub(r"\[\d+\]", "[*]", path)


def plain(left, right, sets, is_json=False):
    """How two values without objects differ."""
    found, stack = [], [(left, right, "$")]
    while stack:
        a, b, path = stack.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            for name in {**a, **b}:
                if name in a and name in b:
                    stack.append((a[name], b[name], step(path, name)))
                else:
                    value = a.get(name, b.get(name))
                    found.append(("absence" if value in (None, "$null") else "value", step(path, name)))
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            if generalized(path) in sets:
                a, b = sorted(a, key=repr), sorted(b, key=repr)
            stack += [(x, y, f"{path}[{number}]") for number, (x, y) in enumerate(zip(a, b))]
        elif isinstance(a, bytes) and isinstance(b, bytes):
            found += data(a, b, path)
        elif isinstance(a, (dict, list)) or isinstance(b, (dict, list)) or not same(a, b, is_json):
            is_precision = isinstance(a, float) and isinstance(b, float) and isinstance(a, Single) != isinstance(b, Single)
            found.append(("storage value" if is_precision else "value", path))
    return found


IMMUTABLE = {"NSArray", "NSDictionary", "NSOrderedSet", "NSSet"}


class Side:
    """An archive's object table."""

    def __init__(self, archive):
        self.objects = archive["$objects"]
        (self.root,) = archive["$top"].values()
        self.partners = {}

    def object(self, slot):
        """What a slot leads to: None for nil."""
        if not isinstance(slot, UID):
            return slot
        found = self.objects[slot.data]
        return None if slot.data == 0 or found == "$null" else found

    def chain(self, value):
        return self.objects[value["$class"].data]["$classes"] if isinstance(value, dict) else []

    def name(self, value):
        return self.objects[value["$class"].data]["$classname"] if isinstance(value, dict) else None

    def base(self, value):
        """The class of Foundation that stands for a value's kind."""
        name = self.name(value)
        return name.replace("NSMutable", "NS") if name and name.startswith("NSMutable") else name

    def elements(self, value):
        """The elements of a list or set, which are a list or numbered."""
        return self.numbered(value, "NS.objects", "NS.object.")

    def numbered(self, value, key, prefix):
        if key in value:
            return value[key]
        return [value[f"{prefix}{number}"] for number in range(len(value)) if f"{prefix}{number}" in value]

    def entries(self, value):
        keys = self.numbered(value, "NS.keys", "NS.key.")
        return list(zip(keys, self.numbered(value, "NS.objects", "NS.object.")))

    def members(self, value):
        """The members of a dictionary or an object by the classes and texts of their keys."""
        if self.base(value) == "NSDictionary":
            return {self.key(key): slot for key, slot in self.entries(value)}
        return {("str", unmangled(key)): slot for key, slot in value.items() if key != "$class"}

    def decimal(self, value):
        """The number of an NSDecimalNumber, whatever its exponent."""
        digits = int.from_bytes(self.object(value["NS.mantissa"])[:2 * value["NS.length"]], "little")
        return Fraction(-digits if value["NS.negative"] else digits) * Fraction(10) ** value["NS.exponent"]

    def is_null(self, slot):
        value = self.object(slot)
        return value is None or self.name(value) == "NSNull"

    def digest(self, slot, depth=0):
        """A text that is the same for the same values, for elements that have no order."""
        value = self.object(slot)
        if not isinstance(value, dict):
            return repr((type(value).__name__, value))
        fields = [] if depth > 6 else [
            (key, [self.digest(x, depth + 1) for x in item] if isinstance(item, list) else self.digest(item, depth + 1))
            for key, item in value.items() if key != "$class"]
        return repr((self.name(value), sorted(fields, key=repr)))

    def key(self, slot):
        """The class and text of a dictionary's key."""
        value = self.object(slot)
        name = self.name(value) or type(value).__name__
        if name == "NSUUID":
            return name, str(uuid.UUID(bytes=value["NS.uuidbytes"])).upper()
        return name, value if isinstance(value, str) else self.digest(slot) if isinstance(value, dict) else str(value)


class Comparison:
    """A comparison of two object tables."""

    def __init__(self, left, right):
        self.left, self.right, self.found = Side(left), Side(right), []
        self.met, self.told = set(), {}

    def run(self):
        self.stack = [(self.left.root, self.right.root, "$")]
        while self.stack:
            self.compare(*self.stack.pop())
        return self.found

    def compare(self, a, b, path):
        if isinstance(a, UID) != isinstance(b, UID) and not (self.left.is_null(a) or self.right.is_null(b)):
            self.found.append(("storage", path))
        x, y = self.left.object(a), self.right.object(b)
        if x is None or y is None:
            if x is not y:
                both = self.left.is_null(a) and self.right.is_null(b)
                self.found.append(("absence class" if both else "absence value", path))
            return
        if isinstance(x, list) and isinstance(y, list):
            self.lists(x, y, path)
        elif isinstance(x, dict) and isinstance(y, dict) and "$class" in x and "$class" in y:
            self.objects(a, b, x, y, path)
        elif isinstance(x, bytes) and isinstance(y, bytes):
            self.found += data(x, y, path)
        elif isinstance(x, dict) or isinstance(y, dict):
            self.text_and_object(a, b, x, y, path)
        elif isinstance(x, Single) != isinstance(y, Single) and isinstance(x, float) and isinstance(y, float):
            self.found.append(("storage value", path))
        elif not same(x, y):
            self.found.append(("value", path))

    def text_and_object(self, a, b, x, y, path):
        """A text that is mutable on one side only."""
        sides = (self.left, x, y) if isinstance(x, dict) else (self.right, y, x)
        side, mutable, other = sides
        key = TEXTS.get(side.name(mutable))
        equal = key is not None and same(side.object(mutable[key]), other)
        if not (equal and isinstance(a, UID)):
            self.found.append(("mutability" if equal else "value class", path))
        elif a.data in self.told:
            # That of one object is one difference, under any of its paths.
            number = self.told[a.data]
            self.found[number] = ("mutability", f"{self.found[number][1]}\n{path}")
        else:
            self.told[a.data] = len(self.found)
            self.found.append(("mutability", path))

    def objects(self, a, b, x, y, path):
        if not self.is_partner(a, b, x, y, path):
            return
        left, right = self.left, self.right
        bases = left.base(x), right.base(y)
        if bases == ("NSDecimalNumber", "NSDecimalNumber"):
            if left.decimal(x) != right.decimal(y):
                self.found.append(("value", path))
            return
        if left.name(x) != right.name(y) and bases[0] == bases[1]:
            self.found.append(("mutability", path))
        elif left.name(x) != right.name(y) or left.chain(x) != right.chain(y):
            self.found.append(("class", path))
            if bases[0] != bases[1] and any(is_value(base) for base in bases):
                # The fields of such a class say nothing to another.
                return
        if bases[0] in LISTS and bases[1] in LISTS:
            items = left.elements(x), right.elements(y)
            if bases[0] == "NSSet":
                items = sorted(items[0], key=left.digest), sorted(items[1], key=right.digest)
            self.lists(*items, path)
        elif "NSDictionary" in bases:
            self.dictionaries(x, y, path)
        else:
            self.fields(x, y, path)

    def is_partner(self, a, b, x, y, path):
        """Whether two objects are compared: not if they have been, or if sharing differs."""
        if not (isinstance(a, UID) and isinstance(b, UID)) or (a.data, b.data) in self.met:
            return (a.data, b.data) not in self.met if isinstance(a, UID) and isinstance(b, UID) else True
        self.met.add((a.data, b.data))
        if self.counts(self.left, x) and self.counts(self.right, y):
            first = self.left.partners.setdefault(a.data, b.data)
            second = self.right.partners.setdefault(b.data, a.data)
            if first != b.data or second != a.data:
                self.found.append(("sharing", path))
        return True

    # Whether an envelope came between that copies immutable collections, of which archivers store equal ones once.
    are_collections_values = False

    @classmethod
    def counts(cls, side, value):
        name = side.name(value)
        if name in VALUES or cls.are_collections_values and name in IMMUTABLE:
            return False
        if name in LISTS:
            return bool(side.elements(value))
        return bool(side.entries(value)) if name == "NSDictionary" else True

    def lists(self, x, y, path):
        if len(x) != len(y):
            self.found.append(("value", path))
        for number, (item, other) in enumerate(zip(x, y)):
            self.stack.append((item, other, f"{path}[{number}]"))

    def dictionaries(self, x, y, path):
        """Two dictionaries, or one and the object of a class that it became."""
        entries = self.left.members(x), self.right.members(y)
        for name in [name for name in entries[0] if name not in entries[1]]:
            twins = [other for other in entries[1] if other[1] == name[1] and other not in entries[0]]
            if twins:
                self.found.append(("key", path))
                entries[1][name] = entries[1].pop(twins[0])
        for name in {**entries[0], **entries[1]}:
            self.members(entries[0], entries[1], name, step(path, name[1]))

    def fields(self, x, y, path):
        for name in {**x, **y}:
            if name != "$class":
                self.members(x, y, name, step(path, unmangled(name)))

    def members(self, x, y, name, path):
        if name in x and name in y:
            self.stack.append((x[name], y[name], path))
        else:
            side, slot = (self.left, x[name]) if name in x else (self.right, y[name])
            kind = "value" if not side.is_null(slot) else "absence" if side.object(slot) is None else "absence class"
            self.found.append((kind, path))
