#!/usr/bin/env python3
"""Migrates random object graphs and compares what was written with what should have been, object for object.

usage: object_graphs.py ARCHTOOL COUNT SEED [FOLDER]

It makes keyed archives of application objects (inheritance, inline and boxed scalars, shared and cyclic references,
mutable containers, classes that nobody knows, conditional objects) and families whose lens is the identity or is
random, has archtool migrate them, and reads both sides with plistlib alone. What a lens names is changed in its own
copy of the graph; all else must be the same: class, chain, storage, identity and value. An archive may be refused,
never changed in another way. Prints one line of counts; exit status 1 if anything differs.
"""
import json
import os
import plistlib
import random
import shutil
import subprocess
import sys
import tempfile
from plistlib import UID

KNOWN = {
    "NSArray": ["NSArray", "NSObject"], "NSMutableArray": ["NSMutableArray", "NSArray", "NSObject"],
    "NSDictionary": ["NSDictionary", "NSObject"],
    "NSMutableDictionary": ["NSMutableDictionary", "NSDictionary", "NSObject"],
    "NSMutableString": ["NSMutableString", "NSString", "NSObject"],
    "NSMutableData": ["NSMutableData", "NSData", "NSObject"],
    "NSDate": ["NSDate", "NSObject"], "NSURL": ["NSURL", "NSObject"], "NSUUID": ["NSUUID", "NSObject"],
    "NSNull": ["NSNull", "NSObject"], "NSSet": ["NSSet", "NSObject"],
}
APPLICATION = {
    "App.Model": ["App.Model", "App.Base", "NSObject"], "App.Sub": ["App.Sub", "App.Base", "NSObject"],
    "App.Leaf": ["App.Leaf", "NSObject"], "_TtCV3App5Movie10MovieClass": ["_TtCV3App5Movie10MovieClass", "NSObject"],
    "Gone": ["Gone"],
}


class Object:
    """An object of a graph: a class and fields, or a scalar."""

    def __init__(self, name=None, chain=None, fields=None, scalar=None):
        self.name, self.chain, self.fields, self.scalar = name, chain, fields if fields is not None else [], scalar

    @property
    def is_application(self):
        return self.name is not None and not self.name.startswith("NS")

    def field(self, key):
        for position, (name, _) in enumerate(self.fields):
            if name == key:
                return position
        return None


def new(scalar):
    """A scalar that the lens makes; equal ones of these may be one object."""
    made = Object(scalar=scalar)
    made.is_new = True
    return made


class Inline:
    """A value that is stored in its holder."""

    def __init__(self, value):
        self.value = value


class Refused(Exception):
    """What an operation does not allow."""


# Writing and reading


class Archive:
    """Objects as the lists of a keyed archive."""

    def __init__(self, random_numbers):
        self.objects, self.numbers, self.records = ["$null"], {}, {}
        self.random = random_numbers

    def reference(self, value):
        if isinstance(value, Inline):
            return value.value
        if isinstance(value, list):
            return [self.reference(item) for item in value]
        if value is None:
            return UID(0)
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.objects)
            self.objects.append(None)
            number = len(self.objects) - 1
            if value.name is None:
                self.objects[number] = value.scalar
            else:
                stored = {}
                self.objects[number] = stored
                for key, item in value.fields:
                    stored["$" + key if key.startswith("$") else key] = self.reference(item)
                stored["$class"] = self.record(value)
        return UID(self.numbers[id(value)])

    def record(self, value):
        key = (value.name, tuple(value.chain))
        if key not in self.records:
            self.records[key] = len(self.objects)
            self.objects.append({"$classname": value.name, "$classes": list(value.chain)})
        return UID(self.records[key])

    def data(self, root, key="root"):
        top = {key: self.reference(root)}
        archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": self.objects}
        return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False)


