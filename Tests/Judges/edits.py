#!/usr/bin/env python3
"""Edits random keyed archives and compares what was written with what should have been, object for object.

usage: edits.py ARCHTOOL COUNT SEED [FOLDER]

It makes keyed archives (shared, cyclic and unreachable objects, mutable classes, sets, both layouts of collections,
objects of applications with inline and boxed numbers, keys that begin with '$', several top-level keys), has archtool
set, insert, append, remove, rename and patch values at random paths, and makes the same edit on a graph of its own that
plistlib has read. The two graphs must be the same: class, chain, storage, identity and value of every object, the
unreachable ones among them. An edit may be refused, never do more or less than was asked. An edit inside of an object
that other paths lead to must be refused, unless --shared or --copy is given. Prints one line of counts; exit status 1
if anything differs.
"""
import copy
import json
import os
import plistlib
import random
import subprocess
import sys
import tempfile
from plistlib import UID

CHAINS = {
    "NSArray": ["NSArray", "NSObject"], "NSMutableArray": ["NSMutableArray", "NSArray", "NSObject"],
    "NSDictionary": ["NSDictionary", "NSObject"],
    "NSMutableDictionary": ["NSMutableDictionary", "NSDictionary", "NSObject"],
    "NSSet": ["NSSet", "NSObject"], "NSMutableSet": ["NSMutableSet", "NSSet", "NSObject"],
    "NSOrderedSet": ["NSOrderedSet", "NSObject"],
    "NSMutableString": ["NSMutableString", "NSString", "NSObject"], "NSDate": ["NSDate", "NSObject"],
    "NSMutableData": ["NSMutableData", "NSData", "NSObject"], "NSNull": ["NSNull", "NSObject"],
    "App.Model": ["App.Model", "App.Base", "NSObject"], "App.Leaf": ["App.Leaf", "NSObject"],
}
ARRAYS, DICTIONARIES = ("NSArray", "NSMutableArray"), ("NSDictionary", "NSMutableDictionary")
SETS = ("NSSet", "NSMutableSet", "NSOrderedSet")
NIL = "nil"


class Refused(Exception):
    """An edit that archtool has to refuse."""


class Object:
    """An object of an archive: a scalar, or a class and fields, whose values are slots."""

    def __init__(self, scalar=None, name=None, fields=None):
        self.scalar, self.name, self.fields, self.is_new = scalar, name, fields, False


# A slot is NIL, an Object, a list of slots in its holder, or ("inline", value).


# Making archives


class Maker:
    def __init__(self, numbers):
        self.numbers, self.made = numbers, []

    def scalar(self):
        choice = self.numbers.randrange(7)
        if choice == 0 and self.made:
            return self.numbers.choice(self.made)
        if choice < 3:
            made = Object(scalar=f"text {self.numbers.randrange(40)}")
        elif choice == 3:
            made = Object(scalar=self.numbers.choice([5, 2**40, -7, 1.5, 64.0]))
        elif choice == 4:
            made = Object(scalar=self.numbers.random() < 0.5)
        elif choice == 5:
            made = Object(name="NSMutableString", fields=[("NS.string", ("inline", f"mutable {self.numbers.randrange(99)}"))])
        else:
            made = Object(name="NSDate", fields=[("NS.time", ("inline", float(self.numbers.randrange(10**6))))])
        if made.name is None:
            self.made.append(made)
        return made

    def value(self, depth, known):
        if depth == 0 or self.numbers.random() < 0.35:
            return self.scalar()
        if known and self.numbers.random() < 0.12:
            return self.numbers.choice(known)
        kind = self.numbers.randrange(6)
        made = Object()
        if self.numbers.random() < 0.8:
            known.append(made)
        count = self.numbers.randrange(4)
        if kind == 0:
            made.name = self.numbers.choice(ARRAYS)
            elements = [self.value(depth - 1, known) for _ in range(count)]
            made.fields = [("NS.objects", elements)]
            if self.numbers.random() < 0.15 and elements:
                made.fields = [(f"NS.object.{at}", item) for at, item in enumerate(elements)]
        elif kind == 1:
            made.name = self.numbers.choice(DICTIONARIES)
            keys = [Object(scalar=f"key{at}" if at else "$odd/~") for at in range(count)]
            values = [self.value(depth - 1, known) for _ in range(count)]
            made.fields = [("NS.keys", keys), ("NS.objects", values)]
            if self.numbers.random() < 0.15 and keys:
                made.fields = [(f"NS.key.{at}", key) for at, key in enumerate(keys)]
                made.fields += [(f"NS.object.{at}", value) for at, value in enumerate(values)]
        elif kind == 2:
            made.name = self.numbers.choice(SETS)
            texts = self.numbers.sample(range(50), count)
            elements = [Object(scalar=f"element {text}") for text in texts]
            made.fields = [("NS.objects", elements)]
            if made.name == "NSOrderedSet":
                made.fields = [(f"NS.object.{at}", item) for at, item in enumerate(elements)]
        else:
            made.name = self.numbers.choice(["App.Model", "App.Leaf"])
            made.fields = [("count", ("inline", self.numbers.randrange(300))), ("ratio", ("inline", 0.5)),
                           ("flag", ("inline", True)), ("$odd", self.scalar()), ("gone", NIL)]
            made.fields += [(f"field{at}", self.value(depth - 1, known)) for at in range(count)]
            self.numbers.shuffle(made.fields)
        return made


