"""Binary property lists, with what plistlib merges or does not tell: -0.0 beside 0.0, reals of single precision."""
import datetime
import struct
from plistlib import UID

EPOCH = datetime.datetime(2001, 1, 1)


class Single(float):
    """A real that is stored in four bytes."""


class Date(float):
    """A date, as seconds since 2001."""


# Writing


def dumps(root):
    """The bytes of a property list; every value is an object of its own, but a text has one."""
    objects, texts, entries = [], {}, []

    def number_of(value):
        if isinstance(value, str) and value in texts:
            return texts[value]
        number = len(objects)
        objects.append(value)
        entries.append(None)
        if isinstance(value, str):
            texts[value] = number
        elif isinstance(value, (list, tuple)):
            entries[number] = [number_of(item) for item in value]
        elif isinstance(value, dict):
            entries[number] = [number_of(key) for key in value] + [number_of(item) for item in value.values()]
        return number

    number_of(root)
    width = 1 if len(objects) < 256 else 2 if len(objects) < 65536 else 4
    output, offsets = bytearray(b"bplist00"), []
    for value, references in zip(objects, entries):
        offsets.append(len(output))
        output += scalar(value) if references is None else (
            marker(0xD if isinstance(value, dict) else 0xA, len(value))
            + b"".join(item.to_bytes(width, "big") for item in references))
    start = len(output)
    size = 2 if start < 65536 else 4
    output += b"".join(offset.to_bytes(size, "big") for offset in offsets)
    return bytes(output + struct.pack(">6xBBQQQ", size, width, len(objects), 0, start))


def marker(kind, count):
    return bytes([kind << 4 | count]) if count < 15 else bytes([kind << 4 | 15]) + integer(count)


def integer(value):
    if value < 0:
        return b"\x13" + struct.pack(">q", value)
    if value >= 1 << 63:
        return b"\x14" + value.to_bytes(16, "big")
    power = 0 if value < 1 << 8 else 1 if value < 1 << 16 else 2 if value < 1 << 32 else 3
    return bytes([0x10 | power]) + value.to_bytes(1 << power, "big")


def scalar(value):
    if isinstance(value, bool):
        return b"\x09" if value else b"\x08"
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, Single):
        return b"\x22" + struct.pack(">f", value)
    if isinstance(value, Date):
        return b"\x33" + struct.pack(">d", value)
    if isinstance(value, float):
        return b"\x23" + struct.pack(">d", value)
    if isinstance(value, datetime.datetime):
        return b"\x33" + struct.pack(">d", (value - EPOCH).total_seconds())
    if isinstance(value, UID):
        size = 1 if value.data < 256 else 2 if value.data < 65536 else 4
        return bytes([0x80 | size - 1]) + value.data.to_bytes(size, "big")
    if isinstance(value, (bytes, bytearray)):
        return marker(4, len(value)) + value
    if value.isascii():
        return marker(5, len(value)) + value.encode("ascii")
    units = value.encode("utf-16-be")
    return marker(6, len(units) // 2) + units


# Reading


def loads(data):
    """The root of a binary property list. Containers are not shared: each reference makes one of its own."""
    if data[:8] != b"bplist00":
        raise ValueError("no binary property list")
    size, width, count, top, start = struct.unpack(">6xBBQQQ", data[-32:])
    offsets = [int.from_bytes(data[start + size * n:start + size * (n + 1)], "big") for n in range(count)]
    known = {}

    def counted(at):
        low = data[at] & 15
        if low < 15:
            return low, at + 1
        length = 1 << (data[at + 1] & 15)
        return int.from_bytes(data[at + 2:at + 2 + length], "big"), at + 2 + length

    def references(at, number):
        return [value(int.from_bytes(data[at + width * n:at + width * (n + 1)], "big")) for n in range(number)]

    def value(number):
        if number in known:
            return known[number]
        at = offsets[number]
        kind, low = data[at] >> 4, data[at] & 15
        if kind == 0xA:
            length, at = counted(at)
            return references(at, length)
        if kind == 0xD:
            length, at = counted(at)
            return dict(zip(references(at, length), references(at + length * width, length)))
        known[number] = made = plain(at, kind, low)
        return made

    def plain(at, kind, low):
        if kind == 0:
            return {8: False, 9: True}[low]
        if kind == 1:
            return int.from_bytes(data[at + 1:at + 1 + (1 << low)], "big", signed=low >= 3)
        if kind == 2:
            return Single(struct.unpack(">f", data[at + 1:at + 5])[0]) if low == 2 else struct.unpack(
                ">d", data[at + 1:at + 9])[0]
        if kind == 3:
            return Date(struct.unpack(">d", data[at + 1:at + 9])[0])
        if kind == 8:
            return UID(int.from_bytes(data[at + 1:at + 2 + low], "big"))
        length, at = counted(at)
        if kind == 4:
            return bytes(data[at:at + length])
        if kind == 5:
            return data[at:at + length].decode("ascii")
        return data[at:at + 2 * length].decode("utf-16-be")

    return value(top)
