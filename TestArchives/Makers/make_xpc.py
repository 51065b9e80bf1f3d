#!/usr/bin/env python3
"""Writes messages as NSXPCConnection lays them out (bplist16, bplist17), by the format's description and without archtool.

usage: make_xpc.py ARCHIVES
       make_xpc.py --values NAME    prints the values of ARCHIVES/XPC/NAME as JSON
       make_xpc.py --random SEED    writes a message of random values to standard output
       make_xpc.py --random-values SEED    prints its values as JSON
"""

import base64
import json
import pathlib
import random
import struct
import sys


class Made:
    """An object: its class, and its fields as (key, value); the key None is that of a value without one."""

    def __init__(self, name, fields):
        self.name, self.fields = name, fields


class Wide(int):
    """An integer without a sign."""


class Message:
    """The bytes of a message; version 17 refers back to what it has already."""

    def __init__(self, version):
        self.version = version
        self.body = bytearray(b"bplist%d" % version)
        self.texts, self.containers = {}, {}

    def size(self, kind, count):
        if count < 15:
            self.body.append(kind | count)
        else:
            width = 1 if count < 128 else 2 if count < 32768 else 4
            self.body += bytes([kind | 15, 0x10 | width]) + count.to_bytes(width, "little")

    def refer(self, offset):
        width = 1 if offset < 256 else 2 if offset < 65536 else 4
        self.body += bytes([0x80 | width]) + offset.to_bytes(width, "little")

    def text(self, text):
        if self.version == 17 and text in self.texts:
            return self.refer(self.texts[text])
        self.texts[text] = len(self.body)
        if text.isascii():
            self.size(0x70, len(text) + 1)
            self.body += text.encode() + b"\0"
        else:
            units = text.encode("utf-16-le", "surrogatepass")
            self.size(0x60, len(units) // 2)
            self.body += units

    def container(self, marker, parts):
        start = len(self.body)
        self.body += bytes([marker]) + bytes(8)
        for part in parts:
            self.value(part)
        self.body[start + 1:start + 9] = (len(self.body) - 1).to_bytes(8, "little")

    def value(self, value):
        if value is None:
            self.body.append(0xE0)
        elif isinstance(value, bool):
            self.body.append(0xB0 if value else 0xC0)
        elif isinstance(value, Wide):
            self.body += b"\xf8" + value.to_bytes(8, "little")
        elif isinstance(value, int):
            width = next(n for n in (1, 2, 4, 8) if -(1 << 8 * n - 1) <= value < 1 << 8 * n - 1)
            self.body += bytes([0x10 | width]) + value.to_bytes(width, "little", signed=True)
        elif isinstance(value, float):
            single = abs(value) < 1e38 and struct.unpack("<f", struct.pack("<f", value))[0] == value
            self.body += b"\x22" + struct.pack("<f", value) if single else b"\x23" + struct.pack("<d", value)
        elif isinstance(value, bytes):
            self.size(0x40, len(value))
            self.body += value
        elif isinstance(value, str):
            self.text(value)
        elif self.version == 17 and id(value) in self.containers:
            self.refer(self.containers[id(value)])
        else:
            self.containers[id(value)] = len(self.body)
            if isinstance(value, list):
                self.container(0xA0, value)
            elif isinstance(value, dict):
                self.container(0xD0, [part for pair in value.items() for part in pair])
            else:
                pairs = [part for pair in value.fields for part in pair]
                self.container(0xD0, ["$class", value.name] + pairs)


def message(value, version):
    """The bytes of a message with a value."""
    made = Message(version)
    made.value(value)
    return bytes(made.body)


def shown(value):
    """A value as JSON has it."""
    if isinstance(value, Made):
        members, unnamed = {"$class": value.name}, 0
        for key, part in value.fields:
            if key is None:
                key, unnamed = "$%d" % unnamed, unnamed + 1
            members[key] = shown(part)
        return members
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, list):
        return [shown(part) for part in value]
    if isinstance(value, dict):
        return {key: shown(part) for key, part in value.items()}
    return value


