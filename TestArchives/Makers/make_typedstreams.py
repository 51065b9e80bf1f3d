"""Writes typedstreams as NSArchiver lays them out, by the format's description and without archtool.

usage: make_typedstreams.py ARCHIVES
"""

import os
import struct
import sys

NEW, NIL, END, REAL, SHORT, LONG, WIDE = 0x84, 0x85, 0x86, 0x83, 0x81, 0x82, 0x87
FIRST_REFERENCE = -110
WIDTHS = [(2, SHORT), (4, LONG), (8, WIDE)]


class Stream:
    """The bytes of a typedstream, with the tables that its references count in."""

    def __init__(self, big=False, version=4, system=1000):
        self.order = ">" if big else "<"
        signature = b"typedstream" if big else b"streamtyped"
        self.bytes = bytearray([version, len(signature)]) + signature
        self.strings = []
        self.entries = []
        self.integer(system)

    def integer(self, value):
        if FIRST_REFERENCE <= value <= 127:
            self.bytes += struct.pack("b", value)
        elif -(2**15) <= value < 2**15:
            self.bytes += bytes([SHORT]) + struct.pack(self.order + "h", value)
        elif -(2**31) <= value < 2**31:
            self.bytes += bytes([LONG]) + struct.pack(self.order + "i", value)
        else:
            self.bytes += bytes([WIDE]) + struct.pack(self.order + "q", value)

    def reference(self, number):
        self.integer(number + FIRST_REFERENCE)

    def characters(self, text):
        self.integer(len(text))
        self.bytes += text

    def shared(self, text):
        text = text.encode() if isinstance(text, str) else text
        if text in self.strings:
            return self.reference(self.strings.index(text))
        self.strings.append(text)
        self.bytes.append(NEW)
        self.characters(text)

    def types(self, text):
        self.shared(text)

    def real(self, value, code="d"):
        if value == int(value) and abs(value) < 2**31:
            return self.integer(int(value))
        self.bytes += bytes([REAL]) + struct.pack(self.order + code, value)

    def class_chain(self, *chain):
        for position, (name, version) in enumerate(chain):
            key = ("class",) + chain[position:]
            if key in self.entries:
                return self.reference(self.entries.index(key))
            self.entries.append(key)
            self.bytes.append(NEW)
            self.shared(name)
            self.integer(version)
        self.bytes.append(NIL)

    def begin(self, key, *chain):
        """Begins an object, or refers to it; tells whether its contents must follow."""
        if ("object", key) in self.entries:
            self.reference(self.entries.index(("object", key)))
            return False
        self.entries.append(("object", key))
        self.bytes.append(NEW)
        self.class_chain(*chain)
        return True

    def end(self):
        self.bytes.append(END)

    def c_string(self, text):
        if ("text", text) in self.entries:
            return self.reference(self.entries.index(("text", text)))
        self.entries.append(("text", text))
        self.bytes.append(NEW)
        self.shared(text)

    # Foundation's classes

    OBJECT = ("NSObject", 0)

    def string(self, text, key=None):
        if self.begin(key or ("s", text), ("NSString", 1), self.OBJECT):
            self.types("+")
            self.characters(text.encode())
            self.end()

    def number(self, code, value, key=None):
        if self.begin(key or (code, value), ("NSNumber", 0), ("NSValue", 0), self.OBJECT):
            self.types("*")
            self.c_string(code)
            self.types(code)
            self.value(code, value)
            self.end()

    def value(self, code, value):
        if code in "cC":
            self.bytes += struct.pack("b" if code == "c" else "B", value)
        elif code == "B":
            self.bytes.append(value)
        elif code in "fd":
            self.real(value, code)
        elif code in "SILQ" and value > 127:
            # Unsigned numbers have their bits without a sign.
            width, head = next(w for w in WIDTHS if value < 2 ** (8 * w[0]))
            self.bytes += bytes([head])
            self.bytes += value.to_bytes(width, "big" if self.order == ">" else "little")
        else:
            self.integer(value)