def write(tops, unreachable):
    """An archive with top-level values and objects that nothing refers to."""
    objects, numbers, records = ["$null"], {}, {}

    def slot(value):
        if value is NIL:
            return UID(0)
        if isinstance(value, tuple):
            return value[1]
        if isinstance(value, list):
            return [slot(item) for item in value]
        if id(value) not in numbers:
            numbers[id(value)] = len(objects)
            objects.append(None)
            number = len(objects) - 1
            if value.name is None:
                objects[number] = value.scalar
            else:
                stored = {}
                objects[number] = stored
                for key, item in value.fields:
                    stored["$" + key if key.startswith("$") else key] = slot(item)
                if value.name not in records:
                    records[value.name] = len(objects)
                    objects.append({"$classname": value.name, "$classes": CHAINS[value.name]})
                stored["$class"] = UID(records[value.name])
        return UID(numbers[id(value)])

    top = {"$" + key if key.startswith("$") else key: slot(value) for key, value in tops}
    for value in unreachable:
        slot(value)
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": objects},
                          fmt=plistlib.FMT_BINARY, sort_keys=False)


def read(data):
    """The top-level values of an archive, and what the objects are that nothing refers to."""
    archive = plistlib.loads(data)
    if list(archive) != ["$version", "$archiver", "$top", "$objects"] or archive["$archiver"] != "NSKeyedArchiver":
        raise ValueError("the archive has other parts")
    stored, made, seen = archive["$objects"], {}, {0}

    def slot(value):
        if isinstance(value, UID):
            if value.data == 0:
                return NIL
            seen.add(value.data)
            if value.data not in made:
                made[value.data] = Object()
                fill(made[value.data], stored[value.data])
            return made[value.data]
        if isinstance(value, list):
            return [slot(item) for item in value]
        return ("inline", value)

    def fill(target, value):
        if not isinstance(value, dict):
            target.scalar = value
            return
        record = stored[value["$class"].data]
        seen.add(value["$class"].data)
        target.name, target.chain = record["$classname"], record["$classes"]
        target.fields = [(plain(key), slot(item)) for key, item in value.items() if key != "$class"]

    tops = [(plain(key), slot(value)) for key, value in archive["$top"].items()]
    lost = [stored[number] for number in range(len(stored)) if number not in seen]
    # A record may be used by a new object.
    return tops, [shallow(item, stored) for item in lost if not isinstance(item, dict) or "$class" in item]


def shallow(value, stored):
    """An object without what it refers to."""
    if not isinstance(value, dict):
        return repr(value)
    fields = {key: "reference" if isinstance(item, (UID, list)) else repr(item) for key, item in value.items()}
    return stored[value["$class"].data]["$classname"] + repr(fields)