def read(path):
    """The root of an archive."""
    with open(path, "rb") as file:
        archive = plistlib.load(file)
    stored, made = archive["$objects"], {}

    def value(item):
        if isinstance(item, UID):
            if item.data == 0:
                return None
            if item.data not in made:
                made[item.data] = Object()
                fill(made[item.data], stored[item.data])
            return made[item.data]
        if isinstance(item, list) and item and all(isinstance(x, UID) for x in item):
            return [value(x) for x in item]
        return Inline(item)

    def fill(target, item):
        if isinstance(item, dict) and "$class" in item:
            record = stored[item["$class"].data]
            target.name, target.chain = record["$classname"], record["$classes"]
            target.fields = [
                (key[1:] if key.startswith("$$") else key, value(x)) for key, x in item.items() if key != "$class"]
        else:
            target.scalar = item

    sys.setrecursionlimit(100_000)
    (top,) = archive["$top"].values()
    root = value(top)
    return root, archive


# Random graphs


class Maker:
    """Random graphs."""

    def __init__(self, numbers):
        self.random, self.pool = numbers, []

    def scalar(self):
        numbers = self.random
        return numbers.choice([
            lambda: f"s{numbers.randrange(20)}", lambda: numbers.randrange(-5, 10**12), lambda: numbers.random() * 100,
            lambda: numbers.random() < 0.5, lambda: bytes(numbers.randrange(256) for _ in range(5)),
            lambda: "\u00e4\u20ac\U0001F600", lambda: 64.0, lambda: ""])()

    def foundation(self):
        numbers = self.random
        kind = numbers.choice(["NSDate", "NSURL", "NSUUID", "NSMutableString", "NSMutableData", "NSNull"])
        fields = {
            "NSDate": lambda: [("NS.time", Inline(numbers.random() * 1e9))],
            "NSURL": lambda: [("NS.base", None), ("NS.relative", Object(scalar=f"http://h/{numbers.randrange(9)}"))],
            "NSUUID": lambda: [("NS.uuidbytes", Inline(bytes(numbers.randrange(256) for _ in range(16))))],
            "NSMutableString": lambda: [("NS.string", Inline(f"m{numbers.randrange(9)}"))],
            "NSMutableData": lambda: [("NS.data", Inline(b"abc"))], "NSNull": lambda: [],
        }[kind]()
        return Object(kind, KNOWN[kind], fields)

    def value(self, depth):
        numbers = self.random
        choice = numbers.random()
        if self.pool and choice < 0.15:
            return numbers.choice(self.pool)
        if depth <= 0 or choice < 0.45:
            return Object(scalar=self.scalar()) if numbers.random() < 0.7 else self.foundation()
        if choice < 0.75:
            return self.object(depth - 1)
        made = Object()
        if choice < 0.9:
            made.name = numbers.choice(["NSArray", "NSMutableArray", "NSArray", "NSSet"])
            made.chain = KNOWN[made.name]
            if made.name != "NSSet":
                self.pool.append(made)
            made.fields = [("NS.objects", [self.value(depth - 1) for _ in range(numbers.randrange(1, 4))])]
        else:
            made.name = numbers.choice(["NSDictionary", "NSMutableDictionary"])
            made.chain = KNOWN[made.name]
            keys = [Object(scalar=f"k{number}") for number in range(numbers.randrange(1, 4))]
            made.fields = [("NS.keys", keys), ("NS.objects", [self.value(depth - 1) for _ in keys])]
        return made

    def object(self, depth, name=None):
        numbers = self.random
        name = name or numbers.choice(list(APPLICATION))
        made = Object(name, APPLICATION[name])
        self.pool.append(made)
        for key in numbers.sample(["a", "b", "c", "d", "e", "$f", "g h"], numbers.randrange(2, 6)):
            choice = numbers.random()
            if choice < 0.25:
                value = Inline(numbers.choice([True, False, 7, -7, 1.5, 10**15, b"inline"]))
            elif choice < 0.3:
                value = None
            elif choice < 0.33:
                value = Object(scalar="$null")
            else:
                value = self.value(depth - 1)
            made.fields.append((key, value))
        return made


def plain_cycle(root):
    """Whether a container of Foundation holds itself, with no application object between."""
    state = {}

    def walk(item):
        if isinstance(item, list):
            return any(walk(x) for x in item)
        if not isinstance(item, Object) or item.name is None:
            return False
        if item.is_application:
            return False
        if state.get(id(item)) == 1:
            return True
        if state.get(id(item)) == 2:
            return False
        state[id(item)] = 1
        found = any(walk(x) for _, x in item.fields)
        state[id(item)] = 2
        return found

    seen = set()

    def every(item):
        if isinstance(item, list):
            return any(every(x) for x in item)
        if not isinstance(item, Object) or id(item) in seen:
            return False
        seen.add(id(item))
        return walk(item) or any(every(x) for _, x in item.fields)

    return every(root)


