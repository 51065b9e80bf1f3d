"""Writes keyed archives of plain values in little memory: an archive of a million records takes some hundred bytes each.

The bytes are those that plistlib would write of the same object table, which would be gigabytes of Python objects.
"""

from __future__ import annotations

import functools
import struct
import zlib
from array import array

# The sizes of numbers in bytes, and the codes of arrays of them.
SIZE_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


@functools.cache
def hash_order(keys: tuple) -> list:
    """An NSDictionary keeps no order: its keys are archived as their hashes fall, CRCs here."""
    return sorted(keys, key=lambda key: zlib.crc32(key.encode()))


class KeyedArchiver:
    """Lays a property list out as NSKeyedArchiver does when its root is an NSDictionary.

    Objects are numbered as they are met, parents first; equal strings and numbers are one object;
    a class record stands after the first object of its class that is complete. A list may be any iterable,
    and is asked for one element at a time.
    """

    def __init__(self) -> None:
        # Each object is a scalar, or the place of its record in `records`.
        self.scalars: dict = {}
        self.places = array("q")
        # For each record the number of its class, of its keys or -1 for a list, of its values, then the numbers of both.
        self.records = array("I")
        self.class_numbers: dict = {}
        self.class_names: dict = {}
        self.encode_scalar("$null")

    def archive(self, root) -> bytes:
        number = self.encode(root)
        return TableWriter(self).write(number)

    def encode(self, value) -> int:
        if isinstance(value, dict):
            return self.encode_dictionary(value)
        if isinstance(value, (str, bool, int, float)):
            return self.encode_scalar(value)
        return self.encode_array(value)

    def encode_scalar(self, value) -> int:
        # The type belongs to the identity: true, 1 and 1.0 are equal in Python.
        identity = (type(value), value)
        number = self.scalars.get(identity)
        if number is None:
            number = self.scalars[identity] = self.append(-1)
        return number

    def encode_array(self, values) -> int:
        number = self.append(0)
        numbers = array("I", map(self.encode, values))
        self.close(number, "NSArray", None, numbers)
        return number

    def encode_dictionary(self, fields: dict) -> int:
        number = self.append(0)
        keys = hash_order(tuple(fields))
        key_numbers = array("I", map(self.encode, keys))
        numbers = array("I", [self.encode(fields[key]) for key in keys])
        self.close(number, "NSDictionary", key_numbers, numbers)
        return number

    def close(self, number: int, name: str, keys: array | None, values: array) -> None:
        self.places[number] = len(self.records)
        class_number = self.class_numbers.get(name)
        if class_number is None:
            class_number = self.class_numbers[name] = self.append(-2)
            self.class_names[class_number] = name
        self.records.extend((class_number, keys is not None, len(values)))
        self.records.extend(keys or ())
        self.records.extend(values)

    def append(self, place: int) -> int:
        self.places.append(place)
        return len(self.places) - 1


