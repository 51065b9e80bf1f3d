"""Writes dictionaries, lists, strings and numbers as a typedstream, as NSArchiver lays them out."""

from __future__ import annotations

import struct

NEW, NIL, END, REAL, SHORT, LONG = 0x84, 0x85, 0x86, 0x83, 0x81, 0x82
FIRST_REFERENCE = -110
OBJECT = ("NSObject", 0)


class TypedStreamWriter:
    """Equal strings and numbers are one object, to which the stream refers after the first time.

    Class names, type encodings and the like are numbered in one table; objects, classes and the C strings that
    are values are numbered together in another.
    """

    def __init__(self) -> None:
        self.bytes = bytearray(b"\x04\x0bstreamtyped")
        self.integer(1000)
        self.texts: dict = {}
        self.entries: dict = {}

    def archive(self, root) -> bytes:
        self.text("@")
        self.encode(root)
        return bytes(self.bytes)

    def encode(self, value) -> None:
        if isinstance(value, dict):
            self.container("NSDictionary", len(value))
            for key, member in value.items():
                self.element(key)
                self.element(member)
            self.bytes.append(END)
        elif isinstance(value, list):
            self.container("NSArray", len(value))
            for element in value:
                self.element(element)
            self.bytes.append(END)
        else:
            self.scalar(value)

    def element(self, value) -> None:
        self.text("@")
        self.encode(value)

    def container(self, name: str, count: int) -> None:
        self.begin(object(), (name, 0), OBJECT)
        self.text("i")
        self.integer(count)

    def scalar(self, value) -> None:
        # The type belongs to the identity: true, 1 and 1.0 are equal in Python.
        identity = (type(value), value)
        if identity in self.entries:
            self.reference(self.entries[identity])
        elif isinstance(value, str):
            self.begin(identity, ("NSString", 1), OBJECT)
            self.text("+")
            self.characters(value.encode())
            self.bytes.append(END)
        else:
            self.number(identity, value)

    def number(self, identity, value) -> None:
        code = "c" if isinstance(value, bool) else "d" if isinstance(value, float) else "i"
        self.begin(identity, ("NSNumber", 0), ("NSValue", 0), OBJECT)
        self.text("*")
        self.c_string(code)
        self.text(code)
        if code == "d":
            self.real(value)
        else:
            self.integer(int(value))
        self.bytes.append(END)

    # -- Parts of the format -------------------------------------------------------------------

    def begin(self, identity, *chain) -> None:
        self.enter(identity)
        self.bytes.append(NEW)
        for position in range(len(chain)):
            key = chain[position:]
            if key in self.entries:
                self.reference(self.entries[key])
                return
            self.enter(key)
            self.bytes.append(NEW)
            self.text(chain[position][0])
            self.integer(chain[position][1])
        self.bytes.append(NIL)

    def enter(self, key) -> None:
        self.entries[key] = len(self.entries)

    def reference(self, number: int) -> None:
        self.integer(number + FIRST_REFERENCE)

    def c_string(self, text: str) -> None:
        key = ("c string", text)
        if key in self.entries:
            self.reference(self.entries[key])
            return
        self.enter(key)
        self.bytes.append(NEW)
        self.text(text)

    def text(self, text: str) -> None:
        if text in self.texts:
            self.reference(self.texts[text])
            return
        self.texts[text] = len(self.texts)
        self.bytes.append(NEW)
        self.characters(text.encode())

    def characters(self, text: bytes) -> None:
        self.integer(len(text))
        self.bytes += text

    def real(self, value: float) -> None:
        if value.is_integer() and abs(value) < 2**31:
            self.integer(int(value))
        else:
            self.bytes += bytes([REAL]) + struct.pack("<d", value)

    def integer(self, value: int) -> None:
        if FIRST_REFERENCE <= value <= 127:
            self.bytes += struct.pack("b", value)
        elif -(2**15) <= value < 2**15:
            self.bytes += bytes([SHORT]) + struct.pack("<h", value)
        else:
            # Wider numbers have a head that pytypedstream does not know.
            self.bytes += bytes([LONG]) + struct.pack("<i", value)