# Lenses


def lens(numbers, depth=2):
    """A random lens, as its file has it."""
    operations = []
    keys = ["a", "b", "c", "d", "e", "$f", "g h"]
    for _ in range(numbers.randrange(1, 4)):
        key = numbers.choice(keys)
        kind = numbers.choice(["rename", "rename", "rename", "add", "in", "class", "store", "hoist", "plunge", "remove"])
        if kind == "rename":
            operations.append({"rename": {"source": key, "destination": f"new{numbers.randrange(100)}"}})
        elif kind == "add":
            operations.append({"add": {"name": f"added{numbers.randrange(100)}", "default": f"t{numbers.randrange(9)}"}})
        elif kind == "in" and depth > 0:
            operations.append({"in": {"name": key, "lens": lens(numbers, depth - 1)}})
        elif kind == "class":
            source = numbers.choice([name for name in APPLICATION if name.startswith("App")])
            operations.append({"class": {"name": key, "from": source, "to": "New.Name"}})
        elif kind == "store":
            operations.append({"store": {"name": key, "as": numbers.choice(["inline", "boxed"])}})
        elif kind == "hoist":
            operations.append({"hoist": {"host": key, "name": numbers.choice(keys)}})
        elif kind == "plunge":
            operations.append({"plunge": {"host": key, "name": numbers.choice([x for x in keys if x != key])}})
        elif kind == "remove":
            operations.append({"remove": {"name": key}})
    return operations


class Model:
    """A view of an object as a lens sees it: members by name."""

    def __init__(self, item):
        if not isinstance(item, Object) or item.name is None:
            raise Refused("no object")
        self.item = item
        if item.is_application:
            return
        if item.name in ("NSDictionary", "NSMutableDictionary"):
            return
        raise Refused("no object")

    def names(self):
        if self.item.is_application:
            return [key for key, _ in self.item.fields]
        return [key.scalar for key in self.item.fields[0][1]]

    def get(self, name):
        position = self.names().index(name)
        return self.item.fields[position][1] if self.item.is_application else self.item.fields[1][1][position]

    def remove(self, name):
        position = self.names().index(name)
        if self.item.is_application:
            return self.item.fields.pop(position)[1]
        self.item.fields[0][1].pop(position)
        return self.item.fields[1][1].pop(position)

    def insert(self, position, name, value):
        if self.item.is_application:
            self.item.fields.insert(position, (name, value))
        else:
            if isinstance(value, Inline):
                value = new(value.value)
            if value is None:
                value = Object("NSNull", KNOWN["NSNull"])
            self.item.fields[0][1].insert(position, new(name))
            self.item.fields[1][1].insert(position, value)


def is_null(value):
    return value is None or isinstance(value, Object) and (
        value.name == "NSNull" or value.name is None and value.scalar == "$null")


def without_vain(operations):
    """The operations but those on what is inside of a member that is removed: others who share it keep it as it is."""
    vain, kept = set(), []
    for operation in reversed(operations):
        (word, arguments), = operation.items()
        if word == "in" and arguments["name"] in vain:
            continue
        if word == "remove":
            vain.add(arguments["name"])
        elif word != "in":
            vain.clear()
        kept.insert(0, operation)
    return kept