def plain(key):
    return key[1:] if key.startswith("$$") else key


# Comparing


def same(left, right):
    """The first difference between two graphs, or None."""
    partners, back, waiting = {}, {}, []

    def compare(a, b, path):
        if a is NIL or b is NIL:
            return None if a is b else f"{path}: nil"
        if isinstance(a, tuple) or isinstance(b, tuple):
            return None if type(a) is type(b) and equal(a[1], b[1]) else f"{path}: {a} and {b}"
        if isinstance(a, list) or isinstance(b, list):
            if type(a) is not type(b) or len(a) != len(b):
                return f"{path}: lists differ"
            for at, (x, y) in enumerate(zip(a, b)):
                found = compare(x, y, f"{path}[{at}]")
                if found:
                    return found
            return None
        if id(a) in partners or id(b) in back:
            # Equal scalars that the edit made may be one object.
            if partners.get(id(a)) is b and back.get(id(b)) is a:
                return None
            if a.is_new and a.name is None and b.name is None and equal(a.scalar, b.scalar):
                return None
            return f"{path}: identity"
        partners[id(a)], back[id(b)] = b, a
        waiting.append((a, b, path))
        return None

    if [key for key, _ in left] != [key for key, _ in right]:
        return f"top-level keys {[key for key, _ in left]} and {[key for key, _ in right]}"
    for (key, a), (_, b) in zip(left, right):
        found = compare(a, b, key)
        if found:
            return found
    while waiting:
        a, b, path = waiting.pop()
        if a.name != b.name:
            return f"{path}: class {a.name} and {b.name}"
        if a.name is None:
            if not equal(a.scalar, b.scalar):
                return f"{path}: {a.scalar!r} and {b.scalar!r}"
            continue
        if b.chain != CHAINS[a.name]:
            return f"{path}: chain {b.chain}"
        if [key for key, _ in a.fields] != [key for key, _ in b.fields]:
            # Keys with numbers have no order.
            if sorted(key for key, _ in a.fields) != sorted(key for key, _ in b.fields):
                return f"{path}: keys {[key for key, _ in a.fields]} and {[key for key, _ in b.fields]}"
        others = dict(b.fields)
        for key, value in a.fields:
            found = compare(value, others[key], f"{path}.{key}")
            if found:
                return found
    return None


def equal(a, b):
    return type(a) is type(b) and a == b


# Paths


class Members:
    """The elements or members of an object, and where they are stored."""

    def __init__(self, tops, value):
        self.value, self.tops = value, tops
        fields = dict(value.fields) if value is not None and value.fields is not None else {}
        self.keys, self.places = None, None
        name = value.name if value is not None else None
        if value is None:
            self.keys, self.places = [key for key, _ in tops], "top"
        elif name in ARRAYS or name in SETS:
            self.places = "list" if "NS.objects" in fields else "numbered"
            self.slots = list(fields["NS.objects"]) if self.places == "list" else numbered(fields, "NS.object.")
        elif name in DICTIONARIES:
            self.places = "list" if "NS.objects" in fields else "numbered"
            keys = fields["NS.keys"] if self.places == "list" else numbered(fields, "NS.key.")
            self.slots = list(fields["NS.objects"]) if self.places == "list" else numbered(fields, "NS.object.")
            self.key_slots = list(keys)
            self.keys = [key.scalar for key in keys]
        elif name is not None and name.startswith("App."):
            self.keys, self.places = [key for key, _ in value.fields], "fields"
        if self.places == "top":
            self.slots = [item for _, item in tops]
        elif self.places == "fields":
            self.slots = [item for _, item in value.fields]

    @property
    def is_field(self):
        return self.places in ("top", "fields")

    def store(self):
        """Writes the members back into the object."""
        if self.places == "top":
            self.tops[:] = list(zip(self.keys, self.slots))
        elif self.places == "fields":
            self.value.fields = list(zip(self.keys, self.slots))
        elif self.places == "list":
            self.value.fields = [("NS.objects", self.slots)]
            if self.keys is not None:
                self.value.fields = [("NS.keys", self.key_slots), ("NS.objects", self.slots)]
        else:
            fields = [(f"NS.object.{at}", item) for at, item in enumerate(self.slots)]
            if self.keys is not None:
                fields = [(f"NS.key.{at}", key) for at, key in enumerate(self.key_slots)] + fields
            self.value.fields = fields