class TableWriter:
    """Writes the objects of an archiver as a binary property list, each before what it holds."""

    def __init__(self, archiver: KeyedArchiver) -> None:
        self.archiver = archiver
        self.body = bytearray(b"bplist00")
        self.offsets = array("Q")
        # The objects of the property list that equal scalars share.
        self.scalar_places: dict = {}
        self.reference_size = byte_size(self.count())

    def count(self) -> int:
        """How many objects the property list has: each reference of a record is one of its own."""
        archiver = self.archiver
        scalars = set(archiver.scalars)
        texts = ["$version", "$archiver", "$top", "$objects", "NSKeyedArchiver", "root"]
        for name in archiver.class_numbers:
            texts += ["$classname", "$classes", name, "NSObject", "NS.objects", "$class"]
        if "NSDictionary" in archiver.class_numbers:
            texts.append("NS.keys")
        scalars.update((str, text) for text in texts)
        scalars.add((int, 100_000))
        # The root dictionary, that of $top with its reference, and $objects.
        total = len(scalars) + 4 + 2 * len(archiver.class_names)
        records = archiver.records
        place = 0
        while place < len(records):
            has_keys, values = records[place + 1], records[place + 2]
            references = values * (1 + has_keys)
            # Itself, its lists, their references and that of the class.
            total += 1 + (1 + has_keys) + references + 1
            place += 3 + references
        return total

    def write(self, root: int) -> bytes:
        top = [("root", lambda: self.uid(root))]
        self.dictionary(
            [
                ("$version", lambda: self.scalar(100_000)),
                ("$archiver", lambda: self.scalar("NSKeyedArchiver")),
                ("$top", lambda: self.dictionary(top)),
                ("$objects", self.objects),
            ]
        )
        return bytes(self.body) + self.trailer()

    def objects(self) -> int:
        number = self.begin()
        places = array("Q")
        self.size(0xA0, len(self.archiver.places))
        start = len(self.body)
        self.body += bytes(len(self.archiver.places) * self.reference_size)
        scalars = iter(self.archiver.scalars)
        for position, place in enumerate(self.archiver.places):
            if place == -1:
                places.append(self.scalar(next(scalars)[1]))
            elif place == -2:
                places.append(self.class_record(self.archiver.class_names[position]))
            else:
                places.append(self.record(place))
        self.set_references(start, places)
        return number

    def record(self, place: int) -> int:
        records = self.archiver.records
        class_number, has_keys, count = records[place : place + 3]
        first = place + 3
        lists = [("NS.keys", first)] if has_keys else []
        lists.append(("NS.objects", first + has_keys * count))
        members = [
            (name, functools.partial(self.uids, records[start : start + count]))
            for name, start in lists
        ]
        return self.dictionary([*members, ("$class", lambda: self.uid(class_number))])

    def class_record(self, name: str) -> int:
        names = [name, "NSObject"]
        return self.dictionary(
            [("$classname", lambda: self.scalar(name)), ("$classes", lambda: self.texts(names))]
        )

    def dictionary(self, members: list) -> int:
        number = self.begin()
        self.body.append(0xD0 | len(members))
        start = len(self.body)
        self.body += bytes(2 * len(members) * self.reference_size)
        places = [self.scalar(name) for name, _ in members]
        places += [write() for _, write in members]
        self.set_references(start, places)
        return number

    def texts(self, texts: list) -> int:
        number = self.begin()
        self.size(0xA0, len(texts))
        start = len(self.body)
        self.body += bytes(len(texts) * self.reference_size)
        self.set_references(start, [self.scalar(text) for text in texts])
        return number

    def uids(self, numbers: array) -> int:
        """A list of references, which are the next objects."""
        number = self.begin()
        self.size(0xA0, len(numbers))
        self.body += self.references(range(number + 1, number + 1 + len(numbers)))
        for target in numbers:
            self.uid(target)
        return number

    def uid(self, target: int) -> int:
        number = self.begin()
        size = byte_size(target)
        self.body.append(0x80 | size - 1)
        self.body += target.to_bytes(size, "big")
        return number

    def scalar(self, value) -> int:
        identity = (type(value), value)
        number = self.scalar_places.get(identity)
        if number is None:
            number = self.scalar_places[identity] = self.begin()
            self.write_scalar(value)
        return number

    def write_scalar(self, value) -> None:
        if isinstance(value, bool):
            self.body.append(0x09 if value else 0x08)
        elif isinstance(value, int):
            self.write_integer(value)
        elif isinstance(value, float):
            self.body += struct.pack(">Bd", 0x23, value)
        elif value.isascii():
            self.size(0x50, len(value))
            self.body += value.encode("ascii")
        else:
            units = value.encode("utf-16be")
            self.size(0x60, len(units) // 2)
            self.body += units

    def write_integer(self, value: int) -> None:
        # Only eight bytes have a sign.
        size = 8 if value < 0 else byte_size(value)
        self.body.append(0x10 | size.bit_length() - 1)
        self.body += value.to_bytes(size, "big", signed=value < 0)

    def size(self, marker: int, count: int) -> None:
        if count < 15:
            self.body.append(marker | count)
        else:
            self.body.append(marker | 15)
            self.write_integer(count)

    def begin(self) -> int:
        self.offsets.append(len(self.body))
        return len(self.offsets) - 1

    def references(self, numbers) -> bytes:
        return big_endian(numbers, self.reference_size)

    def set_references(self, start: int, numbers) -> None:
        encoded = self.references(numbers)
        self.body[start : start + len(encoded)] = encoded

    def trailer(self) -> bytes:
        start = len(self.body)
        size = byte_size(start)
        numbers = struct.pack(
            ">5x3B3Q", 0, size, self.reference_size, len(self.offsets), 0, start
        )
        return big_endian(self.offsets, size) + numbers


def byte_size(number: int) -> int:
    """The bytes that a number takes."""
    return next(size for size in SIZE_CODES if number < 1 << 8 * size)


def big_endian(numbers, size: int) -> bytes:
    encoded = array(SIZE_CODES[size], numbers)
    encoded.byteswap()
    return encoded.tobytes()
