"""Random lenses: each operation changes a type as it changes the values, so that a second schema can be written.

A function of OPERATIONS takes a structure and changes it; it returns the operation as a lens file has it, or None if
the structure has nothing that the operation could be about. A new operation is a new function in that table.
"""
from random_models import CHAINS, NUMBERS, TEXTS, Type

DATE_FORMATS = [
    {"format": "iso8601"}, {"format": "unix"}, {"format": "reference"}, {"format": "yyyy-MM-dd HH:mm", "zone": "UTC"},
    {"format": "rfc5322"}, {"format": "medium", "zone": "+01:00"}]
ADDED = ["text", "integer", "real", "boolean", "date", "data", "url", "uuid", "list", "set", "ordered"]
DEFAULTED = ("text", "integer", "real", "boolean", "date")


class LensMaker:
    """Makes random lenses, and the types that they lead to."""

    def __init__(self, numbers, told, envelope):
        self.random, self.told, self.envelope, self.lenses = numbers, told != "none", envelope, {}

    def lens(self, type, depth=2):
        """A lens for a structure, which becomes what the lens makes of it."""
        operations = []
        has_archive = any(part.kind == "archive" for part in type.parts.values())
        for _ in range(self.random.choice([1, 1, 2, 3])):
            word = "archive" if has_archive and self.chance(0.4) else self.random.choice(list(OPERATIONS))
            made = OPERATIONS[word](self, type, depth)
            if made is not None:
                is_whole = len(made) == 1 and next(iter(made)) in OPERATIONS
                operations.append(made if is_whole else {word: made})
        return operations

    def chance(self, share):
        return self.random.random() < share

    def pick(self, type, test=lambda part: True):
        """The name of a part for which a test holds; None if there is none."""
        found = [name for name, part in type.parts.items() if name != "id" and test(part)]
        return self.random.choice(found) if found else None

    def fresh(self, type):
        names = [name for name in (f"n{number}" for number in range(20)) if name not in type.parts]
        return self.random.choice(names)

    def part(self, kind, element=None, **facts):
        made = Type(kind, self.told)
        made.element = element
        made.__dict__ |= facts
        if made.is_structure:
            made.name, made.chain = "App.Leaf", CHAINS["App.Leaf"]
        return made


def rename(maker, type, depth):
    source = maker.pick(type)
    if source is None:
        return None
    destination = maker.fresh(type)
    type.parts = {destination if name == source else name: part for name, part in type.parts.items()}
    return {"source": source, "destination": destination}


def literal(maker, kind):
    """A value of a kind as a lens file has it."""
    return {
        "text": lambda: maker.random.choice(TEXTS), "integer": lambda: maker.random.choice([0, 1, -7, 2**53 + 1]),
        "real": lambda: maker.random.choice([0.5, -0.0, 64.0]), "boolean": lambda: maker.chance(0.5),
        "date": lambda: {"$date": "2020-01-02T03:04:05.25Z"}, "data": lambda: {"$data": "YWJj"},
        "url": lambda: {"relative": "http://d/"} if maker.envelope in ("codable", "plist") else "http://d/",
        "uuid": lambda: "11111111-2222-4333-8444-555555555555",
        "list": lambda: ["q"], "set": lambda: ["q", "r"], "ordered": lambda: ["q", "r"], "record": lambda: {"k": "v"},
    }[kind]()


def add(maker, type, depth):
    name = maker.fresh(type)
    kind = maker.random.choice(ADDED)
    part = maker.part(kind, Type("text") if kind in ("list", "set", "ordered") else None)
    part.storage = maker.random.choice(["inline", "boxed"])
    type.parts[name] = part
    if maker.chance(0.3):
        part.is_optional = True
        return {"name": name}
    return {"name": name, "default": literal(maker, kind)}


def remove(maker, type, depth):
    name = maker.pick(type)
    if name is None:
        return None
    part = type.parts.pop(name)
    if part.kind in ("text", "integer", "boolean", "real") and maker.chance(0.6):
        return {"name": name, "default": literal(maker, part.kind)}
    return {"name": name}


def hoist(maker, type, depth):
    host = maker.pick(type, lambda part: part.is_structure and part.parts)
    if host is None:
        return None
    name = maker.random.choice(list(type.parts[host].parts))
    if name in type.parts:
        return None
    part = type.parts[name] = type.parts[host].parts.pop(name)
    part.is_optional |= type.parts[host].is_optional or type.parts[host].is_nullable
    if maker.chance(0.3):
        if not type.parts[host].parts:
            del type.parts[host]
        return {"host": host, "name": name, "prune": True}
    return {"host": host, "name": name}