def numbered(fields, prefix):
    return [fields[f"{prefix}{at}"] for at in range(len(fields)) if f"{prefix}{at}" in fields]


def members(tops, value):
    """The members of a value, or None."""
    if value is not None and not isinstance(value, Object):
        return None
    found = Members(tops, value)
    return found if found.places else None


def root(tops):
    return tops[0][1] if [key for key, _ in tops] == ["root"] else None


def paths(tops, numbers):
    """A random way from the root: the values on it, and the steps."""
    value, way, steps = root(tops), [], []
    while True:
        found = members(tops, value)
        if found is None or not found.slots or way and numbers.random() < 0.25:
            return way, steps, value
        at = numbers.randrange(len(found.slots))
        way.append(value)
        steps.append(at if found.keys is None else found.keys[at])
        value = found.slots[at]


def pointer(steps):
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def position(found, step):
    return step if found.keys is None else found.keys.index(step)


def shared(tops, way, steps):
    """The first value on a way that another way reaches as well; None if there is none."""
    for at, value in enumerate(way):
        if value is None:
            continue
        if any(value is earlier for earlier in way[:at]):
            return at
        reached, count = {id(value)}, 0
        waiting = [item for _, item in tops]
        while waiting:
            item = waiting.pop()
            if item is value:
                count += 1
            if isinstance(item, list):
                waiting += item
            if isinstance(item, Object) and id(item) not in reached:
                reached.add(id(item))
                waiting += [x for _, x in item.fields] if item.fields else []
        if count > 1:
            return at
    return None


# Editing


def made(value):
    """What an archiver makes of a JSON value in a collection."""
    if value is None:
        result = Object(name="NSNull", fields=[])
    elif isinstance(value, list):
        result = Object(name="NSArray", fields=[("NS.objects", [made(item) for item in value])])
    elif isinstance(value, dict):
        result = Object(name="NSDictionary", fields=[
            ("NS.keys", [fresh(key) for key in value]), ("NS.objects", [made(item) for item in value.values()])])
    else:
        result = Object(scalar=value)
    result.is_new = True
    return result


def fresh(text):
    result = Object(scalar=text)
    result.is_new = True
    return result


def like(value, old):
    """A JSON number in the type of the number that it replaces."""
    if type(value) is int and type(old) is float:
        return float(value)
    if type(value) is float and type(old) is int and value == int(value):
        return int(value)
    return value


def replacement(value, old, is_field):
    if value is None:
        if isinstance(old, tuple):
            raise Refused("nil instead of an inline value")
        return NIL if is_field else made(None)
    if isinstance(old, tuple):
        value = like(value, old[1])
        if type(value) is not type(old[1]):
            raise Refused("another type inline")
        return ("inline", value)
    if old is NIL or old.name is None:
        return made(value if old is NIL else like(value, old.scalar))
    if old.name.startswith("App."):
        raise Refused("an object of an application")
    if isinstance(value, list) and old.name in SETS:
        raise Refused("an array instead of a set")
    new = made(value)
    kinds = {str: ("NSMutableString",), list: ARRAYS, dict: DICTIONARIES}
    if old.name in kinds.get(type(value), ()):
        if isinstance(value, str):
            new = Object(name=old.name, fields=[("NS.string", ("inline", value))])
        new.name = old.name
    return new


