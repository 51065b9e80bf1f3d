#!/usr/bin/env python3
"""Converts random binary property lists to binary ones and to typed JSON and back: every value stays what it is.

usage: binary_values.py ARCHTOOL COUNT SEED

The tables have all markers, integers and UIDs of every width and their extremes, numbers wider than they need to be, and
any size of offsets and references. They are read by a decoder of its own, and by plistlib where it knows the markers.
"""
import pathlib
import plistlib
import random
import struct
import subprocess
import sys
import tempfile

EXTREMES = sorted(
    {sign * (1 << bits) + step for bits in (0, 7, 8, 15, 16, 31, 32, 53, 63, 64, 65, 126)
     for step in (-1, 0, 1) for sign in (1, -1)} | {(1 << 127) - 1, -(1 << 127)})
REALS = [0.0, -0.0, 0.1, 1.0, -2.5, 1e300, 5e-324, float("inf"), float("-inf"), 2.0 ** 53, 1e16]


# Tables


class Table:
    """Random values, each encoded by itself."""

    def __init__(self, rng):
        self.rng, self.objects, self.has_sets = rng, [], False
        self.reference_size = rng.choice([1, 2, 3, 4, 8])
        self.top = self.value(0)

    def add(self, encoded):
        self.objects.append(encoded)
        return len(self.objects) - 1

    def value(self, depth):
        """Adds a value, or for a container its children first."""
        rng = self.rng
        if depth < 4 and (depth == 0 or rng.random() < 0.3) and len(self.objects) < 200:
            count = rng.choice([0, 1, 2, 3, 14, 15, 16]) if depth < 2 else rng.randrange(4)
            kind = rng.choice([0xA, 0xA, 0xD, 0xD, 0xC])
            self.has_sets = self.has_sets or kind == 0xC
            keys = self.keys(count) if kind == 0xD else []
            children = keys + [self.value(depth + 1) for _ in range(count)]
            return self.add((self.head(kind, count), children))
        return self.add((self.scalar(), []))

    def keys(self, count):
        """Keys of different values, not all of them strings."""
        numbers = self.rng.sample(EXTREMES, count)
        return [self.add((self.text(f"k{n}") if self.rng.random() < 0.7 else self.integer(number), []))
                for n, number in enumerate(numbers)]

    def head(self, kind, count):
        if count < 15 and self.rng.random() < 0.9:
            return bytes([kind << 4 | count])
        power = self.rng.choice([0, 1, 2, 3] if count < 256 else [1, 2, 3])
        return bytes([kind << 4 | 15, 0x10 | power]) + count.to_bytes(1 << power, "big")

    def integer(self, number):
        powers = [p for p in (0, 1, 2) if 0 <= number < 1 << (8 << p)]
        powers += [p for p in (3, 4) if -(1 << ((8 << p) - 1)) <= number < 1 << ((8 << p) - 1)]
        power = self.rng.choice(powers)
        return bytes([0x10 | power]) + (number % (1 << (8 << power))).to_bytes(1 << power, "big")

    def text(self, text):
        if text.isascii() and self.rng.random() < 0.8:
            return self.head(5, len(text)) + text.encode()
        units = text.encode("utf-16-be")
        return self.head(6, len(units) // 2) + units

    def scalar(self):
        rng = self.rng
        kind = rng.randrange(9)
        if kind < 2:
            number = rng.choice(EXTREMES) if rng.random() < 0.7 else rng.getrandbits(rng.randrange(1, 127))
            return self.integer(number)
        if kind == 2:
            number = rng.choice([0, 1, 255, 256, 65535, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 64) - 1])
            size = rng.choice([s for s in (1, 2, 3, 4, 5, 8, 9, 16) if number < 1 << (8 * s)])
            return bytes([0x80 | size - 1]) + number.to_bytes(size, "big")
        if kind == 3:
            return b"\x23" + struct.pack(">d", rng.choice(REALS))
        if kind == 4:
            return b"\x22" + struct.pack(">f", rng.choice([0.1, -0.0, 1.5, float("inf"), 1e-45]))
        if kind == 5:
            return b"\x33" + struct.pack(">d", rng.choice([0.0, 0.5, -978307200.0, 7e8, 1e9 + 0.25]))
        if kind == 6:
            content = rng.randbytes(rng.choice([0, 1, 14, 15, 300]))
            return self.head(4, len(content)) + content
        if kind == 7:
            return self.text(rng.choice(["", "a", "Grüße", "\U0001f326", "x" * 300, "$null", "a\0b"]))
        return rng.choice([b"\x00", b"\x08", b"\x09"])

    def bytes(self):
        """The file, its objects in any order."""
        order = list(range(len(self.objects)))
        self.rng.shuffle(order)
        number = {old: new for new, old in enumerate(order)}
        body, offsets = bytearray(b"bplist00"), []
        size = self.reference_size if len(order) < 256 else max(self.reference_size, 2)
        for old in order:
            head, children = self.objects[old]
            offsets.append(len(body))
            body += head + b"".join(number[child].to_bytes(size, "big") for child in children)
        start = len(body)
        width = self.rng.choice([w for w in (1, 2, 3, 4, 8) if start < 1 << (8 * w)])
        body += b"".join(offset.to_bytes(width, "big") for offset in offsets)
        return bytes(body + struct.pack(">6xBBQQQ", width, size, len(order), number[self.top], start))