def apply(operations, item, envelope):
    """Changes an object as the lens says, in place: all that refers to it refers to what it becomes."""
    for operation in without_vain(operations):
        (word, arguments), = operation.items()
        model = Model(item)
        names = model.names()
        if word == "rename":
            source, destination = arguments["source"], arguments["destination"]
            if destination in names:
                raise Refused("is there already")
            if source in names:
                position = names.index(source)
                model.insert(position, destination, model.remove(source))
        elif word == "add":
            if arguments["name"] in names:
                raise Refused("is there already")
            model.insert(len(names), arguments["name"], new(arguments["default"]))
        elif word == "remove":
            if arguments["name"] in names:
                model.remove(arguments["name"])
        elif word == "in":
            if arguments["name"] in names and not is_null(model.get(arguments["name"])):
                apply(arguments["lens"], model.get(arguments["name"]), envelope)
        elif word == "class":
            if arguments["name"] in names and not is_null(model.get(arguments["name"])):
                target = model.get(arguments["name"])
                if not isinstance(target, Object) or target.name is None:
                    continue
                if target.name != arguments["from"]:
                    raise Refused("another class")
                target.name, target.chain = arguments["to"], [arguments["to"]] + target.chain[1:]
        elif word == "store":
            store(model, arguments)
        elif word == "hoist":
            hoist(model, arguments["host"], arguments["name"])
        elif word == "plunge":
            plunge(model, arguments["host"], arguments["name"], envelope)


def store(model, arguments):
    name = arguments["name"]
    if name not in model.names() or is_null(model.get(name)):
        return
    value = model.get(name)
    scalar = value.value if isinstance(value, Inline) else value.scalar if value.name is None else None
    if scalar is None or isinstance(scalar, str):
        raise Refused("no number")
    if not model.item.is_application:
        return
    position = model.names().index(name)
    if arguments["as"] == "inline":
        model.item.fields[position] = (name, Inline(scalar))
    elif isinstance(value, Inline):
        model.item.fields[position] = (name, new(scalar))


def hoist(model, host, name):
    names = model.names()
    if name in names:
        raise Refused("is there already")
    if host not in names or is_null(model.get(host)):
        return
    inside = Model(model.get(host))
    if name in inside.names():
        model.insert(names.index(host) + 1, name, inside.remove(name))


def plunge(model, host, name, envelope):
    names = model.names()
    if host in names and not is_null(model.get(host)):
        inside = Model(model.get(host))
        if name in inside.names():
            raise Refused("is there already")
        if name in names:
            inside.insert(len(inside.names()), name, model.remove(name))
    elif name in names:
        # Dictionaries are what dictionariable archives nest; among objects nothing tells the class.
        if model.item.is_application and envelope == "nscoding":
            raise Refused("a new host has no class that is known")
        value = model.remove(name)
        value = new(value.value) if isinstance(value, Inline) else value
        if host in model.names():
            model.remove(host)
        made = Object("NSDictionary", KNOWN["NSDictionary"])
        made.fields = [("NS.keys", [new(name)]), ("NS.objects", [value])]
        model.insert(min(names.index(name), len(model.names())), host, made)


# Comparison


def value(item):
    """A scalar, and an object whose fields are scalars, as text."""
    return repr((item.name, item.scalar, [(key, getattr(part, "value", "?")) for key, part in item.fields]))


def difference(left, right):
    """The first way in which two graphs differ; None if there is none."""
    twins, stack = {}, [(left, right, "$")]
    inverse = {}
    while stack:
        a, b, path = stack.pop()
        if isinstance(a, Inline) or isinstance(b, Inline):
            if not (isinstance(a, Inline) and isinstance(b, Inline)):
                return f"{path}: storage {type(a).__name__} {type(b).__name__}"
            if repr(a.value) != repr(b.value):
                return f"{path}: {a.value!r} {b.value!r}"
            continue
        if a is None or b is None:
            if a is not b:
                return f"{path}: nil"
            continue
        if isinstance(a, list) or isinstance(b, list):
            if not (isinstance(a, list) and isinstance(b, list)) or len(a) != len(b):
                return f"{path}: list"
            stack += [(x, y, f"{path}[{n}]") for n, (x, y) in enumerate(zip(a, b))]
            continue
        if id(a) in twins or id(b) in inverse:
            if twins.get(id(a)) != id(b) or inverse.get(id(b)) != id(a):
                # Scalars that were made anew may be one, and one may have become two.
                if getattr(a, "is_new", False) and value(a) == value(b):
                    continue
                return f"{path}: identity"
            continue
        twins[id(a)], inverse[id(b)] = id(b), id(a)
        if a.name != b.name or a.chain != b.chain:
            return f"{path}: class {a.name} {a.chain} {b.name} {b.chain}"
        if a.name is None:
            if repr(a.scalar) != repr(b.scalar):
                return f"{path}: {a.scalar!r} {b.scalar!r}"
            continue
        # An empty list is stored in its holder, whatever it would hold.
        if [key for key, _ in a.fields] != [key for key, _ in b.fields]:
            return f"{path}: keys {[k for k, _ in a.fields]} {[k for k, _ in b.fields]}"
        for (key, x), (_, y) in zip(a.fields, b.fields):
            x, y = ([] if isinstance(z, Inline) and z.value == [] else z for z in (x, y))
            stack.append((x, y, f"{path}.{key}"))
    return None