def plunge(maker, type, depth):
    name = maker.pick(type)
    host = maker.pick(type, lambda part: part.is_structure)
    if name is None or name == host:
        return None
    creates = host is None or maker.chance(0.3)
    if creates:
        host = maker.fresh(type)
        type.parts[host] = maker.part("record")
    elif name in type.parts[host].parts:
        return None
    type.parts[host].parts[name] = type.parts.pop(name)
    return {"host": host, "name": name, **({"create": True} if creates else {})}


def wrap(maker, type, depth):
    name = maker.pick(type)
    if name is None:
        return None
    part = type.parts[name].clone()
    part.is_optional = False
    type.parts[name] = maker.part("list", part)
    return {"name": name}


def head(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind == "list")
    if name is None:
        return None
    part = type.parts[name].element.clone()
    part.is_optional = True
    type.parts[name] = part
    return {"name": name}


def within(maker, type, depth):
    name = maker.pick(type, lambda part: part.is_structure and part.parts)
    if name is None or depth <= 0:
        return None
    return {"name": name, "lens": maker.lens(type.parts[name], depth - 1)}


def each(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind in ("list", "map"))
    if name is None or depth <= 0:
        return None
    element = type.parts[name].element
    if element.is_structure:
        by = {"by": "id"} if "id" in element.parts and maker.chance(0.5) else {}
        inner = {"map": {"lens": maker.lens(element, depth - 1), **by}}
    elif maker.chance(0.3):
        type.parts[name].element = maker.part("record", parts={"v": element})
        inner = {"map": {"lens": [{"nest": {"as": "v"}}]}}
    else:
        made, conversion = converted(maker, element)
        if made is None:
            return None
        type.parts[name].element = made
        inner = {"map": {"lens": [{"convert": conversion}]}}
    return {"in": {"name": name, "lens": [inner]}}


def change_class(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind == "object" and part.name != "New.Model")
    if name is None:
        return None
    part = type.parts[name]
    old, part.name = part.name, "New.Model"
    part.chain = ["New.Model"] + part.chain[1:]
    return {"name": name, "from": old, "to": "New.Model"}


def archived(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind == "archive" and part.version == 0)
    if name is None:
        return None
    part = type.parts[name]
    part.version = 1
    step = {"from": f"{part.name}@v1", "to": f"{part.name}@v2"}
    return {"in": {"name": name, "archive": step}}


def store(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind in NUMBERS)
    if name is None:
        return None
    part = type.parts[name]
    part.storage = "boxed" if part.storage == "inline" else "inline"
    return {"name": name, "as": part.storage}


def converted(maker, part):
    """The type that a scalar becomes, and the arguments of `convert`; None and None if there is no conversion."""
    other = {
        "integer": ["string", "real", "boolean", "date"], "real": ["string", "integer", "date"],
        "boolean": ["string", "integer", "real"], "text": ["integer", "real", "boolean", "date", "values"],
        "date": ["string", "real", "integer"], "data": ["base64"],
    }.get(part.kind)
    if other is None:
        return None, None
    word = maker.random.choice(other)
    made = part.clone()
    made.kind = {"string": "text", "base64": "text", "values": "text"}.get(word, word)
    made.is_mutable = False
    if word == "values":
        texts = maker.random.sample(sorted(set(TEXTS)), 3)
        made.kind = maker.random.choice(["text", "integer"])
        targets = ["A", "B", "C"] if made.kind == "text" else [7, 8, 9]
        rest = {"else": "z" if made.kind == "text" else 0} if maker.chance(0.7) else {}
        return made, {"values": [list(pair) for pair in zip(texts, targets)], **rest}
    source = {"text": "string"}.get(part.kind, part.kind)
    arguments = {"sourceType": source, "destinationType": word}
    if "date" in (source, word):
        arguments |= maker.random.choice(
            DATE_FORMATS if "string" in (source, word) else DATE_FORMATS[1:3] + [{"format": "unix-milliseconds"}])
    return made, arguments


def convert(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind in ("integer", "real", "boolean", "text", "date", "data"))
    if name is None:
        return None
    made, arguments = converted(maker, type.parts[name])
    if made is None:
        return None
    type.parts[name] = made
    return {"name": name, **arguments}


def default(maker, type, depth):
    name = maker.pick(type, lambda part: part.is_optional and part.kind in DEFAULTED)
    if name is None:
        return None
    part = type.parts[name]
    part.is_optional = part.is_nullable = False
    return {"name": name, "value": literal(maker, part.kind)}


def nullable(maker, type, depth):
    name = maker.pick(type, lambda part: part.is_optional or part.is_nullable)
    if name is None:
        return None
    part = type.parts[name]
    becomes_absent = maker.chance(0.5)
    part.is_optional, part.is_nullable = becomes_absent, not becomes_absent
    return {"name": name, "null": "absent" if becomes_absent else "present"}