# Decoders


def decode(data):
    """The values as nested tuples of a type and a content; reals by their bits."""
    width, size, count, top, start = struct.unpack(">6xBBQQQ", data[-32:])
    offsets = [int.from_bytes(data[start + n * width:start + (n + 1) * width], "big") for n in range(count)]

    def value(number):
        place = offsets[number]
        kind, low = data[place] >> 4, data[place] & 15
        place += 1
        if kind == 0:
            return ("null",) if low == 0 else ("boolean", low == 9)
        if kind == 1:
            return ("integer", int.from_bytes(data[place:place + (1 << low)], "big", signed=low > 2))
        if kind in (2, 3):
            return ("real" if kind == 2 else "date", data[place:place + (1 << low)])
        if kind == 8:
            return ("UID", int.from_bytes(data[place:place + low + 1], "big"))
        if low == 15:
            power = data[place] & 15
            low = int.from_bytes(data[place + 1:place + 1 + (1 << power)], "big")
            place += 1 + (1 << power)
        if kind == 4:
            return ("data", data[place:place + low])
        if kind == 5:
            return ("text", data[place:place + low].decode("ascii"))
        if kind == 6:
            return ("text", data[place:place + 2 * low].decode("utf-16-be"))
        total = low * (2 if kind == 0xD else 1)
        children = [value(int.from_bytes(data[place + n * size:place + (n + 1) * size], "big"))
                    for n in range(total)]
        return (kind, tuple(children))

    return value(top)


def typed(value):
    """What plistlib reads, with the types that Python takes for equal."""
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, dict):
        return {repr(key): typed(item) for key, item in value.items()}
    return type(value).__name__, repr(value)


# Runs


def main(words):
    """Converts COUNT tables."""
    program, count, seed = words[0], int(words[1]), int(words[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tables = {}
        for number in range(count):
            table = Table(random.Random(seed * 1_000_003 + number))
            file = folder / f"{number}.plist"
            file.write_bytes(table.bytes())
            tables[file.name] = (file.read_bytes(), table.has_sets)

        def convert(source, target, *options):
            (folder / target).mkdir()
            files = sorted(str(file) for file in source.iterdir() if file.is_file())
            subprocess.run([program, "convert", "-q", *options, "--output-dir", str(folder / target),
                            *files], check=False, env={"PATH": "/usr/bin:/bin", "HOME": name})
            return folder / target

        binary = convert(folder, "binary", "--to", "binary1")
        back = convert(convert(folder, "json", "--to", "json", "--typed"), "back", "--to", "binary1")
        failed = 0
        for file, (old, has_sets) in tables.items():
            wanted = decode(old)
            for result in (binary / file, back / file):
                new = result.read_bytes() if result.exists() else b""
                if not new or decode(new) != wanted:
                    failed += 1
                    print(f"binary_values: seed {seed}: {result.relative_to(folder)} differs")
                elif not has_sets:
                    try:
                        expected = typed(plistlib.loads(old))
                    except (plistlib.InvalidFileException, OverflowError):
                        continue
                    if typed(plistlib.loads(new)) != expected:
                        failed += 1
                        print(f"binary_values: seed {seed}: plistlib: {result.relative_to(folder)} differs")
    if not failed:
        print(f"binary_values: {count} tables are the same")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