def edit(tops, operation):
    """Does one operation of JSON Patch on a graph."""
    kind, way, steps = operation["op"], operation["way"], operation["steps"]
    found = members(tops, way[-1])
    if kind == "rename":
        at = position(found, steps[-1])
        found.keys[at] = operation["key"]
        if not found.is_field:
            found.key_slots[at] = fresh(operation["key"])
    elif kind == "remove":
        at = position(found, steps[-1])
        del found.slots[at]
        if found.keys is not None:
            del found.keys[at]
            if not found.is_field:
                del found.key_slots[at]
    elif kind == "move":
        at = position(found, steps[-1])
        moved = found.slots[at]
        del found.slots[at]
        found.slots.insert(operation["to"], moved)
    elif kind == "replace":
        at = position(found, steps[-1])
        found.slots[at] = replacement(operation["value"], found.slots[at], found.is_field)
        require_different(found)
    elif found.keys is None:
        found.slots.insert(steps[-1], made(operation["value"]))
        require_different(found)
    else:
        value = operation["value"]
        new = made(value)
        if found.is_field:
            new = NIL if value is None else ("inline", value) if isinstance(value, (bool, int, float)) else new
        found.keys.append(steps[-1])
        found.slots.append(new)
        if not found.is_field:
            found.key_slots.append(fresh(steps[-1]))
    found.store()


def require_different(found):
    if found.value is not None and found.value.name in SETS:
        texts = [(type(item.scalar) in (int, float), item.scalar) if item.name is None else id(item) for item in found.slots]
        if len(set(texts)) < len(texts):
            raise Refused("equal elements of a set")


def copied(tops, way, steps, first):
    """Copies the values of a way from one on, and gives the way with the copies."""
    way = list(way)
    for at in range(first, len(way)):
        twin = copy.copy(way[at])
        twin.fields = [(key, list(item) if isinstance(item, list) else item) for key, item in way[at].fields]
        if at == 0:
            tops[0] = (tops[0][0], twin)
        else:
            holder = members(tops, way[at - 1])
            holder.slots[position(holder, steps[at - 1])] = twin
            holder.store()
        way[at] = twin
    return way


VALUES = ["new", "Zürich", "", 7, -3, 2**40, 2.5, 8.0, True, None, [1, "a", None], {"a": [], "b": {"c": 1}}, {}]


def random_operation(tops, numbers):
    """An operation at a random path, or None."""
    way, steps, value = paths(tops, numbers)
    found = members(tops, value)
    if found is not None and numbers.random() < 0.3:
        # A new element or member of the value at the end of the way.
        if found.keys is None:
            step = numbers.randrange(len(found.slots) + 1)
        else:
            step = numbers.choice(["fresh", "$fresh", "a/b~c"])
            if step in found.keys:
                return None
        return {"op": "add", "way": way + [value], "steps": steps + [step], "value": numbers.choice(VALUES)}
    if not steps:
        return None
    found = members(tops, way[-1])
    kind = numbers.choice(["remove", "replace", "replace", "rename", "move"])
    operation = {"op": kind, "way": way, "steps": steps}
    if kind == "replace":
        operation["value"] = numbers.choice(VALUES)
    if kind == "move":
        if found.places != "list" or found.keys is not None or len(found.slots) < 2:
            return None
        operation["to"] = numbers.randrange(len(found.slots))
        if operation["to"] == steps[-1]:
            return None
    if kind == "rename":
        if found.keys is None:
            return None
        operation["key"] = numbers.choice(["renamed", "$renamed", "root"])
        if operation["key"] in found.keys:
            return None
    if kind == "remove" and way[-1] is None and len(tops) < 2:
        return None
    return operation


def command(operation, numbers):
    """The command line of an operation, without the program and the file."""
    path = pointer(operation["steps"])
    kind = operation["op"]
    if kind == "remove":
        return ["remove", path]
    if kind == "rename":
        return ["rename-key", path, operation["key"]]
    text = json.dumps(operation["value"])
    if kind == "add":
        found = members(None, operation["way"][-1]) if operation["way"][-1] is not None else None
        if found is not None and found.keys is None and operation["steps"][-1] == len(found.slots):
            return ["append", pointer(operation["steps"][:-1]), text]
        return ["insert", path, text]
    return ["set", path, text]


def run(program, folder, arguments):
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=60)