def foundation(big, wide=False):
    s = Stream(big)
    s.types("@")
    s.begin("root", ("NSMutableArray", 0), ("NSArray", 0), s.OBJECT)
    s.types("i")
    s.integer(11 if wide else 10)
    s.types("@"), s.string("plain")
    s.types("@"), s.string("東京 🌦")
    s.types("@"), s.number("i", 70000)
    if wide:
        s.types("@"), s.number("q", -(2**40))
    s.types("@"), s.number("d", 0.1)
    s.types("@"), s.number("f", 1.5)
    s.types("@")
    s.begin("data", ("NSMutableData", 0), ("NSData", 0), s.OBJECT)
    s.types("i"), s.integer(3), s.types("[3c]")
    s.bytes += b"\x00\xff\x80"
    s.end()
    s.types("@")
    s.begin("date", ("NSDate", 0), s.OBJECT)
    s.types("d"), s.real(576217800.25), s.end()
    s.types("@")
    s.begin("dictionary", ("NSDictionary", 0), s.OBJECT)
    s.types("i"), s.integer(2)
    s.types("@"), s.string("key"), s.types("@"), s.string("plain")
    s.types("@"), s.string("again"), s.types("@"), s.number("d", 0.1)
    s.end()
    s.types("@")
    s.begin("set", ("NSSet", 0), s.OBJECT)
    s.types("I"), s.integer(1), s.types("@"), s.string("member"), s.end()
    s.types("@")
    s.begin("url", ("NSURL", 0), s.OBJECT)
    s.types("c"), s.value("c", 0), s.types("@"), s.string("https://example.com/a"), s.end()
    s.end()
    return s


def unknown(big, version=4):
    """An application's class with every type that a stream can tell."""
    s = Stream(big, version, system=1000 if version == 4 else 82)
    s.types("@")
    s.begin("thing", ("AppThing", 3), ("AppBase", 200), s.OBJECT)
    s.types("@"), s.string("name")
    s.types("cCsSiIlLqQ")
    numbers = [-1, 200, -300, 40000, -70000, 2**32 - 1, 5, 6, 70000, 2**32 - 2]
    for code, value in zip("cCsSiIlLqQ", numbers):
        s.value(code, value)
    s.types("fdB"), s.real(0.5, "f"), s.real(-2.25), s.value("B", 1)
    s.types("*%:"), s.c_string("C text"), s.shared("atom"), s.shared("setName:")
    s.types("*"), s.c_string("C text")
    s.types("*"), s.bytes.append(NIL)
    s.types("#"), s.class_chain(("AppBase", 200), s.OBJECT)
    s.types("#"), s.bytes.append(NIL)
    s.types("!i"), s.integer(9)
    s.types("{_NSRect={_NSPoint=ff}{_NSSize=ff}}")
    for number in (1, 2.5, 3, 4):
        s.real(number, "f")
    s.types("{?=i[2s]}"), s.integer(7), s.integer(8), s.integer(9)
    s.types("[4C]")
    s.bytes += b"\x01\x02\x03\x04"
    s.types("[3@]"), s.string("name"), s.bytes.append(NIL), s.begin("thing")
    s.types("@"), s.bytes.append(NIL)
    s.end()
    return s


def groups(big):
    """Several groups at the top, and no root object."""
    s = Stream(big)
    s.types("i"), s.integer(-5)
    s.types("@i"), s.string("two"), s.integer(300)
    s.types("@"), s.string("two")
    return s


def references(big):
    """References of one, of two and of more bytes: 110 and 238 are the bounds."""
    s = Stream(big)
    s.types("@")
    s.begin("root", ("NSArray", 0), s.OBJECT)
    s.types("i"), s.integer(600)
    for number in range(300):
        s.types("@"), s.string("string %d" % number)
    for number in range(300):
        s.types("@"), s.string("string %d" % number)
    s.end()
    return s


def cycle(big):
    """An object that holds itself, through a dictionary and directly."""
    s = Stream(big)
    s.types("@")
    s.begin("root", ("NSMutableArray", 0), ("NSArray", 0), s.OBJECT)
    s.types("i"), s.integer(2)
    s.types("@"), s.begin("root")
    s.types("@")
    s.begin("dictionary", ("NSDictionary", 0), s.OBJECT)
    s.types("i"), s.integer(1), s.types("@"), s.string("root"), s.types("@"), s.begin("root")
    s.end()
    s.end()
    return s


def wide(big):
    return foundation(big, wide=True)