def messages():
    """The messages of ARCHIVES/XPC by their names."""
    point = Made("App.Point", [("x", 1.5), ("y", -2.25)])
    shape = Made("App.Shape", [
        ("name", "Größe"), ("points", [point, point, None]), ("count", -129), ("limit", Wide(2**64 - 1)),
        ("isOpen", True), (None, [7]), (None, "last"), ("icon", bytes(range(20))), ("ratio", 0.1),
        ("$xpc", 0), ("label", "Größe"),
    ])
    invocation = ["draw:inView:reply:", "v40@0:8@16@24@?32", [shape, {"scale": 2, "title": "long " * 40}, None]]
    return {
        "invocation.bplist16": message(invocation, 16), "invocation.bplist17": message(invocation, 17),
        # Captured by node-plist17 (test/bplist17.test.js, OBJ_RESPONSE and OBJ_SEND_WITH_REPLY).
        "reply.bplist17": bytes.fromhex("62706c6973743137a02900000000000000e07576403f4000a02900000000000000"
                                        "6470006f006e006700"),
        "ping.bplist17": bytes.fromhex("62706c6973743137a048000000000000007f111070696e673a776974685265706c79"
                                       "3a007f110f76333240303a38403136403f323400a048000000000000006466006f006f"
                                       "003500e0"),
        "cycle.bplist17": cycle(),
    }, {
        "invocation.bplist16": invocation, "invocation.bplist17": invocation,
        "reply.bplist17": [None, "v@?@", ["pong"]],
        "ping.bplist17": ["ping:withReply:", "v32@0:8@16@?24", ["foo5", None]],
    }


def cycle():
    """An object that refers to itself, in a list that does so as well."""
    node = Made("App.Node", [("title", "ring")])
    ring = [node]
    node.fields += [("next", node), ("ring", ring)]
    ring.append(ring)
    return message(ring, 17)


TEXTS = ["", "a", "name", "NS.object", "x" * 14, "y" * 15, "z" * 300, "ä", "日本語", "🙂" * 20, "$key", "$null"]


def random_value(source, depth, pool):
    """A random value; containers of the pool are shared."""
    kind = source.randrange(12 if depth < 4 else 8)
    if kind < 2:
        return source.choice(TEXTS)
    if kind < 8:
        return source.choice([
            None, True, False, 0, -1, 127, 128, -129, 40000, 2**40, -2**63, 0.5, 0.1, -1e300, Wide(2**63),
            Wide(5), b"", bytes(source.randrange(40)),
        ])
    if kind == 8 and pool:
        return source.choice(pool)
    parts = [random_value(source, depth + 1, pool) for _ in range(source.randrange(6))]
    if kind < 10:
        made = parts
    elif kind == 10:
        made = dict(zip(["k%d" % n for n in range(9)], parts))
    else:
        keys = [source.choice([None, "f%d" % n]) for n in range(len(parts))]
        made = Made(source.choice(["App.One", "App.Two"]), list(zip(keys, parts)))
    pool.append(made)
    return made


def random_message(seed):
    """A random message and its value."""
    source = random.Random(seed)
    value = [random_value(source, 0, []) for _ in range(6)]
    pool = []
    value.append([random_value(source, 1, pool) for _ in range(8)])
    return message(value, source.choice([16, 17])), value


def main(words):
    """Writes all samples, or what the usage says."""
    made, values = messages()
    if words[0] == "--values":
        print(json.dumps(shown(values[words[1]])))
    elif words[0] == "--random":
        sys.stdout.buffer.write(random_message(int(words[1]))[0])
    elif words[0] == "--random-values":
        print(json.dumps(shown(random_message(int(words[1]))[1])))
    else:
        folder = pathlib.Path(words[0]) / "XPC"
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in made.items():
            (folder / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