def trial(program, folder, numbers, counts):
    """One archive and one to four edits; returns a difference or None."""
    maker, known = Maker(numbers), []
    tops = [("root", maker.value(5, known))]
    if numbers.random() < 0.25:
        tops = [(key, maker.value(4, known)) for key in numbers.sample(["first", "second", "$third", "fourth"], 2)]
    unreachable = [maker.value(2, []) for _ in range(numbers.randrange(3))]
    data = write(tops, unreachable)
    path = os.path.join(folder, "archive")
    with open(path, "wb") as file:
        file.write(data)
    expected, lost = read(data)
    sharing = numbers.choice([[], [], ["--shared"], ["--copy"]])
    operations, patch, refusal = [], [], None
    for _ in range(numbers.randrange(1, 5) if numbers.random() < 0.4 else 1):
        operation = random_operation(expected, numbers)
        if operation is None:
            continue
        first = shared(expected, operation["way"], operation["steps"])
        operations.append(operation)
        line = {"op": "rename-key" if operation["op"] == "rename" else operation["op"],
                "path": pointer(operation["steps"]), "value": operation.get("value"), "key": operation.get("key")}
        if operation["op"] == "move":
            line["from"], line["path"] = line["path"], pointer(operation["steps"][:-1] + [operation["to"]])
        else:
            arguments = command(operation, numbers)
        patch.append(line)
        try:
            if first is not None:
                if not sharing:
                    raise Refused("shared")
                if sharing == ["--copy"]:
                    if operation["op"] == "move":
                        raise Refused("a move in a copy")
                    if len(set(map(id, operation["way"]))) < len(operation["way"]):
                        raise Refused("twice the same object")
                    operation["way"] = copied(expected, operation["way"], operation["steps"], first)
            edit(expected, operation)
        except Refused as reason:
            refusal = str(reason)
            break
    if not operations:
        return None
    if all(line["op"] != "rename-key" for line in patch) and numbers.random() < 0.5:
        with open(os.path.join(folder, "patch"), "w") as file:
            json.dump(patch, file)
        arguments = ["patch", *sharing, "archive", "patch"]
    elif len(operations) == 1 and operations[0]["op"] != "move":
        arguments = [arguments[0], *sharing, "--", "archive", *arguments[1:]]
    else:
        with open(os.path.join(folder, "edits"), "w") as file:
            file.writelines(json.dumps(item) + "\n" for item in patch)
        arguments = ["set", *sharing, "--edits", "edits", "archive"]
    done = run(program, folder, arguments)
    told = f"{arguments} {patch} refusal={refusal}: {done.stderr.decode()[-300:]}"
    counts["edits"] += len(operations)
    if done.returncode not in (0, 1):
        return f"status {done.returncode} {told}"
    if done.returncode == 1:
        counts["refused"] += 1
        if done.stdout:
            return f"output of a refused edit {told}"
        if b"internal" in done.stderr or b"differ in more than the edit" in done.stderr:
            return f"internal error {told}"
        return None if refusal else f"refused for no reason {told}"
    if refusal:
        return f"not refused {told}"
    try:
        found, left = read(done.stdout)
    except Exception as error:  # whatever plistlib makes of it
        return f"unreadable: {error} {told}"
    difference = same(expected, found)
    if difference:
        return f"{difference} {told}"
    for item in lost:
        if item not in left:
            return f"an object without references is gone: {item} {told}"
        left.remove(item)
    counts["changed"] += 1
    return None


def main():
    program, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    counts = {"edits": 0, "changed": 0, "refused": 0}
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = sys.argv[4] if len(sys.argv) > 4 else folder
        os.makedirs(folder, exist_ok=True)
        for number in range(count):
            difference = trial(program, folder, random.Random(seed * 1_000_003 + number), counts)
            if difference:
                failures += 1
                print(f"edits: archive {number} of seed {seed}: {difference}", file=sys.stderr)
    print(f"edits: {counts['edits']} edits of {count} archives, {counts['changed']} archives changed as asked, "
          f"{counts['refused']} refused, {failures} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