def attributed(big):
    s = Stream(big)
    s.types("@")
    s.begin("root", ("NSMutableAttributedString", 0), ("NSAttributedString", 0), s.OBJECT)
    s.types("@"), s.string("Hello, big world")
    runs = [(1, 7, "plain"), (2, 3, "big"), (1, 6, None)]
    for index, length, style in runs:
        s.types("iI"), s.integer(index), s.integer(length)
        if style is None:
            continue
        s.types("@")
        s.begin("attributes %d" % index, ("NSDictionary", 0), s.OBJECT)
        s.types("i"), s.integer(1), s.types("@"), s.string("style"), s.types("@"), s.string(style)
        s.end()
    s.end()
    return s


def geometry(big):
    s = Stream(big)
    s.types("@")
    s.begin("root", ("NSArray", 0), s.OBJECT)
    s.types("i"), s.integer(4)
    kinds = [
        ("{_NSPoint=ff}", (1.5, 2)),
        ("{_NSSize=ff}", (30, 40)),
        ("{_NSRect={_NSPoint=ff}{_NSSize=ff}}", (1, 2, 3, 4)),
        ("{_NSRange=II}", (5, 6)),
    ]
    for position, (code, numbers) in enumerate(kinds):
        s.types("@")
        s.begin("value %d" % position, ("NSValue", 0), s.OBJECT)
        s.types("*"), s.c_string(code), s.types(code)
        for number in numbers:
            s.integer(number) if "II" in code else s.real(number, "f")
        s.end()
    s.end()
    return s


def color(big):
    s = Stream(big)
    s.types("@")
    s.begin("root", ("NSArray", 0), s.OBJECT)
    s.types("i"), s.integer(2)
    s.types("@"), s.begin("red", ("NSColor", 0), s.OBJECT)
    s.types("c"), s.value("c", 1), s.types("ffff")
    for number in (1, 0.5, 0, 1):
        s.real(number, "f")
    s.end()
    s.types("@"), s.begin("gray", ("NSColor", 0), s.OBJECT)
    s.types("c"), s.value("c", 3), s.types("ff"), s.real(0.25, "f"), s.real(0.5, "f")
    s.end()
    s.end()
    return s


VIEW = (("NSView", 41), ("NSResponder", 0), Stream.OBJECT)
CONTROL = (("NSControl", 41),) + VIEW
BUTTON_CELL = (("NSButtonCell", 63), ("NSActionCell", 17), ("NSCell", 65), Stream.OBJECT)
MENU_ITEM = (("NSMenuItem", 671), Stream.OBJECT)
CONNECTOR = (("NSNibConnector", 17), Stream.OBJECT)


def group(s, code, *values):
    """A group of values: strings are objects, a function writes what it likes."""
    s.types(code)
    for letter, value in zip(code, values):
        if value is None:
            s.bytes.append(NIL)
        elif callable(value):
            value()
        elif letter == "@":
            s.string(value)
        elif letter == ":":
            s.shared(value)
        elif letter == "f":
            s.real(value, "f")
        else:
            s.value(letter, value)


def view(s, key, chain, frame, parent, subviews=None):
    """The fields of a view and its superclass; the object stays open."""
    s.begin(key, *chain)
    group(s, "@", parent)
    group(s, "i", 0x12000800 if subviews is None else 0)
    group(s, "@@@@ffffffff", subviews, None, None, None, *frame, 0, 0, *frame[2:])
    for value in (parent, None, None, None):
        group(s, "@", value)