# The trial


def schema(name, version, envelope):
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:archtool:{name}:{version}",
            "x-archive": {"envelope": envelope}, "type": "object"}


def family(folder, name, envelope, operations):
    os.makedirs(f"{folder}/{name}")
    write = lambda file, value: json.dump(value, open(f"{folder}/{name}/{file}", "w"))
    write("family.json", {"family": name, "versions": ["v1", "v2"]})
    for version in "v1", "v2":
        write(f"{version}.schema.json", schema(name, version, envelope))
    if operations is not None:
        write("v1-v2.lens.json", {"lens": operations})


def trial(archtool, folder, name, envelope, operations, makers, keeps):
    family(f"{folder}/families", name, envelope, operations)
    source, target = f"{folder}/{name}", f"{folder}/{name}-out"
    os.makedirs(source)
    for number, (archive, _) in enumerate(makers):
        with open(f"{source}/{number}", "wb") as file:
            file.write(archive)
    arguments = [archtool, "migrate", "--allow-empty", "--schemas", f"{folder}/families", "--schema", name, "--from", "v1", "--to", "v2",
                 "-q", "-r", source, "--output-dir", target] + (["--allow-loss"] if keeps else [])
    process = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    if process.returncode not in (0, 1, 65):
        return [f"{name}: status {process.returncode}: {process.stderr[:300]}"], 0, 0, process.stderr
    problems, refused, kept = [], 0, 0
    for number in range(len(makers)):
        path = f"{target}/{number}"
        root, before = read(f"{source}/{number}")
        try:
            if operations is not None:
                apply(operations, root, envelope)
            expected = True
        except Refused:
            expected = False
        if not os.path.exists(path):
            refused += 1
            continue
        if not expected:
            problems.append(f"{name}/{number}: accepted what the lens does not allow")
            continue
        found, after = read(path)
        what = difference(root, found)
        same = all(before[key] == after[key] for key in ("$version", "$archiver"))
        if what or not same or list(before) != list(after):
            problems.append(f"{name}/{number}: {what}")
        else:
            kept += 1
    return problems, kept, refused, process.stderr


def main():
    archtool, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder = sys.argv[4] if len(sys.argv) > 4 else tempfile.mkdtemp()
    numbers = random.Random(seed)
    sys.setrecursionlimit(100_000)
    problems, kept, refused, group = [], 0, 0, 20
    for batch in range((count + group - 1) // group):
        envelope = numbers.choice(["nscoding", "nscoding", "dictionariable"])
        makers = []
        while len(makers) < group:
            maker = Maker(numbers)
            if envelope == "nscoding":
                root = maker.object(4)
            else:
                root = Object("NSMutableDictionary", KNOWN["NSMutableDictionary"])
                keys = numbers.sample(["a", "b", "c", "d", "e"], 3)
                root.fields = [("NS.keys", [Object(scalar=k) for k in keys]),
                               ("NS.objects", [maker.value(4) for _ in keys])]
            if not plain_cycle(root):
                makers.append((Archive(numbers).data(root), root))
        operations = None if batch % 2 == 0 else lens(numbers)
        result = trial(archtool, folder, f"F{batch}", envelope, operations, makers, True)
        problems += [f"{problem} (lens {json.dumps(operations)})" for problem in result[0]]
        kept, refused = kept + result[1], refused + result[2]
    for problem in problems[:20]:
        print(problem)
    print(f"graphs {kept + refused + len(problems)} equal {kept} refused {refused} different {len(problems)} seed {seed}")
    if len(sys.argv) <= 4:
        shutil.rmtree(folder)
    sys.exit(1 if problems or kept == 0 else 0)


if __name__ == "__main__":
    main()