def copied(maker, type, depth):
    source = maker.pick(type)
    if source is None:
        return None
    destination = maker.fresh(type)
    type.parts[destination] = type.parts[source].clone()
    return {"source": source, "destination": destination}


def split(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind == "text")
    if name is None:
        return None
    old = type.parts[name]
    type.parts[name] = maker.part("list", Type("text"), is_optional=old.is_optional, is_nullable=old.is_nullable)
    return {"name": name, "separator": ","}


def join(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind == "list" and part.element.kind == "text")
    if name is None:
        return None
    old = type.parts[name]
    type.parts[name] = maker.part("text", is_optional=old.is_optional, is_nullable=old.is_nullable)
    return {"name": name, "separator": maker.random.choice([",", " "])}


def nest(maker, type, depth):
    name = maker.pick(type)
    if name is None:
        return None
    old = type.parts[name]
    made = maker.part("record", parts={"v": old.plainly()}, is_optional=old.is_optional, is_nullable=old.is_nullable)
    type.parts[name] = made
    return {"name": name, "as": "v"}


def pluck(maker, type, depth):
    name = maker.pick(type, lambda part: part.is_structure and part.parts)
    if name is None:
        return None
    host = type.parts[name]
    member = maker.random.choice(list(host.parts))
    part = host.parts[member].clone()
    part.is_optional |= host.is_optional
    part.is_nullable |= host.is_nullable
    type.parts[name] = part
    return {"name": name, "as": member}


def group(maker, type, depth):
    if maker.chance(0.3):
        lists = [name for name, part in type.parts.items() if part.kind == "list" and not part.is_optional]
        keys = [name for name in lists if type.parts[name].element.kind == "text"]
        if not keys or len(lists) < 2:
            return None
        source = maker.random.choice(keys)
        values = maker.random.choice([name for name in lists if name != source])
        into = maker.fresh(type)
        type.parts[into] = maker.part("map", type.parts.pop(values).element)
        del type.parts[source]
        return {"keys": source, "values": values, "into": into}
    name = maker.pick(type, lambda part: part.kind == "list" and "id" in part.element.parts)
    if name is None:
        return None
    old = type.parts[name]
    element = old.element.clone()
    del element.parts["id"]
    type.parts[name] = maker.part("map", element, is_optional=old.is_optional, is_nullable=old.is_nullable)
    return {"name": name, "by": "id"}


def ungroup(maker, type, depth):
    name = maker.pick(type, lambda part: part.kind == "map" and part.key == "text" and not part.is_optional)
    if name is None:
        return None
    old = type.parts[name]
    if old.element.is_structure and "id" not in old.element.parts:
        element = old.element.clone()
        element.parts["id"] = Type("text")
        type.parts[name] = maker.part("list", element, is_nullable=old.is_nullable)
        return {"name": name, "by": "id"}
    names = [maker.fresh(type) for _ in range(2)]
    if names[0] == names[1]:
        return None
    del type.parts[name]
    type.parts[names[0]] = maker.part("list", Type("text"))
    type.parts[names[1]] = maker.part("list", old.element)
    return {"keys": names[0], "values": names[1], "into": name}


def when(maker, type, depth):
    member = maker.pick(type, lambda part: part.kind in ("text", "integer", "boolean"))
    name = maker.pick(type)
    if member is None or name == member:
        return None
    if maker.chance(0.5) and type.parts[member].is_optional:
        condition = {"present": maker.chance(0.5)}
    else:
        condition = {"equals": literal(maker, type.parts[member].kind)}
    renamed = maker.fresh(type)
    type.parts[renamed] = type.parts[name].clone()
    type.parts[renamed].is_optional = type.parts[name].is_optional = True
    inner = [{"rename": {"source": name, "destination": renamed}}]
    if "equals" in condition and type.parts[member].kind == "text" and maker.chance(0.4):
        inner.append({"convert": {"name": member, "values": [[condition["equals"], "marked"]]}})
        return {"member": member, **condition, "after": {"member": member, "equals": "marked"}, "lens": inner}
    return {"member": member, **condition, "lens": inner}


def use(maker, type, depth):
    name = maker.pick(type, lambda part: part.is_structure and part.parts)
    if name is None or depth <= 0:
        return None
    word = f"lens{len(maker.lenses)}"
    maker.lenses[word] = []
    maker.lenses[word] = maker.lens(type.parts[name], depth - 1)
    return {"in": {"name": name, "lens": [{"use": word}]}}


OPERATIONS = {
    "rename": rename, "add": add, "remove": remove, "hoist": hoist, "plunge": plunge, "wrap": wrap, "head": head,
    "in": within, "map": each, "class": change_class, "archive": archived, "store": store, "convert": convert,
    "default": default, "nullable": nullable, "copy": copied, "split": split, "join": join, "nest": nest,
    "pluck": pluck, "group": group, "ungroup": ungroup, "when": when, "use": use,
}