def interface(big):
    """An interface file: a window with a button, a menu item, and what they are connected to."""
    s = Stream(big)
    s.types("@")
    s.begin("data", ("NSIBObjectData", 224), s.OBJECT)

    def owner():
        if s.begin("owner", ("NSCustomObject", 41), s.OBJECT):
            group(s, "@@", "Controller", None)
            s.end()

    def content():
        if ("object", "content") in s.entries:
            return s.begin("content")
        view(s, "content", VIEW, (0, 0, 200, 100), None, buttons)
        return s.end()

    def buttons():
        s.begin("buttons", ("NSMutableArray", 0), ("NSArray", 0), s.OBJECT)
        s.types("i"), s.integer(1)
        group(s, "@", button)
        s.end()

    def button():
        if ("object", "button") in s.entries:
            return s.begin("button")
        view(s, "button", (("NSButton", 0),) + CONTROL, (20, 30.5, 96, 32), content)
        group(s, "icc@", 5, 1, 0, cell)
        return s.end()

    def cell():
        s.begin("cell", *BUTTON_CELL)
        group(s, "ii", 0x04000000, 0)
        group(s, "@@@@", "OK", font, None, None)
        group(s, "i:", 0, None)
        group(s, "@", None)
        group(s, "@", button)
        group(s, "ssii@@@@@", 200, 25, 0x10000001, -0x7F800000, "", "\r", None, None, None)
        s.end()

    def font():
        name = "Lucida".encode("utf-16-be")
        s.begin("font", ("NSFont", 21), s.OBJECT)
        plist = struct.pack("<II", 6, len(name) + 2) + b"\xfe\xff" + name
        s.types("i"), s.integer(len(plist))
        s.types("[%dc]" % len(plist))
        s.bytes += plist
        group(s, "f", 13)
        for number in (0, 1, 0, 12):
            group(s, "c", number)
        s.end()

    def window():
        if not s.begin("window", ("NSWindowTemplate", 504), s.OBJECT):
            return
        group(s, "iiffffi@@@@@c", 7, 2, 100, 200, 200, 100, 0x20000000, "Panel", "NSPanel", "View",
              content, None, 1)
        group(s, "ffff", 0, 0, 1024, 746)
        group(s, "c", 1), group(s, "ff", 100, 50.25)
        group(s, "@", "panel"), group(s, "c", 0)
        s.end()

    def item():
        if not s.begin("item", *MENU_ITEM):
            return
        group(s, "@", None)
        group(s, "i@@IIi@@@@:i@", 0, "Quit", "q", 1 << 20, 0x7FFFFFFF, 0, None, None, None, None,
              "terminate:", 0, None)
        group(s, "@", owner), group(s, "@", None)
        s.end()

    def connector(name, version, source, label, target):
        def write():
            s.begin(name, (name, version), *CONNECTOR)
            group(s, "@@@", source, target, label)
            s.end()
        return write

    outlet = connector("NSNibOutletConnector", 207, owner, "window", window)
    action = connector("NSNibControlConnector", 207, item, "terminate:", owner)

    def connectors():
        s.begin("connectors", ("NSMutableArray", 0), ("NSArray", 0), s.OBJECT)
        s.types("i"), s.integer(2)
        group(s, "@", outlet), group(s, "@", action)
        s.end()

    group(s, "@", owner)
    s.types("i"), s.integer(2)
    group(s, "@@", window, owner), group(s, "@@", item, owner)
    s.types("i"), s.integer(1)
    group(s, "@@", owner, "File's Owner")
    group(s, "@", None), group(s, "@", connectors), group(s, "@", None)
    s.types("i"), s.integer(1)
    group(s, "@i", window, 7)
    group(s, "i", 8)
    s.types("i"), s.integer(0)
    group(s, "@", "IBCocoaFramework")
    s.end()
    return s


def color_list(big):
    """A color list, which has no class."""
    s = Stream(big)
    s.types("i"), s.integer(1)
    s.types("@i"), s.bytes.append(NIL), s.integer(2)
    for name, numbers in (("Red", (1, 0, 0, 1)), ("Sea", (0, 0.5, 1, 0.25))):
        s.types("@@")
        s.begin(name, ("NSColor", 0), s.OBJECT)
        s.types("c"), s.value("c", 1), s.types("ffff")
        for number in numbers:
            s.real(number, "f")
        s.end()
        s.string(name)
    return s


def main():
    folder = os.path.join(sys.argv[1], "TypedStreams")
    os.makedirs(folder, exist_ok=True)
    streams = {
        "foundation": foundation,
        "unknown-class": unknown,
        "cycle": cycle,
        "wide-integers": wide,
        "several-groups": groups,
        "references": references,
        "attributed-string": attributed,
        "geometry": geometry,
        "colors": color,
        "interface": interface,
        "color-list": color_list,
    }
    for name, make in streams.items():
        for big in (False, True):
            path = os.path.join(folder, name + ("-big-endian" if big else ""))
            with open(path, "wb") as file:
                file.write(make(big).bytes)
    with open(os.path.join(folder, "unknown-class-version-3"), "wb") as file:
        file.write(unknown(True, version=3).bytes)


if __name__ == "__main__":
    main()
